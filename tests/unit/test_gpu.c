/* What a launch on a GPU asks of the driver, and what comes of each of its answers. The driver is noted_driver.h's; expected is what gpu.h and the CUDA Driver API's
 * reference say of a launch. tests/gpu has the commands against a whole library that stands in. */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "device/gpu.h"
#include "device/gpu_worker.h"
#include "noted_driver.h"
#include "parsed.h"

/* --- a launch --- */

#define PTX                                           \
    ".version 7.0\n.target sm_75\n.address_size 64\n" \
    ".visible .entry k(.param .u64 in, .param .u64 out, .param .u64 end, .param .u64 other, .param .u32 n) { ret; }\n"

static Program *program;
static Memory *host_memory;
static Allocation *in, *out;
static uint64_t params[5];
static LaunchRequest request;
static GpuRequest asked;
static GpuResult result;
static Gpu *gpu;
static Diag diag;

static void setup(void) {
    opens = true;
    seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert(seen != MAP_FAILED);
    diag = (Diag){0};
    program = parsed(PTX);
    host_memory = memory_new();
    in = memory_allocate(host_memory, 16, "in", false);
    out = memory_allocate(host_memory, 48, "out", false);
    in->initialized = true;
    memcpy(in->host, "0123456789abcdef", 16);
    memset(out->host, 9, 48);
    /* the beginning, a byte within, the end, what is no buffer's, and half a word */
    memcpy(params, (uint64_t[]){in->address, out->address + 40, in->address + 16, in->address - 1, 5}, sizeof params);
    request = (LaunchRequest){.launch.kernel = prepared(program, "k"),
                              .launch.grid = {2, 3, 4},
                              .launch.block = {5, 6, 7},
                              .launch.shared_bytes = 100,
                              .launch.params = (const uint8_t *)params,
                              .launch.memory = host_memory,
                              .l1 = true};
    asked = (GpuRequest){.launch = &request, .ptx = PTX, .optimization = 3};
    gpu = gpu_new();
}

static void teardown(void) {
    gpu_free(gpu);
    memory_free(host_memory);
    program_free(program);
    munmap(seen, sizeof *seen);
}

/* What was asked of the driver since its beginning, once the worker has ended. */
static void asked_for(const char *wanted) {
    gpu_free(gpu);
    gpu = gpu_new();
    ck_assert_str_eq(seen->calls, wanted);
}

#define BEGIN                                                                                                   \
    "init 0\nversion\ndevice 0\nname of 7\nbus of 7\nattribute 16 of 7\nattribute 13 of 7\nattribute 36 of 7\n" \
    "attribute 38 of 7\nattribute 75 of 7\nattribute 76 of 7\nretain 7\nuse 1\nevent 0\nevent 0\n"
#define LOAD "load .version 7:3 14:0 6:4096\nfunction k of 1\n"
#define KERNEL "kernel 2 3 4, 5 6 7, 100: 0x100000 0x200028 0x100010 "
#define OTHER_WORD "%#llx 0x5\n" /* which depends on the emulated device's addresses */

START_TEST(buffers_travel_there_and_back)
{
    char wanted[2000];
    ck_assert_msg(gpu_launch(gpu, &asked, &result, &diag), "%s", diag.message);
    ck_assert_int_eq(result.fault.kind, FAULT_none);
    ck_assert_str_eq(result.info.name, "GPU 7");
    ck_assert_str_eq(result.info.bus, "0000:07:00.0");
    ck_assert_int_eq(result.info.driver_version, 12040);
    ck_assert(result.info.sms == 160 && result.info.clock_khz == 130 && result.info.memory_clock_khz == 360);
    ck_assert(result.info.l2_bytes == 1000 && result.info.compute_major == 750 && result.info.compute_minor == 760);
    ck_assert_mem_eq(in->host, "0123456789abcdef", 16);
    for (int i = 0; i < 48; i++) ck_assert_uint_eq(out->host[i], i == 40 ? 7 : 9);
    snprintf(wanted, sizeof wanted,
             BEGIN LOAD "allocate 16\nupload 0x100000 16\nallocate 48\nupload 0x200000 48\n" KERNEL OTHER_WORD
                        "synchronize\ndownload 0x100000 16\ndownload 0x200000 48\nrelease 1\nrelease 2\n",
             (unsigned long long)in->address - 1);
    asked_for(wanted);
}
END_TEST

