/* runtime_test.h: what the suites of the runtime share. They call it as a program does that a compiler has made: kernels stand in PTX that
 * is registered before they run. Each test runs in a process of its own, so each begins with a device that nobody has touched. */
#pragma once

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sanitized.h"
#include "runtime/api.h"
#include "runtime/fatbin.h"
#include "suite.h"

#define INDEX                                                                                            \
    "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r4, %r1, %r2, %r3;\n" \
    "mul.wide.u32 %rd9, %r4, 4;\n"
#define REGISTERS ".reg .pred %p<4>; .reg .b32 %r<20>; .reg .b64 %rd<20>;\n"

/* fill(p, value, n): p[i] = value.   copy(to, from, n): to[i] = from[i].   raise(p, n): p[i]++, all for i below n.   polls(flag): until it is not 0. */
static const char runtime_ptx[] =
    ".version 8.0\n.target sm_75\n.address_size 64\n"
    ".visible .global .align 4 .u32 total = 5;\n"
    ".visible .const .align 4 .b32 factors[4] = {1, 2, 3, 4};\n"
    ".visible .global .attribute(.managed) .align 4 .u32 shared_total;\n"
    ".visible .entry fill(.param .u64 p, .param .u32 value, .param .u32 n) {\n" REGISTERS INDEX
    "ld.param.u64 %rd1, [p]; ld.param.u32 %r5, [value]; ld.param.u32 %r6, [n];\n"
    "setp.ge.u32 %p1, %r4, %r6; @%p1 bra done; add.s64 %rd2, %rd1, %rd9; st.global.u32 [%rd2], %r5;\ndone: ret;\n}\n"
    ".visible .entry copy(.param .u64 to, .param .u64 from, .param .u32 n) {\n" REGISTERS INDEX
    "ld.param.u64 %rd1, [to]; ld.param.u64 %rd2, [from]; ld.param.u32 %r6, [n];\n"
    "setp.ge.u32 %p1, %r4, %r6; @%p1 bra done; add.s64 %rd3, %rd1, %rd9; add.s64 %rd4, %rd2, %rd9;\n"
    "ld.global.u32 %r7, [%rd4]; st.global.u32 [%rd3], %r7;\ndone: ret;\n}\n"
    ".visible .entry raise(.param .u64 p, .param .u32 n) {\n" REGISTERS INDEX
    "ld.param.u64 %rd1, [p]; ld.param.u32 %r6, [n]; setp.ge.u32 %p1, %r4, %r6; @%p1 bra done;\n"
    "add.s64 %rd2, %rd1, %rd9; ld.global.u32 %r7, [%rd2]; add.u32 %r7, %r7, 1; st.global.u32 [%rd2], %r7;\ndone: ret;\n}\n"
    ".visible .entry misaligned(.param .u64 p) {\n" REGISTERS
    "ld.param.u64 %rd1, [p]; mov.u32 %r1, 1; st.global.u32 [%rd1+2], %r1; ret;\n}\n"
    ".visible .entry stop() {\n trap;\n}\n"
    ".visible .entry polls(.param .u64 p) {\n" REGISTERS
    "ld.param.u64 %rd1, [p];\nagain: ld.volatile.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra again; ret;\n}\n"
    ".visible .entry bounded(.param .u64 p) .maxntid 64, 1, 1 {\n ret;\n}\n"
    ".visible .entry ticks(.param .u64 p) {\n" REGISTERS
    "ld.param.u64 %rd1, [p]; mov.u32 %r1, %clock; st.global.u32 [%rd1], %r1; ret;\n}\n"
    /* total += 1; *p = total * factors[2]; shared_total = total */
    ".visible .entry variables(.param .u64 p) {\n" REGISTERS
    "ld.param.u64 %rd1, [p]; ld.global.u32 %r1, [total]; add.u32 %r1, %r1, 1; st.global.u32 [total], %r1;\n"
    "ld.const.u32 %r2, [factors+8]; mul.lo.u32 %r3, %r1, %r2; st.global.u32 [%rd1], %r3; st.global.u32 [shared_total], %r1;\n"
    "ret;\n}\n";

static inline void fill(void) {}
static inline void copy(void) {}
static inline void raise_all(void) {}
static inline void misaligned(void) {}
static inline void stop(void) {}
static inline void polls(void) {}
static inline void bounded(void) {}
static inline void ticks(void) {}
static inline void variables(void) {}
static inline void unknown_kernel(void) {}
static unsigned total, factors[4];
static unsigned *shared_total;

