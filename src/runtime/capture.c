/* Stream capture and graphs: work that is kept with its dependencies, to be run as a whole again and again. */
#include <stdlib.h>
#include <string.h>

#include "runtime/stream.h"

struct CUgraphNode_st {
    Work work;
    Nodes after; /* nodes that it waits for; all come before it in the graph */
};
typedef struct CUgraphNode_st Node;

struct CUgraph_st {
    Graph *next;
    Node **nodes;
    size_t count, capacity;
};

struct CUgraphExec_st {
    GraphExec *next;
    Graph *graph;   /* a copy of its own */
    unsigned users; /* launches that go on while a host function runs, and the context is unlocked */
    bool destroyed; /* then: goes when the last of them ends */
};

struct Capture {
    Graph *graph;
    const Stream *origin;
    enum cudaStreamCaptureMode mode;
    pthread_t thread;
    bool invalid; /* a call that capturing forbids was made */
};

/* --- sets of nodes --- */

void nodes_add(Nodes *nodes, size_t node) {
    for (size_t i = 0; i < nodes->count; i++)
        if (nodes->list[i] == node) return;
    if (nodes->count == nodes->capacity) {
        nodes->capacity = nodes->capacity ? 2 * nodes->capacity : 4;
        nodes->list = realloc(nodes->list, nodes->capacity * sizeof *nodes->list);
        if (!nodes->list) abort();
    }
    nodes->list[nodes->count++] = node;
}

void nodes_join(Nodes *nodes, const Nodes *other) {
    for (size_t i = 0; i < other->count; i++) nodes_add(nodes, other->list[i]);
}

void nodes_free(Nodes *nodes) {
    free(nodes->list);
    *nodes = (Nodes){0};
}

/* --- graphs --- */

static Graph *graph_new(void) {
    Graph *graph = calloc(1, sizeof *graph);
    if (!graph) abort();
    return graph;
}

/* Takes work over. */
static size_t graph_add(Graph *graph, Work work, const Nodes *after) {
    if (graph->count == graph->capacity) {
        graph->capacity = graph->capacity ? 2 * graph->capacity : 16;
        graph->nodes = realloc(graph->nodes, graph->capacity * sizeof *graph->nodes);
        if (!graph->nodes) abort();
    }
    Node *node = calloc(1, sizeof *node);
    if (!node) abort();
    node->work = work;
    nodes_join(&node->after, after);
    graph->nodes[graph->count] = node;
    return graph->count++;
}

static void graph_free(Graph *graph) {
    for (size_t i = 0; i < graph->count; i++) {
        work_free(&graph->nodes[i]->work);
        nodes_free(&graph->nodes[i]->after);
        free(graph->nodes[i]);
    }
    free(graph->nodes);
    free(graph);
}

void graphs_free(Context *context) {
    for (Graph *graph = context->graphs, *next; graph; graph = next) {
        next = graph->next;
        graph_free(graph);
    }
    for (GraphExec *executable = context->executables, *next; executable; executable = next) {
        next = executable->next;
        graph_free(executable->graph);
        free(executable);
    }
    context->graphs = NULL;
    context->executables = NULL;
}

static Graph **graph_place(Context *context, cudaGraph_t handle) {
    Graph **at = &context->graphs;
    while (*at && *at != handle) at = &(*at)->next;
    return at;
}

static GraphExec **executable_place(Context *context, cudaGraphExec_t handle) {
    GraphExec **at = &context->executables;
    while (*at && *at != handle) at = &(*at)->next;
    return at;
}

/* --- capturing --- */

cudaError_t capture_add(Context *context, Stream *stream, Work *work) {
    (void)context;
    if (stream->capture->invalid) {
        work_free(work);
        return cudaErrorStreamCaptureInvalidated;
    }
    size_t node = graph_add(stream->capture->graph, *work, &stream->tail);
    nodes_free(&stream->tail);
    nodes_add(&stream->tail, node);
    return cudaSuccess;
}

void capture_record(Stream *stream, Event *event) {
    event->capture = stream->capture;
    nodes_free(&event->nodes);
    nodes_join(&event->nodes, &stream->tail);
}

/* A stream that waits for an event of a capture becomes part of it. */
cudaError_t capture_wait(Stream *stream, const Event *event) {
    if (stream->legacy) {
        capture_invalidate(event->capture);
        return cudaErrorStreamCaptureImplicit;
    }
    if (stream->capture && stream->capture != event->capture) {
        capture_invalidate(stream->capture);
        capture_invalidate(event->capture);
        return cudaErrorStreamCaptureMerge;
    }
    stream->capture = event->capture;
    nodes_join(&stream->tail, &event->nodes);
    return cudaSuccess;
}