/* What the driver writes for a kernel's printf goes where the worker's standard output goes. */
START_TEST(a_silent_gpu_prints_nothing)
{
    for (int silent = 0; silent < 2; silent++) {
        int ends[2], before = dup(STDOUT_FILENO);
        char printed[8];
        ck_assert(pipe(ends) == 0 && dup2(ends[1], STDOUT_FILENO) >= 0);
        close(ends[1]);
        if (silent) gpu_silence(gpu);
        seen->fails = "print";
        const bool launched = gpu_launch(gpu, &asked, &result, &diag);
        gpu_free(gpu);
        gpu = gpu_new();
        dup2(before, STDOUT_FILENO);
        close(before);
        ck_assert(launched);
        ck_assert_int_eq(read(ends[0], printed, sizeof printed), silent ? 0 : 2);
        close(ends[0]);
    }
}
END_TEST

/* As one that a grader has for its last words. */
static void handler(int number) {
    seen->timings = number;
    _exit(1);
}

START_TEST(a_worker_has_no_handler_of_its_parents)
{
    signal(SIGABRT, handler);
    seen->fails = "abort";
    ck_assert(!gpu_launch(gpu, &asked, &result, &diag));
    signal(SIGABRT, SIG_DFL);
    ck_assert_str_eq(diag.message, "the process that talks to the GPU's driver has died");
    ck_assert_int_eq(seen->timings, 0);
}
END_TEST

START_TEST(everything_travels_a_few_bytes_at_a_time)
{
    seen->sends_little = true;
    ck_assert_msg(gpu_launch(gpu, &asked, &result, &diag), "%s", diag.message);
    ck_assert_str_eq(result.info.name, "GPU 7");
    ck_assert_mem_eq(in->host, "0123456789abcdef", 16);
    for (int i = 0; i < 48; i++) ck_assert_uint_eq(out->host[i], i == 40 ? 7 : 9);
}
END_TEST

/* And the worker has ended, and been waited for, once its owner is freed. */
START_TEST(what_a_signal_interrupts_goes_on)
{
    seen->interrupts = true;
    ck_assert_msg(gpu_launch(gpu, &asked, &result, &diag), "%s", diag.message);
    ck_assert_mem_eq(in->host, "0123456789abcdef", 16);
    for (int i = 0; i < 48; i++) ck_assert_uint_eq(out->host[i], i == 40 ? 7 : 9);
    gpu_free(gpu);
    gpu = gpu_new();
    ck_assert_int_eq(wait4(-1, NULL, WNOHANG, NULL), -1);
    ck_assert_int_eq(errno, ECHILD);
}
END_TEST

/* However the clock stands when it begins, and whatever signals come. */
START_TEST(a_gpu_that_does_not_answer_in_time_is_given_up)
{
    static const struct {
        unsigned timeout_s;
        int seconds;
        const char *message;
    } rows[] = {{1, 1, "the GPU was not done after 1 second"},
                {2, 2, "the GPU was not done after 2 seconds"},
                {0, 60, "the GPU was not done after 60 seconds"},
                {3000, 3000, "the GPU was not done after 3000 seconds"}};
    GpuInfo info;
    seen->interrupts = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        seen->fails = "hang";
        asked.timeout_s = rows[i].timeout_s;
        time_ms = 900;
        nobody_answers = true;
        const bool launched = gpu_launch(gpu, &asked, &result, &diag);
        nobody_answers = false;
        ck_assert(launched);
        ck_assert_int_eq(result.fault.kind, FAULT_step_limit);
        ck_assert_str_eq(result.fault.message, rows[i].message);
        ck_assert_int_ge(time_ms, 900 + 1000 * rows[i].seconds);
        ck_assert_int_le(time_ms, 900 + 1000 * rows[i].seconds + 2000);
    }
    nobody_answers = true;
    const bool probed = gpu_probe(gpu, &info, &diag);
    nobody_answers = false;
    ck_assert(!probed);
    ck_assert_str_eq(diag.message, "the GPU's driver did not answer within 60 seconds");
    seen->fails = NULL;
    ck_assert(gpu_launch(gpu, &asked, &result, &diag));
    ck_assert_int_eq(result.fault.kind, FAULT_none);
}
END_TEST

