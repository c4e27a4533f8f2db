#include "runtime/graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "runtime/event.h"
#include "runtime/userobject.h"

Graph *graph_new(Context *context) {
    Graph *graph = alloc_zeroed(1, sizeof *graph);
    graph->number = ++context->graph_numbers;
    return graph;
}

Node *graph_add(Context *context, Graph *graph, Work work, const Nodes *after) {
    Node *node = ALLOC_ADD(graph->nodes, graph->count) = alloc_zeroed(1, sizeof *node);
    node->graph = graph;
    node->number = ++context->graph_numbers;
    node->work = work;
    event_hold_of(&work);
    if (after) nodes_join(&node->after, after);
    if (work.kind == WORK_GRAPH) work.child->parent = node;
    return node;
}

static void forget_arguments(Node *node) {
    free(node->arguments);
    node->arguments = NULL;
}

void graph_node_take(Context *context, Node *node, Work work) {
    forget_arguments(node);
    event_hold_of(&work);
    event_release_of(context, &node->work);
    work_free(&node->work);
    node->work = work;
    node->described = false;
}

static void node_free(Context *context, Node *node) {
    forget_arguments(node);
    if (node->work.kind == WORK_GRAPH) graph_free(context, node->work.child);
    event_release_of(context, &node->work);
    work_free(&node->work);
    nodes_free(&node->after);
    free(node);
}

bool graph_has_work(const Graph *graph, WorkKind kind, uint64_t memory) {
    for (size_t i = 0; i < graph->count; i++)
        if (graph->nodes[i]->work.kind == kind && (!memory || graph->nodes[i]->work.memory == memory)) return true;
    return false;
}

bool graph_leaves(const Graph *graph, uint64_t memory) {
    return graph_has_work(graph, WORK_ALLOCATE, memory) && !graph_has_work(graph, WORK_FREE, memory);
}

bool graph_has_memory(const Graph *graph) {
    return graph_has_work(graph, WORK_ALLOCATE, 0) || graph_has_work(graph, WORK_FREE, 0);
}

void graph_remove(Context *context, Node *node) {
    Graph *graph = node->graph;
    size_t kept = 0;
    for (size_t i = 0; i < graph->count; i++) {
        nodes_remove(&graph->nodes[i]->after, node);
        if (graph->nodes[i] != node) graph->nodes[kept++] = graph->nodes[i];
    }
    graph->count = kept;
    node_free(context, node);
}

void graph_end_launch(Context *context, Graph *graph) {
    GraphExec *launched = graph->launched;
    graph->launched = NULL;
    if (launched) graph_release_executable(context, launched);
}

/* With its child graphs'. */
static void release_objects(Context *context, Graph *graph, UserObject **gone) {
    for (size_t i = 0; i < graph->n_objects; i++) userobject_release(context, graph->objects[i], 1, gone);
    graph->n_objects = 0;
    for (size_t i = 0; i < graph->count; i++)
        if (graph->nodes[i]->work.kind == WORK_GRAPH) release_objects(context, graph->nodes[i]->work.child, gone);
}

void graph_free(Context *context, Graph *graph) {
    UserObject *gone = NULL;
    graph_end_launch(context, graph);
    release_objects(context, graph, &gone);
    for (size_t i = 0; i < graph->count; i++) node_free(context, graph->nodes[i]);
    free(graph->objects);
    free(graph->nodes);
    free(graph);
    userobjects_end(context, gone);
}