/* What compilers put before main. */
static inline void runtime_register(void) {
    static FatbinWrapper wrapper = {.magic = FATBIN_WRAPPER_MAGIC, .version = 1, .data = runtime_ptx};
    static const struct {
        void (*stub)(void);
        const char *name;
    } kernels[] = {{fill, "fill"},  {copy, "copy"},       {raise_all, "raise"}, {misaligned, "misaligned"},
                   {stop, "stop"},  {bounded, "bounded"}, {ticks, "ticks"},     {variables, "variables"},
                   {polls, "polls"}};
    void **handle = __cudaRegisterFatBinary(&wrapper);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        __cudaRegisterFunction(handle, (const char *)kernels[i].stub, NULL, kernels[i].name, -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterVar(handle, (char *)&total, NULL, "total", 0, sizeof total, 0, 0);
    __cudaRegisterVar(handle, (char *)factors, NULL, "factors", 0, sizeof factors, 1, 0);
    __cudaRegisterManagedVar(handle, (void **)&shared_total, NULL, "shared_total", 0, sizeof total, 0, 0);
    __cudaRegisterFatBinaryEnd(handle);
    __cudaInitModule(handle);
}

static inline cudaError_t launch_in(cudaStream_t stream, void (*kernel)(void), unsigned blocks, unsigned threads,
                                    void **arguments) {
    return cudaLaunchKernel((const void *)kernel, (dim3){blocks, 1, 1}, (dim3){threads, 1, 1}, arguments, 0, stream);
}

static inline cudaError_t launch_fill(void *p, unsigned value, unsigned n) {
    void *arguments[] = {&p, &value, &n};
    return launch_in(NULL, fill, (n + 127) / 128, 128, arguments);
}

static inline cudaError_t launch_copy(void *to, void *from, unsigned n) {
    void *arguments[] = {&to, &from, &n};
    return launch_in(NULL, copy, (n + 127) / 128, 128, arguments);
}

static inline cudaError_t launch_raise(void *p, unsigned n) {
    void *arguments[] = {&p, &n};
    return launch_in(NULL, raise_all, (n + 127) / 128, 128, arguments);
}

static inline void *device_memory(size_t bytes) {
    void *p;
    ck_assert_int_eq(cudaMalloc(&p, bytes), cudaSuccess);
    return p;
}

/* The first of the n numbers that the device has. */
static inline unsigned first_of(const void *p) {
    unsigned value;
    ck_assert_int_eq(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
    return value;
}

/* Takes the places of these suites' own calls out of what was said: "warpscope: test_x.c:14: " becomes "warpscope: ". */
static inline void without_places(char *text) {
    static const char begins[] = "warpscope: ";
    for (char *at = text; (at = strstr(at, begins)) != NULL; at++) {
        char *from = at + strlen(begins);
        int length = 0;
        if (sscanf(from, "%*[a-z_].%*1[ch]:%*u: %n", &length) == 0 && length)
            memmove(from, from + length, strlen(from + length) + 1);
    }
}

/* What is written to the standard error output from now on. */
static inline FILE *listen(void) {
    FILE *heard = tmpfile();
    fflush(stderr);
    ck_assert(heard && dup2(fileno(heard), STDERR_FILENO) >= 0);
    return heard;
}

/* What was heard begins with this; "": nothing was. Check's own messages go another way. */
static inline void said(FILE *heard, const char *wanted) {
    char text[2000] = "";
    fflush(stderr);
    rewind(heard);
    text[fread(text, 1, sizeof text - 1, heard)] = 0;
    fclose(heard);
    without_places(text);
    ck_assert_msg(*wanted ? strncmp(text, wanted, strlen(wanted)) == 0 : !*text, "%s\n  does not begin with\n%s", text, wanted);
}

/* Whether accesses of the host are watched: not under sanitizers, whose its faults are, nor on other hosts (runtime/hostwatch.c). */
#ifdef __x86_64__
enum { HOST_WATCHED = !SANITIZED };
#else
enum { HOST_WATCHED = false };
#endif

#define FINE(call) ck_assert_int_eq((call), cudaSuccess)
#define GIVES(error, call) ck_assert_int_eq((call), (error))

static inline int runtime_main(const char *name, const TTest *const *tests, size_t count) {
    static const char *const settings[] = {"DEVICE", "REPORT", "JSON", "THREADS", "COMPILER", "CHECK", "ON_FAULT", "JOINS"};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        char variable[40];
        snprintf(variable, sizeof variable, "WARPSCOPE_%s", settings[i]);
        unsetenv(variable);
    }
    return suite_run(name, (Fixture){NULL, NULL, false}, 1, tests, count);
}

#define RUNTIME_MAIN(name, ...)                                         \
    int main(void) {                                                    \
        const TTest *const tests[] = {__VA_ARGS__};                     \
        return runtime_main(name, tests, sizeof tests / sizeof *tests); \
    }
