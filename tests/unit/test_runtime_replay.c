/* Which launches are not executed again: those that must come to the same. Told from the JSON, where they say "replayed". */
#include "runtime_test.h"

enum { N = 1000 };

static char json_path[SUITE_PATH];

static void *start(void) {
    suite_file(json_path, "launches.json");
    setenv("WARPSCOPE_JSON", json_path, 1);
    runtime_register();
    void *p = device_memory(4 * N);
    FINE(cudaMemset(p, 0, 4 * N));
    return p;
}

/* "xr": the launches so far, x executed, r replayed. */
static const char *launches(void) {
    static char text[128];
    json_error_t error;
    json_t *array = json_load_file(json_path, 0, &error), *launch;
    size_t i;
    ck_assert_msg(array, "%s", error.text);
    memset(text, 0, sizeof text);
    json_array_foreach(array, i, launch) text[i] = json_object_get(launch, "replayed") ? 'r' : 'x';
    json_decref(array);
    return text;
}

static void done(const char *expected) { ck_assert_str_eq(launches(), expected); }

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
        FINE(cudaDeviceSynchronize());
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

/* A clock in a function that the kernel may call forbids a replay; one in another kernel does not. Each of the special registers. */
START_TEST(whoever_may_read_a_clock_is_never_replayed)
{
    static const struct {
        const char *type, *name;
        bool clock;
    } specials[] = {{"u32", "%clock", true},       {"u32", "%clock_hi", true},       {"u64", "%clock64", true},
                    {"u64", "%globaltimer", true}, {"u32", "%globaltimer_lo", true}, {"u32", "%globaltimer_hi", true},
                    {"u32", "%smid", false},       {"u32", "%nsmid", false}};
    static const char stubs[sizeof specials / sizeof *specials][3]; /* two kernels' handles each */
    char expected[64] = "";
    start();
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        char *text = calloc(1, 2000);
        /* the first in its text; by a call; beside one */
        snprintf(
            text, 2000,
            ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry own() { .reg .%s %%r; mov.%s %%r, %s; ret; }\n",
            specials[i].type, specials[i].type, specials[i].name);
        static FatbinWrapper wrappers[2][8];
        wrappers[0][i] = (FatbinWrapper){.magic = FATBIN_WRAPPER_MAGIC, .version = 1, .data = text};
        void **handle = __cudaRegisterFatBinary(&wrappers[0][i]);
        __cudaRegisterFunction(handle, stubs[i] + 1, NULL, "own", -1, NULL, NULL, NULL, NULL, NULL);
        text = calloc(1, 2000);
        snprintf(
            text, 2000,
            ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry with() { .reg .%s %%r; mov.%s %%r, %s; ret; }\n"
            ".visible .entry beside() { ret; }\n",
            specials[i].type, specials[i].type, specials[i].name);
        wrappers[1][i] = (FatbinWrapper){.magic = FATBIN_WRAPPER_MAGIC, .version = 1, .data = text};
        handle = __cudaRegisterFatBinary(&wrappers[1][i]);
        __cudaRegisterFunction(handle, stubs[i] + 2, NULL, "beside", -1, NULL, NULL, NULL, NULL, NULL);
        for (int offset = 1; offset <= 2; offset++)
            for (int twice = 0; twice < 2; twice++)
                FINE(cudaLaunchKernel(stubs[i] + offset, (dim3){1, 1, 1}, (dim3){1, 1, 1}, NULL, 0, NULL));
        strcat(expected, specials[i].clock ? "xxxr" : "xrxr");
    }
    done(expected);
}
END_TEST

