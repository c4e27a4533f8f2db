/* Memory that graphs allocate and free, and that is freed in stream order: when it is there, what is refused, and what becomes of errors. Rules: CUDA Programming Guide, "Graph memory nodes" and
 * "Stream ordered memory allocator"; CUDA Runtime API's documentation of each call. */
#include <pthread.h>
#include <stdint.h>

#include "include/cuda.h"
#include "runtime_test.h"

static cudaStream_t new_stream(void) {
    cudaStream_t stream;
    FINE(cudaStreamCreate(&stream));
    return stream;
}

static struct cudaMemAllocNodeParams memory_of(size_t bytes) {
    return (struct cudaMemAllocNodeParams){
        .poolProps = {.allocType = cudaMemAllocationTypePinned, .location = {cudaMemLocationTypeDevice, 0}}, .bytesize = bytes};
}

/* A graph that allocates *memory, fills it with bytes of this value, and leaves it. */
static cudaGraph_t graph_that_fills(cudaStream_t stream, unsigned **memory, int value) {
    cudaGraph_t graph;
    FINE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    FINE(cudaMallocAsync((void **)memory, 4, stream));
    FINE(cudaMemsetAsync(*memory, value, 4, stream));
    FINE(cudaStreamEndCapture(stream, &graph));
    return graph;
}

/* What comes between two launches in the stream has the memory of the first. */
static void free_by_launch(const char *schedule) {
    setenv("WARPSCOPE_SCHEDULE", schedule, 1);
    runtime_register();
    cudaStream_t stream = new_stream();
    cudaGraphExec_t executable;
    unsigned *memory, *to = device_memory(4), n = 1;
    void *arguments[] = {&to, &memory, &n};
    cudaGraph_t graph = graph_that_fills(stream, &memory, 3);
    FINE(cudaGraphInstantiateWithFlags(&executable, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    FINE(cudaGraphLaunch(executable, stream));
    FINE(launch_in(stream, copy, 1, 32, arguments));
    FINE(cudaGraphLaunch(executable, stream));
    FINE(cudaStreamSynchronize(stream));
    ck_assert_uint_eq(first_of(to), 0x03030303);
    FINE(cudaFreeAsync(memory, stream));
    FINE(cudaGraphLaunch(executable, stream)); /* nothing is there to be freed */
    FINE(cudaFree(memory));
}

START_TEST(a_launch_frees_behind_what_comes_before_it)
{ free_by_launch("usual"); }
END_TEST

START_TEST(a_launch_frees_behind_what_is_left)
{ free_by_launch("late"); }
END_TEST

static void launch_again(const char *schedule) {
    setenv("WARPSCOPE_SCHEDULE", schedule, 1);
    cudaStream_t stream = new_stream();
    cudaGraphExec_t executable;
    unsigned *memory;
    FINE(cudaGraphInstantiate(&executable, graph_that_fills(stream, &memory, 3), 0));
    FINE(cudaGraphLaunch(executable, stream));
    GIVES(cudaErrorInvalidValue, cudaGraphLaunch(executable, stream));
    FINE(cudaFreeAsync(memory, stream));
    FINE(cudaGraphLaunch(executable, stream));
    FINE(cudaStreamSynchronize(stream));
    ck_assert_uint_eq(first_of(memory), 0x03030303);
}

START_TEST(memory_that_is_there_is_not_allocated)
{ launch_again("usual"); }
END_TEST

START_TEST(memory_that_is_left_to_allocate_is_not_allocated)
{ launch_again("late"); }
END_TEST

START_TEST(a_child_graph_has_no_memory)
{
    cudaStream_t stream = new_stream();
    cudaGraph_t outer, empty, child, ended;
    cudaGraphNode_t node, made;
    unsigned *memory, *captured = device_memory(4);
    struct cudaMemAllocNodeParams params = memory_of(64);
    cudaGraph_t other = graph_that_fills(stream, &memory, 1);
    FINE(cudaGraphCreate(&outer, 0));
    FINE(cudaGraphCreate(&empty, 0));
    FINE(cudaGraphAddChildGraphNode(&node, outer, NULL, 0, empty));
    FINE(cudaGraphChildGraphNodeGetGraph(node, &child));
    GIVES(cudaErrorNotSupported, cudaGraphAddMemAllocNode(&made, child, NULL, 0, &params));
    GIVES(cudaErrorNotSupported, cudaGraphAddMemFreeNode(&made, child, NULL, 0, memory));
    FINE(cudaStreamBeginCaptureToGraph(stream, child, NULL, NULL, 0, cudaStreamCaptureModeRelaxed));
    GIVES(cudaErrorNotSupported, cudaMallocAsync((void **)&captured, 64, stream));
    ck_assert_ptr_null(captured);
    GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &ended));
    FINE(cudaStreamBeginCaptureToGraph(stream, child, NULL, NULL, 0, cudaStreamCaptureModeRelaxed));
    GIVES(cudaErrorNotSupported, cudaFreeAsync(memory, stream));
    GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &ended));
    size_t count = 1;
    FINE(cudaGraphGetNodes(child, NULL, &count));
    ck_assert_uint_eq(count, 0);
    FINE(cudaGraphAddMemAllocNode(&made, outer, NULL, 0, &params));
    FINE(cudaGraphDestroy(other));
}
END_TEST

