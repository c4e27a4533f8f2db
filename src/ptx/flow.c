/* Post-dominators are the dominators of the reversed graph, whose root is a virtual block that every ret, exit and trap leads to:
 * T. Lengauer, R. E. Tarjan, "A fast algorithm for finding dominators in a flowgraph", TOPLAS 1(1), 1979, with path compression. */
#include "ptx/flow.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "ptx/opcode.h"

typedef struct Edge {
    uint32_t block, next; /* next: index of an edge of the same list, plus one */
} Edge;

/* Blocks are numbered from 1 on in the order of their instructions; 0 is the virtual end. */
typedef struct Flow {
    const Program *program;
    uint32_t first, end; /* instructions */
    uint32_t *block_of;  /* by instruction - first */
    uint32_t *starts;    /* first instruction by block */
    uint32_t n_blocks;   /* the virtual one included */
    Edge *edges;         /* pool of both lists */
    size_t n_edges;
    uint32_t *successors, *predecessors; /* first edge of each block, plus one */
    uint32_t *order, *number; /* blocks by their depth-first number, 0 … n_reached - 1, and back, plus one (0: not reached) */
    uint32_t n_reached;
    uint32_t *parent, *semi, *best, *ancestor, *idom, *bucket, *bucket_next, *path; /* in numbers, not blocks */
} Flow;

static bool leaves(const Insn *insn) { return insn->op == OP_ret || insn->op == OP_exit || insn->op == OP_trap; }

static bool branches(const Insn *insn) { return insn->op == OP_bra || insn->op == OP_brx || leaves(insn); }

/* Marks where blocks begin; returns how many edges there can be at most. */
static size_t blocks_find(Flow *flow) {
    const Insn *insns = flow->program->insns;
    uint32_t count = flow->end - flow->first;
    size_t most = 0;
    flow->block_of[0] = 1;
    for (uint32_t i = 0; i < count; i++) {
        const Insn *insn = &insns[flow->first + i];
        if (!branches(insn)) continue;
        if (i + 1 < count) flow->block_of[i + 1] = 1;
        if (insn->op == OP_bra) flow->block_of[insn->target - flow->first] = 1;
        if (insn->op == OP_brx) {
            for (uint32_t t = 0; t < insn->table->count; t++) flow->block_of[insn->table->targets[t] - flow->first] = 1;
            most += insn->table->count;
        }
        most += 2;
    }
    uint32_t block = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (flow->block_of[i]) flow->starts[++block] = flow->first + i;
        flow->block_of[i] = block;
    }
    flow->n_blocks = block + 1;
    return most + flow->n_blocks;
}

static void edge_push(Flow *flow, uint32_t *list, uint32_t to) {
    flow->edges[flow->n_edges] = (Edge){.block = to, .next = *list};
    *list = (uint32_t)++flow->n_edges;
}

static void edge_add(Flow *flow, uint32_t from, uint32_t to) {
    edge_push(flow, &flow->successors[from], to);
    edge_push(flow, &flow->predecessors[to], from);
}

static void edges_find(Flow *flow) {
    for (uint32_t block = 1; block < flow->n_blocks; block++) {
        uint32_t next = block + 1 < flow->n_blocks ? flow->starts[block + 1] : flow->end;
        const Insn *last = &flow->program->insns[next - 1];
        bool falls = !branches(last) || last->guarded;
        if (falls) edge_add(flow, block, block + 1 < flow->n_blocks ? block + 1 : 0);
        if (leaves(last)) edge_add(flow, block, 0);
        if (last->op == OP_bra) edge_add(flow, block, flow->block_of[last->target - flow->first]);
        if (last->op == OP_brx)
            for (uint32_t t = 0; t < last->table->count; t++)
                edge_add(flow, block, flow->block_of[last->table->targets[t] - flow->first]);
    }
}

/* Numbers the blocks from which the end can be reached, depth first, against the edges. */
static void number_blocks(Flow *flow) {
    uint32_t *edge = alloc_zeroed(flow->n_blocks, sizeof *edge), *stack = alloc_zeroed(flow->n_blocks, sizeof *stack);
    uint32_t depth = 1;
    memcpy(edge, flow->predecessors, flow->n_blocks * sizeof *edge);
    flow->number[0] = 1;
    flow->n_reached = 1;
    while (depth) {
        uint32_t block = stack[depth - 1];
        if (!edge[block]) {
            depth--;
            continue;
        }
        const Edge *at = &flow->edges[edge[block] - 1];
        edge[block] = at->next;
        if (flow->number[at->block]) continue;
        flow->parent[flow->n_reached] = flow->number[block] - 1;
        flow->order[flow->n_reached++] = at->block;
        flow->number[at->block] = flow->n_reached;
        stack[depth++] = at->block;
    }
    free(edge);
    free(stack);
}

