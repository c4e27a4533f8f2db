/* Work that is left, behind a kernel that waits for the host or until the host waits: its errors, what it uses, what is known of memory that it allocates. Rules: CUDA Runtime
 * API, "may also return error codes from previous, asynchronous launches", and its documentation of each call; CUDA Programming Guide, "Graph memory nodes". */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>

#include "runtime/driver_calls.h"
#include "runtime_test.h"

enum { BYTES = 1 << 20, EVENTS = 30 };

typedef struct Desk {
    cudaStream_t stream, other; /* which need not wait for one another */
    unsigned *flag, *p;
} Desk;

static Desk desk_new(void) {
    Desk desk;
    runtime_register();
    FINE(cudaStreamCreateWithFlags(&desk.stream, cudaStreamNonBlocking));
    FINE(cudaStreamCreateWithFlags(&desk.other, cudaStreamNonBlocking));
    FINE(cudaHostAlloc((void **)&desk.flag, 4, cudaHostAllocMapped));
    desk.p = device_memory(BYTES);
    FINE(cudaMemset(desk.p, 0, BYTES));
    FINE(cudaDeviceSynchronize());
    return desk;
}

static void set_flag(const Desk *desk, unsigned value) { *(volatile unsigned *)desk->flag = value; }

/* What the stream is given from now on is left, until the flag is set. */
static void hold_up(Desk *desk) {
    void *arguments[] = {&desk->flag};
    set_flag(desk, 0);
    FINE(launch_in(desk->stream, polls, 1, 1, arguments));
}

static void begin_capture(const Desk *desk) { FINE(cudaStreamBeginCapture(desk->stream, cudaStreamCaptureModeRelaxed)); }

static cudaGraphExec_t end_capture(const Desk *desk, unsigned long long flags) {
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    FINE(cudaStreamEndCapture(desk->stream, &graph));
    FINE(cudaGraphInstantiateWithFlags(&executable, graph, flags));
    return executable;
}

/* A graph that allocates *memory, fills it, and leaves it. */
static cudaGraphExec_t graph_that_leaves(const Desk *desk, unsigned **memory, size_t bytes, unsigned long long flags) {
    begin_capture(desk);
    FINE(cudaMallocAsync((void **)memory, bytes, desk->stream));
    FINE(cudaMemsetAsync(*memory, 3, 4, desk->stream));
    return end_capture(desk, flags);
}

/* --- errors --- */

/* A graph copies from memory that is freed before it runs: p stays as it is. */
static Desk copy_from_freed(void) {
    Desk desk = desk_new();
    void *freed;
    FINE(cudaMallocAsync(&freed, 4, desk.stream));
    begin_capture(&desk);
    FINE(cudaMemcpyAsync(desk.p, freed, 4, cudaMemcpyDeviceToDevice, desk.stream));
    FINE(cudaMemsetAsync(desk.p, 1, 4, desk.stream));
    cudaGraphExec_t executable = end_capture(&desk, 0);
    hold_up(&desk);
    FINE(cudaFreeAsync(freed, desk.stream));
    FINE(cudaGraphLaunch(executable, desk.stream));
    set_flag(&desk, 1);
    return desk;
}

START_TEST(who_waits_is_given_the_error_once)
{
    const Desk desk = copy_from_freed();
    GIVES(cudaErrorInvalidValue, cudaStreamSynchronize(desk.stream));
    GIVES(cudaErrorInvalidValue, cudaGetLastError());
    FINE(cudaDeviceSynchronize());
    ck_assert_uint_eq(first_of(desk.p), 0);
}
END_TEST

START_TEST(a_reset_gives_the_error_too)
{
    copy_from_freed();
    GIVES(cudaErrorInvalidValue, cudaDeviceReset());
    GIVES(cudaErrorInvalidValue, cudaGetLastError());
    FINE(cudaDeviceSynchronize());
}
END_TEST

static void ask_for_nothing(void) {
    cudaGetErrorName(cudaErrorInvalidValue); /* before it came */
    copy_from_freed();
    cudaDeviceSynchronize();
}

static void ask_for_it(void) {
    copy_from_freed();
    cudaDeviceSynchronize();
    cudaGetLastError();
}

static void ask_for_another_as_well(void) {
    ask_for_it();
    cudaStreamSynchronize((cudaStream_t)77777);
    GIVES(cudaErrorInvalidResourceHandle, cudaGetLastError());
}