Graph *graph_copy(Context *context, const Graph *graph) {
    Graph *copy = graph_new(context);
    copy->copied = graph->number;
    for (size_t i = 0; i < graph->count; i++) {
        Node *node = graph->nodes[i];
        Work work = work_copy(&node->work);
        if (work.kind == WORK_GRAPH) work.child = graph_copy(context, work.child);
        node->twin = graph_add(context, copy, work, NULL);
        node->twin->copied = node->number;
        node->twin->given = node->given;
        node->twin->described = node->described;
        node->twin->disabled = node->disabled;
    }
    for (size_t i = 0; i < graph->count; i++)
        for (size_t n = 0; n < graph->nodes[i]->after.count; n++)
            nodes_add(&copy->nodes[i]->after, graph->nodes[i]->after.list[n]->twin);
    for (size_t i = 0; i < graph->n_objects; i++)
        ALLOC_ADD(copy->objects, copy->n_objects) = userobject_retain(graph->objects[i], 1);
    return copy;
}

Graph *graph_launch_copy(Context *context, GraphExec *executable) {
    UserObject *gone = NULL;
    Graph *copy = graph_copy(context, executable->graph);
    copy->launched = executable;
    executable->users++;
    release_objects(context, copy, &gone);
    assert(!gone); /* the executable graph keeps them */
    return copy;
}

size_t graph_place(const Graph *graph, const Node *node) {
    size_t i = 0;
    while (graph->nodes[i] != node) i++;
    return i;
}

Node *graph_copy_of(const Graph *graph, const Node *node) {
    for (size_t i = 0; i < graph->count; i++)
        if (graph->nodes[i]->copied == node->number) return graph->nodes[i];
    return NULL;
}

/* --- how nodes follow each other --- */

static void unmark(const Graph *graph) {
    for (size_t i = 0; i < graph->count; i++) graph->nodes[i]->is_marked = false;
}

static void visit(Node *node, Nodes *open) {
    if (node->is_marked) return;
    node->is_marked = true;
    ALLOC_ADD(open->list, open->count) = node;
}

bool graph_leads_to(const Graph *graph, const Nodes *nodes, const Nodes *last) {
    Nodes open = {0};
    bool all = true;
    unmark(graph);
    for (size_t i = 0; i < last->count; i++) visit(last->list[i], &open);
    while (open.count) {
        const Nodes *after = &open.list[--open.count]->after;
        for (size_t i = 0; i < after->count; i++) visit(after->list[i], &open);
    }
    for (size_t i = 0; i < nodes->count; i++) all &= nodes->list[i]->is_marked;
    nodes_free(&open);
    return all;
}

static bool is_next(const Node *node) {
    for (size_t i = 0; i < node->after.count; i++)
        if (!node->after.list[i]->is_marked) return false;
    return !node->is_marked;
}

/* As many as can be ordered. */
static size_t order_nodes(const Graph *graph, Node **order) {
    size_t count = 0, before;
    unmark(graph);
    do {
        before = count;
        for (size_t i = 0; i < graph->count; i++)
            if (is_next(graph->nodes[i])) {
                graph->nodes[i]->is_marked = true;
                order[count++] = graph->nodes[i];
            }
    } while (count < graph->count && count != before);
    return count;
}

Node **graph_order(const Graph *graph) {
    Node **order = alloc_zeroed(graph->count + 1, sizeof *order);
    order_nodes(graph, order);
    return order;
}

bool graph_has_circle(const Graph *graph) {
    FREED Node **order = alloc_zeroed(graph->count + 1, sizeof *order);
    bool found = order_nodes(graph, order) < graph->count;
    for (size_t i = 0; i < graph->count; i++)
        found |= graph->nodes[i]->work.kind == WORK_GRAPH && graph_has_circle(graph->nodes[i]->work.child);
    return found;
}

/* --- which there are --- */

/* A child graph, which its node frees, is not in the context's list. */
void graph_publish(Context *context, Graph *graph) {
    graph->next = context->graphs;
    context->graphs = graph;
}

void graph_destroy(Context *context, Graph *graph) {
    Graph **at = &context->graphs;
    while (*at != graph) at = &(*at)->next;
    *at = graph->next;
    graph_free(context, graph);
}

