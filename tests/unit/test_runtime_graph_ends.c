/* When graphs, their nodes and what these use may go. Rules: CUDA Runtime API's documentation of each call. */
#include <pthread.h>

#include "runtime/driver_calls.h"
#include "runtime_test.h"

static cudaGraph_t graph_of(cudaStream_t stream) {
    enum cudaStreamCaptureStatus status;
    cudaGraph_t graph;
    FINE(cudaStreamGetCaptureInfo(stream, &status, NULL, &graph, NULL, NULL, NULL));
    return graph;
}

static cudaGraphNode_t first_node(cudaGraph_t graph) {
    cudaGraphNode_t node;
    size_t count = 1;
    FINE(cudaGraphGetNodes(graph, &node, &count));
    ck_assert_uint_eq(count, 1);
    return node;
}

static cudaStream_t new_stream(void) {
    cudaStream_t stream;
    FINE(cudaStreamCreate(&stream));
    return stream;
}

START_TEST(a_graph_stays_while_it_is_captured_into)
{
    runtime_register();
    cudaStream_t stream = new_stream();
    unsigned *p = device_memory(4);
    cudaGraph_t graph, ended;
    cudaGraphExec_t executable;
    FINE(cudaMemset(p, 0, 4));
    FINE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    FINE(cudaMemsetAsync(p, 1, 4, stream));
    graph = graph_of(stream);
    FILE *heard = listen();
    GIVES(cudaErrorInvalidValue, cudaGraphDestroy(graph));
    said(heard, "warpscope: cudaGraphDestroy: a stream is being captured into the graph\n"
                "  hint: cudaStreamEndCapture first\n");
    GIVES(cudaErrorInvalidValue, cudaGraphDestroyNode(first_node(graph)));
    FINE(cudaMemsetAsync(p, 2, 4, stream));
    FINE(cudaStreamEndCapture(stream, &ended));
    ck_assert_ptr_eq(ended, graph);
    FINE(cudaGraphInstantiate(&executable, graph, 0));
    FINE(cudaGraphLaunch(executable, stream));
    FINE(cudaStreamSynchronize(stream));
    ck_assert_uint_eq(first_of(p), 0x02020202);
    FINE(cudaGraphDestroyNode(first_node(graph)));
    FINE(cudaGraphDestroy(graph));
}
END_TEST

START_TEST(a_graph_stays_while_its_child_is_captured_into)
{
    runtime_register();
    cudaStream_t stream = new_stream();
    cudaGraph_t outer, empty, child, ended;
    cudaGraphNode_t node;
    FINE(cudaGraphCreate(&outer, 0));
    FINE(cudaGraphCreate(&empty, 0));
    FINE(cudaGraphAddChildGraphNode(&node, outer, NULL, 0, empty));
    FINE(cudaGraphChildGraphNodeGetGraph(node, &child));
    FINE(cudaStreamBeginCaptureToGraph(stream, child, NULL, NULL, 0, cudaStreamCaptureModeRelaxed));
    GIVES(cudaErrorInvalidValue, cudaGraphDestroyNode(node));
    GIVES(cudaErrorInvalidValue, cudaGraphDestroy(outer));
    FINE(cudaGraphDestroy(empty)); /* of which the child is a copy */
    FINE(cudaMemsetAsync(device_memory(4), 1, 4, stream));
    FINE(cudaStreamEndCapture(stream, &ended));
    FINE(cudaGraphDestroyNode(node));
    FINE(cudaGraphDestroy(outer));
}
END_TEST

/* What a failed capture made goes with it, but not while another capture adds to it. */
START_TEST(a_failed_capture_leaves_its_graph_to_another)
{
    runtime_register();
    cudaStream_t first = new_stream(), second = new_stream();
    cudaGraph_t graph, ended;
    FINE(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed));
    graph = graph_of(first);
    FINE(cudaStreamBeginCaptureToGraph(second, graph, NULL, NULL, 0, cudaStreamCaptureModeRelaxed));
    GIVES(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(first));
    GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(first, &ended));
    FINE(cudaMemsetAsync(device_memory(4), 1, 4, second));
    FINE(cudaStreamEndCapture(second, &ended));
    ck_assert_ptr_eq(ended, graph);
    first_node(graph);
    FINE(cudaGraphDestroy(graph));
}
END_TEST

