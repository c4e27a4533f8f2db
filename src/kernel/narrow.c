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
} LoopLoads;

/* Whether a load may leave the loop at all; notes what it writes. */
static bool lets_out(const LoopLoads *loads, uint32_t first, uint32_t last) {
    bool lets = true;
    for (uint32_t i = first; i <= last; i++) {
        const Insn *insn = &loads->insns[i];
        lets &= insn->op != OP_membar && insn->op != OP_fence && insn->op != OP_call && insn->op != OP_brx;
        for (RegisterWalk at = walk_writes(insn); walk_next(&at);) loads->written[at.index] = last + 1;
    }
    return lets;
}

static bool is_the_same(const LoopLoads *loads, const Insn *insn, uint32_t last) {
    const Operand *address = &insn->operands[insn->n_dst];
    const bool plain = insn->op == OP_ld && insn->policy == POLICY_NC && insn->order == ORDER_WEAK && !insn->guarded;
    return plain && address->kind == OPERAND_ADDRESS && loads->written[address->index] != last + 1;
}

static void make_once(Narrowed *narrowed, const Insn *insn) {
    if (!narrowed->changed) keep(narrowed, type_bytes[insn->type], 0, insn->vec ? insn->vec : 1);
    narrowed->changed = narrowed->once = true;
}

/* Of what each iteration runs before anything branches. */
static bool take_loop(const LoopLoads *loads, uint32_t first, uint32_t last, Narrowed *narrowed) {
    bool any = false;
    if (!lets_out(loads, first, last)) return false;
    for (uint32_t i = first; i < last && !insn_branches(&loads->insns[i]) && (i == first || !loads->targets[i]); i++) {
        if (!is_the_same(loads, &loads->insns[i], last)) continue;
        make_once(&narrowed[i], &loads->insns[i]);
        any = true;
    }
    return any;
}

static bool find_once(const Program *program, const Function *function, Narrowed *narrowed) {
    FREED uint32_t *written = alloc_zeroed(function->n_registers + 1, sizeof *written);
    FREED bool *targets = alloc_zeroed(function->count + 1, sizeof *targets);
    const LoopLoads loads = {&program->insns[function->first], written, targets};
    bool any = false;
    for (uint32_t i = 0; i < function->count; i++) {
        const Insn *insn = &loads.insns[i];
        for (uint32_t k = 0; insn->op == OP_brx && k < insn->table->count; k++)
            targets[insn->table->targets[k] - function->first] = true;
        if (insn->op == OP_bra) targets[insn->target - function->first] = true;
    }
    for (uint32_t i = 0; i < function->count; i++)
        if (loads.insns[i].op == OP_bra && loads.insns[i].target <= function->first + i)
            any |= take_loop(&loads, loads.insns[i].target - function->first, i, narrowed + function->first);
    return any;
}

bool narrow_find(const Program *program, const Function *function, const uint8_t *used, Narrowed *narrowed) {
    bool any = false;
    for (uint32_t pc = function->first; pc < function->first + function->count; pc++) {
        if (used[pc] == USED_ALL) continue;
        narrowed[pc] = narrow(&program->insns[pc], used[pc]);
        any |= narrowed[pc].changed;
    }
    if (!program->debug) any |= find_once(program, function, narrowed);
    return any;
}