/* No more than the device has, so that nothing that is allocated behind it lies in it. */
START_TEST(a_graph_allocates_no_more_than_there_is)
{
    cudaStream_t stream = new_stream();
    cudaGraph_t ended;
    cudaGraphExec_t executable;
    size_t left, all;
    void *memory;
    FINE(cudaMemGetInfo(&left, &all));
    const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 100, all + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        FINE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
        GIVES(cudaErrorMemoryAllocation, cudaMallocAsync(&memory, sizes[i], stream));
        ck_assert_ptr_null(memory);
        GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &ended));
    }
    void *taken = device_memory(all / 2);
    FINE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    FINE(cudaMallocAsync(&memory, all, stream));
    FINE(cudaStreamEndCapture(stream, &ended));
    char *behind = device_memory(4);
    ck_assert(behind >= (char *)memory + all || behind < (char *)memory);
    FINE(cudaGraphInstantiate(&executable, ended, 0));
    GIVES(cudaErrorMemoryAllocation, cudaGraphLaunch(executable, stream));
    FINE(cudaFree(taken));
}
END_TEST

START_TEST(memory_is_freed_once)
{
    setenv("WARPSCOPE_SCHEDULE", "late", 1);
    runtime_register();
    cudaStream_t stream = new_stream();
    size_t left, all;
    void *memory, *next;
    FINE(cudaMemGetInfo(&left, &all));
    FINE(cudaMallocAsync(&memory, all / 3 * 2, stream));
    FINE(cudaFreeAsync(memory, stream));
    FILE *heard = listen();
    GIVES(cudaErrorInvalidValue, cudaFreeAsync(memory, stream));
    said(heard, "warpscope: cudaFreeAsync: 0x");
    FINE(cudaMallocAsync(&next, all / 3 * 2, stream)); /* what has been freed before it in the stream */
    GIVES(cudaErrorInvalidValue, cudaFreeAsync((char *)next + 4, stream));
    GIVES(cudaErrorInvalidValue, cudaFreeAsync(&left, stream));
    FINE(cudaFreeAsync(NULL, stream));
    FINE(cudaFreeAsync(next, stream));
    FINE(cudaDeviceSynchronize());
    GIVES(cudaErrorInvalidValue, cudaFreeAsync(next, stream));
}
END_TEST