START_TEST(results_that_are_discarded_do_not_travel)
{
    char wanted[2000];
    asked.discard = true;
    request.l1 = false;
    request.launch.shared_bytes = 49153;
    ck_assert_msg(gpu_launch(gpu, &asked, &result, &diag), "%s", diag.message);
    ck_assert_uint_eq(out->host[40], 9);
    snprintf(wanted, sizeof wanted,
             BEGIN "load .version 7:3 14:1 6:4096\nfunction k of 1\nallocate 16\nupload 0x100000 16\nallocate 48\n"
                   "fill 0x200000 0 48\nset 1 8 49153\nkernel 2 3 4, 5 6 7, 49153: 0x100000 0x200028 0x100010 " OTHER_WORD
                   "synchronize\nrelease 1\nrelease 2\n",
             (unsigned long long)in->address - 1);
    asked_for(wanted);
}
END_TEST

START_TEST(the_last_word_of_the_parameters_may_be_a_buffers)
{
    static const char text[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                               ".visible .entry k(.param .u64 in, .param .u64 out) { ret; }\n";
    Program *two = parsed(text);
    request.launch.kernel = prepared(two, "k");
    asked.ptx = text;
    ck_assert_msg(gpu_launch(gpu, &asked, &result, &diag), "%s", diag.message);
    gpu_free(gpu);
    gpu = gpu_new();
    ck_assert_msg(strstr(seen->calls, "\nkernel 2 3 4, 5 6 7, 100: 0x100000 0x200028\n"), "%s", seen->calls);
    program_free(two);
}
END_TEST

/* How often this stands among the calls. */
static int count(const char *call) {
    int n = 0;
    for (const char *found = seen->calls; (found = strstr(found, call)) != NULL; found++) n++;
    return n;
}

START_TEST(a_module_stays_loaded_for_the_same_text_and_options)
{
    static const char other[] = PTX "// another\n";
    for (int i = 0; i < 2; i++) ck_assert(gpu_launch(gpu, &asked, &result, &diag));
    ck_assert_int_eq(count("load .version"), 1);
    ck_assert_int_eq(count("unload"), 0);
    asked.optimization = 4;
    ck_assert(gpu_launch(gpu, &asked, &result, &diag));
    ck_assert_int_eq(count("load .version"), 2);
    request.l1 = false;
    ck_assert(gpu_launch(gpu, &asked, &result, &diag));
    ck_assert_int_eq(count("load .version"), 3);
    asked.ptx = other;
    for (int i = 0; i < 2; i++) ck_assert(gpu_launch(gpu, &asked, &result, &diag));
    ck_assert_int_eq(count("load .version"), 4);
    ck_assert_int_eq(count("unload 1"), 3);
    ck_assert_int_eq(count("init 0"), 1); /* by one worker */
    ck_assert_int_eq(count("function k"), 6);
}
END_TEST

/* Variables of constant memory cannot be written. */
START_TEST(a_kernel_that_may_have_written_variables_is_loaded_anew)
{
    static const struct {
        const char *variable;
        int loads;
    } rows[] = {{".const .u32 v = 1;\n", 1}, {".global .u32 v = 1;\n", 3}, {".const .u32 u = 1;\n.global .u32 v = 1;\n", 3}};
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        char text[600];
        snprintf(text, sizeof text, ".version 7.0\n.target sm_75\n.address_size 64\n%s%s", rows[row].variable,
                 strstr(PTX, ".visible"));
        Program *with = parsed(text);
        seen->calls[0] = 0;
        request.launch.kernel = prepared(with, "k");
        asked.ptx = text;
        for (int i = 0; i < 3; i++) ck_assert(gpu_launch(gpu, &asked, &result, &diag));
        ck_assert_int_eq(count("load .version"), rows[row].loads);
        program_free(with);
    }
}
END_TEST

