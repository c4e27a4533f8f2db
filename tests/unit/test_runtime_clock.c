/* Streams, events and the modelled clock. Durations are compared with each other: what a kernel or a copy takes is for the time model to
 * say, how they follow one another is for the rules of streams (CUDA C++ Programming Guide, "Asynchronous Concurrent Execution"). */
#include <math.h>
#include <pthread.h>

#include "device/model.h"
#include "runtime/clock.h"
#include "runtime_test.h"

enum { BYTES = 1 << 20, NUMBERS = BYTES / 4 };

typedef struct Bench {
    void *p, *q, *pinned;
    cudaStream_t a, b, aside; /* aside: non-blocking */
    cudaEvent_t events[4];
} Bench;

static Bench bench_new(void) {
    Bench bench;
    runtime_register();
    bench.p = device_memory(BYTES);
    bench.q = device_memory(BYTES);
    FINE(cudaMallocHost(&bench.pinned, BYTES));
    FINE(cudaStreamCreate(&bench.a));
    FINE(cudaStreamCreate(&bench.b));
    FINE(cudaStreamCreateWithFlags(&bench.aside, cudaStreamNonBlocking));
    for (int i = 0; i < 4; i++) FINE(cudaEventCreate(&bench.events[i]));
    return bench;
}

static double between(cudaEvent_t start, cudaEvent_t end) {
    float ms;
    FINE(cudaEventSynchronize(start));
    FINE(cudaEventSynchronize(end));
    FINE(cudaEventElapsedTime(&ms, start, end));
    return 1e3 * ms;
}

/* Fills all of p: more blocks than the device has places for at once would be needed to keep others out; 2048 are under half of them. */
static void fill_in(cudaStream_t stream, void *p) {
    unsigned value = 1, n = NUMBERS;
    void *arguments[] = {&p, &value, &n};
    FINE(launch_in(stream, fill, NUMBERS / 128, 128, arguments));
}

static void up(cudaStream_t stream, const Bench *bench) {
    FINE(cudaMemcpyAsync(bench->q, bench->pinned, BYTES, cudaMemcpyHostToDevice, stream));
}

static void record(cudaEvent_t event, cudaStream_t stream) { FINE(cudaEventRecord(event, stream)); }

/* 1 MiB over PCIe at 64 GB/s. */
static const double copy_us = BYTES / 64e3;

static bool near(double a, double b) { return fabs(a - b) < 0.002 + 0.001 * fabs(b); }

START_TEST(an_event_waits_for_the_work_before_it)
{
    Bench bench = bench_new();
    record(bench.events[0], bench.a);
    up(bench.a, &bench);
    record(bench.events[1], bench.a);
    up(bench.a, &bench);
    up(bench.a, &bench);
    record(bench.events[2], bench.a);
    ck_assert(near(between(bench.events[0], bench.events[1]), copy_us));
    ck_assert(near(between(bench.events[0], bench.events[2]), 3 * copy_us));
    ck_assert(near(between(bench.events[2], bench.events[0]), -3 * copy_us));
}
END_TEST

START_TEST(an_empty_kernel_takes_what_one_was_measured_to_take)
{
    Bench bench = bench_new();
    void *arguments[] = {&bench.p};
    record(bench.events[0], NULL);
    FINE(launch_in(NULL, bounded, 1, 32, arguments));
    record(bench.events[1], NULL);
    double us = between(bench.events[0], bench.events[1]);
    ck_assert(us > 1.5 && us < 1.8); /* 1.6 us on an H200: see model.c */
}
END_TEST

START_TEST(a_kernel_and_copies_of_both_directions_overlap)
{
    Bench bench = bench_new();
    record(bench.events[0], bench.aside);
    up(bench.a, &bench);
    FINE(cudaMemcpyAsync(bench.pinned, bench.q, BYTES, cudaMemcpyDeviceToHost, bench.b));
    record(bench.events[1], bench.a);
    record(bench.events[2], bench.b);
    fill_in(bench.aside, bench.p);
    record(bench.events[3], bench.aside);
    ck_assert(near(between(bench.events[0], bench.events[1]), copy_us));
    ck_assert(near(between(bench.events[0], bench.events[2]), copy_us));
    ck_assert(between(bench.events[0], bench.events[3]) < copy_us);
}
END_TEST