static void ask_for_another(void) {
    ask_for_nothing();
    cudaGetErrorName(cudaErrorInvalidResourceHandle);
}

/* A fault, of which the name was asked before it came. */
static void ask_before_a_fault(void) {
    cudaGetErrorName(cudaErrorIllegalAddress);
    cudaGetErrorName(cudaErrorInvalidValue);
    runtime_register();
    void *p = device_memory(400);
    FINE(cudaFree(p));
    FINE(launch_fill(p, 1, 100));
    cudaDeviceSynchronize();
}

/* cudaErrorInvalidDeviceFunction, 98, of a kernel whose module is gone: the driver has another number for it. */
static void ask_the_driver(void) {
    static const char ptx[] = ".version 6.3\n.target sm_75\n.address_size 64\n.visible .entry k() { ret; }\n";
    Desk desk = desk_new();
    CUmodule module;
    CUfunction function;
    const char *name;
    cuInit(0);
    ck_assert_int_eq(cuModuleLoadData(&module, ptx), CUDA_SUCCESS);
    ck_assert_int_eq(cuModuleGetFunction(&function, module, "k"), CUDA_SUCCESS);
    begin_capture(&desk);
    ck_assert_int_eq(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, desk.stream, NULL, NULL), CUDA_SUCCESS);
    cudaGraphExec_t executable = end_capture(&desk, 0);
    ck_assert_int_eq(cuModuleUnload(module), CUDA_SUCCESS);
    hold_up(&desk);
    FINE(cudaGraphLaunch(executable, desk.stream));
    set_flag(&desk, 1);
    ck_assert_int_eq(cuStreamSynchronize(desk.stream), CUDA_ERROR_INVALID_HANDLE);
    cuGetErrorName(CUDA_ERROR_INVALID_HANDLE, &name);
}

START_TEST(the_error_that_nobody_asks_for_is_the_programs)
{
    static const struct {
        void (*program)(void);
        int status;
    } rows[] = {{ask_for_nothing, 1}, {ask_for_it, 0},     {ask_for_another_as_well, 0},
                {ask_for_another, 1}, {ask_the_driver, 0}, {ask_before_a_fault, 1}};
    int status;
    const pid_t child = fork();
    if (child == 0) {
        rows[_i].program();
        exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, rows[_i].status << 8);
}
END_TEST

/* What the graph is to allocate has gone to others before it runs. */
static void allocate_too_much(const char *schedule) {
    setenv("WARPSCOPE_SCHEDULE", schedule, 1);
    Desk desk = desk_new();
    unsigned *memory;
    size_t left, all;
    FINE(cudaMemGetInfo(&left, &all));
    cudaGraphExec_t executable = graph_that_leaves(&desk, &memory, left - BYTES, 0);
    if (!*schedule) hold_up(&desk);
    FINE(cudaGraphLaunch(executable, desk.stream));
    void *taken = device_memory(left / 2);
    set_flag(&desk, 1);
    GIVES(cudaErrorMemoryAllocation, cudaStreamSynchronize(desk.stream));
    GIVES(cudaErrorMemoryAllocation, cudaGetLastError());
    FINE(cudaFree(taken));
    FINE(cudaGraphLaunch(executable, desk.stream));
    FINE(cudaStreamSynchronize(desk.stream));
    ck_assert_uint_eq(first_of(memory), 0x03030303);
}

START_TEST(memory_that_no_longer_fits_behind_a_kernel)
{ allocate_too_much(""); }
END_TEST

START_TEST(memory_that_no_longer_fits_later)
{ allocate_too_much("late"); }
END_TEST

/* --- memory of graphs --- */

/* The host sets the flag behind launches and frees, none of which may wait for it. */
static void launch_behind(unsigned long long flags) {
    Desk desk = desk_new();
    unsigned *memory, n = 1;
    cudaGraphExec_t executable = graph_that_leaves(&desk, &memory, 4, flags);
    void *arguments[] = {&desk.p, &memory, &n};
    for (int i = 0; i < 2; i++) { /* the second time it is there */
        FINE(cudaMemset(desk.p, 0, 4));
        FINE(cudaDeviceSynchronize());
        hold_up(&desk);
        if (i && !flags) FINE(cudaFreeAsync(memory, desk.stream));
        FINE(cudaGraphLaunch(executable, desk.stream));
        FINE(launch_in(desk.stream, copy, 1, 32, arguments));
        if (!flags) {
            GIVES(cudaErrorInvalidValue, cudaGraphLaunch(executable, desk.stream));
            FINE(cudaFreeAsync(memory, desk.stream));
            GIVES(cudaErrorInvalidValue, cudaFreeAsync(memory, desk.stream));
        }
        FINE(cudaGraphLaunch(executable, desk.stream));
        set_flag(&desk, 1);
        FINE(cudaDeviceSynchronize());
        ck_assert_uint_eq(first_of(desk.p), 0x03030303);
        ck_assert_uint_eq(first_of(memory), 0x03030303);
    }
}