/* One launch for warming up, then two, each timed between the same two events; 4 times L2 are filled before each. The n-th takes n ms. */
START_TEST(kernel_copy_kernel_and_copy_alternate)
{
    char once[1000], wanted[8000], *end = wanted;
    const unsigned long long other = in->address - 1;
    asked.warmup = 1;
    asked.repeats = 2;
    asked.copy_bytes = 4112; /* 257 float4: two blocks of 256 */
    ck_assert_msg(gpu_launch(gpu, &asked, &result, &diag), "%s", diag.message);
    /* 4 and 7, 5 and 8, 6 and 9 ms: medians and quartiles between the two */
    ck_assert_double_eq(result.kernel.median_us, 5500);
    ck_assert_double_eq(result.kernel.low_us, 4750);
    ck_assert_double_eq(result.kernel.high_us, 6250);
    ck_assert_double_eq(result.copy.median_us, 6500);
    ck_assert_double_eq(result.library.median_us, 7500);
    ck_assert_double_eq(result.library.low_us, 6750);
    end += sprintf(end,
                   BEGIN LOAD "allocate 16\nupload 0x100000 16\nallocate 48\nupload 0x200000 48\n" KERNEL OTHER_WORD
                              "synchronize\ndownload 0x100000 16\ndownload 0x200000 48\nallocate 4000\n"
                              "load .version 7:4 14:0 6:4096\nfunction copy of 1\nallocate 4112\nallocate 4112\n"
                              "fill 0x400000 1 4112\n",
                   other);
#define TIMED(what) "fill 0x300000 0 4000\nrecord 100\n" what "record 101\nwait for 101\nelapsed 100 101\n"
    snprintf(once, sizeof once,
             TIMED(KERNEL OTHER_WORD) TIMED("copy kernel 2 1 1, 256 1 1: 0x500000 0x400000 257\n")
                 TIMED("copy 0x500000 0x400000 4112\n"),
             other);
    for (int i = 0; i < 3; i++) end += sprintf(end, "%s", once);
    sprintf(end, "release 1\nrelease 2\nrelease 3\nrelease 4\nrelease 5\n");
    asked_for(wanted);
}
END_TEST

/* 64 bytes of buffers in all: L2 is flushed where they are fewer than four times its 1000 bytes. */
START_TEST(the_kernel_alone_is_timed_without_a_yardstick)
{
    asked.repeats = 3;
    ck_assert(gpu_launch(gpu, &asked, &result, &diag));
    ck_assert_double_eq(result.kernel.median_us, 2000); /* 1, 2 and 3 ms */
    ck_assert_double_eq(result.copy.median_us, 0);
    ck_assert_int_eq(count("kernel 2 3 4"), 4);
    ck_assert_int_eq(count("copy"), 0);
    ck_assert_int_eq(count("fill 0x300000 0 4000"), 3);
    memory_allocate(host_memory, 4000 - 64 - 1, "more", false);
    ck_assert(gpu_launch(gpu, &asked, &result, &diag));
    ck_assert_int_eq(count("allocate 4000"), 2);
    memory_allocate(host_memory, 1, "the last byte", false);
    ck_assert(gpu_launch(gpu, &asked, &result, &diag));
    ck_assert_int_eq(count("allocate 4000"), 2);
}
END_TEST

START_TEST(a_probe_says_which_device_there_is)
{
    GpuInfo info;
    ck_assert_msg(gpu_probe(gpu, &info, &diag), "%s", diag.message);
    ck_assert_str_eq(info.name, "GPU 7");
    ck_assert_int_eq(info.sms, 160);
    ck_assert_str_eq(seen->calls, BEGIN);               /* nothing is launched */
    ck_assert(gpu_launch(gpu, &asked, &result, &diag)); /* the same worker */
    ck_assert_int_eq(count("init 0"), 1);
    seen->fails = "init";
    seen->status = DRIVER_NO_DEVICE;
    gpu_free(gpu);
    gpu = gpu_new();
    ck_assert(!gpu_probe(gpu, &info, &diag));
    ck_assert_str_eq(diag.message, "no GPU can be used: NAME (a text)");
}
END_TEST