/* The vertex of smallest semidominator on the path from v up to, not including, the root of its tree in the forest. */
static uint32_t evaluate(Flow *flow, uint32_t v) {
    if (flow->ancestor[v] == NO_INDEX) return v;
    uint32_t depth = 0;
    for (uint32_t at = v; flow->ancestor[flow->ancestor[at]] != NO_INDEX; at = flow->ancestor[at]) flow->path[depth++] = at;
    while (depth) {
        uint32_t at = flow->path[--depth], above = flow->ancestor[at];
        if (flow->semi[flow->best[above]] < flow->semi[flow->best[at]]) flow->best[at] = flow->best[above];
        flow->ancestor[at] = flow->ancestor[above];
    }
    return flow->best[v];
}

static void dominators_find(Flow *flow) {
    for (uint32_t v = 0; v < flow->n_reached; v++) {
        flow->semi[v] = flow->best[v] = v;
        flow->ancestor[v] = flow->bucket[v] = NO_INDEX;
    }
    for (uint32_t w = flow->n_reached; w-- > 1;) {
        for (uint32_t e = flow->successors[flow->order[w]]; e; e = flow->edges[e - 1].next) {
            uint32_t number = flow->number[flow->edges[e - 1].block];
            if (!number) continue; /* from there the end cannot be reached */
            uint32_t u = evaluate(flow, number - 1);
            if (flow->semi[u] < flow->semi[w]) flow->semi[w] = flow->semi[u];
        }
        flow->bucket_next[w] = flow->bucket[flow->semi[w]];
        flow->bucket[flow->semi[w]] = w;
        uint32_t parent = flow->parent[w];
        flow->ancestor[w] = parent;
        for (uint32_t v = flow->bucket[parent]; v != NO_INDEX; v = flow->bucket_next[v]) {
            uint32_t u = evaluate(flow, v);
            flow->idom[v] = flow->semi[u] < flow->semi[v] ? u : parent;
        }
        flow->bucket[parent] = NO_INDEX;
    }
    for (uint32_t w = 1; w < flow->n_reached; w++)
        if (flow->idom[w] != flow->semi[w]) flow->idom[w] = flow->idom[flow->idom[w]];
}

static void reconverge_set(const Flow *flow, Insn *insns) {
    for (uint32_t block = 1; block < flow->n_blocks; block++) {
        uint32_t next = block + 1 < flow->n_blocks ? flow->starts[block + 1] : flow->end;
        Insn *last = &insns[next - 1];
        bool parts = last->op == OP_brx || (branches(last) && last->guarded);
        if (!parts || !flow->number[block]) continue;
        uint32_t meet = flow->order[flow->idom[flow->number[block] - 1]];
        last->reconverge = meet ? flow->starts[meet] : NO_INSN;
    }
}

void flow_reconverge(Program *program, const Function *function) {
    Flow flow = {.program = program, .first = function->first, .end = function->first + function->count};
    if (!function->count) return;
    flow.block_of = alloc_zeroed(function->count, sizeof(uint32_t));
    flow.starts = alloc_zeroed((size_t)function->count + 2, sizeof(uint32_t));
    flow.edges = alloc_zeroed(2 * blocks_find(&flow), sizeof(Edge));
    /* Twelve arrays of one word per block in one allocation. */
    uint32_t *words = alloc_zeroed((size_t)flow.n_blocks * 12, sizeof(uint32_t)), *at = words;
    uint32_t **const arrays[] = {&flow.successors, &flow.predecessors, &flow.order,       &flow.number,
                                 &flow.parent,     &flow.semi,         &flow.best,        &flow.ancestor,
                                 &flow.idom,       &flow.bucket,       &flow.bucket_next, &flow.path};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++, at += flow.n_blocks) *arrays[i] = at;
    edges_find(&flow);
    number_blocks(&flow);
    dominators_find(&flow);
    reconverge_set(&flow, program->insns);
    free(words);
    free(flow.edges);
    free(flow.starts);
    free(flow.block_of);
}