/* CUDA Runtime API, cudaGraphRemoveDependencies; the error, which comes before any other, is an H200's. */
START_TEST(a_graph_with_memory_keeps_its_edges)
{
    cudaGraph_t graph;
    cudaGraphNode_t nodes[3];
    struct cudaMemAllocNodeParams params = memory_of(64);
    size_t edges = 0;
    FINE(cudaGraphCreate(&graph, 0));
    FINE(cudaGraphAddMemAllocNode(&nodes[0], graph, NULL, 0, &params));
    FINE(cudaGraphAddEmptyNode(&nodes[1], graph, &nodes[0], 1));
    FINE(cudaGraphAddEmptyNode(&nodes[2], graph, &nodes[1], 1));
    GIVES(cudaErrorNotSupported, cudaGraphRemoveDependencies(graph, &nodes[1], &nodes[2], NULL, 1));
    GIVES(cudaErrorNotSupported, cudaGraphRemoveDependencies(graph, &nodes[0], &nodes[2], NULL, 1));
    GIVES(cudaErrorNotSupported, cudaGraphRemoveDependencies(graph, NULL, NULL, NULL, 0));
    FINE(cudaGraphGetEdges(graph, NULL, NULL, NULL, &edges));
    ck_assert_uint_eq(edges, 2);
    FINE(cudaGraphDestroy(graph));
}
END_TEST

enum { SIZES = 64, OF_EACH = 8 };

/* A pool that another thread destroys, and then has its memory's place for something else, while a call waits for memory of it. */
typedef struct PassingPool {
    cudaMemPool_t pool;
    cudaError_t error;
    unsigned char *over[SIZES][OF_EACH];
} PassingPool;

static void *destroy_pool(void *data) {
    PassingPool *of = data;
    of->error = cudaMemPoolDestroy(of->pool);
    for (size_t size = 0; size < SIZES; size++)
        for (size_t i = 0; i < OF_EACH; i++) memset(of->over[size][i] = malloc(16 * (size + 1)), 0x5a, 16 * (size + 1));
    return NULL;
}

static void destroy_elsewhere(void *data) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, destroy_pool, data) == 0) pthread_join(thread, NULL);
}

/* CUDA Runtime API, cudaMemPoolDestroy: the call returns, and the pool goes with the last of its memory. */
START_TEST(a_pool_may_go_while_memory_of_it_is_waited_for)
{
    setenv("WARPSCOPE_SCHEDULE", "late", 1);
    PassingPool of = {.error = cudaErrorUnknown};
    const struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned,
                                           .location = {cudaMemLocationTypeDevice, 0}};
    cudaStream_t stream = new_stream();
    size_t left, all;
    void *large, *memory;
    FINE(cudaMemGetInfo(&left, &all));
    FINE(cudaMallocAsync(&large, left - 4096, stream));
    FINE(cudaMemPoolCreate(&of.pool, &props));
    FINE(cudaLaunchHostFunc(stream, destroy_elsewhere, &of));
    FINE(cudaFreeAsync(large, stream));
    FINE(cudaMallocFromPoolAsync(&memory, 8192, of.pool, stream));
    GIVES(cudaSuccess, of.error);
    for (size_t size = 0; size < SIZES; size++)
        for (size_t i = 0; i < OF_EACH; i++) {
            for (size_t byte = 0; byte < 16 * (size + 1); byte++) ck_assert_uint_eq(of.over[size][i][byte], 0x5a);
            free(of.over[size][i]);
        }
    FINE(cudaMemsetAsync(memory, 1, 8192, stream));
    FINE(cudaFreeAsync(memory, stream));
    FINE(cudaStreamSynchronize(stream));
}
END_TEST

/* --- what is freed while a graph has failed to fill memory that was freed before it, as whoever waits is given to know --- */

static void fail_late(cudaStream_t stream) {
    void *freed;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    FINE(cudaMallocAsync(&freed, 4, stream));
    FINE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    FINE(cudaMemsetAsync(freed, 1, 4, stream));
    FINE(cudaStreamEndCapture(stream, &graph));
    FINE(cudaGraphInstantiate(&executable, graph, 0));
    FINE(cudaFreeAsync(freed, stream));
    FINE(cudaGraphLaunch(executable, stream));
}