/* The legacy stream waits for blocking ones, a synchronisation for all. */
START_TEST(the_work_of_a_destroyed_stream_is_waited_for)
{
    Bench bench = bench_new();
    record(bench.events[0], NULL);
    up(bench.a, &bench);
    FINE(cudaStreamDestroy(bench.a));
    record(bench.events[1], NULL);
    up(bench.aside, &bench);
    FINE(cudaStreamDestroy(bench.aside));
    record(bench.events[2], NULL);
    FINE(cudaDeviceSynchronize());
    record(bench.events[3], NULL);
    ck_assert(near(between(bench.events[0], bench.events[1]), copy_us));
    ck_assert(near(between(bench.events[0], bench.events[2]), copy_us));
    ck_assert(near(between(bench.events[0], bench.events[3]), 2 * copy_us));
}
END_TEST

START_TEST(copies_of_one_direction_follow_one_another)
{
    Bench bench = bench_new();
    record(bench.events[0], bench.a);
    up(bench.a, &bench);
    up(bench.b, &bench);
    record(bench.events[1], bench.b);
    ck_assert(near(between(bench.events[0], bench.events[1]), 2 * copy_us));
}
END_TEST

START_TEST(pageable_memory_holds_the_program_up)
{
    static char host[BYTES];
    Bench bench = bench_new();
    record(bench.events[0], bench.a);
    FINE(cudaMemcpyAsync(bench.q, host, BYTES, cudaMemcpyHostToDevice, bench.a));
    record(bench.events[1], bench.aside); /* nothing is in that stream, but the program got here only after the copy */
    ck_assert(near(between(bench.events[0], bench.events[1]), copy_us));
}
END_TEST

START_TEST(the_legacy_stream_waits_for_blocking_ones_and_they_for_it)
{
    Bench bench = bench_new();
    record(bench.events[0], bench.a);
    up(bench.a, &bench);
    record(bench.events[1], NULL);        /* behind the copy */
    record(bench.events[2], bench.b);     /* behind the legacy stream */
    record(bench.events[3], bench.aside); /* behind nothing */
    ck_assert(near(between(bench.events[0], bench.events[1]), copy_us));
    ck_assert(near(between(bench.events[0], bench.events[2]), copy_us));
    ck_assert(near(between(bench.events[0], bench.events[3]), 0));
}
END_TEST

/* Nor does one blocking stream wait for another, or the program for what it starts. */
START_TEST(the_legacy_stream_does_not_wait_for_a_non_blocking_one)
{
    Bench bench = bench_new();
    record(bench.events[0], NULL);
    up(bench.aside, &bench);
    record(bench.events[1], NULL);
    up(bench.a, &bench); /* behind the copy: one engine makes those of a direction */
    record(bench.events[2], bench.b);
    record(bench.events[3], bench.a);
    ck_assert(near(between(bench.events[0], bench.events[1]), 0));
    ck_assert(near(between(bench.events[0], bench.events[2]), 0));
    ck_assert(near(between(bench.events[0], bench.events[3]), 2 * copy_us));
}
END_TEST

START_TEST(a_stream_waits_for_an_event_of_another)
{
    Bench bench = bench_new();
    record(bench.events[0], bench.aside);
    up(bench.a, &bench);
    record(bench.events[1], bench.a);
    FINE(cudaStreamWaitEvent(bench.aside, bench.events[1], 0));
    record(bench.events[2], bench.aside);
    ck_assert(near(between(bench.events[0], bench.events[2]), copy_us));
    FINE(cudaStreamWaitEvent(bench.aside, bench.events[3], 0)); /* never recorded: nothing to wait for */
}
END_TEST

