/* graph_run.c: the nodes of a graph, in an order that their edges allow. */
#include <math.h>

#include "base/alloc.h"
#include "runtime/beside.h"
#include "runtime/event.h"
#include "runtime/graph.h"
#include "runtime/nested.h"
#include "runtime/planned.h"
#include "runtime/traceevents.h"

typedef struct GraphRun {
    Stream *stream;
    const WorkOrder *submission;
    double end;
} GraphRun;

static cudaError_t run_nodes(Context *context, GraphRun *run, const Graph *graph, double ready);

/* An event that is gone, but for the node that names it. */
static bool is_done(Context *context, const Node *node) {
    const bool of_event = node->work.kind == WORK_RECORD || node->work.kind == WORK_WAIT;
    return node->disabled || (of_event && !event_find(context, node->work.event));
}

static cudaError_t run_node(Context *context, GraphRun *run, Node *node, double start) {
    node->end = start;
    if (is_done(context, node)) return cudaSuccess;
    if (node->work.kind == WORK_GRAPH) {
        GraphRun child = {run->stream, run->submission, start};
        const cudaError_t error = run_nodes(context, &child, node->work.child, start);
        node->end = child.end;
        return error;
    }
    Duration duration = {0};
    cudaError_t error = work_check(context, &node->work);
    const uint32_t before = order_before(context);
    if (!error) error = nested_run(context, run->stream, &node->work, start, &duration);
    if (!error) order_ran(context, run->stream, run->submission, &node->work, before);
    node->end = clock_run(&context->clock, start, duration);
    if (!error) traceevents_add(context, run->stream, &node->work, node->end, duration, run->submission->site);
    return error ? error : context->sticky;
}

/* In order; on the timeline each starts when its predecessors have ended. */
static cudaError_t run_nodes(Context *context, GraphRun *run, const Graph *graph, double ready) {
    FREED Node **order = graph_order(graph);
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < graph->count && !error; i++) {
        double start = ready;
        for (size_t n = 0; n < order[i]->after.count; n++) start = fmax(start, order[i]->after.list[n]->end);
        error = run_node(context, run, order[i], start);
        run->end = fmax(run->end, order[i]->end);
    }
    return error;
}

static void free_left(Context *context, const Graph *graph) {
    for (size_t i = 0; i < graph->count; i++) {
        const Work *work = &graph->nodes[i]->work;
        if (work->kind != WORK_ALLOCATE || !graph_leaves(graph, work->memory)) continue;
        const PlannedMemory *planned = planned_find(context, work->memory);
        if (planned && planned_live(context, planned)) planned_end(context, work->memory);
    }
}

cudaError_t graph_run(Context *context, Stream *stream, const WorkOrder *submission, const Graph *graph) {
    GraphExec *executable = graph->launched;
    const double ready = fmax(stream_ready(context, stream), executable->end);
    GraphRun run = {stream, submission, ready};
    if (executable->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) free_left(context, graph);
    const cudaError_t error = run_nodes(context, &run, graph, ready);
    stream->end = executable->end = run.end;
    return context->sticky ? cudaSuccess : error; /* the next call reports a kernel's fault */
}

bool graph_may_last(const Context *context, const Graph *graph) {
    for (size_t i = 0; i < graph->count; i++) {
        const Work *work = &graph->nodes[i]->work;
        if (graph->nodes[i]->disabled) continue;
        if (work->kind == WORK_HOST) return true;
        if (work->kind == WORK_GRAPH && graph_may_last(context, work->child)) return true;
        if (work->kind == WORK_KERNEL && beside_may_wait(context, &work->kernel)) return true;
    }
    return false;
}
