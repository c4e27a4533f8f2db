#include "kernel/narrow.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "kernel/traits.h"
#include "ptx/opcode.h"
#include "ptx/walk.h"

static void keep(Narrowed *narrowed, uint8_t element, unsigned first, unsigned count) {
    narrowed->offset[narrowed->count] = (uint8_t)(first * element);
    narrowed->bytes[narrowed->count++] = (uint8_t)(count * element);
}

/* Of two elements, or of four. */
static void keep_used(Narrowed *narrowed, uint8_t element, unsigned elements, uint8_t used) {
    for (unsigned half = 0; half < elements && elements == 4; half += 2)
        if (used == 3u << half) {
            keep(narrowed, element, half, 2);
            return;
        }
    for (unsigned k = 0; k < elements; k++)
        if (used >> k & 1) keep(narrowed, element, k, 1);
}

static Narrowed narrow(const Insn *insn, uint8_t used) {
    const unsigned elements = insn->vec ? insn->vec : 1, n_used = (unsigned)__builtin_popcount(used);
    const uint8_t element = type_bytes[insn->type];
    Narrowed narrowed = {.changed = !n_used};
    if (!n_used || n_used == elements || element == 1 || elements > 4 || elements * element > 16) return narrowed;
    if (elements == 4 && (n_used == 3 || (n_used == 2 && element == 2 && used != 3 && used != 12))) return narrowed;
    narrowed.changed = true;
    keep_used(&narrowed, element, elements, used);
    return narrowed;
}

/* A function's loops, from the instruction that a branch leads back to to that branch. */
typedef struct LoopLoads {
    const Insn *insns;
    uint32_t *written; /* by register: the last loop that writes it, by its branch, plus one */
    bool *targets;     /* by instruction: a branch leads there */
    uint8_t *writes;   /* by register: how many instructions write it, 2 at most */
    uint32_t *latest;  /* by register: the last load made once whose address it is, plus one; 0: none */
    uint32_t *before;  /* by such a load: the one before, likewise */
} LoopLoads;

static bool is_written(const LoopLoads *loads, uint32_t index, uint32_t last) { return loads->written[index] == last + 1; }

/* Whether it gives the same in each iteration, as ptxas sees. */
static bool is_invariant(const LoopLoads *loads, const Insn *insn, uint32_t last) {
    const bool parameter = insn->op == OP_ld && insn->space == SPACE_PARAM;
    const bool computes = opcode_classes[insn->op] == CLASS_ALU || opcode_classes[insn->op] == CLASS_MOVE;
    if ((!parameter && !computes) || insn->guarded || insn->flags & INSN_CC) return false;
    for (int k = 0; k < insn->n_dst + insn->n_src; k++)
        if (insn->operands[k].kind == OPERAND_SPECIAL) return false;
    for (RegisterWalk at = walk_reads(insn); walk_next(&at);)
        if (is_written(loads, at.index, last)) return false;
    for (RegisterWalk at = walk_writes(insn); walk_next(&at);)
        if (loads->writes[at.index] > 1) return false;
    return true;
}

/* Whether a load may leave the loop at all; notes what it writes that changes. */
static bool lets_out(const LoopLoads *loads, uint32_t first, uint32_t last) {
    bool lets = true;
    for (uint32_t i = first; i <= last; i++) {
        const Insn *insn = &loads->insns[i];
        lets &= insn->op != OP_membar && insn->op != OP_fence && insn->op != OP_call && insn->op != OP_brx;
        for (RegisterWalk at = walk_writes(insn); walk_next(&at);) loads->written[at.index] = last + 1;
    }
    for (uint32_t i = first; i <= last && lets; i++) {
        if (!is_invariant(loads, &loads->insns[i], last)) continue;
        for (RegisterWalk at = walk_writes(&loads->insns[i]); walk_next(&at);) loads->written[at.index] = 0;
    }
    return lets;
}

static bool is_the_same(const LoopLoads *loads, const Insn *insn, uint32_t last) {
    const Operand *address = &insn->operands[insn->n_dst];
    const bool plain = insn->op == OP_ld && insn->policy == POLICY_NC && insn->order == ORDER_WEAK && !insn->guarded;
    return plain && address->kind == OPERAND_ADDRESS && !is_written(loads, address->index, last);
}

