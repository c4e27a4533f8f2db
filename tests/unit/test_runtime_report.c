/* What a whole program says when it ends, and as what it ends: the report on standard error, the JSON, the exit status. Each program is a
 * function, which runs in a process of its own. Of times, which are the model's, only the order counts. */
#include "whole_program.h"

/* print: "hi" by each thread.   asserts: assert(x < 3), which fails in one thread.   newer: takes compute capability 10.0.   uninitialised:
 * reads local memory that nothing wrote. */
#define STRING(name, ...) ".global .align 1 .b8 " name "[] = {" #__VA_ARGS__ ", 0};\n"
#define ONLY(special, value) "mov.u32 %r1, %" #special "; setp.ne.u32 %p, %r1, " #value "; @%p bra done;\n"
static const char more_ptx[] =
    ".version 8.8\n.target sm_75\n.address_size 64\n"
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
    ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);\n" STRING(
        "text", 104, 105, 10) STRING("condition", 120, 32, 60, 32, 51) STRING("file", 97, 46, 99, 117)
        STRING("function", 102, 40, 105, 110, 116,
               41) ".visible .entry print() {\n.reg .b64 %rd<4>; .reg .b32 %r<4>;\n"
                   "mov.u64 %rd1, text; cvta.global.u64 %rd2, %rd1; mov.u64 %rd3, 0;\n"
                   "{ .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %rd2; st.param.b64 [a], %rd3;\n"
                   "call.uni (r), vprintf, (f, a); ld.param.b32 %r1, [r]; }\n ret;\n}\n"
                   ".visible .entry asserts() {\n.reg .b64 %rd<9>; .reg .b32 %r<4>; .reg .pred %p;\n" ONLY(ctaid.x, 1)
                       ONLY(ctaid.y, 2) ONLY(ctaid.z, 3) ONLY(tid.x, 4) ONLY(tid.y, 5) ONLY(
                           tid.z,
                           6) "mov.u64 %rd1, condition; cvta.global.u64 %rd2, %rd1; mov.u64 %rd3, file; cvta.global.u64 %rd4, "
                              "%rd3;\n"
                              "mov.u64 %rd5, function; cvta.global.u64 %rd6, %rd5; mov.u64 %rd7, 1; mov.u32 %r1, 7;\n"
                              "{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e; st.param.b64 [a], "
                              "%rd2;\n"
                              "st.param.b64 [b], %rd4; st.param.b32 [c], %r1; st.param.b64 [d], %rd6; st.param.b64 [e], %rd7;\n"
                              "call.uni __assertfail, (a, b, c, d, e); }\ndone: ret;\n}\n"
                              ".visible .entry newer(.param .u64 p) {\n.reg .b64 d; ld.param.u64 d, [p]; ld.global.v4.u64 {d, "
                              "d, d, d}, "
                              "[d]; ret;\n}\n"
                              ".visible .entry newest(.param .u64 p) {\n.reg .b64 d; ld.param.u64 d, [p]; st.global.v4.u64 "
                              "[d], {d, d, d, d}; ret;\n}\n"
                              ".visible .entry uninitialised(.param .u64 p) {\n.local .align 4 .b32 x;\n.reg .b32 r; .reg .b64 "
                              "d;\n"
                              "ld.param.u64 d, [p]; ld.local.u32 r, [x]; st.global.u32 [d], r; ret;\n}\n";

static void print(void) {}
static void asserts(void) {}
static void newer(void) {}
static void newest(void) {}
static void uninitialised(void) {}

