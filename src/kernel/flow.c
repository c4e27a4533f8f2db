/* Post-dominators are the dominators of the reversed graph, whose root is a virtual block that every ret, exit and trap leads to:
 * T. Lengauer, R. E. Tarjan, "A fast algorithm for finding dominators in a flowgraph", TOPLAS 1(1), 1979, with path compression. */
#include "kernel/flow.h"

#include <string.h>

#include "ptx/walk.h"

typedef struct Edge {
    uint32_t block, next; /* next: index of an edge of the same list, plus one */
} Edge;

/* Here blocks are numbered from 1 on; 0 is the virtual end. */
typedef struct Graph {
    Flow flow;
    const Insn *insns;
    uint32_t first;    /* instruction */
    uint32_t n_blocks; /* the virtual one included */
    Edge *edges;       /* pool of both lists */
    size_t n_edges;
    uint32_t *successors, *predecessors; /* first edge of each block, plus one */
    uint32_t *order, *number; /* blocks by their depth-first number, 0 … n_reached - 1, and back, plus one (0: not reached) */
    uint32_t n_reached;
    uint32_t *parent, *semi, *best, *ancestor, *idom, *bucket, *bucket_next, *path; /* in numbers, not blocks */
} Graph;

/* How many edges there can be at most. */
static size_t blocks_find(Graph *graph, uint32_t count, Arena *arena) {
    Flow *flow = &graph->flow;
    size_t most = 0;
    uint32_t *block_of = flow->block_of = ARENA_ARRAY(arena, uint32_t, count + 1);
    block_of[0] = 1;
    for (uint32_t i = 0; i < count; i++) {
        const Insn *insn = &graph->insns[graph->first + i];
        const BranchTable to = insn_targets(insn);
        if (insn_branches(insn)) block_of[i + 1] = 1;
        for (uint32_t t = 0; t < to.count; t++) block_of[to.targets[t] - graph->first] = 1;
        most += to.count + 2 * insn_branches(insn);
    }
    for (uint32_t i = 0; i < count; i++) flow->n_blocks += block_of[i];
    flow->blocks = ARENA_ARRAY(arena, BasicBlock, flow->n_blocks);
    uint32_t next = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (block_of[i]) flow->blocks[next++] = (BasicBlock){.first = graph->first + i, .reconverge = NO_INSN};
        block_of[i] = next - 1;
        flow->blocks[next - 1].end = graph->first + i + 1;
    }
    graph->n_blocks = flow->n_blocks + 1;
    return most + graph->n_blocks;
}

static void edge_push(Graph *graph, uint32_t *list, uint32_t to) {
    graph->edges[graph->n_edges] = (Edge){.block = to, .next = *list};
    *list = (uint32_t)++graph->n_edges;
}

static void edge_add(Graph *graph, uint32_t from, uint32_t to) {
    edge_push(graph, &graph->successors[from], to);
    edge_push(graph, &graph->predecessors[to], from);
}

static const Insn *last_of(const Graph *graph, uint32_t block) { return &graph->insns[graph->flow.blocks[block - 1].end - 1]; }

static void edges_find(Graph *graph) {
    for (uint32_t block = 1; block < graph->n_blocks; block++) {
        const Insn *last = last_of(graph, block);
        const BranchTable to = insn_targets(last);
        if (insn_falls(last)) edge_add(graph, block, block + 1 < graph->n_blocks ? block + 1 : 0);
        if (insn_leaves(last)) edge_add(graph, block, 0);
        for (uint32_t t = 0; t < to.count; t++) edge_add(graph, block, graph->flow.block_of[to.targets[t] - graph->first] + 1);
    }
}

