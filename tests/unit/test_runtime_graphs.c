/* Graphs by stream capture. Rules: CUDA C++ Programming Guide, "CUDA Graphs", and CUDA Runtime API's documentation of each call. */
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>

#include "runtime_test.h"

enum { N = 1000, BYTES = 4 * N };

typedef struct Bench {
    cudaStream_t a, b;
    cudaEvent_t fork, join;
    void *p, *q;
} Bench;

static Bench bench_new(void) {
    Bench bench;
    runtime_register();
    FINE(cudaStreamCreate(&bench.a));
    FINE(cudaStreamCreate(&bench.b));
    FINE(cudaEventCreate(&bench.fork));
    FINE(cudaEventCreate(&bench.join));
    bench.p = device_memory(BYTES);
    bench.q = device_memory(BYTES);
    FINE(cudaMemset(bench.p, 0, BYTES));
    FINE(cudaMemset(bench.q, 0, BYTES));
    return bench;
}

static void raise_in(cudaStream_t stream, void *p) {
    unsigned n = N;
    void *arguments[] = {&p, &n};
    FINE(launch_in(stream, raise_all, (N + 127) / 128, 128, arguments));
}

static size_t nodes_of(cudaGraph_t graph) {
    size_t count;
    FINE(cudaGraphGetNodes(graph, NULL, &count));
    return count;
}

START_TEST(captured_work_runs_when_the_graph_does)
{
    Bench bench = bench_new();
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    enum cudaStreamCaptureStatus status;
    FINE(cudaStreamBeginCapture(bench.a, cudaStreamCaptureModeGlobal));
    FINE(cudaStreamIsCapturing(bench.a, &status));
    ck_assert_int_eq(status, cudaStreamCaptureStatusActive);
    raise_in(bench.a, bench.p);
    FINE(cudaMemcpyAsync(bench.q, bench.p, BYTES, cudaMemcpyDeviceToDevice, bench.a));
    FINE(cudaMemsetAsync(bench.p, 0, 4, bench.a));
    FINE(cudaStreamEndCapture(bench.a, &graph));
    FINE(cudaStreamIsCapturing(bench.a, &status));
    ck_assert_int_eq(status, cudaStreamCaptureStatusNone);
    ck_assert_uint_eq(nodes_of(graph), 3);
    ck_assert_uint_eq(first_of(bench.q), 0);
    FINE(cudaGraphInstantiate(&executable, graph, 0));
    FINE(cudaGraphDestroy(graph));
    for (int i = 0; i < 5; i++) FINE(cudaGraphLaunch(executable, bench.a));
    FINE(cudaStreamSynchronize(bench.a));
    ck_assert_uint_eq(first_of(bench.q), 1);                 /* the first is set back each time */
    ck_assert_uint_eq(first_of((unsigned *)bench.q + 1), 5); /* the others count */
    FINE(cudaGraphExecDestroy(executable));
}
END_TEST

START_TEST(arguments_are_those_of_the_capture)
{
    Bench bench = bench_new();
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    void *p = bench.p;
    unsigned value = 3, n = N, *arguments[] = {(unsigned *)&p, &value, &n};
    FINE(cudaStreamBeginCapture(bench.a, cudaStreamCaptureModeThreadLocal));
    FINE(launch_in(bench.a, fill, 8, 128, (void **)arguments));
    value = 4;
    p = bench.q;
    FINE(cudaStreamEndCapture(bench.a, &graph));
    FINE(cudaGraphInstantiateWithFlags(&executable, graph, 0));
    FINE(cudaGraphLaunch(executable, NULL));
    ck_assert_uint_eq(first_of(bench.p), 3);
    ck_assert_uint_eq(first_of(bench.q), 0);
}
END_TEST

/* Two copies to the device and one back from it, 64 bytes at 64 GB/s a nanosecond: sizes so that they take 10, 10 and 20 us. The ways up
 * share an engine; the way back runs beside them. */