static void count_end(void *ends) { ++*(int *)ends; }

/* CUDA Runtime API, cudaUserObjectRelease: it is undefined to release what one does not own; here it is refused. */
START_TEST(a_child_graph_keeps_its_objects)
{
    cudaUserObject_t object;
    cudaGraph_t inner, middle, outer;
    cudaGraphNode_t node;
    int ends = 0;
    FINE(cudaUserObjectCreate(&object, &ends, count_end, 1, cudaUserObjectNoDestructorSync));
    FINE(cudaGraphCreate(&inner, 0));
    FINE(cudaGraphCreate(&middle, 0));
    FINE(cudaGraphCreate(&outer, 0));
    FINE(cudaGraphRetainUserObject(inner, object, 1, 0));
    FINE(cudaGraphAddChildGraphNode(&node, middle, NULL, 0, inner)); /* copies, each with a reference of its own */
    FINE(cudaGraphAddChildGraphNode(&node, outer, NULL, 0, middle));
    GIVES(cudaErrorInvalidValue, cudaUserObjectRelease(object, 2));
    GIVES(cudaErrorInvalidValue, cudaGraphReleaseUserObject(outer, object, 1)); /* its child's child's */
    FINE(cudaUserObjectRelease(object, 1));
    GIVES(cudaErrorInvalidValue, cudaUserObjectRelease(object, 1));
    FINE(cudaGraphDestroy(inner));
    FINE(cudaGraphDestroy(middle));
    ck_assert_int_eq(ends, 0);
    FINE(cudaGraphDestroy(outer));
    ck_assert_int_eq(ends, 1);
}
END_TEST

static void driver_begin(void) {
    FINE(cudaFree(NULL)); /* makes the primary context current */
    ck_assert_int_eq(cuInit(0), CUDA_SUCCESS);
}

/* CUDA Runtime API, cudaMemsetParams: width is in elements, of 1, 2 or 4 bytes. */
START_TEST(captured_fills_of_words_say_so)
{
    runtime_register();
    driver_begin();
    cudaStream_t stream = new_stream();
    unsigned *p = device_memory(64);
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    struct cudaMemsetParams params;
    FINE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    ck_assert_int_eq(cuMemsetD32Async((uintptr_t)p, 0x01020304, 16, stream), CUDA_SUCCESS);
    FINE(cudaStreamEndCapture(stream, &graph));
    FINE(cudaGraphMemsetNodeGetParams(first_node(graph), &params));
    ck_assert_uint_eq(params.elementSize, 4);
    ck_assert_uint_eq(params.width, 16);
    ck_assert_uint_eq(params.value, 0x01020304);
    FINE(cudaGraphMemsetNodeSetParams(first_node(graph), &params));
    FINE(cudaGraphInstantiate(&executable, graph, 0));
    FINE(cudaGraphLaunch(executable, stream));
    FINE(cudaStreamSynchronize(stream));
    ck_assert_uint_eq(first_of(p), 0x01020304);
}
END_TEST

/* Captures a module's fill of one number with 7. */
static cudaGraph_t capture_function(CUmodule *module, CUfunction *function, cudaStream_t stream, unsigned *p) {
    cudaGraph_t graph;
    unsigned value = 7, n = 1;
    void *arguments[] = {&p, &value, &n};
    ck_assert_int_eq(cuModuleLoadData(module, runtime_ptx), CUDA_SUCCESS);
    ck_assert_int_eq(cuModuleGetFunction(function, *module, "fill"), CUDA_SUCCESS);
    FINE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    ck_assert_int_eq(cuLaunchKernel(*function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL), CUDA_SUCCESS);
    FINE(cudaStreamEndCapture(stream, &graph));
    return graph;
}

