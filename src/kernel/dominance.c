#include "kernel/dominance.h"

#include "ptx/walk.h"

/* Steps up that two ways are followed for to where they part. Where that is further away it is not found. */
enum { STEPS_MOST = 256 };

static uint32_t targets_of(const Program *program, const Function *function, const Flow *flow, uint32_t block, uint32_t *to) {
    const Insn *last = &program->insns[flow->blocks[block].end - 1];
    const BranchTable table = insn_targets(last);
    uint32_t count = 0;
    for (; count < table.count; count++)
        if (to) to[count] = flow->block_of[table.targets[count] - function->first];
    if (insn_falls(last) && block + 1 < flow->n_blocks) {
        if (to) to[count] = block + 1;
        count++;
    }
    return count;
}

static void find_ways(const Program *program, const Function *function, const Flow *flow, Dominance *found, Arena *arena) {
    uint32_t all = 0, most = 0;
    for (uint32_t block = 0; block < flow->n_blocks; block++) {
        const uint32_t count = targets_of(program, function, flow, block, NULL);
        all += count;
        most = count > most ? count : most;
    }
    uint32_t *to = ARENA_ARRAY(arena, uint32_t, most + 1), *at = ARENA_ARRAY(arena, uint32_t, flow->n_blocks + 1);
    found->ways = ARENA_ARRAY(arena, uint32_t, flow->n_blocks + 1);
    found->way = ARENA_ARRAY(arena, uint32_t, all + 1);
    for (uint32_t block = 0; block < flow->n_blocks; block++)
        for (uint32_t count = targets_of(program, function, flow, block, to); count-- > 0;) found->ways[to[count] + 1]++;
    for (uint32_t block = 0; block < flow->n_blocks; block++) at[block] = found->ways[block + 1] += found->ways[block];
    for (uint32_t block = flow->n_blocks; block-- > 0;)
        for (uint32_t count = targets_of(program, function, flow, block, to); count-- > 0;) found->way[--at[to[count]]] = block;
}

/* The nearest block above both; NO_INDEX: none. */
static uint32_t common(const uint32_t *above, uint32_t a, uint32_t b) {
    for (uint32_t steps = 0; a != b && steps < STEPS_MOST; steps++) {
        uint32_t *later = a > b ? &a : &b;
        if (above[*later] == NO_INDEX) return NO_INDEX;
        *later = above[*later];
    }
    return a == b ? a : NO_INDEX;
}

static uint32_t find_above(const Dominance *found, uint32_t block) {
    const uint32_t *way = &found->way[found->ways[block]], *end = &found->way[found->ways[block + 1]];
    if (block == 0 || way == end) return NO_INDEX;
    for (const uint32_t *at = way; at < end; at++)
        if (*at >= block) return NO_INDEX;
    uint32_t above = *way;
    while (++way < end && above != NO_INDEX) above = common(found->above, above, *way);
    return above;
}

Dominance dominance_find(const Program *program, const Function *function, const Flow *flow, Arena *arena) {
    const uint32_t n = flow->n_blocks;
    Dominance found = {.above = ARENA_ARRAY(arena, uint32_t, n + 1),
                       .number = ARENA_ARRAY(arena, uint32_t, n + 1),
                       .size = ARENA_ARRAY(arena, uint32_t, n + 1)};
    uint32_t *next = ARENA_ARRAY(arena, uint32_t, n + 1), beginning = 0;
    find_ways(program, function, flow, &found, arena);
    for (uint32_t block = 0; block < n; block++) found.above[block] = find_above(&found, block);
    for (uint32_t block = n; block-- > 0;) {
        found.size[block]++;
        if (found.above[block] != NO_INDEX) found.size[found.above[block]] += found.size[block];
    }
    for (uint32_t block = 0; block < n; block++) {
        uint32_t *from = found.above[block] == NO_INDEX ? &beginning : &next[found.above[block]];
        found.number[block] = *from;
        *from += found.size[block];
        next[block] = found.number[block] + 1;
    }
    return found;
}