START_TEST(branches_fork_and_join)
{
    enum { TEN = 640000 };
    Bench bench = bench_new();
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaEvent_t start, end;
    void *up = device_memory(TEN), *down = device_memory(2 * TEN), *pinned, *other;
    float ms;
    FINE(cudaMallocHost(&pinned, TEN));
    FINE(cudaMallocHost(&other, 2 * TEN));
    FINE(cudaMemset(down, 0, 2 * TEN));
    FINE(cudaEventCreate(&start));
    FINE(cudaEventCreate(&end));
    FINE(cudaStreamBeginCapture(bench.a, cudaStreamCaptureModeRelaxed));
    FINE(cudaEventRecord(bench.fork, bench.a));
    FINE(cudaStreamWaitEvent(bench.b, bench.fork, 0));
    FINE(cudaMemcpyAsync(up, pinned, TEN, cudaMemcpyHostToDevice, bench.a));
    FINE(cudaMemcpyAsync(other, down, 2 * TEN, cudaMemcpyDeviceToHost, bench.b));
    FINE(cudaEventRecord(bench.join, bench.b));
    FINE(cudaStreamWaitEvent(bench.a, bench.join, 0));
    FINE(cudaMemcpyAsync(up, pinned, TEN, cudaMemcpyHostToDevice, bench.a));
    FINE(cudaStreamEndCapture(bench.a, &graph));
    ck_assert_uint_eq(nodes_of(graph), 3);
    FINE(cudaGraphInstantiate(&executable, graph, 0));
    FINE(cudaDeviceSynchronize());
    FINE(cudaEventRecord(start, bench.a));
    FINE(cudaGraphLaunch(executable, bench.a));
    FINE(cudaEventRecord(end, bench.a));
    FINE(cudaEventSynchronize(end));
    FINE(cudaEventElapsedTime(&ms, start, end));
    ck_assert(fabs(1e3 * ms - 30) < 0.05); /* max(10, 20) + 10 */
    FINE(cudaStreamBeginCapture(bench.a, cudaStreamCaptureModeRelaxed));
    FINE(cudaMemcpyAsync(up, pinned, TEN, cudaMemcpyHostToDevice, bench.a));
    FINE(cudaMemcpyAsync(other, down, 2 * TEN, cudaMemcpyDeviceToHost, bench.a));
    FINE(cudaStreamEndCapture(bench.a, &graph));
    FINE(cudaGraphInstantiate(&executable, graph, 0));
    FINE(cudaEventRecord(start, bench.a));
    FINE(cudaGraphLaunch(executable, bench.a));
    FINE(cudaEventRecord(end, bench.a));
    FINE(cudaEventSynchronize(end));
    FINE(cudaEventElapsedTime(&ms, start, end));
    ck_assert(fabs(1e3 * ms - 30) < 0.05); /* 10 + 20: one after the other, though there are two engines */
}
END_TEST

START_TEST(a_branch_that_does_not_come_back_is_an_error)
{
    Bench bench = bench_new();
    cudaGraph_t graph = (cudaGraph_t)1;
    FINE(cudaStreamBeginCapture(bench.a, cudaStreamCaptureModeGlobal));
    FINE(cudaEventRecord(bench.fork, bench.a));
    FINE(cudaStreamWaitEvent(bench.b, bench.fork, 0));
    raise_in(bench.b, bench.p);
    GIVES(cudaErrorStreamCaptureUnmatched, cudaStreamEndCapture(bench.b, &graph));
    GIVES(cudaErrorStreamCaptureUnjoined, cudaStreamEndCapture(bench.a, &graph));
    ck_assert_ptr_null(graph);
    FINE(cudaStreamSynchronize(bench.b));
    ck_assert_uint_eq(first_of(bench.p), 0);
}
END_TEST

