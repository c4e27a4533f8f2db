/* Which launches are not executed again: those that must come to the same. Told from the JSON, where they say "replayed". */
#include "runtime_test.h"

enum { N = 1000 };

static char json_path[64];

static void *start(void) {
    snprintf(json_path, sizeof json_path, "/tmp/replay-test-%d.json", (int)getpid());
    setenv("WARPSCOPE_JSON", json_path, 1);
    runtime_register();
    void *p = device_memory(4 * N);
    FINE(cudaMemset(p, 0, 4 * N));
    return p;
}

/* "xr": the launches so far, x executed, r replayed. */
static const char *launches(void) {
    static char text[64];
    json_error_t error;
    json_t *array = json_load_file(json_path, 0, &error), *launch;
    size_t i;
    ck_assert_msg(array, "%s", error.text);
    memset(text, 0, sizeof text);
    json_array_foreach(array, i, launch) text[i] = json_object_get(launch, "replayed") ? 'r' : 'x';
    json_decref(array);
    return text;
}

static void done(const char *expected) {
    ck_assert_str_eq(launches(), expected);
    unlink(json_path);
}

START_TEST(a_launch_repeated_is_not_executed_again)
{
    void *p = start();
    for (int i = 0; i < 3; i++) FINE(launch_fill(p, 7, N));
    ck_assert_uint_eq(first_of(p), 7);
    done("xrr");
}
END_TEST