START_TEST(a_modules_kernel_is_a_nodes_function)
{
    driver_begin();
    cudaStream_t stream = new_stream();
    unsigned *p = device_memory(4);
    CUmodule module;
    CUfunction function;
    cudaGraph_t graph = capture_function(&module, &function, stream, p);
    struct cudaKernelNodeParams params;
    cudaGraphExec_t executable;
    FINE(cudaGraphKernelNodeGetParams(first_node(graph), &params));
    ck_assert_ptr_eq(params.func, function);
    FINE(cudaGraphKernelNodeSetParams(first_node(graph), &params));
    FINE(cudaGraphInstantiate(&executable, graph, 0));
    FINE(cudaGraphLaunch(executable, stream));
    FINE(cudaStreamSynchronize(stream));
    ck_assert_uint_eq(first_of(p), 7);
}
END_TEST

START_TEST(a_graph_runs_no_kernel_of_an_unloaded_module)
{
    driver_begin();
    cudaStream_t stream = new_stream();
    unsigned *p = device_memory(4);
    CUmodule module;
    CUfunction function;
    cudaGraph_t graph = capture_function(&module, &function, stream, p);
    cudaGraphExec_t executable;
    FINE(cudaMemset(p, 0, 4));
    FINE(cudaGraphInstantiate(&executable, graph, 0));
    ck_assert_int_eq(cuModuleUnload(module), CUDA_SUCCESS);
    FILE *heard = listen();
    GIVES(cudaErrorInvalidDeviceFunction, cudaGraphLaunch(executable, stream));
    said(heard, "warpscope: launch of fill refused: module 1, which it is of, has been unloaded\n"
                "  hint: unload a module after the last graph with kernels of it has run\n");
    FINE(cudaStreamSynchronize(stream));
    ck_assert_uint_eq(first_of(p), 0);
}
END_TEST

typedef struct Reset {
    pthread_t thread;
    cudaError_t error;
    int ends, ends_behind; /* nodes that have run, at all and when the device had been reset */
} Reset;

static void *reset_device(void *data) {
    Reset *reset = data;
    reset->error = cudaDeviceReset();
    reset->ends_behind = reset->ends;
    return NULL;
}

/* A host function, while which another thread begins to reset the device. */
static void reset_elsewhere(void *data) {
    Reset *reset = data;
    ck_assert_int_eq(pthread_create(&reset->thread, NULL, reset_device, reset), 0);
    usleep(100000);
    void *over[64][32]; /* what has been freed */
    for (size_t size = 0; size < 64; size++)
        for (size_t i = 0; i < 32; i++) memset(over[size][i] = malloc(16 * (size + 1)), 0x5a, 16 * (size + 1));
    for (size_t i = 0; i < 64 * 32; i++) free(over[i / 32][i % 32]);
}

START_TEST(a_graph_that_runs_outlives_a_reset)
{
    runtime_register();
    cudaStream_t stream = new_stream();
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaGraphNode_t first, second;
    Reset reset = {.error = cudaErrorUnknown};
    FINE(cudaGraphCreate(&graph, 0));
    FINE(cudaGraphAddHostNode(&first, graph, NULL, 0, &(struct cudaHostNodeParams){reset_elsewhere, &reset}));
    FINE(cudaGraphAddHostNode(&second, graph, &first, 1, &(struct cudaHostNodeParams){count_end, &reset.ends}));
    FINE(cudaGraphInstantiate(&executable, graph, 0));
    FINE(cudaGraphLaunch(executable, stream));
    pthread_join(reset.thread, NULL);
    GIVES(cudaSuccess, reset.error);
    ck_assert_int_eq(reset.ends_behind, 1); /* the graph ran to its end */
    GIVES(cudaErrorInvalidValue, cudaGraphLaunch(executable, NULL));
    GIVES(cudaErrorInvalidResourceHandle, cudaStreamDestroy(stream));
    void *p = device_memory(4);
    FINE(launch_fill(p, 3, 1)); /* a default stream is there */
    ck_assert_uint_eq(first_of(p), 3);
}
END_TEST