/* What would wait for the device cannot be captured, and spoils the capture. */
static void spoils(const Bench *bench, cudaError_t error, cudaError_t got) {
    cudaGraph_t graph;
    enum cudaStreamCaptureStatus status;
    ck_assert_int_eq(got, error);
    FINE(cudaStreamIsCapturing(bench->a, &status));
    ck_assert_int_eq(status, cudaStreamCaptureStatusInvalidated);
    GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(bench->a, &graph));
}

static void begin(const Bench *bench) { FINE(cudaStreamBeginCapture(bench->a, cudaStreamCaptureModeGlobal)); }

START_TEST(waiting_spoils_a_capture)
{
    Bench bench = bench_new();
    void *p;
    begin(&bench);
    spoils(&bench, cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(bench.a));
    begin(&bench);
    spoils(&bench, cudaErrorStreamCaptureUnsupported, cudaStreamQuery(bench.a));
    begin(&bench);
    spoils(&bench, cudaErrorStreamCaptureUnsupported, cudaDeviceSynchronize());
    begin(&bench);
    spoils(&bench, cudaErrorStreamCaptureUnsupported, cudaMalloc(&p, 4));
    begin(&bench);
    FILE *heard = listen();
    spoils(&bench, cudaErrorInvalidValue, cudaFreeAsync(bench.p, bench.a)); /* which no graph allocates */
    LOCAL_TEXT wanted = text_from(
        "warpscope: cudaFreeAsync: %p is not memory that a graph allocates, which a stream that is being captured can free "
        "alone\n",
        bench.p);
    said(heard, text_string(&wanted));
    begin(&bench);
    spoils(&bench, cudaErrorStreamCaptureImplicit, cudaMemset(bench.p, 0, 4));
    begin(&bench);
    FINE(cudaEventRecord(bench.fork, bench.a));
    spoils(&bench, cudaErrorCapturedEvent, cudaEventSynchronize(bench.fork));
    begin(&bench);
    FINE(cudaEventRecord(bench.fork, bench.a));
    spoils(&bench, cudaErrorCapturedEvent, cudaEventQuery(bench.fork));
    FINE(cudaEventRecord(bench.join, bench.b));
    begin(&bench);
    spoils(&bench, cudaErrorStreamCaptureIsolation, cudaStreamWaitEvent(bench.a, bench.join, 0));
    FINE(cudaMalloc(&p, 4));
}
END_TEST

static enum cudaStreamCaptureStatus status_of(cudaStream_t stream) {
    enum cudaStreamCaptureStatus status;
    FINE(cudaStreamIsCapturing(stream, &status));
    return status;
}

/* CUDA Runtime API, cudaStreamWaitEvent and cudaStreamBeginCapture: two captures do not become one, nor does one reach the legacy stream. */
START_TEST(captures_do_not_merge)
{
    Bench bench = bench_new();
    cudaGraph_t graph;
    FINE(cudaStreamBeginCapture(bench.a, cudaStreamCaptureModeRelaxed));
    FINE(cudaStreamBeginCapture(bench.b, cudaStreamCaptureModeRelaxed));
    FINE(cudaEventRecord(bench.fork, bench.a));
    GIVES(cudaErrorStreamCaptureMerge, cudaStreamWaitEvent(bench.b, bench.fork, 0));
    ck_assert_int_eq(status_of(bench.a), cudaStreamCaptureStatusInvalidated);
    ck_assert_int_eq(status_of(bench.b), cudaStreamCaptureStatusInvalidated);
    GIVES(cudaErrorStreamCaptureInvalidated, cudaMemsetAsync(bench.p, 0, 4, bench.b)); /* nothing more is captured */
    GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(bench.a, &graph));
    GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(bench.b, &graph));
    ck_assert_int_eq(status_of(bench.b), cudaStreamCaptureStatusNone);
    FINE(cudaStreamBeginCapture(bench.a, cudaStreamCaptureModeRelaxed));
    FINE(cudaEventRecord(bench.fork, bench.a));
    GIVES(cudaErrorStreamCaptureImplicit, cudaStreamWaitEvent(NULL, bench.fork, 0));
    ck_assert_int_eq(status_of(bench.a), cudaStreamCaptureStatusInvalidated);
    GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(bench.a, &graph));
    FINE(cudaStreamWaitEvent(NULL, bench.fork, 0)); /* the event is no longer the capture's */
    /* a stream of its own capture's events may wait; what is recorded outside of all is no part of one */
    FINE(cudaStreamBeginCapture(bench.a, cudaStreamCaptureModeRelaxed));
    FINE(cudaEventRecord(bench.fork, bench.a));
    FINE(cudaStreamWaitEvent(bench.a, bench.fork, 0));
    FINE(cudaEventRecordWithFlags(bench.join, bench.b, cudaEventRecordDefault));
    FINE(cudaStreamWaitEvent(bench.a, bench.join, cudaEventWaitExternal));
    FINE(cudaStreamEndCapture(bench.a, &graph));
    ck_assert_uint_eq(nodes_of(graph), 1);
}
END_TEST