void capture_invalidate(Capture *capture) { capture->invalid = true; }

/* A capture in global mode forbids such calls to every thread, one in thread-local mode to its own. */
cudaError_t capture_forbids(Context *context) {
    for (const Stream *stream = context->streams; stream; stream = stream->next) {
        Capture *capture = stream->capture;
        if (!capture || capture->mode == cudaStreamCaptureModeRelaxed) continue;
        if (capture->mode == cudaStreamCaptureModeThreadLocal && !pthread_equal(capture->thread, pthread_self())) continue;
        capture_invalidate(capture);
        return cudaErrorStreamCaptureUnsupported;
    }
    return cudaSuccess;
}

/* Begins a call about one stream; NULL with *error set when there is none. */
static Context *begin(cudaStream_t handle, Stream **stream, cudaError_t *error) {
    Context *context = api_begin(error);
    if (!context) return NULL;
    *stream = stream_find(context, handle);
    if (*stream) return context;
    context_unlock(context);
    *error = cudaErrorInvalidResourceHandle;
    return NULL;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, enum cudaStreamCaptureMode mode) {
    cudaError_t error;
    Stream *stream;
    Context *context = begin(handle, &stream, &error);
    if (!context) return api_end(context, error);
    if ((unsigned)mode > cudaStreamCaptureModeRelaxed) return api_end(context, cudaErrorInvalidValue);
    if (stream->legacy) return api_end(context, cudaErrorStreamCaptureUnsupported);
    if (stream->capture) return api_end(context, cudaErrorIllegalState);
    Capture *capture = malloc(sizeof *capture);
    if (!capture) abort();
    *capture = (Capture){.graph = graph_new(), .origin = stream, .mode = mode, .thread = pthread_self()};
    stream->capture = capture;
    return api_end(context, cudaSuccess);
}

/* Marks a node and all that it comes after. */
static void mark(const Graph *graph, bool *reached, size_t node) {
    if (reached[node]) return;
    reached[node] = true;
    const Nodes *after = &graph->nodes[node]->after;
    for (size_t i = 0; i < after->count; i++) mark(graph, reached, after->list[i]);
}

/* Whether all that was captured in other streams comes before where the origin stands now. */
static bool is_joined(const Context *context, const Capture *capture) {
    bool *reached = calloc(capture->graph->count + 1, sizeof *reached), joined = true;
    if (!reached) abort();
    const Nodes *tail = &capture->origin->tail;
    for (size_t i = 0; i < tail->count; i++) mark(capture->graph, reached, tail->list[i]);
    for (const Stream *stream = context->streams; stream; stream = stream->next)
        for (size_t i = 0; stream->capture == capture && i < stream->tail.count; i++) joined &= reached[stream->tail.list[i]];
    free(reached);
    return joined;
}

static void capture_end(Context *context, Capture *capture) {
    for (Stream *stream = context->streams; stream; stream = stream->next)
        if (stream->capture == capture) {
            stream->capture = NULL;
            nodes_free(&stream->tail);
        }
    for (Event *event = context->events; event; event = event->next)
        if (event->capture == capture) {
            event->capture = NULL;
            nodes_free(&event->nodes);
        }
    free(capture);
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t *graph) {
    cudaError_t error;
    Stream *stream;
    Context *context = begin(handle, &stream, &error);
    if (!context) return api_end(context, error);
    Capture *capture = stream->capture;
    if (!graph) return api_end(context, cudaErrorInvalidValue);
    if (!capture) return api_end(context, cudaErrorIllegalState);
    *graph = NULL;
    if (capture->origin != stream) return api_end(context, cudaErrorStreamCaptureUnmatched);
    if (capture->mode != cudaStreamCaptureModeRelaxed && !pthread_equal(capture->thread, pthread_self()))
        return api_end(context, cudaErrorStreamCaptureWrongThread);
    if (capture->invalid)
        error = cudaErrorStreamCaptureInvalidated;
    else if (!is_joined(context, capture))
        error = cudaErrorStreamCaptureUnjoined;
    if (error) {
        graph_free(capture->graph);
    } else {
        capture->graph->next = context->graphs;
        *graph = context->graphs = capture->graph;
    }
    capture_end(context, capture);
    return api_end(context, error);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, enum cudaStreamCaptureStatus *status) {
    cudaError_t error;
    Stream *stream;
    Context *context = begin(handle, &stream, &error);
    if (!context) return api_end(context, error);
    if (!status) return api_end(context, cudaErrorInvalidValue);
    *status = !stream->capture           ? cudaStreamCaptureStatusNone
              : stream->capture->invalid ? cudaStreamCaptureStatusInvalidated
                                         : cudaStreamCaptureStatusActive;
    return api_end(context, cudaSuccess);
}