START_TEST(without_a_library_its_message_is_passed_on)
{
    opens = false;
    ck_assert(!gpu_launch(gpu, &asked, &result, &diag));
    ck_assert_str_eq(diag.message, "no library");
    ck_assert_str_eq(diag.hint, "install one");
}
END_TEST

/* What the user learns where a call fails: a message; or, once the kernel runs, a fault. */
static const struct {
    const char *fails;
    int after;
    DriverStatus status;
    FaultKind fault; /* FAULT_none: the launch is refused */
    const char *message, *hint;
} failures[] = {
    {"init", 0, 999, FAULT_none, "no GPU can be used: NAME (a text)", ""},
    {"init", 0, 1, FAULT_none, "no GPU can be used: unknown error (the driver does not say more)", ""},
    {"version", 0, 999, FAULT_none, "the driver's version: NAME (a text)", ""},
    {"device", 0, 999, FAULT_none, "no GPU can be used: NAME (a text)", ""},
    {"name", 0, 999, FAULT_none, "the GPU's name: NAME (a text)", ""},
    {"bus", 0, 999, FAULT_none, "the GPU's place: NAME (a text)", ""},
    {"attribute", 0, 999, FAULT_none, "the GPU's properties: NAME (a text)", ""},
    {"attribute", 5, 999, FAULT_none, "the GPU's properties: NAME (a text)", ""},
    {"retain", 0, 999, FAULT_none, "no context on the GPU: NAME (a text)", ""},
    {"use", 0, 999, FAULT_none, "no context on the GPU: NAME (a text)", ""},
    {"event 0", 0, 999, FAULT_none, "no event: NAME (a text)", ""},
    {"event 0", 1, 999, FAULT_none, "no event: NAME (a text)", ""},
    {"load", 0, DRIVER_INVALID_PTX, FAULT_none, "the GPU's driver refuses the PTX: NAME (a text)", "line 3; fatal"},
    {"load", 0, DRIVER_UNSUPPORTED_PTX, FAULT_none, "the GPU's driver refuses the PTX: NAME (a text)",
     "the PTX is newer than this driver (CUDA 12.4): install a newer driver, or compile with an older nvcc or with clang"},
    {"function k", 0, 500, FAULT_none, "the kernel is not in the PTX: NAME (a text)", ""},
    {"allocate", 0, DRIVER_OUT_OF_MEMORY, FAULT_none, "not enough memory on the GPU: NAME (a text)", ""},
    {"allocate 48", 0, DRIVER_OUT_OF_MEMORY, FAULT_none, "not enough memory on the GPU: NAME (a text)", ""},
    {"upload", 0, 999, FAULT_none, "copying to the GPU: NAME (a text)", ""},
    {"set", 0, 999, FAULT_none, "so much shared memory is impossible: NAME (a text)", ""},
    {"kernel", 0, DRIVER_LAUNCH_OUT_OF_RESOURCES, FAULT_none, "the launch is impossible: NAME (a text)", ""},
    {"synchronize", 0, DRIVER_ILLEGAL_ADDRESS, FAULT_out_of_bounds, "the GPU stopped the kernel: NAME (a text)", ""},
    {"synchronize", 0, DRIVER_MISALIGNED, FAULT_misaligned, "the GPU stopped the kernel: NAME (a text)", ""},
    {"synchronize", 0, DRIVER_ASSERT, FAULT_assert_failed, "the GPU stopped the kernel: NAME (a text)", ""},
    {"synchronize", 0, DRIVER_LAUNCH_TIMEOUT, FAULT_step_limit, "the GPU stopped the kernel: NAME (a text)", ""},
    {"synchronize", 0, DRIVER_LAUNCH_FAILED, FAULT_trap, "the GPU stopped the kernel: NAME (a text)", ""},
    {"download", 0, 999, FAULT_none, "copying from the GPU: NAME (a text)", ""},
    {"download 0x2", 0, 999, FAULT_none, "copying from the GPU: NAME (a text)", ""},
    {"allocate 4000", 0, 2, FAULT_none, "not enough memory on the GPU: NAME (a text)", ""},
    {"load", 1, DRIVER_INVALID_PTX, FAULT_none, "the GPU's driver refuses the PTX: NAME (a text)", "line 3; fatal"},
    {"function copy", 0, 500, FAULT_none, "the copy kernel: NAME (a text)", ""},
    {"allocate 32", 0, 2, FAULT_none, "not enough memory on the GPU: NAME (a text)", ""},
    {"allocate 32", 1, 2, FAULT_none, "not enough memory on the GPU: NAME (a text)", ""},
    {"fill 0x400000", 0, 999, FAULT_none, "filling memory: NAME (a text)", ""},
    {"fill 0x300000", 0, 999, FAULT_trap, "flushing the cache: NAME (a text)", ""},
    {"record 100", 0, 999, FAULT_trap, "timing: NAME (a text)", ""},
    {"kernel", 1, 701, FAULT_none, "the launch is impossible: NAME (a text)", ""},
    {"copy kernel", 0, 701, FAULT_none, "the launch is impossible: NAME (a text)", ""},
    {"copy 0x", 0, 999, FAULT_none, "the launch is impossible: NAME (a text)", ""},
    {"record 101", 0, 999, FAULT_trap, "timing: NAME (a text)", ""},
    {"wait", 0, DRIVER_ILLEGAL_ADDRESS, FAULT_out_of_bounds, "the GPU stopped the kernel: NAME (a text)", ""},
    {"elapsed", 0, 999, FAULT_trap, "timing: NAME (a text)", ""},
    {"die", 0, 0, FAULT_none, "the process that talks to the GPU's driver has died", ""},
};