START_TEST(waiting_moves_the_programs_clock)
{
    Bench bench = bench_new();
    record(bench.events[0], bench.a);
    up(bench.a, &bench);
    record(bench.events[1], bench.aside);
    FINE(cudaStreamSynchronize(bench.a));
    record(bench.events[2], bench.aside);
    ck_assert(near(between(bench.events[0], bench.events[1]), 0));
    ck_assert(near(between(bench.events[0], bench.events[2]), copy_us));
    up(bench.a, &bench);
    record(bench.events[1], bench.a);
    FINE(cudaEventSynchronize(bench.events[1]));
    record(bench.events[3], bench.aside);
    ck_assert(near(between(bench.events[0], bench.events[3]), 2 * copy_us));
}
END_TEST

START_TEST(kernels_share_the_device_as_far_as_there_is_room)
{
    Bench bench = bench_new();
    record(bench.events[0], bench.a);
    fill_in(bench.a, bench.p);
    record(bench.events[1], bench.a);
    double alone = between(bench.events[0], bench.events[1]);
    FINE(cudaDeviceSynchronize());
    record(bench.events[0], bench.a);
    fill_in(bench.a, bench.p);
    fill_in(bench.b, bench.p);
    record(bench.events[1], bench.b);
    /* 2048 of 132 * 16 places: the second begins when the first has gone through 0.97 of its time */
    ck_assert(near(between(bench.events[0], bench.events[1]), alone * (1 + 2048.0 / (132 * 16))));
}
END_TEST

/* Which copies hold the program up: synchronous ones between host and device, and any of pageable memory. CUDA Runtime API, "API
 * synchronization behavior". */
static cudaError_t copy_by(int call, void *to, void *from, enum cudaMemcpyKind kind) {
    struct cudaMemcpy3DParms box = {.srcPtr = make_cudaPitchedPtr(from, 1024, 1024, 1024),
                                    .dstPtr = make_cudaPitchedPtr(to, 1024, 1024, 1024),
                                    .extent = make_cudaExtent(1024, 1024, 1),
                                    .kind = kind};
    switch (call) {
    case 0: return cudaMemcpy(to, from, BYTES, kind);
    case 1: return cudaMemcpy2D(to, 1024, from, 1024, 1024, 1024, kind);
    case 2: return cudaMemcpy3D(&box);
    case 3: return cudaMemcpyAsync(to, from, BYTES, kind, NULL);
    case 4: return cudaMemcpy2DAsync(to, 1024, from, 1024, 1024, 1024, kind, NULL);
    default: return cudaMemcpy3DAsync(&box, NULL);
    }
}

START_TEST(synchronous_and_pageable_copies_hold_the_program_up)
{
    static char pageable[BYTES], other[BYTES];
    Bench bench = bench_new();
    const struct {
        void *to, *from;
        enum cudaMemcpyKind kind;
        bool pageable;
    } rows[] = {{bench.q, bench.pinned, cudaMemcpyHostToDevice, false}, {bench.pinned, bench.q, cudaMemcpyDeviceToHost, false},
                {bench.q, pageable, cudaMemcpyHostToDevice, true},      {pageable, bench.q, cudaMemcpyDeviceToHost, true},
                {bench.p, bench.q, cudaMemcpyDeviceToDevice, false},    {other, pageable, cudaMemcpyHostToHost, true},
                {bench.pinned, pageable, cudaMemcpyHostToHost, true}};
    const double within_us = model_copy_time_us(profile_find("h200", NULL), BYTES);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int call = 0; call < 6; call++) {
            const bool on_host = rows[i].kind == cudaMemcpyHostToHost, within = rows[i].kind == cudaMemcpyDeviceToDevice;
            const double us = on_host ? 0 : within ? within_us : copy_us;
            FINE(cudaDeviceSynchronize());
            record(bench.events[0], bench.aside);
            FINE(copy_by(call, rows[i].to, rows[i].from, rows[i].kind));
            record(bench.events[1], bench.aside); /* when the program got here */
            record(bench.events[2], NULL);        /* when the copy ended */
            ck_assert_msg(near(between(bench.events[0], bench.events[2]), us), "row %zu, call %d", i, call);
            const bool waits = !within && (call < 3 || rows[i].pageable);
            ck_assert_msg(near(between(bench.events[0], bench.events[1]), waits ? us : 0), "row %zu, call %d", i, call);
        }
}
END_TEST