START_TEST(a_launch_waits_for_nothing)
{ launch_behind(0); }
END_TEST

START_TEST(a_launch_that_frees_waits_for_nothing)
{ launch_behind(cudaGraphInstantiateFlagAutoFreeOnLaunch); }
END_TEST

static cudaError_t copy_in_batch(const Desk *desk, const void *from) {
    struct cudaMemcpyAttributes how = {.srcAccessOrder = cudaMemcpySrcAccessOrderStream};
    void *to = desk->p;
    size_t bytes = 4, first = 0;
    return cudaMemcpyBatchAsync(&to, &from, &bytes, 1, &how, &first, 1, desk->stream);
}

START_TEST(memory_is_used_behind_the_launch_that_allocates_it)
{
    Desk desk = desk_new();
    unsigned *memory;
    cudaGraphExec_t executable = graph_that_leaves(&desk, &memory, 4, 0);
    hold_up(&desk);
    for (int launched = 0; launched < 2; launched++) {
        const cudaError_t wanted = launched ? cudaSuccess : cudaErrorInvalidValue;
        if (launched) FINE(cudaGraphLaunch(executable, desk.stream));
        GIVES(wanted, cudaMemsetAsync(memory, 4, 4, desk.stream));
        GIVES(wanted, cudaMemcpyAsync(desk.p, memory, 4, cudaMemcpyDeviceToDevice, desk.stream));
        GIVES(wanted, copy_in_batch(&desk, memory));
        GIVES(cudaErrorInvalidValue, cudaMemsetAsync(memory, 5, 4, desk.other)); /* behind nothing */
        GIVES(wanted, cudaFreeAsync(memory, desk.stream));
        GIVES(cudaErrorInvalidValue, cudaMemsetAsync(memory, 5, 4, desk.stream));
    }
    set_flag(&desk, 1);
    FINE(cudaDeviceSynchronize());
    ck_assert_uint_eq(first_of(desk.p), 0x04040404);
}
END_TEST

/* Of an array as of cudaMalloc. */
START_TEST(an_array_has_what_is_freed_before_it)
{
    Desk desk = desk_new();
    void *taken;
    cudaArray_t array;
    size_t left, all;
    FINE(cudaMemGetInfo(&left, &all));
    FINE(cudaMallocAsync(&taken, left - BYTES, desk.stream));
    hold_up(&desk);
    FINE(cudaFreeAsync(taken, desk.stream));
    set_flag(&desk, 1);
    const struct cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindFloat};
    FINE(cudaMallocArray(&array, &format, 1024, 1024, 0));
}
END_TEST

/* Nothing that is left would free so much, so that the call need not wait for a launch that waits for this very thread. */
START_TEST(too_much_memory_is_refused_at_once)
{
    Desk desk = desk_new();
    void *small, *big;
    const struct cudaChannelFormatDesc format = {32, 32, 32, 32, cudaChannelFormatKindFloat};
    cudaArray_t array;
    size_t left, all;
    FINE(cudaMallocAsync(&small, BYTES, desk.stream));
    FINE(cudaMemGetInfo(&left, &all));
    void *taken = device_memory(left - BYTES);
    hold_up(&desk);
    FINE(cudaFreeAsync(small, desk.stream));
    GIVES(cudaErrorMemoryAllocation, cudaMalloc(&big, all));
    GIVES(cudaErrorMemoryAllocation, cudaMallocAsync(&big, all, desk.stream));
    GIVES(cudaErrorMemoryAllocation, cudaMallocArray(&array, &format, 1024, 1024, 0));
    set_flag(&desk, 1);
    FINE(cudaDeviceSynchronize());
    FINE(cudaFree(taken));
}
END_TEST