/* The first instruction of the function behind the kernel is none of the kernel's; the only operand of an instruction may be a clock. */
START_TEST(a_clock_counts_in_the_kernel_alone_and_as_any_operand)
{
    static const char text[] = ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry before() { ret; }\n"
                               ".visible .entry clock() { .reg .u32 %r; mov.u32 %r, %clock; ret; }\n"
                               ".visible .entry sleeps() { nanosleep.u32 %clock; ret; }\n";
    static const char *const names[] = {"before", "sleeps"};
    static FatbinWrapper wrapper = {.magic = FATBIN_WRAPPER_MAGIC, .version = 1, .data = text};
    start();
    void **handle = __cudaRegisterFatBinary(&wrapper);
    const char *stub = (const char *)unknown_kernel;
    for (int k = 0; k < 2; k++) __cudaRegisterFunction(handle, stub + k, NULL, names[k], -1, NULL, NULL, NULL, NULL, NULL);
    for (int i = 0; i < 4; i++) FINE(cudaLaunchKernel(stub + i / 2, (dim3){1, 1, 1}, (dim3){1, 1, 1}, NULL, 0, NULL));
    done("xrxx");
}
END_TEST

START_TEST(a_clock_in_a_function_beside_the_kernel_counts)
{
    static const char text[] =
        ".version 8.0\n.target sm_75\n.address_size 64\n.func f() { ret; }\n"
        ".func late() { .reg .u32 %r; mov.u32 %r, %clock; ret; }\n.visible .entry own() { call late; ret; }\n";
    static FatbinWrapper wrapper = {.magic = FATBIN_WRAPPER_MAGIC, .version = 1, .data = text};
    start();
    __cudaRegisterFunction(__cudaRegisterFatBinary(&wrapper), (const char *)unknown_kernel, NULL, "own", -1, NULL, NULL, NULL,
                           NULL, NULL);
    for (int i = 0; i < 2; i++) FINE(launch_in(NULL, unknown_kernel, 1, 1, NULL));
    done("xx");
}
END_TEST

/* What a kernel prints would be missing, and so would what is said of a race; of memory that nothing wrote it is said once anyway. */
START_TEST(a_launch_with_something_to_say_is_not_replayed)
{
    static const char text[] =
        ".version 8.0\n.target sm_75\n.address_size 64\n.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
        ".global .align 1 .b8 hi[] = {104, 105, 10, 0};\n"
        ".visible .entry print() {\n.reg .b64 %d<4>;\nmov.u64 %d1, hi; cvta.global.u64 %d2, %d1; mov.u64 %d3, 0;\n"
        "{ .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %d2; st.param.b64 [a], %d3;\n"
        "call.uni (r), vprintf, (f, a); }\n ret;\n}\n"
        ".visible .entry race(.param .u64 p) {\n.reg .b32 %r; .reg .b64 %d;\n"
        "ld.param.u64 %d, [p]; mov.u32 %r, %ctaid.x; st.global.u32 [%d], %r; ret;\n}\n";
    static FatbinWrapper wrapper = {.magic = FATBIN_WRAPPER_MAGIC, .version = 1, .data = text};
    void *p = start(), *unwritten = device_memory(4), *arguments[] = {&p};
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, (const char *)unknown_kernel, NULL, "print", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(handle, (const char *)unknown_kernel + 1, NULL, "race", -1, NULL, NULL, NULL, NULL, NULL);
    FILE *heard = listen();
    for (int i = 0; i < 2; i++) {
        FINE(launch_in(NULL, unknown_kernel, 1, 1, NULL));
        FINE(cudaLaunchKernel((const char *)unknown_kernel + 1, (dim3){2, 1, 1}, (dim3){1, 1, 1}, arguments, 0, NULL));
    }
    FINE(launch_copy(p, unwritten, 1));
    FINE(launch_copy(p, unwritten, 1));
    fclose(heard);
    done("xxxxxr");
}
END_TEST