/* CUDA Runtime API, cudaEventRecord: an event stands for what was recorded in it last, from the call on, however late the work is done. */
static void record_within_and_outside(const char *schedule) {
    setenv("WARPSCOPE_SCHEDULE", schedule, 1);
    Bench bench = bench_new();
    cudaGraph_t graph;
    FINE(cudaStreamBeginCapture(bench.a, cudaStreamCaptureModeRelaxed));
    FINE(cudaEventRecord(bench.fork, bench.a)); /* of the capture, then of a stream outside */
    raise_in(bench.b, bench.p);
    FINE(cudaEventRecord(bench.fork, bench.b));
    FINE(cudaStreamWaitEvent(bench.b, bench.fork, 0));
    ck_assert_int_eq(status_of(bench.b), cudaStreamCaptureStatusNone);
    FINE(cudaEventSynchronize(bench.fork));
    FINE(cudaEventRecord(bench.join, bench.b)); /* of a stream outside, then of the capture */
    FINE(cudaEventRecord(bench.join, bench.a));
    FINE(cudaStreamSynchronize(bench.b));
    FINE(cudaStreamWaitEvent(bench.b, bench.join, 0));
    ck_assert_int_eq(status_of(bench.b), cudaStreamCaptureStatusActive);
    FINE(cudaStreamEndCapture(bench.a, &graph));
    FINE(cudaGraphDestroy(graph));
    ck_assert_uint_eq(first_of(bench.p), 1);
}

START_TEST(a_record_counts_from_its_call_on)
{ record_within_and_outside("usual"); }
END_TEST

START_TEST(a_record_of_late_work_counts_from_its_call_on)
{ record_within_and_outside("late"); }
END_TEST

START_TEST(captured_events_have_no_time)
{
    Bench bench = bench_new();
    cudaGraph_t graph;
    float ms;
    FINE(cudaEventRecord(bench.fork, bench.a));
    FINE(cudaEventRecord(bench.join, bench.a));
    FINE(cudaEventSynchronize(bench.join));
    FINE(cudaEventElapsedTime(&ms, bench.fork, bench.join));
    begin(&bench);
    FINE(cudaEventRecord(bench.fork, bench.a));
    GIVES(cudaErrorCapturedEvent, cudaEventElapsedTime(&ms, bench.fork, bench.join));
    GIVES(cudaErrorCapturedEvent, cudaEventElapsedTime(&ms, bench.join, bench.fork));
    FINE(cudaStreamEndCapture(bench.a, &graph));
    FINE(cudaEventElapsedTime(&ms, bench.fork, bench.join));
}
END_TEST

/* --- which threads a capture forbids to wait (CUDA Runtime API, cudaThreadExchangeStreamCaptureMode) --- */

typedef struct Elsewhere {
    cudaStream_t stream;
    cudaError_t allocated, ended;
} Elsewhere;

static void *allocate_elsewhere(void *data) {
    Elsewhere *elsewhere = data;
    cudaGraph_t graph;
    void *p;
    elsewhere->allocated = cudaMalloc(&p, 4);
    elsewhere->ended = cudaStreamEndCapture(elsewhere->stream, &graph);
    return NULL;
}