START_TEST(fills_take_the_writes_of_a_copy_and_hold_nobody_up)
{
    Bench bench = bench_new();
    const Profile *h200 = profile_find("h200", NULL);
    const double us = (model_copy_time_us(h200, 0) + model_copy_time_us(h200, BYTES)) / 2;
    FINE(cudaMemset(bench.p, 7, BYTES));
    for (int call = 0; call < 3; call++) {
        FINE(cudaDeviceSynchronize());
        record(bench.events[0], bench.aside);
        if (call == 0) FINE(cudaMemset(bench.p, 7, BYTES)); /* which changes nothing */
        if (call == 1) FINE(cudaMemset2D(bench.p, 1024, 1, 1024, 1024));
        if (call == 2) FINE(cudaMemset3D(make_cudaPitchedPtr(bench.p, 1024, 1024, 32), 2, make_cudaExtent(1024, 32, 32)));
        record(bench.events[1], bench.aside);
        record(bench.events[2], NULL);
        ck_assert(near(between(bench.events[0], bench.events[1]), 0));
        ck_assert(near(between(bench.events[0], bench.events[2]), us));
    }
    FINE(cudaDeviceSynchronize());
    record(bench.events[0], bench.a);
    FINE(cudaMemsetAsync(bench.p, 3, BYTES, bench.a));
    FINE(cudaMemset2DAsync(bench.q, 1024, 4, 1024, 1024, bench.b));
    record(bench.events[1], bench.b);
    ck_assert(near(between(bench.events[0], bench.events[1]), 2 * us)); /* one after the other: each takes the whole device */
    FINE(cudaDeviceSynchronize());
    record(bench.events[2], NULL);
    FINE(cudaMemset(bench.p, 7, 0));
    record(bench.events[3], NULL);
    ck_assert(near(between(bench.events[2], bench.events[3]), 0));
}
END_TEST

/* A pageable copy waits for its engine before it holds the program up. */
START_TEST(a_pageable_copy_waits_behind_others)
{
    static char host[BYTES];
    Bench bench = bench_new();
    record(bench.events[0], bench.aside);
    up(bench.a, &bench);
    FINE(cudaMemcpyAsync(bench.p, host, BYTES, cudaMemcpyHostToDevice, bench.b));
    record(bench.events[1], bench.aside);
    ck_assert(near(between(bench.events[0], bench.events[1]), 2 * copy_us));
    FINE(cudaMemcpyAsync(host, bench.p, BYTES, cudaMemcpyDeviceToHost, bench.b)); /* another engine, long idle */
    record(bench.events[2], bench.aside);
    ck_assert(near(between(bench.events[0], bench.events[2]), 3 * copy_us));
}
END_TEST

