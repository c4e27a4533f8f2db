#include "kernel/leaving.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "kernel/uniform.h"
#include "ptx/opcode.h"
#include "ptx/walk.h"

/* --- where barriers are reached ------------------------------------------------------------------------------------------- */

bool insn_waits(const Insn *insn) { return (insn->op == OP_bar || insn->op == OP_barrier) && insn->variant != BAR_WARP_SYNC; }

/* Marks the block where one that it leads to is marked. True when that is new. */
static bool mark_back(const Program *program, const Function *function, const Flow *flow, uint32_t block, bool *marked) {
    if (marked[block]) return false;
    const Insn *last = &program->insns[flow->blocks[block].end - 1];
    const BranchTable to = insn_targets(last);
    bool leads = (insn_falls(last) || last->table) && block + 1 < flow->n_blocks && marked[block + 1];
    for (uint32_t t = 0; t < to.count; t++) leads |= marked[flow->block_of[to.targets[t] - function->first]];
    return marked[block] = leads;
}

/* Passes over the blocks after which nothing is known: each loop within another takes one, code that was written to be slow more. */
enum { PASSES_MOST = 64 };

/* By block: whether it leads to a barrier. NULL where none does, or it is not found out. The caller frees. */
static bool *leads_find(const Program *program, const Function *function, const Flow *flow, bool calls_wait) {
    bool *leads = alloc_zeroed(flow->n_blocks + 1, sizeof *leads), more = false;
    for (uint32_t i = 0; i < function->count; i++)
        if (insn_waits(&program->insns[function->first + i]) ||
            (calls_wait && program->insns[function->first + i].op == OP_call))
            more = leads[flow->block_of[i]] = true;
    bool any = more;
    for (int pass = 0; more && pass < PASSES_MOST; pass++) {
        more = false;
        for (uint32_t b = flow->n_blocks; b-- > 0;) more |= mark_back(program, function, flow, b, leads);
    }
    if (any && !more) return leads;
    free(leads);
    return NULL;
}

uint8_t *leaving_find(const Program *program, const Function *function, const Flow *flow, bool calls_wait, Arena *arena) {
    FREED bool *leads = leads_find(program, function, flow, calls_wait);
    if (!leads) return NULL;
    uint8_t *leaving = ARENA_ARRAY(arena, uint8_t, function->count);
    for (uint32_t b = 0; b < flow->n_blocks; b++) {
        const uint32_t last = flow->blocks[b].end - 1;
        const Insn *insn = &program->insns[last];
        if (insn->op != OP_bra || !insn->guarded || b + 1 >= flow->n_blocks) continue;
        const bool there = leads[flow->block_of[insn->target - function->first]], next = leads[b + 1];
        if (there != next) leaving[last - function->first] = there ? LEAVES_BY_FALLING : LEAVES_BY_JUMP;
    }
    return leaving;
}

/* --- which condition ------------------------------------------------------------------------------------------------------ */

/* What is worked out before it matters how often: each pass finds what depends on what the one before has found. */
typedef struct Varying {
    const Program *program;
    const Function *function;
    uint32_t *writer; /* by register: the last instruction that writes it; NO_INSN: none */
    bool *varies;     /* by register: it may differ between the lanes of a warp */
} Varying;

static bool insn_varies(const Varying *varying, const Insn *insn) {
    const OpClass class = (OpClass)opcode_classes[insn->op];
    if (class == CLASS_MEMORY && !(insn->op == OP_ld && insn->space == SPACE_PARAM)) return true;
    if (class == CLASS_WARP || class == CLASS_CONTROL) return true;
    for (int i = insn->n_dst; i < insn->n_dst + insn->n_src; i++)
        if (insn->operands[i].kind == OPERAND_SPECIAL && uniform_special_differs(insn->operands[i].index)) return true;
    for (RegisterWalk at = walk_reads(insn); walk_next(&at);)
        if (varying->varies[at.index]) return true;
    return false;
}

static bool vary_more(Varying *varying) {
    bool more = false;
    for (uint32_t i = 0; i < varying->function->count; i++) {
        const Insn *insn = &varying->program->insns[varying->function->first + i];
        for (RegisterWalk at = walk_writes(insn); walk_next(&at);) {
            if (varying->varies[at.index] || !insn_varies(varying, insn)) continue;
            more = varying->varies[at.index] = true;
        }
    }
    return more;
}

/* A register that several instructions write may hold what either has, as their lanes went different ways. */
static Varying varying_find(const Program *program, const Function *function) {
    Varying varying = {program, function, alloc_zeroed(function->n_registers + 1, sizeof(uint32_t)),
                       alloc_zeroed(function->n_registers + 1, sizeof(bool))};
    memset(varying.writer, 0xff, function->n_registers * sizeof(uint32_t));
    for (uint32_t i = function->first; i < function->first + function->count; i++) {
        for (RegisterWalk at = walk_writes(&program->insns[i]); walk_next(&at);) {
            varying.varies[at.index] |= varying.writer[at.index] != NO_INSN;
            varying.writer[at.index] = i;
        }
    }
    int pass = 0;
    while (pass < PASSES_MOST && vary_more(&varying)) pass++;
    return varying;
}

enum { CONDITIONS_MOST = 16 };

/* The instructions that work out the conditions which were combined to this register. */
static unsigned find_conditions(const Varying *varying, uint32_t guard, uint32_t found[CONDITIONS_MOST]) {
    uint32_t open[CONDITIONS_MOST] = {guard};
    unsigned count = 0, n_open = 1;
    while (n_open) {
        uint32_t writer = varying->writer[open[--n_open]];
        const Insn *insn = writer == NO_INSN ? NULL : &varying->program->insns[writer];
        bool combines = insn && insn->type == TYPE_pred && (insn->op == OP_and || insn->op == OP_or || insn->op == OP_not);
        if (!insn || count + n_open + 2 > CONDITIONS_MOST) return 0;
        if (!combines) found[count++] = writer;
        for (RegisterWalk at = walk_reads(insn); combines && walk_next(&at);) open[n_open++] = at.index;
    }
    return count;
}

/* clang gives a condition that it has taken from another statement no line: what stands behind it has that of the one before. */
static bool has_own_line(const Program *program, const uint32_t *conditions, unsigned count, unsigned which) {
    for (unsigned i = 0; i < count; i++)
        if (conditions[i] < conditions[which] &&
            program->insns[conditions[i]].location == program->insns[conditions[which]].location)
            return false;
    return true;
}

uint32_t leaving_condition(const Program *program, const Function *function, uint32_t branch) {
    const Insn *insn = &program->insns[branch];
    if (!insn->guarded) return branch;
    Varying varying = varying_find(program, function);
    uint32_t conditions[CONDITIONS_MOST], found = NO_INSN;
    unsigned count = find_conditions(&varying, insn->guard, conditions), n_varying = 0;
    for (unsigned i = 0; i < count; i++) {
        const Insn *condition = &program->insns[conditions[i]];
        RegisterWalk written = walk_writes(condition);
        if (!walk_next(&written) || !varying.varies[written.index]) continue;
        n_varying++;
        if (has_own_line(program, conditions, count, i)) found = conditions[i];
    }
    free(varying.writer);
    free(varying.varies);
    return count <= 1 ? branch : n_varying == 1 ? found : NO_INSN;
}
