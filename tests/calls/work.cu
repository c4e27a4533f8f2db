// Work: streams, events, callbacks, capture and graphs.
#include "calls.h"

__global__ void put(int *p, int value) { *p = value; }
__global__ void nothing() {}

static cudaStream_t streams_new() {
    cudaStream_t stream;
    NEED(cudaStreamCreate(&stream));
    return stream;
}
static cudaEvent_t event_new(unsigned flags) {
    cudaEvent_t event;
    NEED(cudaEventCreateWithFlags(&event, flags));
    return event;
}

static void streams() {
    cudaStream_t stream = nullptr, other;
    unsigned flags = 77;
    int priority = 77, least = 77, greatest = 77;
    CALL(cudaStreamCreate(&stream));
    CALL(cudaStreamCreate((cudaStream_t *)nullptr));
    CALL(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    CALL(cudaStreamGetFlags(other, &flags));
    SHOW(flags);
    CALL(cudaStreamGetFlags(stream, &flags));
    SHOW(flags);
    CALL(cudaStreamGetFlags(0, &flags));
    SHOW(flags);
    CALL(cudaStreamGetFlags(cudaStreamLegacy, &flags));
    SHOW(flags);
    CALL(cudaStreamGetFlags(cudaStreamPerThread, &flags));
    SHOW(flags);
    CALL(cudaStreamGetFlags(stream, nullptr));
    CALL(cudaStreamCreateWithFlags(&other, 2));
    CALL(cudaStreamCreateWithFlags(&other, 99));
    CALL(cudaStreamCreateWithFlags(nullptr, 0));
    CALL(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    SHOW(least);
    SHOW(greatest);
    CALL(cudaDeviceGetStreamPriorityRange(nullptr, &greatest));
    CALL(cudaDeviceGetStreamPriorityRange(&least, nullptr));
    CALL(cudaDeviceGetStreamPriorityRange(nullptr, nullptr));
    for (int asked : {-100, -5, -1, 0, 1, 100}) {
        printf("priority %d\n", asked);
        CALL(cudaStreamCreateWithPriority(&other, cudaStreamNonBlocking, asked));
        CALL(cudaStreamGetPriority(other, &priority));
        SHOW(priority);
    }
    CALL(cudaStreamCreateWithPriority(&other, 99, 0));
    CALL(cudaStreamCreateWithPriority(nullptr, 0, 0));
    CALL(cudaStreamGetPriority(0, &priority));
    SHOW(priority);
    CALL(cudaStreamGetPriority(stream, nullptr));
    CALL(cudaStreamQuery(stream));
    CALL(cudaStreamQuery(0));
    CALL(cudaStreamQuery(cudaStreamLegacy));
    CALL(cudaStreamQuery(cudaStreamPerThread));
    CALL(cudaStreamSynchronize(stream));
    CALL(cudaStreamSynchronize(0));
    CALL(cudaStreamSynchronize(cudaStreamPerThread));
    CALL(cudaStreamDestroy(0));
    CALL(cudaStreamDestroy(cudaStreamLegacy));
    CALL(cudaStreamDestroy(cudaStreamPerThread));
    CALL(cudaStreamDestroy(stream));
}

static void events() {
    cudaStream_t stream = streams_new();
    cudaEvent_t event = nullptr, other = nullptr;
    float ms = 77;
    CALL(cudaEventCreate(&event));
    CALL(cudaEventCreate((cudaEvent_t *)nullptr));
    for (unsigned flags : {0u, 1u, 2u, 3u, 4u, 6u, 8u, 99u}) {
        printf("flags %u\n", flags);
        CALL(cudaEventCreateWithFlags(&other, flags));
    }
    CALL(cudaEventCreateWithFlags(nullptr, 0));
    NEED(cudaEventCreate(&other));
    CALL(cudaEventQuery(event));
    CALL(cudaEventSynchronize(event));
    CALL(cudaEventElapsedTime(&ms, event, other));
    CALL(cudaEventRecord(event, stream));
    CALL(cudaEventElapsedTime(&ms, event, other));
    CALL(cudaEventRecord(other));
    CALL(cudaEventSynchronize(other));
    CALL(cudaEventSynchronize(event));
    CALL(cudaEventElapsedTime(&ms, event, other));
    SHOW(ms >= 0);
    CALL(cudaEventElapsedTime(&ms, other, event));
    SHOW(ms <= 0);
    CALL(cudaEventElapsedTime(&ms, event, event));
    SHOW(ms * 1000);
    CALL(cudaEventElapsedTime(nullptr, event, other));
    CALL(cudaEventElapsedTime(&ms, nullptr, other));
    CALL(cudaEventElapsedTime(&ms, event, nullptr));
    CALL(cudaEventElapsedTime(&ms, event, event_new(cudaEventDisableTiming)));
    CALL(cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault));
    CALL(cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal));
    CALL(cudaEventRecordWithFlags(event, stream, 99));
    CALL(cudaStreamWaitEvent(stream, event));
    CALL(cudaStreamWaitEvent(0, event));
    CALL(cudaStreamWaitEvent(stream, event, cudaEventWaitExternal));
    CALL(cudaStreamWaitEvent(stream, event, 99));
    CALL(cudaStreamWaitEvent(stream, event_new(0)));
    CALL(cudaEventRecord(nullptr));
    CALL(cudaEventQuery(nullptr));
    CALL(cudaEventSynchronize(nullptr));
    CALL(cudaStreamWaitEvent(stream, nullptr));
    CALL(cudaEventDestroy(nullptr));
    CALL(cudaEventDestroy(event));
}