START_TEST(the_timeline_by_hand)
{
    Clock clock = {0};
    /* two kernels: the first fills a quarter of the device, and lets the second begin after a quarter of its time */
    ck_assert_double_eq(clock_run(&clock, 10, (Duration){ENGINE_KERNELS, 8, 0.25}), 18);
    ck_assert_double_eq(clock.free[ENGINE_KERNELS], 12);
    ck_assert_double_eq(clock_run(&clock, 0, (Duration){ENGINE_KERNELS, 5, 1}), 17);
    ck_assert_double_eq(clock.free[ENGINE_KERNELS], 17);
    ck_assert_double_eq(clock_run(&clock, 3, (Duration){ENGINE_TO_DEVICE, 2, 1}), 5); /* another engine */
    ck_assert_double_eq(clock_run(&clock, 4, (Duration){ENGINE_NONE, 100, 1}), 104);  /* none */
    ck_assert_double_eq(clock_run(&clock, 4, (Duration){ENGINE_NONE, 1, 1}), 5);
    clock_wait(&clock, 7);
    clock_wait(&clock, 6);
    ck_assert_double_eq(clock.host, 7);
    clock_count(&clock, (Duration){ENGINE_TO_DEVICE, 2, 1}, 100);
    clock_count(&clock, (Duration){ENGINE_TO_DEVICE, 3, 1}, 10);
    clock_count(&clock, (Duration){ENGINE_FROM_DEVICE, 4, 1}, 1);
    ck_assert(clock.copies[ENGINE_TO_DEVICE] == 2 && clock.copied_bytes[ENGINE_TO_DEVICE] == 110 &&
              clock.copied[ENGINE_TO_DEVICE] == 5);
    ck_assert(clock.copies[ENGINE_FROM_DEVICE] == 1 && clock.copies[ENGINE_KERNELS] == 0);
    const Profile *t4 = profile_find("t4", NULL); /* 16 GB/s each way */
    ck_assert_double_eq(clock_copy_us(t4, ENGINE_TO_DEVICE, 32000), 2);
    ck_assert_double_eq(clock_copy_us(t4, ENGINE_FROM_DEVICE, 160000), 10);
    ck_assert_double_eq(clock_copy_us(t4, ENGINE_NONE, 32000), 0);
    ck_assert_double_eq(clock_copy_us(t4, ENGINE_KERNELS, 32000), model_copy_time_us(t4, 32000));
}
END_TEST

/* A grid of more blocks than there are places keeps others out; shared memory leaves fewer places. */
START_TEST(room_is_what_the_resident_blocks_leave)
{
    static const struct {
        unsigned blocks, threads, shared_bytes;
        double share;
    } rows[] = {{132, 1024, 0, 0.5},
                {264, 1024, 0, 1},
                {1000, 1024, 0, 1},
                {132, 32, 0, 1.0 / 32},
                {132, 32, 48 << 10, 1.0 / 4}}; /* 228 KiB hold 49 KiB four times */
    Bench bench = bench_new();
    unsigned value = 1, n = NUMBERS;
    void *arguments[] = {&bench.p, &value, &n};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        FINE(cudaDeviceSynchronize());
        record(bench.events[0], bench.a);
        FINE(cudaLaunchKernel((const void *)fill, (dim3){rows[i].blocks, 1, 1}, (dim3){rows[i].threads, 1, 1}, arguments,
                              rows[i].shared_bytes, bench.a));
        record(bench.events[1], bench.a);
        FINE(cudaLaunchKernel((const void *)fill, (dim3){rows[i].blocks, 1, 1}, (dim3){rows[i].threads, 1, 1}, arguments,
                              rows[i].shared_bytes, bench.b));
        record(bench.events[2], bench.b);
        double alone = between(bench.events[0], bench.events[1]), both = between(bench.events[0], bench.events[2]);
        ck_assert_msg(near(both, alone * (1 + rows[i].share)), "row %zu: %f of %f", i, both / alone - 1, rows[i].share);
    }
}
END_TEST

/* --- host functions --- */

static int order[8], calls;
static cudaError_t within;

static void note_call(void *data) {
    order[calls++] = *(int *)data;
    within = cudaFree(NULL);
}

static void note_callback(cudaStream_t stream, cudaError_t status, void *data) {
    ck_assert_ptr_nonnull(stream);
    ck_assert_int_eq(status, cudaSuccess);
    order[calls++] = *(int *)data;
}

START_TEST(host_functions_run_in_order_and_may_not_use_the_device)
{
    static int one = 1, two = 2;
    Bench bench = bench_new();
    FINE(cudaLaunchHostFunc(bench.a, note_call, &one));
    FINE(cudaStreamAddCallback(bench.a, note_callback, &two, 0));
    FINE(cudaStreamSynchronize(bench.a));
    ck_assert_int_eq(calls, 2);
    ck_assert_int_eq(order[0], 1);
    ck_assert_int_eq(order[1], 2);
    GIVES(cudaErrorNotPermitted, within);
    FINE(cudaFree(NULL));
}
END_TEST

