#include "kernel/guard.h"

#include <string.h>

#include "base/alloc.h"
#include "ptx/opcode.h"
#include "ptx/walk.h"

/* Blocks that can be reached without passing one of them. */
typedef struct Detour {
    const Program *program;
    const Function *function;
    const Flow *flow;
    uint32_t around; /* the block */
    uint32_t *left;  /* blocks to go on from */
    bool *seen;
} Detour;

static bool leaves(const Insn *insn) { return insn->op == OP_ret || insn->op == OP_exit; }

static void go(Detour *detour, uint32_t block, uint32_t *count) {
    if (block == detour->around || detour->seen[block]) return;
    detour->seen[block] = true;
    detour->left[(*count)++] = block;
}

/* Whether threads that are at the beginning of a block may leave the function without passing the other. */
static bool passes_by(Detour *detour, uint32_t from) {
    const Flow *flow = detour->flow;
    uint32_t count = 0;
    memset(detour->seen, 0, flow->n_blocks * sizeof *detour->seen);
    go(detour, from, &count);
    while (count) {
        const uint32_t block = detour->left[--count];
        const Insn *last = &detour->program->insns[flow->blocks[block].end - 1];
        const BranchTable to = insn_targets(last);
        const bool falls = insn_falls(last);
        if (leaves(last) || (falls && block + 1 == flow->n_blocks)) return true;
        for (uint32_t t = 0; t < to.count; t++) go(detour, flow->block_of[to.targets[t] - detour->function->first], &count);
        if (falls) go(detour, block + 1, &count);
    }
    return false;
}

/* Whether one way of the branch at the block's end leads to the other block, whatever comes, and one may not. */
static bool decides(Detour *detour, uint32_t block) {
    const Flow *flow = detour->flow;
    const Insn *last = &detour->program->insns[flow->blocks[block].end - 1];
    const BranchTable to = insn_targets(last);
    uint32_t by = 0, all = 0;
    if (!insn_branches(last) || !(last->guarded || last->table)) return false;
    if (leaves(last)) by = all = 1;
    for (uint32_t t = 0; t < to.count; t++, all++)
        by += passes_by(detour, flow->block_of[to.targets[t] - detour->function->first]);
    if (insn_falls(last) && block + 1 < flow->n_blocks) by += passes_by(detour, block + 1), all++;
    return by && by < all;
}

uint32_t guard_find(const Program *program, const Function *function, const Flow *flow, uint32_t insn) {
    const uint32_t at = flow->block_of[insn - function->first];
    if (program->insns[insn].guarded) return insn;
    FREED uint32_t *left = alloc_zeroed(flow->n_blocks + 1, sizeof *left);
    FREED bool *seen = alloc_zeroed(flow->n_blocks + 1, sizeof *seen);
    Detour detour = {program, function, flow, at, left, seen};
    if (!passes_by(&detour, 0)) return NO_INSN;
    for (uint32_t block = at; block-- > 0;)
        if (decides(&detour, block)) return flow->blocks[block].end - 1;
    for (uint32_t block = at; block < flow->n_blocks; block++)
        if (decides(&detour, block)) return flow->blocks[block].end - 1;
    return NO_INSN;
}