static void more_register(void) {
    static FatbinWrapper wrapper = {.magic = FATBIN_WRAPPER_MAGIC, .version = 1, .data = more_ptx};
    static const struct {
        void (*stub)(void);
        const char *name;
    } kernels[] = {
        {print, "print"}, {asserts, "asserts"}, {newer, "newer"}, {newest, "newest"}, {uninitialised, "uninitialised"}};
    void **handle = __cudaRegisterFatBinary(&wrapper);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        __cudaRegisterFunction(handle, (const char *)kernels[i].stub, NULL, kernels[i].name, -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFatBinaryEnd(handle);
}

/* --- exit statuses --- */

static int does_nothing(void) { return cudaFree(NULL) != cudaSuccess; }

static int out_of_bounds(void) {
    runtime_register();
    void *p = device_memory(400);
    launch_fill(p, 7, 101);
    launch_fill(p, 8, 102); /* a warp of two threads: once more */
    return 0;
}
static int out_of_bounds_and_asks(void) {
    out_of_bounds();
    return cudaGetLastError() == cudaSuccess;
}
static int out_of_bounds_once(void) {
    runtime_register();
    launch_fill(device_memory(400), 7, 101);
    return 0;
}
static int out_of_bounds_in_three_shapes(void) {
    runtime_register();
    void *p = device_memory(400);
    for (unsigned blocks = 1; blocks <= 3; blocks++) launch_fill(p, 7, 128 * (blocks - 1) + 101);
    return 0;
}
static int out_of_bounds_and_fails(void) { return out_of_bounds() + 5; }
static int takes_a_newer_device(void) {
    more_register();
    void *p = device_memory(32), *arguments[] = {&p};
    return launch_in(NULL, newer, 1, 1, arguments) != cudaErrorNotSupported;
}
static int takes_a_newer_device_and_fails(void) { return takes_a_newer_device() + 7; }
/* One kernel for one reason three times, for another twice, another kernel twice, and one once: each of one call. */
static int takes_a_newer_device_again(void) {
    static const uint32_t blocks[] = {1, 1, 1, 0, 0, 1, 1, 0};
    more_register();
    void *p = device_memory(32), *arguments[] = {&p};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        launch_in(NULL, i < 5 ? newer : i < 7 ? newest : print, blocks[i], 1, arguments);
    return 0;
}
/* Blocks of 1025 to 1124 threads, each another reason. */
static int is_refused_for_a_hundred_reasons(void) {
    more_register();
    for (uint32_t i = 0; i < 100; i++) launch_in(NULL, print, 1, 1025 + i, NULL);
    return 0;
}
static int has_machine_code(void) { return launch_coded() != cudaErrorNoKernelImageForDevice; }
static int waits_for_the_host(void) {
    return launch_coded() != cudaSuccess || cudaDeviceSynchronize() != cudaErrorLaunchTimeout;
}
static int has_code_that_cannot_be_read(void) { return launch_coded() != cudaErrorInvalidPtx; }

START_TEST(a_program_that_does_nothing_wrong_ends_as_it_wants_to)
{
    exits(0, does_nothing);
    ck_assert_str_eq(heard, "\nNVIDIA H200: 0 launches\n");
    setenv("WARPSCOPE_ON_FAULT", "report", 1);
    exits(0, does_nothing);
    ck_assert_str_eq(heard, "\nNVIDIA H200: 0 launches\n");
    setenv("WARPSCOPE_REPORT", "gcc", 1);
    exits(0, does_nothing);
    ck_assert_str_eq(heard, "");
    setenv("WARPSCOPE_DEVICE", "", 1); /* as if it were not set */
    exits(0, does_nothing);
    setenv("WARPSCOPE_DEVICE", "gtx", 1);
    exits(2, does_nothing);
    ck_assert_str_eq(heard,
                     "warpscope: WARPSCOPE_DEVICE: there is no device 'gtx'; known are h200, h100, a100, rtx3090, t4, fermi\n");
}
END_TEST

static void told_once(const char *what) {
    const char *first = strstr(heard, what);
    ck_assert_msg(first && !strstr(first + 1, what), "%s\n  does not have once\n%s", heard, what);
}

/* After a fault nothing can be freed, and what was not is no leak. */
START_TEST(a_fault_is_the_programs_to_handle)
{
    exits(0, out_of_bounds_and_asks);
    NOT_HEARD("exit status");
    exits(1, out_of_bounds);
    HEARD("warpscope: fill, grid (1,1,1), block (128,1,1): out of bounds\n");
    HEARD("NVIDIA H200: 1 launch\n");
    HEARD("The counts below cover what ran until the fault.\n");
    told_once("out of bounds"); /* not above the table as well */
    NOT_HEARD("never freed");
    NOT_HEARD("What kernels did wrong");
    HEARD("warpscope: a kernel was stopped, and the program did not ask for its error: the exit status is 1, not 0\n");
}
END_TEST

START_TEST(a_program_that_goes_on_after_faults_ends_with_status_1)
{
    setenv("WARPSCOPE_ON_FAULT", "report", 1);
    setenv("WARPSCOPE_REPORT", "summary", 1);
    exits(1, out_of_bounds);
    HEARD("warpscope: fill, grid (1,1,1), block (128,1,1): out of bounds\n");
    HEARD("\nNVIDIA H200: 2 launches\n");
    HEARD("warpscope: 1 allocation was never freed, 400 bytes: 'cudaMalloc 1' of 400 bytes\n");
    HEARD("\nWhat kernels did wrong, as told above:\n  out of bounds, unknown line, in fill: 2 times in 2 launches\n"
          "warpscope: kernels did something wrong: the exit status is 1, not 0\n");
    told_once(": out of bounds");
    /* once was told above; by 1, 5 and 9 warps of three grids: 101, 229 and 357 threads write 100 elements */
    exits(1, out_of_bounds_once);
    NOT_HEARD("What kernels did wrong");
    exits(1, out_of_bounds_in_three_shapes);
    HEARD("\nWhat kernels did wrong, as told above:\n  out of bounds, unknown line, in fill: 15 times in 3 "
          "launches\nwarpscope: ");
    exits(5, out_of_bounds_and_fails);
    NOT_HEARD("exit status");
}
END_TEST

START_TEST(refused_launches_are_told_up_to_a_number)
{
    setenv("WARPSCOPE_REPORT", "summary", 1);
    exits(0, is_refused_for_a_hundred_reasons);
    told_once("launch of print refused: a block of 1025 ");
    told_once("launch of print refused: a block of 1088 ");
    NOT_HEARD("1089");
    told_once("warpscope: refused launches of further kinds are counted, but not told\n");
    HEARD("warpscope: 36 other launches refused\n");
}
END_TEST

START_TEST(a_program_whose_kernels_are_not_emulated_ends_with_status_3)
{
    exits(3, takes_a_newer_device);
    HEARD("warpscope: launch of newer refused: 'ld' of 32 bytes a lane at line ");
    HEARD(" needs compute capability 10.0 or higher; the NVIDIA H200 has 9.0\n");
    HEARD("warpscope: a kernel or a library could not be emulated, or not to its end: the exit status is 3, not the program's "
          "0\n");
    setenv("WARPSCOPE_ON_FAULT", "report", 1);
    exits(3, takes_a_newer_device);
    exits(7, takes_a_newer_device_and_fails);
    NOT_HEARD("exit status");
    exits(3, takes_a_newer_device_again);
    told_once("launch of newer refused: 'ld' of 32");
    told_once("launch of newer refused: a grid of 0 x 1 x 1");
    told_once("launch of newest refused: 'st' of 32");
    HEARD("warpscope: launch of newer refused 3 times\nwarpscope: launch of newer refused 2 times\n"
          "warpscope: launch of newest refused 2 times\n");
    NOT_HEARD("launch of print refused 1");
    code = "\x7f"
           "ELF";
    exits(3, has_machine_code);
    HEARD("warpscope: a kernel or a library could not be emulated, or not to its end: the exit status is 3, not the program's "
          "0\n");
    code = ".version 8.0\n.target sm_75\n.visible .entry k(";
    exits(3, has_code_that_cannot_be_read);
    HEARD("warpscope: a kernel or a library could not be emulated, or not to its end: the exit status is 3, not the program's "
          "0\n");
    code = ".version 8.0\n.target sm_75\n.address_size 64\n.visible .global .attribute(.managed) .u32 flag;\n"
           ".visible .entry k() {\n.reg .b32 r; .reg .pred p;\n"
           "again: ld.volatile.global.u32 r, [flag]; setp.eq.u32 p, r, 0; @p bra again; ret;\n}\n";
    exits(1, waits_for_the_host);
    HEARD("waits for 'flag'+0 to change,\nwhich the host may set; but the host waits for the launch");
    HEARD("warpscope: kernels did something wrong: the exit status is 1, not 0\n");
}
END_TEST

/* --- the report --- */

static int several_launches(void) {
    static char host[4000];
    unsigned value = 7, n = 1000;
    runtime_register();
    void *p = device_memory(4000), *q = device_memory(4000), *arguments[] = {&p, &value, &n};
    cudaMemcpy(p, host, 4000, cudaMemcpyHostToDevice);
    cudaMemcpy(p, host, 96, cudaMemcpyHostToDevice);
    cudaMemcpy(q, p, 1500, cudaMemcpyDeviceToDevice);
    cudaMemcpy(host, p, 2500, cudaMemcpyDeviceToHost);
    launch_copy(q, p, 1000);
    launch_fill(p, 6, 1000);
    launch_fill(p, 7, 1000);
    launch_fill(p, 7, 1000);
    launch_in(NULL, fill, 8, 256, arguments);
    launch_in(NULL, fill, 7, 256, arguments);
    cudaLaunchKernel((const void *)fill, (dim3){8, 1, 1}, (dim3){256, 1, 1}, arguments, 16, NULL);
    cudaLaunchKernel((const void *)fill, (dim3){2, 4, 1}, (dim3){32, 2, 4}, arguments, 0, NULL);
    cudaFree(p);
    cudaFree(q);
    return 0;
}

/* The row of the table that ends so: its launches, and their modelled time in microseconds. */
static double modelled_us;
static unsigned long launches_of(const char *end) {
    char line[200];
    snprintf(line, sizeof line, "%s\n", end);
    const char *at = strstr(heard, line);
    ck_assert_msg(at, "%s\n  has no row of %s", heard, end);
    while (at[-1] != '\n') at--;
    char *time;
    unsigned long launches = strtoul(at, &time, 10);
    modelled_us = strtod(time, NULL);
    return launches;
}

START_TEST(launches_are_grouped_by_kernel_and_shape)
{
    setenv("WARPSCOPE_REPORT", "summary", 1);
    exits(0, several_launches);
    NOT_HEARD("never freed");
    HEARD("NVIDIA H200: 8 launches (1 of them repeated others, and were not executed again)\n"
          "  A timer on the host hardly sees those that were repeated, and no GPU: cudaEventElapsedTime has modelled time.\n"
          "  launches  modelled time   share  kernel, grid, block + shared bytes\n");
    ck_assert_uint_eq(launches_of("  fill (8,1,1) (128,1,1)"), 3);
    ck_assert(modelled_us > 2.9 * 1.6 && modelled_us < 3.1 * 1.6); /* three times an empty kernel's */
    ck_assert_uint_eq(launches_of("  fill (8,1,1) (256,1,1)"), 1);
    ck_assert(modelled_us > 0.9 * 1.6 && modelled_us < 1.1 * 1.6);
    ck_assert_uint_eq(launches_of("  fill (7,1,1) (256,1,1)"), 1);
    ck_assert_uint_eq(launches_of("  fill (8,1,1) (256,1,1) +16"), 1);
    ck_assert_uint_eq(launches_of("  fill (2,4,1) (32,2,4)"), 1);
    ck_assert_uint_eq(launches_of("  copy (8,1,1) (128,1,1)"), 1);
    /* three times an empty kernel's time are the most, and a load takes longer than none */
    ck_assert(strstr(heard, "fill (8,1,1) (128,1,1)") < strstr(heard, "copy (8,1,1)"));
    ck_assert(strstr(heard, "copy (8,1,1)") < strstr(heard, "fill (8,1,1) (256,1,1)\n"));
    ck_assert(strstr(heard, "copy (8,1,1)") < strstr(heard, "fill (7,1,1)"));
    ck_assert_uint_eq(launches_of("copies to the device, 4.1 kB"), 2);
    ck_assert_uint_eq(launches_of("copies to the host, 2.5 kB"), 1);
    ck_assert_uint_eq(launches_of("copies within the device, 1.5 kB"), 1);
    NOT_HEARD("warp instructions");
}
END_TEST

/* 1000 threads are 31 warps and 8 lanes: 32 requests, of 31 * 4 + 1 sectors. 15 instructions of each warp and of each thread that copies, 11
 * of the other 24 threads. */
START_TEST(each_kernel_has_a_table_of_its_counts)
{
    exits(0, several_launches);
    HEARD("\ncopy\ngrid (8,1,1), block (128,1,1), NVIDIA H200, L1 on\n480 warp instructions, 15,264 thread instructions (of "
          "PTX)\n");
    HEARD("  load             32           125     3.91     3.91     0.0%        100.0%\n"
          "  store            32           125     3.91     3.91        -        100.0%\n");
    HEARD("\nL2        125 sectors read, 125 written\n");
    /* of three launches, one of them replayed: 13 instructions of each warp, 13 or 11 of each thread */
    HEARD("\nfill\ngrid (8,1,1), block (128,1,1), NVIDIA H200, L1 on\n3 launches, added up\n"
          "1248 warp instructions, 39,792 thread instructions (of PTX)\n");
    HEARD("  store            96           375     3.91     3.91        -        100.0%\n");
    HEARD("'cudaMalloc 1'+0 "); /* whose memory has been freed since */
}
END_TEST

static int ten_shapes(void) {
    runtime_register();
    void *p = device_memory(4);
    unsigned value = 1, n = 1;
    void *arguments[] = {&p, &value, &n};
    for (unsigned threads = 1; threads <= 10; threads++) launch_in(NULL, fill, 1, threads, arguments);
    cudaFree(p);
    return 0;
}

static int five_shapes_of_two(void) {
    runtime_register();
    void *p = device_memory(4), *q = device_memory(4);
    unsigned value = 1, n = 1;
    void *of_fill[] = {&p, &value, &n}, *of_copy[] = {&q, &p, &n};
    for (unsigned threads = 1; threads <= 5; threads++) {
        launch_in(NULL, fill, 1, threads, of_fill);
        launch_in(NULL, copy, 1, threads, of_copy);
    }
    cudaFree(p);
    cudaFree(q);
    return 0;
}

static int tables_heard(void) {
    int tables = 0;
    for (const char *at = heard; (at = strstr(at, "warp instructions")) != NULL; at++) tables++;
    return tables;
}

START_TEST(a_kernel_of_many_shapes_has_one_row)
{
    exits(0, ten_shapes);
    ck_assert_uint_eq(launches_of("  fill (1,1,1) (1-10,1,1), 10 shapes"), 10);
    ck_assert_int_eq(tables_heard(), 1);
    NOT_HEARD("more kernels");
}
END_TEST

START_TEST(of_many_groups_eight_have_tables)
{
    exits(0, five_shapes_of_two);
    ck_assert_int_eq(tables_heard(), 8);
    HEARD("\n2 more kernels and shapes took less time; WARPSCOPE_JSON=FILE has them all.\n");
    exits(0, several_launches); /* six */
    NOT_HEARD("more kernels");
}
END_TEST

START_TEST(for_editors_there_is_nothing_but_what_is_wrong)
{
    setenv("WARPSCOPE_REPORT", "gcc", 1);
    exits(1, out_of_bounds);
    HEARD("fill: error: lane 4 of warp 3 (block (0,0,0), thread (100,0,0)) writes 4 bytes at 'cudaMalloc 1'+400, just past "
          "its end\n");
    NOT_HEARD("NVIDIA H200");
    setenv("WARPSCOPE_ON_FAULT", "report", 1);
    exits(1, out_of_bounds);
    NOT_HEARD("What kernels did wrong");
}
END_TEST

/* What is wrong stands in a kernel without source locations; the function behind it has one. */
static int wrong_without_a_location(void) {
    static const char text[] =
        ".version 8.0\n.target sm_75\n.address_size 64\n.file 1 \"elsewhere.cu\"\n.visible .entry wrong(.param .u64 p) "
        "{\n.reg .b64 d; ld.param.u64 d, [p]; st.global.u64 [d+4], d; ret;\n}\n.func behind() {\n.loc 1 3 0\nret;\n}\n";
    static FatbinWrapper wrapper = {.magic = FATBIN_WRAPPER_MAGIC, .version = 1, .data = text};
    void **handle = __cudaRegisterFatBinary(&wrapper), *p = device_memory(16), *arguments[] = {&p};
    __cudaRegisterFunction(handle, (const char *)print, NULL, "wrong", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFatBinaryEnd(handle);
    launch_in(NULL, print, 1, 1, arguments);
    return 0;
}

START_TEST(a_kernel_has_no_source_file_but_its_own)
{
    setenv("WARPSCOPE_REPORT", "gcc", 1);
    exits(1, wrong_without_a_location);
    HEARD("wrong: error: ");
    NOT_HEARD("elsewhere.cu");
}
END_TEST

/* The report keeps the names of a thousand allocations: of those that the launch touched. */
static int touches_the_last_of_many(void) {
    enum { OTHERS = 1000 };
    void *p[OTHERS + 1];
    runtime_register();
    for (int i = 0; i <= OTHERS; i++) p[i] = device_memory(4);
    launch_fill(p[OTHERS], 1, 1);
    for (int i = 0; i <= OTHERS; i++) cudaFree(p[i]);
    return 0;
}

START_TEST(what_a_launch_did_not_touch_takes_no_name_from_what_it_did)
{
    exits(0, touches_the_last_of_many);
    HEARD("\n  'cudaMalloc 1001'+0 ");
}
END_TEST

static int seven_leaks(void) {
    runtime_register(); /* its variables, which are no leaks, are memory as well */
    void *p;
    for (unsigned i = 0; i < 5; i++) device_memory(10 + i);
    cudaMallocHost(&p, 100);
    cudaMallocManaged(&p, 1000, cudaMemAttachGlobal);
    cudaMalloc(&p, 5);
    cudaFree(p);
    return 0;
}

static int five_leaks(void) {
    for (unsigned i = 0; i < 5; i++) device_memory(10 + i);
    return 0;
}

START_TEST(of_many_allocations_five_are_named)
{
    int named = 0;
    exits(0, five_leaks);
    HEARD("warpscope: 5 allocations were never freed, 60 bytes: '"); /* 10 + 11 + 12 + 13 + 14 */
    NOT_HEARD("...");
    exits(0, seven_leaks);
    HEARD("warpscope: 7 allocations were never freed, 1160 bytes: '"); /* 10 + 11 + 12 + 13 + 14 + 100 + 1000 */
    HEARD(" bytes, ...\n");
    for (const char *at = heard; (at = strstr(at, " of 1")) != NULL; at++) named++;
    ck_assert_int_eq(named, 5);
}
END_TEST

/* --- what kernels print --- */

static int prints_and_ends(void) {
    more_register();
    return launch_in(NULL, print, 1, 2, NULL);
}
static void *somewhere;
static cudaError_t waits_by_synchronize(void) { return cudaDeviceSynchronize(); }
static cudaError_t waits_by_stream(void) { return cudaStreamSynchronize(NULL); }
static cudaError_t waits_by_copy(void) { return cudaMemcpy(somewhere, somewhere, 4, cudaMemcpyDeviceToDevice); }
static cudaError_t waits_by_async_copy(void) {
    return cudaMemcpyAsync(somewhere, somewhere, 4, cudaMemcpyDeviceToDevice, NULL);
}
static cudaError_t waits_by_peer_copy(void) { return cudaMemcpyPeer(somewhere, 0, somewhere, 0, 4); }
static cudaError_t waits_by_fill(void) { return cudaMemset(somewhere, 0, 4); }
static cudaError_t waits_by_reset(void) { return cudaDeviceReset(); }
static cudaError_t waits_by_event(void) {
    cudaEvent_t event;
    FINE(cudaEventCreate(&event));
    return cudaEventSynchronize(event);
}
static void nothing(void *data) { (void)data; }
static cudaError_t waits_by_host_function(void) { return cudaLaunchHostFunc(NULL, nothing, NULL); }
static cudaError_t (*waits)(void);
static int prints_and_waits(void) {
    more_register();
    somewhere = device_memory(4);
    FINE(cudaMemset(somewhere, 0, 4));
    FINE(launch_in(NULL, print, 1, 2, NULL));
    FINE(waits());
    return 0;
}

/* CUDA C++ Programming Guide, "Formatted Output": the buffer is flushed by synchronising, by blocking copies, before host functions here. */
START_TEST(what_kernels_print_appears_when_the_program_waits)
{
    static const struct {
        cudaError_t (*waits)(void);
        bool shown;
    } rows[] = {{waits_by_fill, false},       {waits_by_peer_copy, false}, {waits_by_async_copy, false},
                {waits_by_synchronize, true}, {waits_by_stream, true},     {waits_by_copy, true},
                {waits_by_reset, true},       {waits_by_event, true},      {waits_by_host_function, true}};
    exits(0, prints_and_ends);
    ck_assert_str_eq(printed, "");
    HEARD("warpscope: 6 bytes that kernels printed were never shown: the program ended without cudaDeviceSynchronize\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        waits = rows[i].waits;
        exits(0, prints_and_waits);
        ck_assert_msg(strcmp(printed, rows[i].shown ? "hi\nhi\n" : "") == 0, "row %zu: %s", i, printed);
        ck_assert_int_eq(strstr(heard, "never shown") == NULL, rows[i].shown);
    }
}
END_TEST

static int assertion(void) {
    more_register();
    cudaLaunchKernel((const void *)asserts, (dim3){2, 3, 4}, (dim3){5, 6, 7}, NULL, 0, NULL);
    return cudaDeviceSynchronize() != cudaErrorAssert;
}

START_TEST(a_failed_assertion_is_printed_as_cuda_prints_it)
{
    exits(1, assertion);
    HEARD("\na.cu:7: f(int): block: [1,2,3], thread: [4,5,6] Assertion `x < 3` failed.\n");
    setenv("WARPSCOPE_ON_FAULT", "report", 1); /* a fault that ends its launch is a finding as well */
    exits(1, assertion);
    HEARD("warpscope: kernels did something wrong: the exit status is 1, not 0\n");
}
END_TEST

/* --- the JSON --- */

START_TEST(the_json_has_every_launch)
{
    json_to_file();
    json_t *array = written(several_launches);
    ck_assert_uint_eq(json_array_size(array), 8);
    for (size_t i = 0; i < 8; i++) {
        const json_t *launch = json_array_get(array, i);
        ck_assert_str_eq(json_string_value(json_object_get(launch, "kernel")), i ? "fill" : "copy");
        ck_assert_int_eq(json_object_get(launch, "replayed") != NULL, i == 3);
        ck_assert_int_eq(json_object_get(launch, "host") != NULL, i != 3);
    }
    json_decref(array);
    array = written(does_nothing);
    ck_assert_uint_eq(json_array_size(array), 0);
    json_decref(array);
    unlink(path);
    setenv("WARPSCOPE_JSON", "", 1); /* as if it were not set */
    exits(0, does_nothing);
    ck_assert_str_eq(heard, "\nNVIDIA H200: 0 launches\n");
    setenv("WARPSCOPE_JSON", "/nowhere/launches.json", 1);
    exits(2, does_nothing);
    HEARD("warpscope: JSON cannot be written to '/nowhere/launches.json': No such file or directory\n");
}
END_TEST

static int reads_uninitialised(void) {
    more_register();
    void *p = device_memory(4), *arguments[] = {&p};
    launch_in(NULL, uninitialised, 1, 1, arguments);
    int wrong = cudaDeviceSynchronize() != cudaSuccess; /* a device runs through it */
    cudaFree(p);
    return wrong;
}

static int copies_what_was_half_written(void) {
    char host[64];
    void *p;
    int wrong = cudaMalloc(&p, 64) || cudaMemset(p, 0, 32);
    for (int times = 0; times < 3; times++) wrong |= cudaMemcpy(host, p, 64, cudaMemcpyDeviceToHost);
    return wrong | cudaFree(p);
}

/* The host has them then: what comes of them is one mistake. */
START_TEST(bytes_that_were_never_written_are_told_once)
{
    exits(0, copies_what_was_half_written);
    const char *first = strstr(heard, "of the 64 bytes of 'cudaMalloc 1' 32 were never written, byte 32 the first of them");
    ck_assert_msg(first && !strstr(strchr(first, '\n'), "never written"), "%s", heard);
}
END_TEST

START_TEST(checks_can_be_turned_off)
{
    exits(0, reads_uninitialised);
    HEARD("at byte 0, where byte 0 was never written");
    setenv("WARPSCOPE_CHECK", "none", 1);
    exits(0, reads_uninitialised);
    NOT_HEARD("never written");
}
END_TEST

RUNTIME_MAIN("runtime report", a_program_that_does_nothing_wrong_ends_as_it_wants_to, a_fault_is_the_programs_to_handle,
             a_program_that_goes_on_after_faults_ends_with_status_1, refused_launches_are_told_up_to_a_number,
             a_program_whose_kernels_are_not_emulated_ends_with_status_3, launches_are_grouped_by_kernel_and_shape,
             each_kernel_has_a_table_of_its_counts, a_kernel_of_many_shapes_has_one_row, of_many_groups_eight_have_tables,
             for_editors_there_is_nothing_but_what_is_wrong, a_kernel_has_no_source_file_but_its_own,
             what_a_launch_did_not_touch_takes_no_name_from_what_it_did, of_many_allocations_five_are_named,
             what_kernels_print_appears_when_the_program_waits, a_failed_assertion_is_printed_as_cuda_prints_it,
             the_json_has_every_launch, bytes_that_were_never_written_are_told_once, checks_can_be_turned_off)