/* What another thread destroys while a host function runs. */
typedef struct Doomed {
    cudaStream_t stream;
    cudaGraphExec_t executable; /* or NULL */
    cudaError_t destroyed;
} Doomed;

static void *destroy(void *data) {
    Doomed *doomed = data;
    doomed->destroyed = cudaStreamDestroy(doomed->stream);
    if (doomed->executable && !doomed->destroyed) doomed->destroyed = cudaGraphExecDestroy(doomed->executable);
    return NULL;
}

static void let_destroy(void *data) {
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, destroy, data), 0);
    pthread_join(thread, NULL);
}

/* The work that was given before is still done; AddressSanitizer (SAN=1) sees it when what it is done with has gone. */
START_TEST(what_is_destroyed_while_a_host_function_runs_lasts_until_its_end)
{
    Doomed doomed = {0};
    cudaGraph_t graph;
    void *p = device_memory(4);
    FINE(cudaStreamCreate(&doomed.stream));
    FINE(cudaLaunchHostFunc(doomed.stream, let_destroy, &doomed));
    FINE(doomed.destroyed);
    GIVES(cudaErrorInvalidResourceHandle, cudaStreamQuery(doomed.stream));
    FINE(cudaStreamCreate(&doomed.stream));
    FINE(cudaStreamBeginCapture(doomed.stream, cudaStreamCaptureModeRelaxed));
    FINE(cudaLaunchHostFunc(doomed.stream, let_destroy, &doomed));
    FINE(cudaMemsetAsync(p, 1, 4, doomed.stream));
    FINE(cudaStreamEndCapture(doomed.stream, &graph));
    FINE(cudaGraphInstantiate(&doomed.executable, graph, 0));
    FINE(cudaGraphLaunch(doomed.executable, doomed.stream));
    FINE(doomed.destroyed);
    ck_assert_uint_eq(first_of(p), 0x01010101);
    GIVES(cudaErrorInvalidValue, cudaGraphExecDestroy(doomed.executable));
}
END_TEST

/* --- errors --- */

START_TEST(streams_are_judged)
{
    int priority, least, greatest;
    unsigned flags;
    cudaStream_t stream;
    FINE(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    ck_assert_int_lt(greatest, least);
    FINE(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -100));
    FINE(cudaStreamGetPriority(stream, &priority));
    ck_assert_int_eq(priority, greatest);
    FINE(cudaStreamGetFlags(stream, &flags));
    ck_assert_uint_eq(flags, cudaStreamNonBlocking);
    FINE(cudaStreamQuery(stream));
    FINE(cudaStreamDestroy(stream));
    FINE(cudaStreamSynchronize(cudaStreamPerThread));
    FINE(cudaStreamSynchronize(cudaStreamLegacy));
    FINE(cudaStreamGetFlags(NULL, &flags));
    ck_assert_uint_eq(flags, cudaStreamDefault);
}
END_TEST

START_TEST(events_are_judged)
{
    float ms;
    cudaEvent_t event, other, untimed, gone;
    cudaStream_t stream;
    FINE(cudaStreamCreate(&stream));
    GIVES(cudaErrorInvalidValue, cudaEventCreateWithFlags(&event, cudaEventInterprocess));
    FINE(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
    FINE(cudaEventDestroy(event));
    FINE(cudaEventCreate(&event));
    FINE(cudaEventCreateWithFlags(&other, cudaEventBlockingSync));
    FINE(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    FINE(cudaEventQuery(event)); /* nothing recorded, nothing to wait for */
    FINE(cudaEventSynchronize(event));
    FINE(cudaEventRecord(event, stream));
    FINE(cudaEventRecord(untimed, stream));
    GIVES(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, event, other));
    GIVES(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, event, untimed));
    FINE(cudaEventRecordWithFlags(other, stream, cudaEventRecordDefault));
    GIVES(cudaErrorNotReady, cudaEventElapsedTime(&ms, event, other));
    FINE(cudaEventSynchronize(other));
    FINE(cudaEventElapsedTime(&ms, event, other));
    gone = other;
    FINE(cudaEventDestroy(other));
    GIVES(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, event, gone));
}
END_TEST