/* Numbers the blocks from which the end can be reached, depth first, against the edges. */
static void number_blocks(Graph *graph, Arena *scratch) {
    uint32_t *edge = ARENA_ARRAY(scratch, uint32_t, graph->n_blocks), *stack = ARENA_ARRAY(scratch, uint32_t, graph->n_blocks);
    uint32_t depth = 1;
    memcpy(edge, graph->predecessors, graph->n_blocks * sizeof *edge);
    graph->number[0] = 1;
    graph->n_reached = 1;
    while (depth) {
        uint32_t block = stack[depth - 1];
        if (!edge[block]) {
            depth--;
            continue;
        }
        const Edge *at = &graph->edges[edge[block] - 1];
        edge[block] = at->next;
        if (graph->number[at->block]) continue;
        graph->parent[graph->n_reached] = graph->number[block] - 1;
        graph->order[graph->n_reached++] = at->block;
        graph->number[at->block] = graph->n_reached;
        stack[depth++] = at->block;
    }
}

/* The vertex of smallest semidominator on the path from v up to, not including, the root of its tree in the forest. */
static uint32_t evaluate(Graph *graph, uint32_t v) {
    if (graph->ancestor[v] == NO_INDEX) return v;
    uint32_t depth = 0;
    for (uint32_t at = v; graph->ancestor[graph->ancestor[at]] != NO_INDEX; at = graph->ancestor[at]) graph->path[depth++] = at;
    while (depth) {
        uint32_t at = graph->path[--depth], above = graph->ancestor[at];
        if (graph->semi[graph->best[above]] < graph->semi[graph->best[at]]) graph->best[at] = graph->best[above];
        graph->ancestor[at] = graph->ancestor[above];
    }
    return graph->best[v];
}

static void dominators_find(Graph *graph) {
    for (uint32_t v = 0; v < graph->n_reached; v++) {
        graph->semi[v] = graph->best[v] = v;
        graph->ancestor[v] = graph->bucket[v] = NO_INDEX;
    }
    for (uint32_t w = graph->n_reached; w-- > 1;) {
        for (uint32_t e = graph->successors[graph->order[w]]; e; e = graph->edges[e - 1].next) {
            uint32_t number = graph->number[graph->edges[e - 1].block];
            if (!number) continue; /* from there the end cannot be reached */
            uint32_t u = evaluate(graph, number - 1);
            if (graph->semi[u] < graph->semi[w]) graph->semi[w] = graph->semi[u];
        }
        graph->bucket_next[w] = graph->bucket[graph->semi[w]];
        graph->bucket[graph->semi[w]] = w;
        uint32_t parent = graph->parent[w];
        graph->ancestor[w] = parent;
        for (uint32_t v = graph->bucket[parent]; v != NO_INDEX; v = graph->bucket_next[v]) {
            uint32_t u = evaluate(graph, v);
            graph->idom[v] = graph->semi[u] < graph->semi[v] ? u : parent;
        }
        graph->bucket[parent] = NO_INDEX;
    }
    for (uint32_t w = 1; w < graph->n_reached; w++)
        if (graph->idom[w] != graph->semi[w]) graph->idom[w] = graph->idom[graph->idom[w]];
}

static void reconverge_set(Graph *graph) {
    for (uint32_t block = 1; block < graph->n_blocks; block++) {
        const Insn *last = last_of(graph, block);
        bool diverges = last->table || (insn_branches(last) && last->guarded);
        if (!diverges || !graph->number[block]) continue;
        uint32_t meet = graph->order[graph->idom[graph->number[block] - 1]];
        if (meet) graph->flow.blocks[block - 1].reconverge = graph->flow.blocks[meet - 1].first;
    }
}

Flow flow_find(const Program *program, const Function *function, Arena *arena) {
    Graph graph = {.insns = program->insns, .first = function->first};
    Arena *scratch = arena_new();
    graph.edges = ARENA_ARRAY(scratch, Edge, 2 * blocks_find(&graph, function->count, arena));
    uint32_t **const arrays[] = {&graph.successors, &graph.predecessors, &graph.order,       &graph.number,
                                 &graph.parent,     &graph.semi,         &graph.best,        &graph.ancestor,
                                 &graph.idom,       &graph.bucket,       &graph.bucket_next, &graph.path};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) *arrays[i] = ARENA_ARRAY(scratch, uint32_t, graph.n_blocks);
    edges_find(&graph);
    number_blocks(&graph, scratch);
    dominators_find(&graph);
    reconverge_set(&graph);
    arena_free(scratch);
    return graph.flow;
}