/* Handles that are none any more; a runtime may end the process. */
static void event_destroyed_twice() {
    cudaEvent_t event = event_new(0);
    CALL(cudaEventDestroy(event));
    CALL(cudaEventDestroy(event));
}
static void event_destroyed_record() {
    cudaEvent_t event = event_new(0);
    CALL(cudaEventDestroy(event));
    CALL(cudaEventRecord(event));
}
static void event_destroyed_query() {
    cudaEvent_t event = event_new(0);
    CALL(cudaEventDestroy(event));
    CALL(cudaEventQuery(event));
}
static void stream_destroyed_twice() {
    cudaStream_t stream = streams_new();
    CALL(cudaStreamDestroy(stream));
    CALL(cudaStreamDestroy(stream));
}
static void stream_destroyed_query() {
    cudaStream_t stream = streams_new();
    CALL(cudaStreamDestroy(stream));
    CALL(cudaStreamQuery(stream));
}
static void stream_destroyed_launch() {
    cudaStream_t stream = streams_new();
    CALL(cudaStreamDestroy(stream));
    nothing<<<1, 1, 0, stream>>>();
    CALL(cudaGetLastError());
}
static void stream_destroyed_synchronize() {
    cudaStream_t stream = streams_new();
    CALL(cudaStreamDestroy(stream));
    CALL(cudaStreamSynchronize(stream));
}
static void stream_of_no_kind() {
    static char bytes[4096];
    CALL(cudaStreamQuery((cudaStream_t)bytes));
}
static void event_of_no_kind() {
    static char bytes[4096];
    CALL(cudaEventQuery((cudaEvent_t)bytes));
}

static int called_back;
static cudaError_t in_callback, in_host_function;
static void on_stream(cudaStream_t, cudaError_t status, void *data) {
    called_back += *(int *)data + (int)status * 100;
    void *p;
    in_callback = cudaMalloc(&p, 16);
}
static void on_host(void *data) {
    called_back += *(int *)data;
    in_host_function = cudaStreamQuery(0);
}

static void callbacks() {
    cudaStream_t stream = streams_new();
    static int one = 1;
    CALL(cudaLaunchHostFunc(stream, on_host, &one));
    CALL(cudaStreamSynchronize(stream));
    SHOW(called_back);
    printf("    a call in it: %s\n", error_word(in_host_function));
    CALL(cudaGetLastError());
    CALL(cudaLaunchHostFunc(stream, nullptr, nullptr));
    CALL(cudaLaunchHostFunc(0, on_host, &one));
    CALL(cudaDeviceSynchronize());
    SHOW(called_back);
    CALL(cudaStreamAddCallback(stream, on_stream, &one, 0));
    CALL(cudaStreamSynchronize(stream));
    SHOW(called_back);
    printf("    a call in it: %s\n", error_word(in_callback));
    CALL(cudaStreamAddCallback(stream, on_stream, &one, 1));
    CALL(cudaStreamAddCallback(stream, nullptr, nullptr, 0));
}