/* CUDA C++ Programming Guide, "Default Stream": the legacy one and blocking streams wait for each other, a non-blocking stream and two of their own for
 * none; also of a stream that has been destroyed. What is not ordered and fills the same memory is told. Each pair is made by calls of its own. */
#define PAIR(first, gone, second, races)                      \
    do {                                                      \
        FINE(cudaMemsetAsync(p, 1, 64, first));               \
        if (gone) FINE(cudaStreamDestroy(first));             \
        FILE *heard = listen();                               \
        FINE(cudaMemsetAsync(p, 2, 64, second));              \
        said(heard, races ? "warpscope: stream race: " : ""); \
        FINE(cudaDeviceSynchronize());                        \
    } while (0)

START_TEST(streams_that_do_not_wait_for_each_other_race)
{
    cudaStream_t a, b, free_one, other_free;
    void *p = device_memory(64);
    FINE(cudaStreamCreate(&a));
    FINE(cudaStreamCreate(&b));
    FINE(cudaStreamCreateWithFlags(&free_one, cudaStreamNonBlocking));
    FINE(cudaStreamCreateWithFlags(&other_free, cudaStreamNonBlocking));
    PAIR(a, false, a, false);
    PAIR(a, false, NULL, false);
    PAIR(NULL, false, a, false);
    PAIR(a, false, b, true);
    PAIR(free_one, false, free_one, false);
    PAIR(free_one, false, NULL, true);
    PAIR(NULL, false, free_one, true);
    PAIR(free_one, false, a, true);
    PAIR(a, false, free_one, true);
    PAIR(free_one, false, other_free, true);
    PAIR(a, true, NULL, false);
    PAIR(free_one, true, NULL, true);
    PAIR(b, true, other_free, true);
}
END_TEST

START_TEST(what_comes_of_a_race_of_streams_is_not_told_as_well)
{
    cudaStream_t a, b;
    void *p = device_memory(64);
    FINE(cudaStreamCreate(&a));
    FINE(cudaStreamCreate(&b));
    FINE(cudaMemsetAsync(p, 1, 64, a));
    FILE *heard = listen();
    FINE(cudaMemsetAsync(p, 2, 64, b));
    said(heard, "warpscope: stream race: ");
    heard = listen();
    FINE(cudaMemsetAsync(p, 3, 64, b));
    FINE(cudaDeviceSynchronize());
    said(heard, "");
}
END_TEST

RUNTIME_MAIN("runtime clock", streams_that_do_not_wait_for_each_other_race, what_comes_of_a_race_of_streams_is_not_told_as_well,
             synchronous_and_pageable_copies_hold_the_program_up, fills_take_the_writes_of_a_copy_and_hold_nobody_up,
             a_pageable_copy_waits_behind_others, the_timeline_by_hand, room_is_what_the_resident_blocks_leave,
             an_event_waits_for_the_work_before_it, an_empty_kernel_takes_what_one_was_measured_to_take,
             a_kernel_and_copies_of_both_directions_overlap, copies_of_one_direction_follow_one_another,
             the_work_of_a_destroyed_stream_is_waited_for, pageable_memory_holds_the_program_up,
             the_legacy_stream_waits_for_blocking_ones_and_they_for_it, the_legacy_stream_does_not_wait_for_a_non_blocking_one,
             a_stream_waits_for_an_event_of_another, waiting_moves_the_programs_clock,
             kernels_share_the_device_as_far_as_there_is_room, host_functions_run_in_order_and_may_not_use_the_device,
             what_is_destroyed_while_a_host_function_runs_lasts_until_its_end, streams_are_judged, events_are_judged)
