#include "observe/updates.h"

#include <stdio.h>

#include "kernel/skipped.h"
#include "machine/lanes.h"
#include "ptx/opcode.h"
#include "ptx/walk.h"

static bool is_one_line(const Program *program, uint32_t one, uint32_t other) {
    const uint32_t here = program->insns[one].location, there = program->insns[other].location;
    const Location *a = &program->locations[here], *b = &program->locations[there];
    return here && there && a->line && a->line == b->line && a->file == b->file; /* line 0: of no statement */
}

/* Registers whose value is made of what was loaded; as many as a statement needs. */
typedef struct Made {
    uint32_t count, registers[64];
} Made;

static uint32_t *made_find(Made *made, uint32_t index) {
    for (uint32_t i = 0; i < made->count; i++)
        if (made->registers[i] == index) return &made->registers[i];
    return NULL;
}

static bool reads_made(const Insn *insn, Made *made, uint32_t except) {
    for (RegisterWalk at = walk_reads(insn); walk_next(&at);)
        if (at.index != except && made_find(made, at.index)) return true;
    return false;
}

static void write_made(const Insn *insn, Made *made, bool is_made) {
    for (RegisterWalk at = walk_writes(insn); walk_next(&at);) {
        uint32_t *known = made_find(made, at.index);
        if (known && !is_made) *known = made->registers[--made->count];
        if (!known && is_made && made->count < sizeof made->registers / sizeof *made->registers)
            made->registers[made->count++] = at.index;
    }
}

/* What is stored is made of what was loaded, or whether it is: in the order of the text. */
static bool depends(const Program *program, uint32_t load, uint32_t store) {
    const Operand *address = &program->insns[store].operands[0];
    Made made = {0};
    write_made(&program->insns[load], &made, true);
    for (uint32_t pc = load + 1; pc < store; pc++) {
        const bool reads = reads_made(&program->insns[pc], &made, NO_INDEX);
        if (reads && insn_branches(&program->insns[pc])) return true;
        write_made(&program->insns[pc], &made, reads);
    }
    return reads_made(&program->insns[store], &made, address->kind == OPERAND_ADDRESS ? address->index : NO_INDEX);
}

/* The load comes first, from where the store goes: other threads' places are read by other addresses. */
static bool is_update(const Program *program, uint32_t load, uint32_t store) {
    const Insn *from = &program->insns[load], *to = &program->insns[store];
    if (from->op != OP_ld || to->op != OP_st || load > store || !is_one_line(program, load, store)) return false;
    const Operand *a = &from->operands[from->n_dst], *b = &to->operands[to->n_dst];
    const bool same = a->kind == b->kind && a->index == b->index && a->bits == b->bits;
    return same && depends(program, load, store);
}

/* The store of each of its threads stands behind a load. */
static bool updates(const Program *program, uint32_t store) {
    for (uint32_t load = 0; load < store; load++)
        if (is_update(program, load, store)) return true;
    return false;
}

/* Of other places of the same space: a[i] += a[i + 1]. */
static bool loads_others(const Program *program, uint32_t store) {
    for (uint32_t pc = 0; pc < program->n_insns; pc++) {
        const Insn *insn = &program->insns[pc];
        const bool other = insn->op == OP_ld && insn->space == program->insns[store].space && is_one_line(program, pc, store);
        if (other && !is_update(program, pc, store)) return true;
    }
    return false;
}

bool updates_hint(const Program *program, Fault *fault, bool certain, bool blocks) {
    const uint32_t one = fault->pc, other = fault->other_pc;
    if (one == NO_INSN || other == NO_INSN) return false;
    const bool first_stores = program->insns[one].op == OP_st, both_store = first_stores && program->insns[other].op == OP_st;
    const bool found = both_store ? is_one_line(program, one, other) && updates(program, one)
                                  : is_update(program, one, other) || is_update(program, other, one);
    if (!found || (!certain && loads_others(program, first_stores ? one : other))) return false;
    fault_hint(fault,
               "threads read the same value, and all but one of their updates are lost: use atomicAdd() or another atomic "
               "operation%s",
               blocks ? ", or let blockIdx go into the index where each has elements of its own" : "");
    return true;
}

/* --- locks and flags ------------------------------------------------------------------------------------------------------ */

static bool reads_workspace(const Insn *insn) {
    for (int i = 0; i < insn->n_dst + insn->n_src; i++)
        if (insn->operands[i].kind == OPERAND_SPECIAL &&
            (insn->operands[i].index == SPECIAL_envreg1 || insn->operands[i].index == SPECIAL_envreg2))
            return true;
    return false;
}

