#define _GNU_SOURCE /* memmem */
#include "cuda/clang.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/find.h"
#include "cuda/imitate.h"
#include "cuda/options.h"

#define IR_LIMIT ((size_t)256 << 20)

/* The oldest PTX version that knows the device (PTX ISA, "Release Notes"), and never below 7.0: `_sync` built-ins need it. */
static const char *ptx_feature(const char *arch) {
    int number = strncmp(arch, "sm_", 3) == 0 ? atoi(arch + 3) : 0;
    if (number >= 120) return "+ptx87";
    if (number >= 100) return "+ptx86";
    if (number >= 89) return "+ptx78";
    if (number >= 87) return "+ptx74";
    if (number >= 81) return "+ptx71";
    return "+ptx70";
}

/* nvcc brings <cmath> and <cstdlib> along. Reading them doubles the time that a small kernel takes, so the pass over device code does
 * so only for a file in which a name of theirs may stand. */
static bool names_cpp(const char *path) {
    static const char *const names[] = {"std::", "namespace std", "isnan", "isinf", "isfinite", "signbit", NULL};
    size_t length;
    char *source = text_read_file(path, IR_LIMIT, &length);
    bool named = false;
    for (const char *const *name = names; source && *name && !named; name++)
        named = memmem(source, length, *name, strlen(*name));
    free(source);
    return named;
}

/* What both passes have in common. The version of an SDK that is not there says how a launch is compiled: by cudaLaunchKernel(). */
static void begin(Argv *command, const Job *job) {
    const CompileRequest *request = job->request;
    const char *const fixed[] = {job->compiler,
                                 "-x",
                                 "cuda",
                                 "--cuda-path=/nonexistent",
                                 "-nocudainc",
                                 "-nocudalib",
                                 "-Xclang",
                                 "-target-sdk-version=11.5",
                                 "-isystem",
                                 request->include_dir ? request->include_dir : ".",
                                 "-include",
                                 "warpscope_cuda.h",
                                 names_cpp(request->path) ? "-DWARPSCOPE_CPP" : NULL,
                                 NULL};
    argv_add_all(command, fixed);
    if (!options_have(request, "-std") && !options_have(request, "--std")) argv_add(command, "-std=c++17");
    argv_add_pair(command, "--cuda-gpu-arch=", job->arch);
}

static void end(Argv *command, const Job *job, const char *output) {
    const char *const words[] = {"-o", output, NULL};
    argv_add_all(command, words);
    argv_add_input(command, job->request->path);
}

/* --- device code --- */

/* First half: C++ to LLVM assembly, not optimised yet. */
static bool clang_front(Job *job, const char *ir, bool silently, bool int128) {
    Argv command = {0};
    begin(&command, job);
    const char *const fixed[] = {
        "--cuda-device-only",
        "-O3",
        "-S",
        "-emit-llvm",
        "-Xclang",
        "-disable-llvm-passes",
        "-gline-tables-only",
        "-fno-finite-loops", /* C++ allows to drop a loop that never ends; newer versions do, nvcc does not */
        "-Xclang",
        "-ffp-contract=fast-honor-pragmas",
        "-Xclang",
        "-target-feature",
        "-Xclang",
        ptx_feature(job->arch),
        NULL};
    argv_add_all(&command, fixed);
    options_add(&command, job->request, SIDE_DEVICE);
    if (silently) argv_add(&command, "-w");
    if (int128) argv_add(&command, "-DWARPSCOPE_DIVIDE_INT128=1");
    end(&command, job, ir);
    bool fine = job_run(job, &command);
    argv_free(&command);
    return fine;
}

/* LLVM gives up, with a trace of its own inside, where the device lacks something that it would call a library for. */
static void explain_backend(Job *job) {
    static const char key[] = "error in backend: ";
    Text *messages = &job->result->messages;
    char *reason = strstr(messages->data ? messages->data : "", key), *trace = reason ? strchr(reason, '\n') : NULL;
    if (!trace) return;
    *trace = 0;
    *job->diag = (Diag){0};
    diag_error(job->diag, job->request->path, 0, 0, "clang cannot make GPU code of it: %s", reason + strlen(key));
    messages->length = 0;
    messages->data[0] = 0;
}

