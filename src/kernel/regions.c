#include "kernel/regions.h"

#include "ptx/opcode.h"
#include "ptx/walk.h"

/* Instructions that a branch leads round, for them to be guarded instead, as ptxas 13.0 does it for compute capability 9.0: of four `if`s one
 * after the other, each around loads and stores to shared memory, it guards those with 4 of each (16 instructions) and keeps the branches of
 * those with 5 (21); with more arithmetic for one address it guards up to 16 and keeps branches from 20 on. Of the two ways of an `else` it guards
 * both where they are 16 to 19 instructions together, however they are shared out and wherever the loads are, and keeps branches from 20 on. */
enum { GUARDED_MAX = 16 };

enum { WAYS = 2 }; /* on which a block that is of interest here leads on */

typedef struct Node {
    uint32_t n_next, next[WAYS]; /* blocks; n_next is larger than WAYS for a table's */
    uint32_t n_before;           /* blocks that lead here */
    bool reached, ends;          /* ends: its last instruction waits for others or calls a function */
} Node;

typedef struct RegionGraph {
    const Insn *insns;
    const Flow *flow;
    Node *nodes;
    uint32_t *order, n_order; /* blocks, each behind all that lead to it, but for those of loops */
} RegionGraph;

/* Whether the assembler makes an instruction of it: a copy of a register or a constant becomes part of what reads it. */
static bool is_made(const Insn *insn) { return insn->op != OP_mov && insn->op != OP_cvta && insn->op != OP_bra; }

/* Whether a block does no more than lead on: clang ends others with two branches, of which such a block is the second. */
static bool is_jump(const RegionGraph *graph, uint32_t block) {
    const BasicBlock *of = &graph->flow->blocks[block];
    const Insn *insn = &graph->insns[of->first];
    return of->end - of->first == 1 && insn->op == OP_bra && !insn->guarded;
}

static uint32_t behind_jumps(const RegionGraph *graph, uint32_t block, uint32_t first) {
    for (uint32_t left = graph->flow->n_blocks; left > 0 && is_jump(graph, block); left--)
        block = graph->flow->block_of[graph->insns[graph->flow->blocks[block].first].target - first];
    return block;
}

static void add_way(RegionGraph *graph, Node *node, uint32_t block, uint32_t first) {
    const uint32_t to = behind_jumps(graph, block, first);
    if (node->n_next < WAYS) node->next[node->n_next] = to;
    node->n_next++;
    graph->nodes[to].n_before++;
}

static void find_ways(RegionGraph *graph, uint32_t block, uint32_t first) {
    const Insn *last = &graph->insns[graph->flow->blocks[block].end - 1];
    const BranchTable to = insn_targets(last);
    Node *node = &graph->nodes[block];
    for (uint32_t t = 0; t < to.count; t++) add_way(graph, node, graph->flow->block_of[to.targets[t] - first], first);
    if (insn_falls(last) && block + 1 < graph->flow->n_blocks) add_way(graph, node, block + 1, first);
    node->ends = opcode_classes[last->op] == CLASS_CONTROL && last->op != OP_bra;
}

/* Depth first from the function's beginning; then what nothing leads to. */
static void find_order(RegionGraph *graph, Arena *arena) {
    const uint32_t n = graph->flow->n_blocks;
    uint32_t *stack = ARENA_ARRAY(arena, uint32_t, n + 1), *at = ARENA_ARRAY(arena, uint32_t, n + 1), first = n;
    uint32_t *done = ARENA_ARRAY(arena, uint32_t, n + 1), depth = 0;
    stack[depth++] = 0, graph->nodes[0].reached = true;
    while (depth) {
        const uint32_t block = stack[depth - 1];
        const Node *node = &graph->nodes[block];
        if (node->n_next > WAYS || at[block] == node->n_next) {
            done[--first] = block;
            depth--;
            continue;
        }
        const uint32_t to = node->next[at[block]++];
        if (graph->nodes[to].reached) continue;
        graph->nodes[to].reached = true;
        stack[depth++] = to;
    }
    for (; first < n; first++) graph->order[graph->n_order++] = done[first];
    for (uint32_t block = 0; block < n; block++)
        if (!graph->nodes[block].reached) graph->order[graph->n_order++] = block;
}

/* How many instructions a block is; more than GUARDED_MAX where one of them waits for others, branches or calls. */
static uint32_t guarded_length(const RegionGraph *graph, uint32_t block) {
    uint32_t made = 0;
    const BasicBlock *of = &graph->flow->blocks[block];
    for (uint32_t pc = of->first; pc < of->end; pc++) {
        const Insn *insn = &graph->insns[pc];
        const OpClass class = (OpClass)opcode_classes[insn->op];
        if (class == CLASS_SYNC || (class == CLASS_CONTROL && insn->op != OP_bra)) return GUARDED_MAX + 1;
        made += is_made(insn);
    }
    return made;
}