START_TEST(a_capture_belongs_to_its_thread)
{
    static const struct {
        enum cudaStreamCaptureMode mode;
        cudaError_t here, elsewhere, ended;
    } rows[] = {
        {cudaStreamCaptureModeGlobal, cudaErrorStreamCaptureUnsupported, cudaErrorStreamCaptureUnsupported,
         cudaErrorStreamCaptureWrongThread},
        {cudaStreamCaptureModeThreadLocal, cudaErrorStreamCaptureUnsupported, cudaSuccess, cudaErrorStreamCaptureWrongThread},
        {cudaStreamCaptureModeRelaxed, cudaSuccess, cudaSuccess, cudaSuccess}};
    Bench bench = bench_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Elsewhere elsewhere = {.stream = bench.a};
        cudaGraph_t graph;
        pthread_t thread;
        void *p;
        FINE(cudaStreamBeginCapture(bench.a, rows[i].mode));
        ck_assert_int_eq(pthread_create(&thread, NULL, allocate_elsewhere, &elsewhere), 0);
        pthread_join(thread, NULL);
        GIVES(rows[i].elsewhere, elsewhere.allocated);
        GIVES(rows[i].ended, elsewhere.ended);
        if (!rows[i].ended) continue; /* ended there */
        GIVES(rows[i].elsewhere ? cudaErrorStreamCaptureInvalidated : cudaSuccess, cudaStreamEndCapture(bench.a, &graph));
        FINE(cudaStreamBeginCapture(bench.a, rows[i].mode));
        GIVES(rows[i].here, cudaMalloc(&p, 4));
        GIVES(rows[i].here ? cudaErrorStreamCaptureInvalidated : cudaSuccess, cudaStreamEndCapture(bench.a, &graph));
    }
}
END_TEST

/* A node waits for all that its stream had waited for, each once. */
START_TEST(events_join_many_branches)
{
    enum { BRANCHES = 9 };
    Bench bench = bench_new();
    cudaStream_t branches[BRANCHES];
    cudaEvent_t events[BRANCHES];
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    for (int left_out = -1; left_out < BRANCHES; left_out++) {
        FINE(cudaStreamBeginCapture(bench.a, cudaStreamCaptureModeRelaxed));
        FINE(cudaEventRecord(bench.fork, bench.a)); /* of nothing yet */
        for (int i = 0; i < BRANCHES; i++) {
            FINE(cudaStreamCreate(&branches[i]));
            FINE(cudaEventCreate(&events[i]));
            FINE(cudaStreamWaitEvent(branches[i], bench.fork, 0));
            raise_in(branches[i], bench.p);
            FINE(cudaEventRecord(events[i], branches[i]));
        }
        for (int i = 0; i < BRANCHES; i++)
            for (int twice = 0; twice < 2 && i != left_out; twice++) FINE(cudaStreamWaitEvent(bench.a, events[i], 0));
        GIVES(left_out < 0 ? cudaSuccess : cudaErrorStreamCaptureUnjoined, cudaStreamEndCapture(bench.a, &graph));
        if (left_out >= 0) continue;
        ck_assert_uint_eq(nodes_of(graph), BRANCHES);
        FINE(cudaGraphInstantiate(&executable, graph, 0));
        FINE(cudaGraphLaunch(executable, bench.a));
        ck_assert_uint_eq(first_of(bench.p), BRANCHES);
    }
}
END_TEST