/* The other stream's launch waits for this thread. */
START_TEST(memory_is_waited_for_as_far_as_it_is_needed)
{
    Desk desk = desk_new();
    unsigned *never;
    void *first, *second, *more, *arguments[] = {&never};
    size_t left, all;
    FINE(cudaHostAlloc((void **)&never, 4, cudaHostAllocMapped));
    *never = 0;
    FINE(cudaMemGetInfo(&left, &all));
    FINE(cudaMallocAsync(&first, left / 2, desk.stream));
    FINE(cudaMallocAsync(&second, left / 2 - BYTES, desk.stream));
    FINE(cudaDeviceSynchronize());
    hold_up(&desk);
    FINE(launch_in(desk.other, polls, 1, 1, arguments));
    FINE(cudaFreeAsync(first, desk.stream));
    FINE(cudaFreeAsync(second, desk.other));
    set_flag(&desk, 1);
    FINE(cudaMalloc(&more, left / 2));
    *(volatile unsigned *)never = 1;
    FINE(cudaDeviceSynchronize());
}
END_TEST

START_TEST(memory_has_its_own_calls_name)
{
    setenv("WARPSCOPE_SCHEDULE", "late", 1);
    const Desk desk = desk_new();
    void *taken, *memory;
    size_t left, all;
    FINE(cudaMemGetInfo(&left, &all));
    FINE(cudaMallocAsync(&taken, left - BYTES, desk.stream));
    FINE(cudaFreeAsync(taken, desk.stream));
    FINE(cudaMalloc(&memory, 2 * BYTES));
    FILE *heard = listen();
    GIVES(cudaErrorInvalidValue, cudaMemset(memory, 0, 2 * BYTES + 1));
    said(heard, "warpscope: memset: 2097153 bytes at 'cudaMalloc 4'+0 reach 1 byte past its end");
}
END_TEST

START_TEST(who_frees_twice_is_named)
{
    Desk desk = desk_new();
    void *memory;
    ck_assert_int_eq(cuInit(0), CUDA_SUCCESS);
    FINE(cudaMallocAsync(&memory, 4, desk.stream));
    hold_up(&desk);
    FINE(cudaFreeAsync(memory, desk.stream));
    FILE *heard = listen();
    ck_assert_int_eq(cuMemFreeAsync((uintptr_t)memory, desk.stream), CUDA_ERROR_INVALID_VALUE);
    said(heard, "warpscope: cuMemFreeAsync: 0x");
    set_flag(&desk, 1);
    FINE(cudaDeviceSynchronize());
}
END_TEST

/* Later than a host that waits for the launch alone would look. */
static void count_end(void *ends) {
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    ++*(int *)ends;
}