START_TEST(a_replayed_launch_counts_as_the_first_did)
{
    void *p = start();
    FINE(launch_fill(p, 7, N));
    FINE(launch_fill(p, 7, N));
    json_t *array = json_load_file(json_path, 0, NULL), *first = json_array_get(array, 0), *second = json_array_get(array, 1);
    static const char *const same[] = {"kernel", "grid", "block", "instructions", "thread_instructions",
                                       "global", "l2",   "dram",  "model",        "lines"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        ck_assert_msg(json_equal(json_object_get(first, same[i]), json_object_get(second, same[i])), "%s differs", same[i]);
    ck_assert_ptr_nonnull(json_object_get(first, "host"));
    ck_assert_ptr_null(json_object_get(second, "host"));
    json_decref(array);
    done("xr");
}
END_TEST

START_TEST(another_argument_shape_or_kernel_is_another_launch)
{
    void *p = start(), *q = device_memory(4 * N);
    unsigned value = 7, n = N;
    void *arguments[] = {&p, &value, &n};
    FINE(launch_fill(p, 7, N));
    FINE(launch_fill(p, 8, N));
    FINE(launch_fill(p, 7, N));
    ck_assert_uint_eq(first_of(p), 7);
    FINE(launch_in(NULL, fill, 4, 256, arguments));
    FINE(launch_fill(q, 7, N));
    done("xxxxx");
}
END_TEST

START_TEST(launches_in_turns_are_replayed_while_their_memory_stays)
{
    void *p = start(), *q = device_memory(4 * N), *r = device_memory(4 * N);
    for (int i = 0; i < 3; i++) {
        FINE(launch_fill(p, 7, N));
        FINE(launch_copy(q, p, N));
        FINE(launch_copy(r, q, N));
    }
    ck_assert_uint_eq(first_of(r), 7);
    done("xxxrrrrrr");
}
END_TEST

START_TEST(an_input_that_changed_is_read_again)
{
    unsigned value = 9;
    void *p = start(), *q = device_memory(4 * N);
    FINE(launch_copy(q, p, N));
    FINE(cudaMemcpy(p, &value, 4, cudaMemcpyHostToDevice));
    FINE(launch_copy(q, p, N));
    ck_assert_uint_eq(first_of(q), 9);
    FINE(cudaMemset(p, 1, 4));
    FINE(launch_copy(q, p, N));
    ck_assert_uint_eq(first_of(q), 0x01010101);
    FINE(launch_fill(p, 3, N));
    FINE(launch_copy(q, p, N));
    ck_assert_uint_eq(first_of(q), 3);
    done("xxxxx");
}
END_TEST

START_TEST(a_copy_of_the_same_bytes_changes_nothing)
{
    static unsigned zeros[N];
    void *p = start(), *q = device_memory(4 * N);
    FINE(launch_copy(q, p, N));
    FINE(cudaMemcpy(p, zeros, sizeof zeros, cudaMemcpyHostToDevice));
    FINE(cudaMemset(p, 0, 4 * N));
    FINE(launch_copy(q, p, N));
    done("xr");
}
END_TEST

START_TEST(an_output_that_changed_is_written_again)
{
    void *p = start();
    FINE(launch_fill(p, 7, N));
    FINE(cudaMemset((char *)p + 8, 1, 4));
    FINE(launch_fill(p, 7, N));
    unsigned value;
    FINE(cudaMemcpy(&value, (char *)p + 8, 4, cudaMemcpyDeviceToHost));
    ck_assert_uint_eq(value, 7);
    done("xx");
}
END_TEST

START_TEST(what_is_read_and_written_is_never_replayed)
{
    void *p = start();
    for (int i = 0; i < 3; i++) FINE(launch_raise(p, N));
    ck_assert_uint_eq(first_of(p), 3);
    done("xxx");
}
END_TEST

START_TEST(memory_that_the_host_can_change_is_never_replayed)
{
    unsigned *managed, *pinned;
    void *p = start();
    FINE(cudaMallocManaged((void **)&managed, 4 * N, cudaMemAttachGlobal));
    FINE(cudaMallocHost((void **)&pinned, 4 * N));
    for (unsigned i = 0; i < 2; i++) {
        managed[0] = pinned[0] = i;
        FINE(launch_copy(p, managed, N));
        FINE(launch_copy(p, pinned, N));
        FINE(launch_fill(managed, 5, 1));
    }
    ck_assert_uint_eq(first_of(p), 1);
    done("xxxxxx");
}
END_TEST

START_TEST(a_clock_is_never_replayed)
{
    void *p = start(), *arguments[] = {&p};
    FINE(launch_in(NULL, ticks, 1, 1, arguments));
    FINE(launch_in(NULL, ticks, 1, 1, arguments));
    done("xx");
}
END_TEST

START_TEST(memory_freed_and_allocated_anew_is_other_memory)
{
    void *p = start();
    FINE(launch_fill(p, 7, N));
    FINE(cudaFree(p));
    p = device_memory(4 * N);
    FINE(launch_fill(p, 7, N));
    ck_assert_uint_eq(first_of(p), 7);
    done("xx");
}
END_TEST

START_TEST(variables_count_as_memory)
{
    unsigned value = 50;
    void *p = start(), *arguments[] = {&p};
    FINE(launch_in(NULL, variables, 1, 1, arguments));
    FINE(cudaMemcpyToSymbol(&total, &value, 4, 0, cudaMemcpyHostToDevice));
    FINE(launch_in(NULL, variables, 1, 1, arguments));
    ck_assert_uint_eq(first_of(p), 51 * 3);
    done("xx");
}
END_TEST

START_TEST(it_can_be_turned_off)
{
    setenv("WARPSCOPE_REPLAY", "off", 1);
    void *p = start();
    FINE(launch_fill(p, 7, N));
    FINE(launch_fill(p, 7, N));
    done("xx");
}
END_TEST

RUNTIME_MAIN("runtime replay", a_launch_repeated_is_not_executed_again, a_replayed_launch_counts_as_the_first_did,
             another_argument_shape_or_kernel_is_another_launch, launches_in_turns_are_replayed_while_their_memory_stays,
             an_input_that_changed_is_read_again, a_copy_of_the_same_bytes_changes_nothing,
             an_output_that_changed_is_written_again, what_is_read_and_written_is_never_replayed,
             memory_that_the_host_can_change_is_never_replayed, a_clock_is_never_replayed,
             memory_freed_and_allocated_anew_is_other_memory, variables_count_as_memory, it_can_be_turned_off)