START_TEST(a_reset_releases_what_graphs_keep)
{
    cudaUserObject_t given, shared;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    int given_ends = 0, shared_ends = 0;
    FINE(cudaUserObjectCreate(&given, &given_ends, count_end, 1, cudaUserObjectNoDestructorSync));
    FINE(cudaUserObjectCreate(&shared, &shared_ends, count_end, 1, cudaUserObjectNoDestructorSync));
    FINE(cudaGraphCreate(&graph, 0));
    FINE(cudaGraphRetainUserObject(graph, given, 1, cudaGraphUserObjectMove));
    FINE(cudaGraphRetainUserObject(graph, shared, 1, 0));
    FINE(cudaGraphInstantiate(&executable, graph, 0));
    FINE(cudaDeviceReset());
    ck_assert_int_eq(given_ends, 1);
    ck_assert_int_eq(shared_ends, 0); /* the program has a reference of its own */
    FINE(cudaUserObjectRelease(shared, 1));
    ck_assert_int_eq(shared_ends, 1);
}
END_TEST

/* Between nodes that are no kernels, as an H200 has it; it was not asked of the last of these calls. */
START_TEST(edges_say_no_more_than_what_waits_for_what)
{
    const cudaGraphEdgeData edges[] = {{0}, {.from_port = 1}, {.to_port = 1}, {.type = 1}};
    cudaStream_t stream = new_stream();
    cudaGraph_t graph, ended;
    cudaGraphNode_t first, second;
    FINE(cudaGraphCreate(&graph, 0));
    FINE(cudaGraphAddEmptyNode(&first, graph, NULL, 0));
    FINE(cudaGraphAddEmptyNode(&second, graph, NULL, 0));
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        const cudaError_t wanted = i ? cudaErrorInvalidValue : cudaSuccess;
        const enum cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
        GIVES(wanted, cudaGraphAddDependencies(graph, &first, &second, &edges[i], 1));
        GIVES(wanted, cudaGraphRemoveDependencies(graph, &first, &second, &edges[i], 1));
        GIVES(wanted, cudaStreamBeginCaptureToGraph(stream, graph, &first, &edges[i], 1, mode));
        if (wanted) FINE(cudaStreamBeginCaptureToGraph(stream, graph, &first, NULL, 1, mode));
        GIVES(wanted, cudaStreamUpdateCaptureDependencies(stream, &second, &edges[i], 1, cudaStreamSetCaptureDependencies));
        FINE(cudaStreamEndCapture(stream, &ended));
    }
}
END_TEST

/* What another thread calls while a graph's end calls the function of what it kept. */
typedef struct Elsewhere {
    cudaError_t (*call)(void *handle);
    void *handle;
    cudaError_t error;
} Elsewhere;

static void *call_it(void *data) {
    Elsewhere *of = data;
    of->error = of->call(of->handle);
    return NULL;
}

static void call_elsewhere(void *data) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, call_it, data) == 0) pthread_join(thread, NULL);
}

static Elsewhere end_elsewhere(cudaError_t call(void *handle), void *handle) {
    return (Elsewhere){call, handle, cudaErrorUnknown};
}

/* The graph alone keeps the object. */
static void give_object(cudaGraph_t graph, cudaUserObject_t *object, cudaHostFn_t end, void *data) {
    FINE(cudaUserObjectCreate(object, data, end, 1, cudaUserObjectNoDestructorSync));
    FINE(cudaGraphRetainUserObject(graph, *object, 1, cudaGraphUserObjectMove));
}

static cudaError_t release_object(void *handle) { return cudaUserObjectRelease(*(cudaUserObject_t *)handle, 1); }

START_TEST(what_a_graph_that_goes_still_keeps_is_not_the_programs)
{
    cudaUserObject_t first, second, in_child;
    cudaGraph_t graph, inner;
    cudaGraphNode_t node;
    int ends = 0;
    cudaUserObject_t *const others[] = {&second, &in_child};
    for (int child = 0; child < 2; child++) {
        Elsewhere of = end_elsewhere(release_object, others[child]);
        FINE(cudaGraphCreate(&graph, 0));
        FINE(cudaGraphCreate(&inner, 0));
        give_object(inner, &in_child, count_end, &ends);
        FINE(cudaGraphAddChildGraphNode(&node, graph, NULL, 0, inner));
        FINE(cudaGraphDestroy(inner)); /* of which the child is a copy */
        give_object(graph, &first, call_elsewhere, &of);
        give_object(graph, &second, count_end, &ends);
        FINE(cudaGraphDestroy(graph));
        GIVES(cudaErrorInvalidValue, of.error);
        ck_assert_int_eq(ends, 2 * (child + 1));
    }
}
END_TEST