/* More nodes than there was room for at first; their handles are those of the graph, and as many as are asked for. */
START_TEST(a_graph_may_be_long)
{
    Bench bench = bench_new();
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaGraphNode_t nodes[60], more[60];
    size_t count = 60;
    begin(&bench);
    for (int i = 0; i < 50; i++) raise_in(bench.a, bench.p);
    FINE(cudaStreamEndCapture(bench.a, &graph));
    FINE(cudaGraphGetNodes(graph, nodes, &count));
    ck_assert_uint_eq(count, 50);
    for (int i = 0; i < 60; i++) ck_assert_int_eq(nodes[i] != NULL, i < 50);
    for (int i = 1; i < 50; i++) ck_assert_ptr_ne(nodes[i], nodes[i - 1]);
    count = 7;
    memset(more, 0xff, sizeof more);
    FINE(cudaGraphGetNodes(graph, more, &count));
    ck_assert_uint_eq(count, 7);
    ck_assert_mem_eq(more, nodes, 7 * sizeof *nodes);
    ck_assert_ptr_eq(more[7], (cudaGraphNode_t)UINTPTR_MAX);
    FINE(cudaGraphInstantiate(&executable, graph,
                              cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
                                  cudaGraphInstantiateFlagUseNodePriority));
    for (int i = 0; i < 2; i++) FINE(cudaGraphLaunch(executable, bench.b));
    ck_assert_uint_eq(first_of(bench.p), 100);
    FINE(cudaStreamBeginCapture(bench.a, cudaStreamCaptureModeRelaxed));
    GIVES(cudaErrorStreamCaptureUnsupported, cudaGraphLaunch(executable, bench.a)); /* as an H200 has it */
    ck_assert_int_eq(status_of(bench.a), cudaStreamCaptureStatusInvalidated);
}
END_TEST

START_TEST(a_relaxed_capture_forbids_nothing_to_others)
{
    Bench bench = bench_new();
    cudaGraph_t graph;
    void *p;
    FINE(cudaStreamBeginCapture(bench.a, cudaStreamCaptureModeRelaxed));
    FINE(cudaMalloc(&p, 4));
    FINE(cudaStreamSynchronize(bench.b));
    raise_in(bench.a, bench.p);
    FINE(cudaStreamEndCapture(bench.a, &graph));
    ck_assert_uint_eq(nodes_of(graph), 1);
}
END_TEST

static int host_calls;
static void count_call(void *data) { host_calls += *(int *)data; }

START_TEST(host_functions_and_events_are_captured)
{
    static int two = 2;
    Bench bench = bench_new();
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    begin(&bench);
    FINE(cudaLaunchHostFunc(bench.a, count_call, &two));
    FINE(cudaEventRecordWithFlags(bench.join, bench.a, cudaEventRecordExternal));
    FINE(cudaStreamEndCapture(bench.a, &graph));
    ck_assert_int_eq(host_calls, 0);
    ck_assert_uint_eq(nodes_of(graph), 2);
    FINE(cudaGraphInstantiate(&executable, graph, 0));
    FINE(cudaGraphLaunch(executable, bench.b));
    FINE(cudaGraphLaunch(executable, bench.b));
    ck_assert_int_eq(host_calls, 4);
    FINE(cudaEventSynchronize(bench.join));
}
END_TEST

START_TEST(a_kernels_fault_in_a_graph_sticks)
{
    Bench bench = bench_new();
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    begin(&bench);
    FINE(launch_in(bench.a, stop, 1, 1, NULL));
    FINE(cudaLaunchHostFunc(bench.a, count_call, &host_calls));
    FINE(cudaStreamEndCapture(bench.a, &graph));
    FINE(cudaGraphInstantiate(&executable, graph, 0));
    FINE(cudaGraphLaunch(executable, bench.a));
    GIVES(cudaErrorLaunchFailure, cudaStreamSynchronize(bench.a));
    GIVES(cudaErrorLaunchFailure, cudaGetLastError()); /* who never asks does not end with 0 */
}
END_TEST