/* --- running graphs --- */

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *handle, cudaGraph_t graph_handle, unsigned long long flags) {
    cudaError_t error;
    Context *context = api_begin(&error);
    if (!context) return api_end(context, error);
    const Graph *graph = *graph_place(context, graph_handle);
    const unsigned long long known =
        cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload | cudaGraphInstantiateFlagUseNodePriority;
    if (!handle || !graph || flags & ~known) return api_end(context, cudaErrorInvalidValue);
    GraphExec *executable = calloc(1, sizeof *executable);
    if (!executable) abort();
    executable->graph = graph_new();
    for (size_t i = 0; i < graph->count; i++)
        graph_add(executable->graph, work_copy(&graph->nodes[i]->work), &graph->nodes[i]->after);
    executable->next = context->executables;
    *handle = context->executables = executable;
    return api_end(context, cudaSuccess);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long flags) {
    return cudaGraphInstantiateWithFlags(executable, graph, flags);
}

static double later(double a, double b) { return a > b ? a : b; }

/* Runs the nodes in order; on the timeline each begins when those that it comes after have ended. */
static cudaError_t graph_run(Context *context, Stream *stream, const Graph *graph) {
    cudaError_t error = cudaSuccess;
    double ready = stream_ready(context, stream), end = ready;
    double *ends = calloc(graph->count + 1, sizeof *ends);
    if (!ends) abort();
    for (size_t i = 0; i < graph->count && !error; i++) {
        const Node *node = graph->nodes[i];
        double start = ready;
        for (size_t n = 0; n < node->after.count; n++) start = later(start, ends[node->after.list[n]]);
        Duration duration = {0};
        error = work_check(context, &node->work);
        if (!error) error = work_run(context, stream, &node->work, start, &duration);
        ends[i] = clock_run(&context->clock, start, duration);
        end = later(end, ends[i]);
        if (!error) error = context->sticky;
    }
    stream->end = end;
    free(ends);
    return context->sticky ? cudaSuccess : error; /* a kernel's fault is told by the next call */
}

/* Lets one user go; what is destroyed goes with the last. */
static void executable_release(Context *context, GraphExec *executable) {
    if (--executable->users || !executable->destroyed) return;
    *executable_place(context, executable) = executable->next;
    graph_free(executable->graph);
    free(executable);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream_handle) {
    cudaError_t error;
    Stream *stream;
    Context *context = begin(stream_handle, &stream, &error);
    if (!context) return api_end(context, error);
    GraphExec *executable = *executable_place(context, handle);
    if (!executable || executable->destroyed) return api_end(context, cudaErrorInvalidValue);
    if (stream->capture) { /* a graph within a graph */
        note("cudaGraphLaunch into a stream that is being captured is not emulated");
        capture_invalidate(stream->capture);
        return api_end(context, cudaErrorNotSupported);
    }
    executable->users++;
    stream_hold(stream);
    error = graph_run(context, stream, executable->graph);
    stream_release(context, stream);
    executable_release(context, executable);
    return api_end(context, error);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t *nodes, size_t *count) {
    cudaError_t error;
    Context *context = api_begin(&error);
    const Graph *graph = context ? *graph_place(context, handle) : NULL;
    if (context && (!graph || !count)) error = cudaErrorInvalidValue;
    if (context && !error && !nodes) *count = graph->count;
    if (context && !error && nodes) {
        size_t room = *count; /* what is beyond the last node becomes NULL (CUDA Runtime API, cudaGraphGetNodes) */
        for (size_t i = 0; i < room; i++) nodes[i] = i < graph->count ? graph->nodes[i] : NULL;
        if (graph->count < room) *count = graph->count;
    }
    return api_end(context, error);
}

cudaError_t cudaGraphDestroy(cudaGraph_t handle) {
    cudaError_t error;
    Context *context = api_begin(&error);
    if (!context) return api_end(context, error);
    Graph **at = graph_place(context, handle), *graph = *at;
    if (!graph) return api_end(context, cudaErrorInvalidValue);
    *at = graph->next;
    graph_free(graph);
    return api_end(context, cudaSuccess);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
    cudaError_t error;
    Context *context = api_begin(&error);
    if (!context) return api_end(context, error);
    GraphExec *executable = *executable_place(context, handle);
    if (!executable || executable->destroyed) return api_end(context, cudaErrorInvalidValue);
    executable->destroyed = true;
    executable->users++;
    executable_release(context, executable);
    return api_end(context, cudaSuccess);
}
