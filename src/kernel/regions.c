#include "kernel/regions.h"

#include "kernel/unswitched.h"
#include "ptx/opcode.h"
#include "ptx/walk.h"

/* Instructions that a branch leads round, for them to be guarded instead, as ptxas 13.0 does it for compute capability 9.0: of four `if`s one
 * after the other, each around loads and stores to shared memory, it guards those with 4 of each (16 instructions) and keeps the branches of
 * those with 5 (21); with more arithmetic for one address it guards up to 16 and keeps branches from 20 on. Of the two ways of an `else` it guards
 * both where they are 16 to 19 instructions together, however they are shared out and wherever the loads are, and keeps branches from 20 on. */
enum { GUARDED_MAX = 16 };

/* Instructions of a further condition, `a && b` or `a || b`, which ptxas works out together with the first and guards what both decide: of four `if`s around a load
 * and a store to shared memory it does so where b takes 3 to 5, and keeps the branches from 6 on, or where b loads. */
enum { CONDITION_MAX = 5 };

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

/* The block behind this one where it alone leads there, and has no other way; else NO_INDEX. */
static uint32_t only_next(const RegionGraph *graph, uint32_t block) {
    const Node *node = &graph->nodes[block];
    return !node->ends && node->n_next == 1 && graph->nodes[node->next[0]].n_before == 1 ? node->next[0] : NO_INDEX;
}

/* --- branches that are none to the assembler --- */

static void drop_way(RegionGraph *graph, uint32_t block, uint32_t kept, uint32_t dropped) {
    Node *node = &graph->nodes[block];
    node->n_next = 1, node->next[0] = kept;
    graph->nodes[dropped].n_before--;
}

/* Where a block's two ways are another one, `*inner`, to which it alone leads, and a third, `*other`. */
static bool is_fork(const RegionGraph *graph, uint32_t block, uint32_t way, uint32_t *inner, uint32_t *other) {
    const Node *node = &graph->nodes[block];
    if (node->ends || node->n_next != WAYS) return false;
    *inner = node->next[way], *other = node->next[1 - way];
    return *inner != *other && *inner != block && graph->nodes[*inner].n_before == 1;
}

/* Instructions of a block that does nothing but work out a condition; more than CONDITION_MAX of others. */
static uint32_t condition_length(const RegionGraph *graph, uint32_t block) {
    uint32_t made = 0;
    const BasicBlock *of = &graph->flow->blocks[block];
    for (uint32_t pc = of->first; pc < of->end; pc++) {
        const OpClass class = (OpClass)opcode_classes[graph->insns[pc].op];
        if (class != CLASS_ALU && class != CLASS_MOVE && graph->insns[pc].op != OP_bra) return CONDITION_MAX + 1;
        made += is_made(&graph->insns[pc]);
    }
    return made;
}

/* Whether what a condition of several parts decides is guarded: of the two ways of the last part's block the one leads round it to where the other one ends, and
 * the parts before it lead to either. */
static bool decides_guarded(const RegionGraph *graph, uint32_t last, uint32_t other) {
    const Node *node = &graph->nodes[last];
    for (uint32_t way = 0; way < WAYS && !node->ends && node->n_next == WAYS; way++) {
        const uint32_t guarded = node->next[way], end = node->next[1 - way];
        const Node *of = &graph->nodes[guarded];
        const bool leads_on = of->n_next == 1 && of->next[0] == end && guarded_length(graph, guarded) <= GUARDED_MAX;
        if (leads_on && (other == guarded || (other == end && of->n_before == 1))) return true;
    }
    return false;
}

/* a && b, a || b: b is worked out whatever a is. */
static bool join_condition(RegionGraph *graph, uint32_t block, uint32_t way) {
    uint32_t inner, other;
    if (!is_fork(graph, block, way, &inner, &other)) return false;
    uint32_t last = inner, made = condition_length(graph, inner);
    for (uint32_t next; made <= CONDITION_MAX && (next = only_next(graph, last)) != NO_INDEX; last = next)
        made += condition_length(graph, next);
    if (made > CONDITION_MAX || !decides_guarded(graph, last, other)) return false;
    drop_way(graph, block, inner, other);
    return true;
}

/* An `if` at the end of another one in a loop, which goes one way for all threads in all iterations: nvcc makes two loops of the one, without that branch. */
static bool join_unswitched(RegionGraph *graph, Unswitched *unswitched, uint32_t block, uint32_t way) {
    uint32_t inner, other;
    if (!is_fork(graph, block, way, &inner, &other) || graph->nodes[other].n_before <= WAYS) return false;
    if (graph->nodes[inner].n_next != 1 || graph->nodes[inner].next[0] != other ||
        guarded_length(graph, block) + guarded_length(graph, inner) > GUARDED_MAX)
        return false;
    if (!unswitched_at(unswitched, graph->flow->blocks[block].end - 1)) return false;
    drop_way(graph, block, inner, other);
    return true;
}

static void join_branches(RegionGraph *graph, Unswitched *unswitched) {
    for (uint32_t block = graph->flow->n_blocks; block-- > 0;)
        for (uint32_t way = 0; way < WAYS; way++)
            if (join_condition(graph, block, way) || join_unswitched(graph, unswitched, block, way)) break;
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

/* Whether a block, and those that only it leads to, are all that lies between another, which branches, and a third. */
static bool lies_between(const RegionGraph *graph, uint32_t block, uint32_t third) {
    uint32_t made = guarded_length(graph, block);
    if (graph->nodes[block].n_before != 1 || block == third) return false;
    for (uint32_t next; made <= GUARDED_MAX && (next = only_next(graph, block)) != NO_INDEX && next != third; block = next)
        made += guarded_length(graph, next);
    const Node *last = &graph->nodes[block];
    return made <= GUARDED_MAX && last->n_next == 1 && last->next[0] == third;
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
    uint32_t first = place - 1; /* of what lies between */
    while (first > 0 && only_next(graph, graph->order[first - 1]) == graph->order[first]) first--;
    return first > 0 && graph->nodes[block].n_before == WAYS &&
           leads_to(&graph->nodes[graph->order[first - 1]], graph->order[first], block) &&
           lies_between(graph, graph->order[first], block);
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
    Unswitched unswitched = {.program = program, .function = function, .flow = flow, .arena = arena};
    join_branches(&graph, &unswitched);
    find_order(&graph, arena);
    for (uint32_t i = 0, at = 0; i < n; i++) {
        regions.begins[at] = !goes_on(&graph, i);
        regions.elses[at] = is_else(&graph, i);
        add_insns(&regions, program->insns, &flow->blocks[graph.order[i]], function->first, &at);
    }
    return regions;
}