/* Second half: optimised, and written as PTX. Vector combining is off because it takes the wide accesses apart again. */
static bool clang_back(Job *job, const char *ir, const char *ptx) {
    bool fast = options_have(job->request, "--use_fast_math") || options_have(job->request, "-use_fast_math");
    const char *const approximate[] = {"-mllvm", "-nvptx-prec-divf32=0", "-mllvm", "-nvptx-prec-sqrtf32=0", NULL};
    Argv command = {0};
    const char *const fixed[] = {job->compiler,
                                 "-x",
                                 "ir",
                                 "--target=nvptx64-nvidia-cuda",
                                 "--cuda-path=/nonexistent",
                                 "-S",
                                 options_level(job->request),
                                 "-ffp-contract=on",
                                 "-Wno-override-module",
                                 "-Wno-pass-failed",
                                 "-Qunused-arguments",
                                 "-mllvm",
                                 "-disable-vector-combine",
                                 "-Xclang",
                                 "-target-cpu",
                                 "-Xclang",
                                 job->arch,
                                 "-Xclang",
                                 "-target-feature",
                                 "-Xclang",
                                 ptx_feature(job->arch),
                                 "-o",
                                 ptx,
                                 ir,
                                 NULL};
    argv_add_all(&command, fixed);
    if (fast) argv_add_all(&command, approximate);
    bool ran = job_run(job, &command);
    if (!ran) explain_backend(job);
    argv_free(&command);
    return ran && job_keep_ptx(job, ptx);
}

/* Divisions of 128-bit integers: no instruction, and functions that the headers define only when asked to. */
static bool divides_int128(const char *path) {
    static const char *const operations[] = {"sdiv i128", "udiv i128", "srem i128", "urem i128"};
    size_t length;
    char *module = text_read_file(path, IR_LIMIT, &length);
    bool found = false;
    for (size_t i = 0; module && i < sizeof operations / sizeof *operations; i++)
        found |= memmem(module, length, operations[i], strlen(operations[i])) != NULL;
    free(module);
    return found;
}

static bool widen_file(Job *job, const char *from, const char *to) {
    size_t length;
    char *module = job_read(job, from, IR_LIMIT, &length);
    if (!module) return false;
    CompileResult *result = job->result;
    if (!find_version_in(COMPILER_CLANG, module, length, result->compiler, sizeof result->compiler)) {
        find_version(COMPILER_CLANG, job->compiler, result->compiler, sizeof result->compiler);
    }
    Text widened = {0};
    imitate_nvcc(module, length, &widened);
    free(module);
    FILE *file = fopen(to, "wb");
    bool fine = file && fwrite(text_string(&widened), 1, widened.length, file) == widened.length;
    if (file && fclose(file) != 0) fine = false;
    text_free(&widened);
    return fine || diag_error(job->diag, job->request->path, 0, 0, "cannot write a temporary file: %s", strerror(errno));
}

bool clang_device(Job *job, bool silently) {
    Text front = job_file(job, "front.ll"), widened = job_file(job, "wide.ll"), ptx = job_file(job, "out.ptx");
    bool fine = clang_front(job, text_string(&front), silently, false);
    if (fine && divides_int128(text_string(&front))) fine = clang_front(job, text_string(&front), true, true);
    fine = fine && widen_file(job, text_string(&front), text_string(&widened)) &&
           clang_back(job, text_string(&widened), text_string(&ptx));
    text_free(&front);
    text_free(&widened);
    text_free(&ptx);
    return fine;
}

/* --- host code --- */

/* The driver that newer versions prefer leaves the registration of kernels to the linker. The device pass has named the version. */
static bool knows_two_drivers(const Job *job) {
    unsigned major = 0;
    return sscanf(job->result->compiler, "clang %u.", &major) == 1 && major >= 15;
}

/* The runtime takes the embedded text to end with a NUL, which clang 19 no longer adds. */
static bool end_with_nul(const Job *job, const char *path) {
    FILE *file = fopen(path, "ab");
    bool fine = file && fputc(0, file) == 0;
    if (file && fclose(file) != 0) fine = false;
    return fine || diag_error(job->diag, job->request->path, 0, 0, "cannot write a temporary file: %s", strerror(errno));
}

bool clang_host(Job *job, const char *object_path) {
    Text ptx = job_file(job, "out.ptx");
    Argv command = {0};
    begin(&command, job);
    const char *const fixed[] = {
        "--cuda-host-only", "-c", "-O2", "-Qunused-arguments", "-Xclang", "-fcuda-include-gpubinary", "-Xclang",
        text_string(&ptx),  NULL};
    argv_add_all(&command, fixed);
    if (knows_two_drivers(job)) argv_add(&command, "--no-offload-new-driver");
    options_add(&command, job->request, SIDE_HOST);
    end(&command, job, object_path);
    bool fine = end_with_nul(job, text_string(&ptx)) && job_run(job, &command);
    argv_free(&command);
    text_free(&ptx);
    return fine;
}