/* What the graphs keep is not the program's to release, while a launch of theirs is left either; who waits for the launch finds it released. */
START_TEST(a_launch_keeps_what_its_graph_keeps)
{
    Desk desk = desk_new();
    cudaUserObject_t object;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    int ends = 0;
    FINE(cudaGraphCreate(&graph, 0));
    FINE(cudaUserObjectCreate(&object, &ends, count_end, 1, cudaUserObjectNoDestructorSync));
    FINE(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
    FINE(cudaGraphInstantiate(&executable, graph, 0));
    hold_up(&desk);
    FINE(cudaGraphLaunch(executable, desk.stream));
    FINE(cudaGraphDestroy(graph));
    FINE(cudaGraphExecDestroy(executable));
    GIVES(cudaErrorInvalidValue, cudaUserObjectRelease(object, 1));
    ck_assert_int_eq(ends, 0);
    set_flag(&desk, 1);
    FINE(cudaDeviceSynchronize());
    ck_assert_int_eq(ends, 1);
}
END_TEST

/* --- while a host function lasts --- */

/* Whether it does, of what another thread sets; a test that fails takes ten seconds. */
static bool comes(const atomic_bool *flag) {
    for (int i = 0; i < 10000 && !*flag; i++) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return *flag;
}

typedef struct Signals {
    cudaStream_t stream;
    atomic_bool begun, may_end, saw, ended;
    cudaError_t error; /* of the other thread, which claims nothing: Check is no thread's but the first */
} Signals;

static void wait_to_end(void *data) {
    Signals *signals = data;
    signals->begun = true;
    signals->saw = comes(&signals->may_end);
}

static void end(void *data) { ((Signals *)data)->ended = true; }

START_TEST(what_is_submitted_meanwhile_is_done)
{
    Desk desk = desk_new();
    static Signals signals;
    hold_up(&desk);
    FINE(cudaLaunchHostFunc(desk.stream, wait_to_end, &signals));
    set_flag(&desk, 1);
    ck_assert(comes(&signals.begun));
    FINE(cudaLaunchHostFunc(desk.stream, end, &signals));
    ck_assert(!signals.ended);
    signals.may_end = true;
    ck_assert(comes(&signals.ended)); /* the host waits for nothing of the device's */
    FINE(cudaDeviceSynchronize());
}
END_TEST

/* CUDA Runtime API, cudaLaunchHostFunc, is asynchronous: the function may wait for what the host does then. */
START_TEST(a_host_function_waits_for_the_host)
{
    static const char *const schedules[] = {"", "late"};
    setenv("WARPSCOPE_SCHEDULE", schedules[_i / 2], 1);
    const Desk desk = desk_new();
    static Signals signals;
    if (_i % 2) begin_capture(&desk);
    FINE(cudaLaunchHostFunc(desk.stream, wait_to_end, &signals));
    if (_i % 2) FINE(cudaGraphLaunch(end_capture(&desk, 0), desk.stream));
    FINE(cudaLaunchHostFunc(desk.stream, end, &signals));
    ck_assert(!signals.ended);
    signals.may_end = true;
    FINE(cudaStreamSynchronize(desk.stream));
    ck_assert(signals.saw && signals.ended);
}
END_TEST

static void *submit_meanwhile(void *data) {
    Signals *signals = data;
    comes(&signals->begun);
    signals->error = cudaLaunchHostFunc(signals->stream, end, signals);
    signals->may_end = true;
    return NULL;
}

START_TEST(a_reset_waits_for_what_others_submit)
{
    static const char *const schedules[] = {"", "late"};
    setenv("WARPSCOPE_SCHEDULE", schedules[_i], 1);
    const Desk desk = desk_new();
    static Signals signals;
    pthread_t other;
    signals.stream = desk.stream;
    ck_assert(pthread_create(&other, NULL, submit_meanwhile, &signals) == 0);
    FINE(cudaLaunchHostFunc(desk.stream, wait_to_end, &signals));
    FINE(cudaDeviceReset());
    pthread_join(other, NULL);
    FINE(signals.error);
    ck_assert(signals.saw && signals.ended);
}
END_TEST

typedef struct Launched {
    Signals signals;
    cudaGraphExec_t executable;
    int ends;
} Launched;

static void *launch_graph(void *data) {
    Launched *launched = data;
    launched->signals.error = cudaGraphLaunch(launched->executable, launched->signals.stream);
    return NULL;
}

/* As above, of a launch whose call has not come back yet. */
START_TEST(who_waits_for_a_launch_finds_what_it_kept_released)
{
    const Desk desk = desk_new();
    static Launched launched;
    cudaUserObject_t object;
    cudaGraph_t graph;
    cudaGraphNode_t node;
    pthread_t other;
    const struct cudaHostNodeParams host = {.fn = wait_to_end, .userData = &launched.signals};
    launched.signals.stream = desk.stream;
    FINE(cudaGraphCreate(&graph, 0));
    FINE(cudaGraphAddHostNode(&node, graph, NULL, 0, &host));
    FINE(cudaUserObjectCreate(&object, &launched.ends, count_end, 1, cudaUserObjectNoDestructorSync));
    FINE(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
    FINE(cudaGraphInstantiate(&launched.executable, graph, 0));
    FINE(cudaGraphDestroy(graph));
    ck_assert(pthread_create(&other, NULL, launch_graph, &launched) == 0);
    ck_assert(comes(&launched.signals.begun));
    FINE(cudaGraphExecDestroy(launched.executable));
    launched.signals.may_end = true;
    FINE(cudaStreamSynchronize(desk.stream));
    ck_assert_int_eq(launched.ends, 1);
    pthread_join(other, NULL);
    FINE(launched.signals.error);
}
END_TEST

/* --- events, time, captures --- */

static float us_between(cudaEvent_t start, cudaEvent_t end) {
    float ms;
    FINE(cudaEventElapsedTime(&ms, start, end));
    return 1e3F * ms;
}

/* New events, some of which may lie where those lay that a graph records. */
START_TEST(an_events_place_is_not_anothers)
{
    Desk desk = desk_new();
    cudaEvent_t old[EVENTS], made[2][EVENTS], start;
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphExec_t executable;
    float ms, before[EVENTS];
    FINE(cudaEventCreate(&start));
    FINE(cudaGraphCreate(&graph, 0));
    for (int i = 0; i < EVENTS; i++) {
        FINE(cudaEventCreate(&old[i]));
        FINE(cudaGraphAddEventRecordNode(&node, graph, NULL, 0, old[i]));
    }
    FINE(cudaGraphInstantiate(&executable, graph, 0));
    hold_up(&desk);
    FINE(cudaGraphLaunch(executable, desk.stream));
    for (int i = 0; i < EVENTS; i++) FINE(cudaEventDestroy(old[i]));
    FINE(cudaEventRecord(start, desk.other));
    for (int i = 0; i < EVENTS; i++) {
        FINE(cudaEventCreate(&made[0][i]));
        FINE(cudaEventRecord(made[0][i], desk.other));
    }
    FINE(cudaStreamSynchronize(desk.other));
    for (int i = 0; i < EVENTS; i++) before[i] = us_between(start, made[0][i]);
    FINE(cudaMemsetAsync(desk.p, 1, BYTES, desk.other)); /* takes time, so that later is another time */
    FINE(cudaStreamSynchronize(desk.other));
    set_flag(&desk, 1);
    FINE(cudaDeviceSynchronize());
    for (int i = 0; i < EVENTS; i++) ck_assert(us_between(start, made[0][i]) == before[i]);
    for (int i = 0; i < EVENTS; i++) FINE(cudaEventCreate(&made[1][i]));
    FINE(cudaGraphLaunch(executable, desk.stream)); /* its events are gone */
    FINE(cudaDeviceSynchronize());
    for (int i = 0; i < EVENTS; i++) GIVES(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, start, made[1][i]));
}
END_TEST

/* "A graph cannot run concurrently with itself": launches in two streams take as long as in one. */
START_TEST(launches_of_one_graph_follow_one_another)
{
    Desk desk = desk_new();
    cudaEvent_t events[3];
    for (int i = 0; i < 3; i++) FINE(cudaEventCreate(&events[i]));
    begin_capture(&desk);
    unsigned value = 1, n = BYTES / 4;
    void *arguments[] = {&desk.p, &value, &n};
    FINE(launch_in(desk.stream, fill, 64, 128, arguments)); /* of a device with places for more */
    cudaGraphExec_t executable = end_capture(&desk, 0);
    FINE(cudaEventRecord(events[0], desk.stream));
    FINE(cudaGraphLaunch(executable, desk.stream));
    FINE(cudaEventRecord(events[1], desk.stream));
    FINE(cudaGraphLaunch(executable, desk.other));
    FINE(cudaEventRecord(events[2], desk.other));
    FINE(cudaDeviceSynchronize());
    const float one = us_between(events[0], events[1]), both = us_between(events[0], events[2]);
    ck_assert_msg(one > 0 && both > 1.99F * one && both < 2.01F * one, "%f us, and %f us of both", one, both);
}
END_TEST

START_TEST(a_launch_in_the_default_stream_is_forbidden_as_a_kernels)
{
    runtime_register();
    cudaStream_t stream;
    cudaGraph_t graph, ended;
    cudaGraphExec_t executable;
    FINE(cudaStreamCreate(&stream));
    FINE(cudaGraphCreate(&graph, 0));
    FINE(cudaGraphInstantiate(&executable, graph, 0));
    FINE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    GIVES(cudaErrorStreamCaptureImplicit, cudaGraphLaunch(executable, NULL));
    GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &ended));
    FINE(cudaGraphLaunch(executable, NULL));
}
END_TEST

RUNTIME_MAIN("runtime left", who_waits_is_given_the_error_once, a_reset_gives_the_error_too,
             REPEATED(6, the_error_that_nobody_asks_for_is_the_programs), memory_that_no_longer_fits_behind_a_kernel,
             memory_that_no_longer_fits_later, a_launch_waits_for_nothing, a_launch_that_frees_waits_for_nothing,
             memory_is_used_behind_the_launch_that_allocates_it, an_array_has_what_is_freed_before_it,
             too_much_memory_is_refused_at_once, memory_is_waited_for_as_far_as_it_is_needed, memory_has_its_own_calls_name,
             who_frees_twice_is_named, a_launch_keeps_what_its_graph_keeps, what_is_submitted_meanwhile_is_done,
             REPEATED(4, a_host_function_waits_for_the_host), REPEATED(2, a_reset_waits_for_what_others_submit),
             who_waits_for_a_launch_finds_what_it_kept_released, an_events_place_is_not_anothers,
             launches_of_one_graph_follow_one_another, a_launch_in_the_default_stream_is_forbidden_as_a_kernels)