START_TEST(graphs_are_judged)
{
    Bench bench = bench_new();
    cudaGraph_t graph, none;
    cudaGraphExec_t executable;
    cudaGraphNode_t nodes[3];
    size_t count = 3;
    enum cudaStreamCaptureStatus status;
    begin(&bench);
    GIVES(cudaErrorIllegalState, cudaStreamBeginCapture(bench.a, cudaStreamCaptureModeGlobal));
    FINE(cudaStreamEndCapture(bench.a, NULL)); /* the graph is thrown away */
    GIVES(cudaErrorIllegalState, cudaStreamEndCapture(bench.a, NULL));
    FINE(cudaStreamBeginCapture(bench.a, cudaStreamCaptureModeGlobal));
    raise_in(bench.a, bench.p);
    FINE(cudaStreamEndCapture(bench.a, &graph));
    FINE(cudaGraphGetNodes(graph, nodes, &count));
    ck_assert_uint_eq(count, 1);
    ck_assert_ptr_nonnull(nodes[0]);
    ck_assert_ptr_null(nodes[1]);
    GIVES(cudaErrorInvalidValue, cudaGraphInstantiate(&executable, graph, 4096));
    FINE(cudaGraphInstantiate(&executable, graph, 0));
    GIVES(cudaErrorInvalidResourceHandle, cudaGraphLaunch(executable, (cudaStream_t)&count));
    none = graph;
    FINE(cudaGraphDestroy(graph));
    GIVES(cudaErrorInvalidValue, cudaGraphGetNodes(none, NULL, &count));
    FINE(cudaGraphExecDestroy(executable));
    GIVES(cudaErrorInvalidValue, cudaGraphLaunch(executable, bench.a));
    GIVES(cudaErrorInvalidResourceHandle, cudaStreamIsCapturing((cudaStream_t)&count, &status));
    GIVES(cudaErrorInvalidResourceHandle, cudaStreamBeginCapture((cudaStream_t)&count, cudaStreamCaptureModeGlobal));
    GIVES(cudaErrorInvalidResourceHandle, cudaStreamEndCapture((cudaStream_t)&count, &graph));
}
END_TEST

/* Of three kernels the last waits for the first: that alone where the dependencies are set, for the second too where they are added. */
START_TEST(dependencies_of_a_capture_are_set_or_added)
{
    for (int sets = 0; sets < 2; sets++) {
        Bench bench = bench_new();
        cudaGraph_t graph;
        cudaGraphNode_t first;
        size_t count = 1, edges;
        enum cudaStreamCaptureStatus status;
        const cudaGraphNode_t *list;
        begin(&bench);
        raise_in(bench.a, bench.p);
        FINE(cudaStreamGetCaptureInfo(bench.a, &status, NULL, NULL, &list, NULL, &count));
        ck_assert_uint_eq(count, 1);
        first = list[0];
        raise_in(bench.a, bench.q);
        FINE(cudaStreamUpdateCaptureDependencies(bench.a, &first, NULL, 1,
                                                 sets ? cudaStreamSetCaptureDependencies : cudaStreamAddCaptureDependencies));
        raise_in(bench.a, bench.p);
        FINE(cudaStreamEndCapture(bench.a, &graph));
        FINE(cudaGraphGetEdges(graph, NULL, NULL, NULL, &edges));
        ck_assert_uint_eq(edges, sets ? 2 : 3);
    }
}
END_TEST

/* CUDA Runtime API: what goes to the legacy stream waits for all streams but those made with cudaStreamNonBlocking. */
START_TEST(the_legacy_stream_spoils_no_capture_that_it_does_not_wait_for)
{
    Bench bench = bench_new();
    cudaGraph_t graph;
    cudaStream_t aside;
    FINE(cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking));
    FINE(cudaStreamBeginCapture(aside, cudaStreamCaptureModeRelaxed));
    raise_in(aside, bench.p);
    FINE(cudaMemsetAsync(bench.q, 0, 4, NULL));
    FINE(cudaStreamEndCapture(aside, &graph));
    begin(&bench);
    GIVES(cudaErrorStreamCaptureImplicit, cudaMemsetAsync(bench.q, 0, 4, NULL));
    GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(bench.a, &graph));
}
END_TEST