void graph_release_executable(Context *context, GraphExec *executable) {
    if (--executable->users || !executable->destroyed) return;
    GraphExec **at = &context->executables;
    while (*at != executable) at = &(*at)->next;
    *at = executable->next;
    graph_free(context, executable->graph);
    vectorclock_free(&executable->clock);
    free(executable);
}

void graph_destroy_executable(Context *context, GraphExec *executable) {
    executable->destroyed = true;
    executable->users++;
    graph_release_executable(context, executable);
}

/* Of those that the program has not destroyed. */
static GraphExec *first_executable(const Context *context) {
    GraphExec *executable = context->executables;
    while (executable && executable->destroyed) executable = executable->next;
    return executable;
}

void graphs_free(Context *context) {
    UserObject *gone = NULL;
    for (Graph *graph = context->graphs; graph; graph = graph->next) release_objects(context, graph, &gone);
    for (GraphExec *at = context->executables; at; at = at->next)
        if (!at->users) release_objects(context, at->graph, &gone);
    while (context->graphs) graph_destroy(context, context->graphs);
    GraphExec *executable;
    while ((executable = first_executable(context)) != NULL) graph_destroy_executable(context, executable);
    userobjects_end(context, gone);
}

/* The graph itself, or one of its children's. */
static Graph *find_in(Graph *graph, cudaGraph_t handle) {
    if (graph == handle) return graph;
    for (size_t i = 0; i < graph->count; i++) {
        const Work *work = &graph->nodes[i]->work;
        Graph *found = work->kind == WORK_GRAPH ? find_in(work->child, handle) : NULL;
        if (found) return found;
    }
    return NULL;
}

bool graph_is_within(const Graph *graph, const Graph *other) {
    for (; graph && graph != other; graph = graph->parent ? graph->parent->graph : NULL) {}
    return graph != NULL;
}

Graph *graph_find(const Context *context, cudaGraph_t handle) {
    Graph *found = NULL;
    for (Graph *graph = context->graphs; graph && !found; graph = graph->next) found = find_in(graph, handle);
    return found;
}

static Node *find_node_in(const Graph *graph, cudaGraphNode_t handle) {
    Node *found = NULL;
    for (size_t i = graph->count; i-- > 0 && !found;) { /* those that were added last are asked for most */
        Node *node = graph->nodes[i];
        found = node == handle ? node : node->work.kind == WORK_GRAPH ? find_node_in(node->work.child, handle) : NULL;
    }
    return found;
}

Node *graph_find_node(const Context *context, cudaGraphNode_t handle) {
    Node *found = NULL;
    for (const Graph *graph = context->graphs; graph && !found; graph = graph->next) found = find_node_in(graph, handle);
    return found;
}

Node *graph_find_node_of(const Context *context, cudaGraphNode_t handle, WorkKind kind) {
    Node *node = graph_find_node(context, handle);
    return node && node->work.kind == kind ? node : NULL;
}

GraphExec *graph_find_executable(const Context *context, cudaGraphExec_t handle) {
    GraphExec *executable = context->executables;
    while (executable && executable != handle) executable = executable->next;
    return executable && !executable->destroyed ? executable : NULL;
}

bool graph_take_list(const Graph *graph, const cudaGraphNode_t *list, size_t count, Nodes *nodes) {
    if (count && !list) return false;
    for (size_t i = 0; i < count; i++) {
        size_t n = graph->count;
        while (n > 0 && graph->nodes[n - 1] != list[i]) n--;
        if (!n || nodes_have(nodes, list[i])) {
            nodes_free(nodes);
            return false;
        }
        nodes_add(nodes, list[i]);
    }
    return true;
}

/* What says more is of kernels alone, whose launches may overlap. */
bool graph_edges_are_whole(const cudaGraphEdgeData *edges, size_t count) {
    const cudaGraphEdgeData whole = {0};
    for (size_t i = 0; edges && i < count; i++)
        if (memcmp(&edges[i], &whole, sizeof whole) != 0) return false;
    return true;
}