static cudaError_t ask_for_memory(void *node) {
    struct cudaMemAllocNodeParams params;
    return cudaGraphMemAllocNodeGetParams(node, &params);
}

START_TEST(a_reset_is_over_for_all_graphs_when_it_calls_functions)
{
    cudaUserObject_t object;
    cudaGraph_t older, graph;
    cudaGraphNode_t node;
    struct cudaMemAllocNodeParams params = {
        .poolProps = {.allocType = cudaMemAllocationTypePinned, .location = {cudaMemLocationTypeDevice, 0}}, .bytesize = 64};
    FINE(cudaGraphCreate(&older, 0));
    FINE(cudaGraphAddMemAllocNode(&node, older, NULL, 0, &params));
    Elsewhere of = end_elsewhere(ask_for_memory, node);
    FINE(cudaGraphCreate(&graph, 0));
    give_object(graph, &object, call_elsewhere, &of);
    FINE(cudaDeviceReset());
    GIVES(cudaErrorInvalidValue, of.error);
}
END_TEST

static cudaError_t call_reset(void *ignored) {
    (void)ignored;
    return cudaDeviceReset();
}

START_TEST(a_stream_that_leaves_its_capture_outlives_a_reset)
{
    cudaUserObject_t object;
    cudaStream_t stream = new_stream();
    Elsewhere of = end_elsewhere(call_reset, NULL);
    FINE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    give_object(graph_of(stream), &object, call_elsewhere, &of);
    FINE(cudaStreamDestroy(stream));
    GIVES(cudaSuccess, of.error);
    GIVES(cudaErrorInvalidResourceHandle, cudaStreamDestroy(stream));
}
END_TEST

/* Documents: CUDA Driver API, cuLaunchKernel, "extra". */
START_TEST(a_node_takes_packed_arguments)
{
    runtime_register();
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphExec_t executable;
    struct {
        void *to;
        unsigned value, n;
    } packed = {device_memory(4), 7, 1};
    size_t bytes = sizeof packed, few = 12;
    void *extra[] = {(void *)1, &packed, (void *)2, &bytes, NULL};
    const struct cudaKernelNodeParams params = {
        .func = (void *)fill, .gridDim = {1, 1, 1}, .blockDim = {32, 1, 1}, .extra = extra};
    FINE(cudaGraphCreate(&graph, 0));
    extra[3] = NULL;
    GIVES(cudaErrorInvalidValue, cudaGraphAddKernelNode(&node, graph, NULL, 0, &params)); /* no count */
    extra[3] = &few;
    GIVES(cudaErrorInvalidValue, cudaGraphAddKernelNode(&node, graph, NULL, 0, &params));
    extra[2] = (void *)3;
    GIVES(cudaErrorInvalidValue, cudaGraphAddKernelNode(&node, graph, NULL, 0, &params)); /* no such key */
    extra[2] = (void *)2;
    extra[3] = &bytes;
    FINE(cudaGraphAddKernelNode(&node, graph, NULL, 0, &params));
    FINE(cudaGraphInstantiate(&executable, graph, 0));
    FINE(cudaGraphLaunch(executable, NULL));
    ck_assert_uint_eq(first_of(packed.to), 7);
    FINE(cudaGraphExecDestroy(executable));
    FINE(cudaGraphDestroy(graph));
}
END_TEST

RUNTIME_MAIN("runtime graph ends", a_graph_stays_while_it_is_captured_into, a_graph_stays_while_its_child_is_captured_into,
             a_failed_capture_leaves_its_graph_to_another, a_child_graph_keeps_its_objects, captured_fills_of_words_say_so,
             a_modules_kernel_is_a_nodes_function, a_graph_runs_no_kernel_of_an_unloaded_module,
             a_graph_that_runs_outlives_a_reset, a_reset_releases_what_graphs_keep, edges_say_no_more_than_what_waits_for_what,
             what_a_graph_that_goes_still_keeps_is_not_the_programs, a_reset_is_over_for_all_graphs_when_it_calls_functions,
             a_stream_that_leaves_its_capture_outlives_a_reset, a_node_takes_packed_arguments)