/* The first load made once of the same bytes. */
static uint32_t same_load(const LoopLoads *loads, uint32_t at, const Narrowed *narrowed) {
    const Operand *address = &loads->insns[at].operands[loads->insns[at].n_dst];
    if (loads->writes[address->index] > 1) return at;
    for (uint32_t k = loads->latest[address->index]; k; k = loads->before[k - 1]) {
        const Insn *other = &loads->insns[k - 1], *insn = &loads->insns[at];
        if (other->operands[other->n_dst].bits == address->bits && other->type == insn->type && other->vec == insn->vec)
            return narrowed[k - 1].with;
    }
    return at;
}

static void make_once(LoopLoads *loads, uint32_t at, Narrowed *narrowed) {
    const Insn *insn = &loads->insns[at];
    const uint32_t index = insn->operands[insn->n_dst].index;
    const bool left_out = narrowed[at].changed && !narrowed[at].count;
    if (narrowed[at].once || left_out) return;
    if (!narrowed[at].changed) keep(&narrowed[at], type_bytes[insn->type], 0, insn->vec ? insn->vec : 1);
    narrowed[at].changed = narrowed[at].once = true;
    narrowed[at].with = same_load(loads, at, narrowed);
    loads->before[at] = loads->latest[index];
    loads->latest[index] = at + 1;
}

/* Of what each iteration runs before anything branches. */
static bool take_loop(LoopLoads *loads, uint32_t first, uint32_t last, Narrowed *narrowed) {
    bool any = false;
    if (!lets_out(loads, first, last)) return false;
    for (uint32_t i = first; i < last && !insn_branches(&loads->insns[i]) && (i == first || !loads->targets[i]); i++) {
        if (!is_the_same(loads, &loads->insns[i], last)) continue;
        make_once(loads, i, narrowed);
        any = true;
    }
    return any;
}

static void find_targets(const Program *program, const Function *function, bool *targets) {
    for (uint32_t i = 0; i < function->count; i++) {
        const Insn *insn = &program->insns[function->first + i];
        for (uint32_t k = 0; insn->op == OP_brx && k < insn->table->count; k++)
            targets[insn->table->targets[k] - function->first] = true;
        if (insn->op == OP_bra) targets[insn->target - function->first] = true;
    }
}

/* `with` counts from the function's first instruction until all are known. */
static bool find_once(const Program *program, const Function *function, Narrowed *narrowed) {
    FREED uint32_t *written = alloc_zeroed(function->n_registers + 1, sizeof *written);
    FREED uint32_t *latest = alloc_zeroed(function->n_registers + 1, sizeof *latest);
    FREED uint32_t *before = alloc_zeroed(function->count + 1, sizeof *before);
    FREED uint8_t *writes = alloc_zeroed(function->n_registers + 1, sizeof *writes);
    FREED bool *targets = alloc_zeroed(function->count + 1, sizeof *targets);
    LoopLoads loads = {&program->insns[function->first], written, targets, writes, latest, before};
    bool any = false;
    find_targets(program, function, targets);
    for (uint32_t i = 0; i < function->count; i++)
        for (RegisterWalk at = walk_writes(&loads.insns[i]); walk_next(&at);)
            writes[at.index] = (uint8_t)(writes[at.index] ? 2 : 1);
    for (uint32_t i = 0; i < function->count; i++)
        if (loads.insns[i].op == OP_bra && loads.insns[i].target <= function->first + i)
            any |= take_loop(&loads, loads.insns[i].target - function->first, i, narrowed);
    for (uint32_t i = 0; any && i < function->count; i++) narrowed[i].with += function->first;
    return any;
}

bool narrow_find(const Program *program, const Function *function, const uint8_t *used, Narrowed *narrowed) {
    bool any = false;
    for (uint32_t pc = function->first; pc < function->first + function->count; pc++) {
        if (used[pc] == USED_ALL) continue;
        narrowed[pc] = narrow(&program->insns[pc], used[pc]);
        any |= narrowed[pc].changed;
    }
    if (!program->debug) any |= find_once(program, function, narrowed + function->first);
    return any;
}