/* 64 are remembered: the one that was used longest ago gives way. */
START_TEST(as_many_launches_are_remembered_as_fit)
{
    void *p[66];
    char expected[100];
    start();
    for (int i = 0; i < 66; i++) p[i] = device_memory(4);
    for (int i = 0; i < 64; i++) FINE(launch_fill(p[i], 7, 1));
    FINE(launch_fill(p[0], 7, 1)); /* all 64 are: the first as well, which is now the latest */
    FINE(launch_fill(p[64], 7, 1));
    FINE(launch_fill(p[1], 7, 1)); /* gave way, and takes the place of 2 */
    FINE(launch_fill(p[0], 7, 1));
    FINE(launch_fill(p[3], 7, 1));
    FINE(launch_fill(p[2], 7, 1));
    memset(expected, 'x', 64);
    strcpy(expected + 64, "rxxrrx");
    done(expected);
}
END_TEST

START_TEST(whatever_differs_makes_another_launch)
{
    void *p = start(), *q = device_memory(4), *arguments[] = {&p}, *others[] = {&q}; /* a kernel that touches nothing */
    for (int i = 0; i < 2; i++) {
        FINE(cudaLaunchKernel((const void *)bounded, (dim3){2, 1, 1}, (dim3){4, 1, 1}, arguments, 0, NULL));
        FINE(cudaLaunchKernel((const void *)bounded, (dim3){2, 1, 1}, (dim3){4, 1, 1}, arguments, 16, NULL));
        FINE(cudaLaunchCooperativeKernel((const void *)bounded, (dim3){2, 1, 1}, (dim3){4, 1, 1}, arguments, 0, NULL));
        FINE(cudaLaunchKernel((const void *)bounded, (dim3){1, 1, 2}, (dim3){4, 1, 1}, arguments, 0, NULL));
        FINE(cudaLaunchKernel((const void *)bounded, (dim3){2, 1, 1}, (dim3){1, 1, 4}, arguments, 0, NULL));
        FINE(cudaLaunchKernel((const void *)bounded, (dim3){2, 1, 1}, (dim3){4, 1, 1}, others, 0, NULL));
    }
    done("xxxxxxrrrrrr");
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

/* What the host has set a launch may ask for, and run by. */
START_TEST(after_something_is_set_to_another_value_launches_are_executed)
{
    void *p = start();
    size_t stack;
    FINE(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
    for (int i = 0; i < 2; i++) FINE(launch_fill(p, 7, N));
    FINE(cudaDeviceSetLimit(cudaLimitStackSize, stack));
    FINE(launch_fill(p, 7, N));
    FINE(cudaDeviceSetLimit(cudaLimitStackSize, 2 * stack));
    for (int i = 0; i < 2; i++) FINE(launch_fill(p, 7, N));
    for (int i = 0; i < 2; i++) {
        FINE(cudaFuncSetAttribute((const void *)fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 1000));
        FINE(launch_fill(p, 7, N));
    }
    FINE(cudaFuncSetAttribute((const void *)fill, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
    FINE(launch_fill(p, 7, N));
    done("xrrxrxrx");
}
END_TEST

RUNTIME_MAIN("runtime replay", after_something_is_set_to_another_value_launches_are_executed,
             a_launch_with_something_to_say_is_not_replayed, whoever_may_read_a_clock_is_never_replayed,
             a_clock_counts_in_the_kernel_alone_and_as_any_operand, a_clock_in_a_function_beside_the_kernel_counts,
             as_many_launches_are_remembered_as_fit, whatever_differs_makes_another_launch,
             a_launch_repeated_is_not_executed_again, a_replayed_launch_counts_as_the_first_did,
             another_argument_shape_or_kernel_is_another_launch, launches_in_turns_are_replayed_while_their_memory_stays,
             an_input_that_changed_is_read_again, a_copy_of_the_same_bytes_changes_nothing,
             an_output_that_changed_is_written_again, what_is_read_and_written_is_never_replayed,
             memory_that_the_host_can_change_is_never_replayed, a_clock_is_never_replayed,
             memory_freed_and_allocated_anew_is_other_memory, variables_count_as_memory, it_can_be_turned_off)