/* It reads what other blocks write meanwhile. */
static bool reads_strongly(const Kernel *kernel, uint32_t pc) {
    const Insn *insn = &kernel->program->insns[pc];
    const bool global = insn->space == SPACE_GLOBAL || insn->space == SPACE_GENERIC;
    if (!global || insn->of_block) return false;
    return (insn->op == OP_ld && insn->order != ORDER_WEAK) || (insn->op == OP_atom && !(kernel->traits[pc] & TRAIT_UNREAD));
}

/* A loop around the instruction that ends before another one. */
static bool loops_before(const Program *program, uint32_t first, uint32_t pc, uint32_t end) {
    for (uint32_t at = pc + 1; at < end; at++) {
        const Insn *insn = &program->insns[at];
        if (insn->op == OP_bra && insn->target <= pc && insn->target >= first) return true;
    }
    return false;
}

/* In a function, before its instruction `end`. */
static bool waits_in(const Kernel *kernel, const Function *function, uint32_t end) {
    Made workspace = {0}; /* of this_grid().sync() */
    for (uint32_t pc = function->first; pc < end; pc++) {
        const Insn *insn = &kernel->program->insns[pc];
        const bool of_grid = reads_workspace(insn) || reads_made(insn, &workspace, NO_INDEX);
        write_made(insn, &workspace, of_grid);
        if (of_grid || !reads_strongly(kernel, pc)) continue;
        if (insn->op == OP_atom && (insn->variant == ATOM_CAS || insn->variant == ATOM_EXCH)) return true;
        if (loops_before(kernel->program, function->first, pc, end)) return true;
    }
    return false;
}

bool waits_for_block(const Kernel *kernel, uint32_t pc) {
    for (uint32_t f = 0; f < kernel->reach.n_functions; f++) {
        const Function *function = &kernel->program->functions[kernel->reach.functions[f]];
        const uint32_t end = function->first + function->count;
        if (waits_in(kernel, function, pc >= function->first && pc < end ? pc : end)) return true;
    }
    return false;
}

static bool is_fence(const Insn *insn) { return (insn->op == OP_membar || insn->op == OP_fence) && !insn->of_block; }

static bool has(const Kernel *kernel, bool (*is)(const Insn *insn)) {
    for (uint32_t f = 0; f < kernel->reach.n_functions; f++) {
        const Function *function = &kernel->program->functions[kernel->reach.functions[f]];
        for (uint32_t pc = function->first; pc < function->first + function->count; pc++)
            if (is(&kernel->program->insns[pc])) return true;
    }
    return false;
}

bool syncs_grid(const Kernel *kernel) { return has(kernel, reads_workspace); }

bool has_fence(const Kernel *kernel) { return has(kernel, is_fence) && !syncs_grid(kernel); }

/* -------------------------------------------------------------------------------------------------------------------------- */

bool updates_meet(const Access *access, uint32_t lane) {
    uint32_t met = 0;
    EACH_ACTIVE_LANE(l, access->active) met += access->addr[l] == access->addr[lane];
    return met > 1;
}

bool same_value_hint(Fault *fault, bool same) {
    if (!same) return false;
    fault_hint(fault,
               "GPUs run through it, and C++ forbids it, though the value is one: let one thread write, or use an atomic "
               "operation, as atomicExch()");
    return true;
}

bool overwrite_hint(const Program *program, Fault *fault) {
    const uint32_t one = fault->pc, other = fault->other_pc;
    if (one == NO_INSN || other == NO_INSN || program->insns[one].op != OP_st || program->insns[other].op != OP_st)
        return false;
    if (one != other && !is_one_line(program, one, other)) return false;
    fault_hint(
        fault,
        "one of the two values is lost, and a barrier would only decide which: let each thread write to a place of its own, or "
        "use an atomic operation");
    return true;
}

const char *or_cluster_sync(const Kernel *kernel) {
    return kernel->clusters ? " (cluster.sync() where other blocks use it too)" : "";
}

bool skipped_hint(const Kernel *kernel, Fault *fault) {
    const uint32_t barrier = skipped_barrier(kernel, fault->other_pc, fault->pc);
    char line[24] = "";
    if (barrier == NO_INSN) return false;
    const uint32_t number = kernel->program->locations[kernel->program->insns[barrier].location].line;
    if (number) snprintf(line, sizeof line, " of line %u", number);
    fault_hint(
        fault,
        "the __syncthreads()%s stands between the two, but in an if or a loop that not all threads of the block run: these "
        "do not wait. Move it behind that",
        line);
    return true;
}