/* Whether a block is all that lies between another, which branches, and a third. */
static bool lies_between(const RegionGraph *graph, uint32_t block, uint32_t third) {
    const Node *node = &graph->nodes[block];
    return node->n_before == 1 && node->n_next == 1 && node->next[0] == third && block != third &&
           guarded_length(graph, block) <= GUARDED_MAX;
}

/* Whether a block's last instruction leads to these two. */
static bool leads_to(const Node *node, uint32_t one, uint32_t other) {
    return !node->ends && node->n_next == WAYS &&
           ((node->next[0] == one && node->next[1] == other) || (node->next[0] == other && node->next[1] == one));
}

/* Whether two blocks are the ways of an `if` and its `else` from another, `ahead`, to a fourth, both short enough to be guarded. */
static bool lie_beside(const RegionGraph *graph, uint32_t ahead, uint32_t block, uint32_t other) {
    const uint32_t end = graph->nodes[block].n_next == 1 ? graph->nodes[block].next[0] : NO_INDEX;
    return end != NO_INDEX && end != ahead && block != other && leads_to(&graph->nodes[ahead], block, other) &&
           lies_between(graph, block, end) && lies_between(graph, other, end) &&
           guarded_length(graph, block) + guarded_length(graph, other) <= GUARDED_MAX;
}

/* Whether the block at this place of the order is the second of such two, which follow each other. */
static bool is_else(const RegionGraph *graph, uint32_t place) {
    return place > 1 && lie_beside(graph, graph->order[place - 2], graph->order[place - 1], graph->order[place]);
}

/* Whether the block at this place of the order goes on with the region of the one ahead: as the only way from there, guarded by its branch, or as
 * where the way round what was guarded ends. */
static bool goes_on(const RegionGraph *graph, uint32_t place) {
    const uint32_t block = graph->order[place], ahead = place > 0 ? graph->order[place - 1] : NO_INDEX;
    if (ahead == NO_INDEX || !graph->nodes[block].reached) return false;
    const Node *before = &graph->nodes[ahead];
    if (!before->ends && before->n_next == 1 && before->next[0] == block && graph->nodes[block].n_before == 1) return true;
    for (uint32_t way = 0; way < WAYS; way++)
        if (lie_beside(graph, ahead, block, before->next[way]) ||
            (leads_to(before, block, before->next[way]) && lies_between(graph, block, before->next[way])))
            return true;
    if (is_else(graph, place)) return true;
    if (is_else(graph, place - 1) && graph->nodes[block].n_before == WAYS && before->next[0] == block) return true;
    return place > 1 && graph->nodes[block].n_before == WAYS && lies_between(graph, ahead, block) &&
           leads_to(&graph->nodes[graph->order[place - 2]], ahead, block);
}

/* What follows a call is not moved ahead of it. */
static void add_insns(Regions *regions, const Insn *insns, const BasicBlock *block, uint32_t first, uint32_t *at) {
    regions->heads[*at] = true;
    for (uint32_t pc = block->first; pc < block->end; pc++) {
        if (pc > block->first && insns[pc - 1].op == OP_call) regions->begins[*at] = true;
        regions->order[(*at)++] = pc - first;
    }
}

Regions regions_find(const Program *program, const Function *function, const Flow *flow, Arena *arena) {
    RegionGraph graph = {.insns = program->insns, .flow = flow};
    const uint32_t n = flow->n_blocks;
    Regions regions = {.order = ARENA_ARRAY(arena, uint32_t, function->count + 1),
                       .begins = ARENA_ARRAY(arena, bool, function->count + 1),
                       .heads = ARENA_ARRAY(arena, bool, function->count + 1),
                       .elses = ARENA_ARRAY(arena, bool, function->count + 1)};
    graph.nodes = ARENA_ARRAY(arena, Node, n + 1);
    graph.order = ARENA_ARRAY(arena, uint32_t, n + 1);
    for (uint32_t block = 0; block < n; block++)
        if (block == 0 || !is_jump(&graph, block)) find_ways(&graph, block, function->first);
    find_order(&graph, arena);
    for (uint32_t i = 0, at = 0; i < n; i++) {
        regions.begins[at] = !goes_on(&graph, i);
        regions.elses[at] = is_else(&graph, i);
        add_insns(&regions, program->insns, &flow->blocks[graph.order[i]], function->first, &at);
    }
    return regions;
}