START_TEST(what_went_wrong_before_keeps_nobody_from_freeing)
{
    setenv("WARPSCOPE_SCHEDULE", "late", 1);
    cudaStream_t stream = new_stream();
    const struct cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindFloat};
    cudaArray_t array;
    size_t before, behind, all;
    FINE(cudaMemGetInfo(&before, &all));
    void *memory = device_memory(1 << 20);
    FINE(cudaMallocArray(&array, &format, 1024, 1024, 0));
    fail_late(stream);
    GIVES(cudaErrorInvalidValue, cudaFree(memory));
    fail_late(stream);
    GIVES(cudaErrorInvalidValue, cudaFreeArray(array));
    FINE(cudaMemGetInfo(&behind, &all));
    ck_assert_uint_eq(behind, before);
    GIVES(cudaErrorInvalidResourceHandle, cudaFreeArray(array));
    fail_late(stream); /* nor is it lost where there is nothing to free */
    GIVES(cudaErrorInvalidValue, cudaHostUnregister(&stream));
    GIVES(cudaErrorInvalidValue, cudaGetLastError());
    GIVES(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(&stream));
}
END_TEST

/* But not a kernel's fault that has been given before, as an H200 has it. */
START_TEST(a_contexts_end_gives_the_error_too)
{
    setenv("WARPSCOPE_SCHEDULE", "late", 1);
    runtime_register();
    cudaStream_t stream = new_stream();
    ck_assert_int_eq(cuInit(0), CUDA_SUCCESS);
    for (int stopped = 0; stopped < 2; stopped++) {
        CUcontext context;
        ck_assert_int_eq(cuCtxCreate(&context, NULL, 0, 0), CUDA_SUCCESS);
        if (stopped) {
            FINE(launch_in(NULL, stop, 1, 1, NULL));
            GIVES(cudaErrorLaunchFailure, cudaDeviceSynchronize());
            GIVES(cudaErrorLaunchFailure, cudaGetLastError());
        } else {
            fail_late(stream);
        }
        ck_assert_int_eq(cuCtxDestroy(context), stopped ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
        ck_assert_int_eq(cuCtxPushCurrent(context), CUDA_ERROR_INVALID_CONTEXT);
        if (!stopped) FINE(cudaDeviceSynchronize());
    }
}
END_TEST

/* --- beside a host function --- */

/* A host function, while which another thread has the stream do something. */
typedef struct Overtaking {
    cudaStream_t stream;
    unsigned *pinned, seen;
    cudaError_t error;
} Overtaking;

static void *overtake(void *data) {
    Overtaking *of = data;
    of->error = cudaMemsetAsync(of->pinned, 1, 4, of->stream);
    return NULL;
}

static void look(void *data) {
    Overtaking *of = data;
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, overtake, of), 0);
    pthread_join(thread, NULL);
    of->seen = *of->pinned;
}

START_TEST(nothing_overtakes_a_host_function)
{
    Overtaking of = {.stream = new_stream()};
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphExec_t executable;
    FINE(cudaHostAlloc((void **)&of.pinned, 4, cudaHostAllocMapped));
    FINE(cudaGraphCreate(&graph, 0));
    FINE(cudaGraphAddHostNode(&node, graph, NULL, 0, &(struct cudaHostNodeParams){look, &of}));
    FINE(cudaGraphInstantiate(&executable, graph, 0));
    for (int in_graph = 0; in_graph < 2; in_graph++) {
        *of.pinned = 0;
        of.error = cudaErrorUnknown;
        FINE(in_graph ? cudaGraphLaunch(executable, of.stream) : cudaLaunchHostFunc(of.stream, look, &of));
        FINE(cudaStreamSynchronize(of.stream));
        GIVES(cudaSuccess, of.error);
        ck_assert_uint_eq(of.seen, 0);
        ck_assert_uint_eq(*of.pinned, 0x01010101);
    }
}
END_TEST

RUNTIME_MAIN("runtime graph memory", a_launch_frees_behind_what_comes_before_it, a_launch_frees_behind_what_is_left,
             memory_that_is_there_is_not_allocated, memory_that_is_left_to_allocate_is_not_allocated,
             a_child_graph_has_no_memory, a_graph_allocates_no_more_than_there_is, memory_is_freed_once,
             nothing_overtakes_a_host_function, a_graph_with_memory_keeps_its_edges,
             a_pool_may_go_while_memory_of_it_is_waited_for, what_went_wrong_before_keeps_nobody_from_freeing,
             a_contexts_end_gives_the_error_too)