START_TEST(each_call_that_fails_is_named_and_the_next_launch_begins_anew)
{
    asked.repeats = 1;
    asked.copy_bytes = 32;
    request.launch.shared_bytes = 50000;
    seen->fails = failures[_i].fails;
    seen->after = failures[_i].after;
    seen->status = failures[_i].status;
    const bool ran = gpu_launch(gpu, &asked, &result, &diag), faults = failures[_i].fault != FAULT_none;
    ck_assert_msg(ran == faults, "%s: %s", failures[_i].fails, diag.message);
    ck_assert_int_eq(result.fault.kind, failures[_i].fault);
    ck_assert_str_eq(ran ? result.fault.message : diag.message, failures[_i].message);
    ck_assert_str_eq(ran ? result.fault.hint : diag.hint,
                     ran ? "run it on the emulated device, which names the lane and the line" : failures[_i].hint);
    seen->fails = NULL;
    seen->calls[0] = 0;
    diag = (Diag){0};
    ck_assert_msg(gpu_launch(gpu, &asked, &result, &diag), "%s", diag.message);
    ck_assert_int_eq(result.fault.kind, FAULT_none);
    ck_assert_int_eq(count("init 0"), 1);
}
END_TEST

/* --- the library's transpose --- */

/* Three rounds for warming up, then two. Of 60 bytes the copy kernel copies three float4. The n-th that is timed takes n ms. */
START_TEST(the_librarys_transpose_and_copies_alternate)
{
    static const char once[] =
        "fill 0x100000 0 4000\nrecord 100\ntranspose 3 x 5 of 4 bytes: 0x300000 0x200000\nrecord 101\nwait for 101\n"
        "elapsed 100 101\nfill 0x100000 0 4000\nrecord 100\ncopy kernel 1 1 1, 256 1 1: 0x300000 0x200000 3\nrecord 101\n"
        "wait for 101\nelapsed 100 101\nfill 0x100000 0 4000\nrecord 100\ncopy 0x300000 0x200000 60\nrecord 101\n"
        "wait for 101\nelapsed 100 101\n";
    char wanted[4000], *end = wanted;
    ck_assert_msg(gpu_geam(gpu, &(GpuGeam){4, 3, 5}, 2, &result, &diag), "%s", diag.message);
    ck_assert_int_eq(result.fault.kind, FAULT_none);
    ck_assert_str_eq(result.info.name, "GPU 7");
    ck_assert_double_eq(result.kernel.median_us, 11500); /* 10 and 13 ms */
    ck_assert_double_eq(result.copy.median_us, 12500);
    ck_assert_double_eq(result.library.median_us, 13500);
    end += sprintf(end, BEGIN "cublas\nallocate 4000\nload .version 7:4 14:0 6:4096\nfunction copy of 1\nallocate 60\n"
                              "allocate 60\nfill 0x200000 1 60\n");
    for (int i = 0; i < 5; i++) end += sprintf(end, "%s", once);
    sprintf(end, "release 1\nrelease 2\nrelease 3\n");
    asked_for(wanted);
}
END_TEST