static void capture() {
    cudaStream_t stream = streams_new(), other = streams_new();
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    cudaStreamCaptureStatus status = (cudaStreamCaptureStatus)77;
    size_t count = 77;
    int *p = nullptr;
    NEED(cudaMalloc(&p, 4));
    CALL(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
    CALL(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeRelaxed));
    CALL(cudaStreamIsCapturing(cudaStreamPerThread, &status));
    SHOW(status);
    CALL(cudaStreamEndCapture(cudaStreamPerThread, &graph));
    CALL(cudaStreamBeginCapture(stream, (cudaStreamCaptureMode)9));
    CALL(cudaStreamIsCapturing(stream, &status));
    SHOW(status);
    CALL(cudaStreamIsCapturing(0, &status));
    SHOW(status);
    CALL(cudaStreamIsCapturing(stream, nullptr));
    CALL(cudaStreamEndCapture(stream, &graph));
    CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CALL(cudaStreamIsCapturing(stream, &status));
    SHOW(status);
    CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    put<<<1, 1, 0, stream>>>(p, 5);
    CALL(cudaGetLastError());
    CALL(cudaMemsetAsync(p, 0, 4, stream));
    CALL(cudaStreamEndCapture(stream, &graph));
    SHOW(graph != nullptr);
    CALL(cudaGraphGetNodes(graph, nullptr, &count));
    SHOW(count);
    cudaGraphNode_t nodes[4];
    count = 4;
    CALL(cudaGraphGetNodes(graph, nodes, &count));
    SHOW(count);
    SHOW(nodes[2] == nullptr);
    count = 1;
    CALL(cudaGraphGetNodes(graph, nodes, &count));
    SHOW(count);
    CALL(cudaGraphGetNodes(graph, nodes, nullptr));
    CALL(cudaGraphGetNodes(nullptr, nullptr, &count));
    CALL(cudaGraphInstantiate(&exec, graph, 0));
    CALL(cudaGraphLaunch(exec, stream));
    CALL(cudaGraphLaunch(exec, 0));
    CALL(cudaStreamSynchronize(stream));
    CALL(cudaGraphLaunch(nullptr, stream));
    CALL(cudaGraphInstantiate(nullptr, graph, 0));
    CALL(cudaGraphInstantiate(&exec, nullptr, 0));
    CALL(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    CALL(cudaGraphInstantiateWithFlags(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    CALL(cudaGraphInstantiateWithFlags(&exec, graph, 999));
    CALL(cudaGraphDestroy(graph));
    CALL(cudaGraphLaunch(exec, other));
    CALL(cudaStreamSynchronize(other));
    CALL(cudaGraphExecDestroy(exec));
    CALL(cudaGraphExecDestroy(nullptr));
    CALL(cudaGraphDestroy(nullptr));
    CALL(cudaStreamEndCapture(stream, nullptr));
    CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    CALL(cudaStreamEndCapture(stream, &graph));
    CALL(cudaGraphGetNodes(graph, nullptr, &count));
    SHOW(count);
    CALL(cudaGraphInstantiate(&exec, graph, 0));
    CALL(cudaGraphLaunch(exec, stream));
    CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    CALL(cudaStreamEndCapture(stream, nullptr));
    CALL(cudaStreamIsCapturing(stream, &status));
    SHOW(status);
}

/* What must not be done while a stream is captured, one after the other, each by itself. */
template <class Forbidden> static void while_captured(cudaStreamCaptureMode mode, Forbidden forbidden) {
    cudaStream_t stream = streams_new();
    cudaGraph_t graph = nullptr;
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    NEED(cudaStreamBeginCapture(stream, mode));
    forbidden(stream);
    CALL(cudaStreamIsCapturing(stream, &status));
    SHOW(status);
    CALL(cudaStreamEndCapture(stream, &graph));
    SHOW(graph != nullptr);
    CALL(cudaStreamIsCapturing(stream, &status));
    SHOW(status);
}
static void forbidden_in(cudaStreamCaptureMode mode) {
    static cudaStream_t other = streams_new();
    static cudaEvent_t before = event_new(0), event = event_new(0);
    static char host[64];
    static void *p, *q;
    NEED(cudaMalloc(&p, 64));
    while_captured(mode, [](cudaStream_t stream) { CALL(cudaStreamSynchronize(stream)); });
    while_captured(mode, [](cudaStream_t stream) { CALL(cudaStreamQuery(stream)); });
    while_captured(mode, [](cudaStream_t) { CALL(cudaDeviceSynchronize()); });
    while_captured(mode, [](cudaStream_t) { CALL(cudaMalloc(&q, 16)); });
    while_captured(mode, [](cudaStream_t) { CALL(cudaFree(q)); });
    while_captured(mode, [](cudaStream_t) { CALL(cudaMallocHost(&q, 16)); });
    while_captured(mode, [](cudaStream_t) { CALL(cudaMemcpy(p, host, 64, cudaMemcpyHostToDevice)); });
    while_captured(mode, [](cudaStream_t) { CALL(cudaMemset(p, 0, 64)); });
    while_captured(mode, [](cudaStream_t) { CALL(cudaMemsetAsync(p, 0, 64)); });
    while_captured(mode, [](cudaStream_t stream) { CALL(cudaMemcpyAsync(p, host, 64, cudaMemcpyHostToDevice, stream)); });
    while_captured(mode, [](cudaStream_t) { CALL(cudaMemsetAsync(p, 0, 64, other)); });
    while_captured(mode, [](cudaStream_t) {
        nothing<<<1, 1>>>();
        CALL(cudaGetLastError());
    });
    while_captured(mode, [](cudaStream_t) { CALL(cudaEventQuery(before)); });
    while_captured(mode, [](cudaStream_t stream) {
        CALL(cudaEventRecord(event, stream));
        CALL(cudaEventQuery(event));
    });
    while_captured(mode, [](cudaStream_t stream) {
        CALL(cudaEventRecord(event, stream));
        CALL(cudaEventSynchronize(event));
    });
    while_captured(mode, [](cudaStream_t stream) { CALL(cudaStreamWaitEvent(stream, before)); });
    while_captured(mode, [](cudaStream_t stream) {
        CALL(cudaEventRecord(event, stream));
        CALL(cudaStreamWaitEvent(other, event));
    });
    while_captured(mode, [](cudaStream_t stream) { CALL(cudaStreamAddCallback(stream, on_stream, host, 0)); });
    while_captured(mode, [](cudaStream_t stream) { CALL(cudaLaunchHostFunc(stream, on_host, host)); });
    while_captured(mode, [](cudaStream_t) { CALL(cudaEventRecord(event, 0)); });
    while_captured(mode, [](cudaStream_t) { CALL(cudaStreamSynchronize(0)); });
    while_captured(mode, [](cudaStream_t stream) {
        cudaGraph_t graph;
        CALL(cudaStreamEndCapture(other, &graph));
    });
}
static void forbidden_globally() { forbidden_in(cudaStreamCaptureModeGlobal); }
static void forbidden_relaxed() { forbidden_in(cudaStreamCaptureModeRelaxed); }
static void captured_destroyed() {
    cudaStream_t stream = streams_new();
    NEED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CALL(cudaStreamDestroy(stream));
    CALL(cudaDeviceSynchronize());
}
static void graph_destroyed_twice() {
    cudaStream_t stream = streams_new();
    cudaGraph_t graph;
    NEED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    NEED(cudaStreamEndCapture(stream, &graph));
    CALL(cudaGraphDestroy(graph));
    CALL(cudaGraphDestroy(graph));
}

static const Group groups[] = {GROUP(streams),
                               GROUP(events),
                               GROUP(event_destroyed_twice),
                               GROUP(event_destroyed_record),
                               GROUP(event_destroyed_query),
                               GROUP(stream_destroyed_twice),
                               GROUP(stream_destroyed_query),
                               GROUP(stream_destroyed_launch),
                               GROUP(stream_destroyed_synchronize),
                               GROUP(stream_of_no_kind),
                               GROUP(event_of_no_kind),
                               GROUP(callbacks),
                               GROUP(capture),
                               GROUP(forbidden_globally),
                               GROUP(forbidden_relaxed),
                               GROUP(captured_destroyed),
                               GROUP(graph_destroyed_twice)};

int main(int argc, char **argv) { return groups_main(argc, argv, groups, sizeof(groups) / sizeof(*groups)); }