/* Three kernels, of which the last waits for both others. */
static void capture_and_destroy(const Bench *bench) {
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    begin(bench);
    raise_in(bench->a, bench->p);
    FINE(cudaEventRecord(bench->fork, bench->a));
    FINE(cudaStreamWaitEvent(bench->b, bench->fork, 0));
    raise_in(bench->b, bench->q);
    FINE(cudaEventRecord(bench->join, bench->b));
    FINE(cudaStreamWaitEvent(bench->a, bench->join, 0));
    raise_in(bench->a, bench->p);
    FINE(cudaStreamEndCapture(bench->a, &graph));
    FINE(cudaGraphInstantiate(&executable, graph, 0));
    FINE(cudaGraphDestroy(graph));
    FINE(cudaGraphExecDestroy(executable));
}

START_TEST(a_stream_that_has_joined_may_be_destroyed)
{
    for (int joined = 0; joined < 2; joined++) {
        Bench bench = bench_new();
        cudaGraph_t graph;
        size_t nodes = 0;
        begin(&bench);
        FINE(cudaEventRecord(bench.fork, bench.a));
        FINE(cudaStreamWaitEvent(bench.b, bench.fork, 0));
        raise_in(bench.b, bench.q);
        FINE(cudaEventRecord(bench.join, bench.b));
        if (joined) FINE(cudaStreamWaitEvent(bench.a, bench.join, 0));
        FINE(cudaStreamDestroy(bench.b));
        GIVES(joined ? cudaSuccess : cudaErrorStreamCaptureUnjoined, cudaStreamEndCapture(bench.a, &graph));
        if (joined) FINE(cudaGraphGetNodes(graph, NULL, &nodes));
        ck_assert_uint_eq(nodes, joined);
    }
}
END_TEST

START_TEST(graphs_that_are_destroyed_take_no_memory)
{
    enum { FIRST = 10, OTHERS = 1000, LEAST = 32 }; /* bytes of the smallest allocation */
    Bench bench = bench_new();
    size_t before = 0;
    for (int i = 0; i < FIRST + OTHERS; i++) {
        if (i == FIRST) before = mallinfo2().uordblks;
        capture_and_destroy(&bench);
    }
    /* What the C library keeps at hand changes by some allocations of the process, not by one a graph. */
    ck_assert_uint_lt(mallinfo2().uordblks, before + OTHERS * LEAST);
}
END_TEST

START_TEST(a_reset_device_has_no_graphs)
{
    Bench bench = bench_new();
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    begin(&bench);
    raise_in(bench.a, bench.p);
    FINE(cudaStreamEndCapture(bench.a, &graph));
    FINE(cudaGraphInstantiate(&executable, graph, 0));
    FINE(cudaDeviceReset());
    GIVES(cudaErrorInvalidValue, cudaGraphLaunch(executable, NULL));
    GIVES(cudaErrorInvalidValue, cudaGraphExecDestroy(executable));
    GIVES(cudaErrorInvalidValue, cudaGraphDestroy(graph));
}
END_TEST

RUNTIME_MAIN("runtime graphs", captured_events_have_no_time, captures_do_not_merge, a_capture_belongs_to_its_thread,
             events_join_many_branches, a_graph_may_be_long, a_reset_device_has_no_graphs,
             a_stream_that_has_joined_may_be_destroyed, graphs_that_are_destroyed_take_no_memory,
             captured_work_runs_when_the_graph_does, arguments_are_those_of_the_capture, branches_fork_and_join,
             a_branch_that_does_not_come_back_is_an_error, waiting_spoils_a_capture,
             a_relaxed_capture_forbids_nothing_to_others, host_functions_and_events_are_captured,
             a_kernels_fault_in_a_graph_sticks, graphs_are_judged, dependencies_of_a_capture_are_set_or_added,
             the_legacy_stream_spoils_no_capture_that_it_does_not_wait_for, a_record_counts_from_its_call_on,
             a_record_of_late_work_counts_from_its_call_on)