START_TEST(a_transpose_that_fails_says_so)
{
    static const struct {
        const char *fails;
        FaultKind fault; /* FAULT_none: it is refused */
        const char *message, *hint;
    } rows[] = {{"cublas", FAULT_none, "no cuBLAS", "install it"},
                {"transpose", FAULT_none, "the launch is impossible: NAME (a text)", ""},
                {"wait", FAULT_out_of_bounds, "the GPU stopped the kernel: NAME (a text)", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        diag = (Diag){0};
        seen->fails = rows[i].fails;
        seen->status = DRIVER_ILLEGAL_ADDRESS;
        const bool ran = gpu_geam(gpu, &(GpuGeam){8, 3, 5}, 2, &result, &diag);
        ck_assert_msg(ran == (rows[i].fault != FAULT_none), "%s: %s", rows[i].fails, diag.message);
        ck_assert_int_eq(result.fault.kind, rows[i].fault);
        ck_assert_str_eq(ran ? result.fault.message : diag.message, rows[i].message);
        if (!ran) ck_assert_str_eq(diag.hint, rows[i].hint);
    }
    seen->fails = NULL;
    ck_assert(gpu_geam(gpu, &(GpuGeam){8, 3, 5}, 2, &result, &diag));
    ck_assert_int_eq(count("transpose 3 x 5 of 8 bytes"), 1 + 1 + 5);
}
END_TEST

/* --- the socket --- */

START_TEST(a_worker_ends_when_nobody_asks_any_more)
{
    int ends[2];
    char byte;
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    ck_assert(worker_send(ends[0], "x", 1));
    ck_assert(worker_receive(ends[1], &byte, 1));
    ck_assert_int_eq(byte, 'x');
    ck_assert(worker_send(ends[0], "half a request", 14));
    close(ends[0]);
    gpu_worker(ends[1]); /* comes back */
    ck_assert(!worker_receive(ends[1], &byte, 1));
    ck_assert(!worker_send(ends[1], "x", 1));
    ck_assert_str_eq(seen->calls, "");
    close(ends[1]);
}
END_TEST

SUITE_WITH("gpu", setup, teardown, buffers_travel_there_and_back, the_last_word_of_the_parameters_may_be_a_buffers,
           a_silent_gpu_prints_nothing, a_worker_has_no_handler_of_its_parents, everything_travels_a_few_bytes_at_a_time,
           what_a_signal_interrupts_goes_on, a_gpu_that_does_not_answer_in_time_is_given_up,
           results_that_are_discarded_do_not_travel, a_module_stays_loaded_for_the_same_text_and_options,
           a_kernel_that_may_have_written_variables_is_loaded_anew, kernel_copy_kernel_and_copy_alternate,
           the_kernel_alone_is_timed_without_a_yardstick, a_probe_says_which_device_there_is,
           without_a_library_its_message_is_passed_on,
           REPEATED(sizeof failures / sizeof *failures, each_call_that_fails_is_named_and_the_next_launch_begins_anew),
           the_librarys_transpose_and_copies_alternate, a_transpose_that_fails_says_so, a_worker_ends_when_nobody_asks_any_more)
