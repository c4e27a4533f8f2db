#define _GNU_SOURCE /* memmem */
#include "cuda/clang.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/constants.h"
#include "cuda/find.h"
#include "cuda/imitate.h"
#include "cuda/options.h"
#include "cuda/poststep.h"
#include "cuda/precompiled.h"
#include "cuda/relocated.h"
#include "cuda/unroll.h"
#include "host/checksum.h"

#define IR_LIMIT ((size_t)256 << 20)
#define OUR_HEADER "warpscope_cuda.h"

/* The oldest PTX version that supports the device (PTX ISA, "Release Notes"), and never below 7.0: `_sync` built-ins need it. */
static const char *ptx_feature(unsigned arch) {
    if (arch >= 120) return "+ptx87";
    if (arch >= 100) return "+ptx86";
    if (arch >= 89) return "+ptx78";
    if (arch >= 87) return "+ptx74";
    if (arch >= 81) return "+ptx71";
    return "+ptx70";
}

/* What a clang is told in place of a device that is newer than it is: its code is right for that as well, and what only the newer device has comes by
 * inline PTX, whose words no clang looks at. */
enum { STAND_IN_ARCH = 86, STANDS_IN_TO = 90 };

static bool is_raised(const Compilation *compilation) { return compilation->known_arch != compilation->arch; }

/* Whether it was that which the compiler could not do. */
static bool arch_unknown(const Compilation *compilation) {
    return compilation->arch > STAND_IN_ARCH && compilation->arch <= STANDS_IN_TO && !is_raised(compilation) &&
           strstr(text_string(&compilation->result->messages), "unsupported CUDA gpu architecture");
}

/* nvcc brings <cmath> and <cstdlib> along. Reading them doubles the time that a small kernel takes, so the pass over device code does
 * so only for a file that may use a name of theirs. */
static bool names_cpp(const char *path) {
    static const char *const names[] = {"std::", "namespace std", "isnan", "isinf", "isfinite", "signbit", NULL};
    size_t length;
    FREED char *source = text_read_file(path, IR_LIMIT, &length);
    bool named = false;
    for (const char *const *name = names; source && *name && !named; name++)
        named = memmem(source, length, *name, strlen(*name));
    return named;
}

/* What both passes have in common. The SDK version, of an SDK that is absent, makes launches call cudaLaunchKernel(). */
static void begin(Argv *command, const Compilation *compilation) {
    const CompileRequest *request = compilation->request;
    argv_add(command, compilation->compiler);
    argv_add_split(command, "-x cuda --cuda-path=/nonexistent -nocudainc -nocudalib -Xclang -target-sdk-version=11.5 -isystem");
    argv_add(command, request->include_dir ? request->include_dir : ".");
    argv_add_split(command, "-include " OUR_HEADER);
    if (names_cpp(request->path)) argv_add(command, "-DWARPSCOPE_CPP");
    if (!options_have(request->options, request->option_count, "-std")) argv_add(command, "-std=c++17");
    argv_add(command, "-Wno-register"); /* an error of clang's in C++17, none of nvcc's, and old programs say it */
    argv_add_number(command, "--cuda-gpu-arch=sm_", compilation->known_arch);
    if (request->relocatable) argv_add(command, "-fgpu-rdc");
}

/* Names the file, so that both passes give its own variables the same names, which no other file has: clang would name each pass by itself. */
static void add_unit(Argv *command, const CompileRequest *request) {
    FREED char *whole = realpath(request->path, NULL);
    uint64_t hash = checksum_of(whole ? whole : request->path);
    for (size_t i = 0; i < request->option_count; i++)
        hash = checksum_bytes(request->options[i], strlen(request->options[i]) + 1, hash);
    LOCAL_TEXT word = text_from("-cuid=%016llx", (unsigned long long)hash);
    argv_add(command, text_string(&word)); /* which the driver keeps from a pass over host code alone */
    argv_add(command, "-Xclang");
    argv_add(command, text_string(&word));
}

static bool run_once(Compilation *compilation, Argv *command, const char *output) {
    argv_add(command, "-o");
    argv_add(command, output);
    return alias_add_source(&compilation->aliases, command, compilation->request->path, compilation->diag) &&
           compilation_run(compilation, command);
}

/* The command with our headers as they were kept, where it includes them. */
static Argv with_kept(const Argv *command, const char *kept) {
    Argv other = {0};
    for (size_t i = 0; i < command->count; i++) {
        if (strcmp(command->words[i], OUR_HEADER) == 0) continue;
        if (strcmp(command->words[i], "-include") == 0) {
            argv_add_split(&other, "-Xclang -include-pch -Xclang");
            argv_add(&other, kept);
        } else {
            argv_add(&other, command->words[i]);
        }
    }
    return other;
}

/* Whether clang says that it does not take them, or names them as it crashes. */
static bool refused(const char *messages, const char *kept) {
    return strstr(messages, "PCH") || strstr(messages, "precompiled") || strstr(messages, "AST file") || strstr(messages, kept);
}

static bool run_with_kept(Compilation *compilation, const Argv *command, const char *kept, const char *output) {
    LOCAL_ARGV other = with_kept(command, kept);
    return run_once(compilation, &other, output);
}

/* Runs and frees the command. gpu: the PTX that goes into an object file, which our headers do not depend on; or NULL. */
static bool run(Compilation *compilation, CompileSide side, Argv *command, const char *gpu, const char *output) {
    LOCAL_TEXT kept = {0};
    Text *messages = &compilation->result->messages;
    LOCAL_ARGV begun = {0};
    size_t said = messages->length;
    argv_add_all(&begun, (const char *const *)command->words);
    bool keeps = precompiled_find(compilation, side, command, &kept), fine = false;
    if (compilation->request->relocatable) add_unit(command, compilation->request);
    if (gpu) argv_add_split(command, "-Xclang -fcuda-include-gpubinary -Xclang");
    if (gpu) argv_add(command, gpu);
    if (keeps) {
        fine = run_with_kept(compilation, command, text_string(&kept), output);
        keeps = fine || !refused(text_string(messages) + said, text_string(&kept));
        if (!keeps) {
            messages->data[messages->length = said] = 0;
            *compilation->diag = (Diag){0};
        }
    }
    if (!keeps) {
        fine = run_once(compilation, command, output);
        if (fine && kept.length) precompiled_make(compilation, &begun, text_string(&kept));
    }
    argv_free(command);
    return fine;
}

/* --- device code --- */

/* First half: C++ to LLVM assembly, not optimised yet. */
static bool clang_front(Compilation *compilation, const char *ir, bool silently, bool int128) {
    Argv command = {0};
    begin(&command, compilation);
    argv_add_split(&command, "--cuda-device-only -O3 -S -emit-llvm -Xclang -disable-llvm-passes -gline-tables-only");
    argv_add(&command,
             "-fno-finite-loops"); /* C++ allows a compiler to drop a loop that never ends; newer clangs do, nvcc does not */
    argv_add_split(&command, "-Xclang -ffp-contract=fast-honor-pragmas -Xclang -target-feature -Xclang");
    argv_add(&command, ptx_feature(compilation->known_arch));
    if (is_raised(compilation))
        argv_add(&command, "-U__CUDA_ARCH__"), argv_add_number(&command, "-D__CUDA_ARCH__=", 10 * compilation->arch);
    options_add(&command, compilation->request->options, compilation->request->option_count, SIDE_DEVICE);
    if (silently) argv_add(&command, "-w");
    if (compilation->request->warns && !silently)
        argv_add_split(&command, "-Wuninitialized -Wsometimes-uninitialized -Wunused-but-set-variable "
                                 "-Wtautological-unsigned-zero-compare -Wloop-analysis");
    if (int128) argv_add(&command, PRECOMPILED_NOT);
    return run(compilation, SIDE_DEVICE, &command, NULL, ir);
}

/* LLVM gives up, with a stack trace, where the device lacks a library function that it would call. */
static void explain_backend(Compilation *compilation) {
    static const char key[] = "error in backend: ";
    Text *messages = &compilation->result->messages;
    char *reason = strstr(messages->data ? messages->data : "", key), *trace = reason ? strchr(reason, '\n') : NULL;
    if (!trace) return;
    *trace = 0;
    *compilation->diag = (Diag){0};
    if (!constants_explain(reason, compilation->request->path, compilation->diag))
        diag_error(compilation->diag, compilation->request->path, 0, 0, "clang cannot make GPU code of it: %s",
                   reason + strlen(key));
    messages->length = 0;
    messages->data[0] = 0;
}

static bool unwritten(Compilation *compilation) {
    return compilation_unable(compilation) || diag_error(compilation->diag, compilation->request->path, 0, 0,
                                                         "cannot write a temporary file: %s", strerror(errno));
}

/* The PTX's version and target become those of the device that was asked for. */
static void raise(const Compilation *compilation, Text *ptx) {
    const char *digits = ptx_feature(compilation->arch) + strlen("+ptx"), *text = text_string(ptx);
    const char *version = strstr(text, "\n.version "), *target = version ? strstr(version, "\n.target sm_") : NULL;
    if (!target) return;
    const char *behind = target + 1 + strcspn(target + 1, "\n"), *between = version + 1 + strcspn(version + 1, "\n");
    Text raised = text_from("%.*s\n.version %c.%s%.*s\n.target sm_%u", (int)(version - text), text, digits[0], digits + 1,
                            (int)(target - between), between, compilation->arch);
    text_add(&raised, "%s", behind);
    text_free(ptx);
    *ptx = raised;
}

static bool finish_file(Compilation *compilation, const char *path) {
    FREED char *ptx = compilation_read(compilation, path, COMPILE_PTX_LIMIT, NULL);
    LOCAL_TEXT finished = {0}, stepped = {0};
    if (!ptx) return false;
    unroll_finish(ptx, &finished);
    poststep(text_string(&finished), &stepped);
    if (is_raised(compilation)) raise(compilation, &stepped);
    return text_write_file(path, text_string(&stepped), stepped.length) || unwritten(compilation);
}

/* Second half: optimised, and written as PTX. Vector combining is off because it would split the wide accesses again. */
static bool clang_back(Compilation *compilation, const char *ir, const char *ptx) {
    const CompileRequest *request = compilation->request;
    LOCAL_ARGV command = {0};
    argv_add(&command, compilation->compiler);
    argv_add_split(&command, "-x ir --target=nvptx64-nvidia-cuda --cuda-path=/nonexistent -S");
    argv_add(&command, "-fno-verbose-asm"); /* newer clangs comment each .loc with the file and its folders */
    argv_add_split(&command, "-ffp-contract=on -Wno-override-module -Wno-pass-failed -Qunused-arguments");
    argv_add_split(&command, "-mllvm -disable-vector-combine -Xclang -target-feature -Xclang");
    argv_add(&command, ptx_feature(compilation->known_arch));
    argv_add(&command, "-o");
    argv_add(&command, ptx);
    argv_add(&command, ir);
    argv_add_pair(&command, "-O", options_level(request->options, request->option_count));
    unroll_add_options(&command, compilation->result->compiler);
    argv_add_split(&command, "-Xclang -target-cpu -Xclang");
    argv_add_number(&command, "sm_", compilation->known_arch);
    if (options_have(request->options, request->option_count, "-use_fast_math"))
        argv_add_split(&command, "-mllvm -nvptx-prec-divf32=0 -mllvm -nvptx-prec-sqrtf32=0");
    bool ran = compilation_run(compilation, &command);
    if (!ran) explain_backend(compilation);
    return ran && finish_file(compilation, ptx) && compilation_keep_ptx(compilation, ptx) &&
           constants_unwritten(text_string(&compilation->result->ptx), request->path, compilation->diag);
}

/* Divisions of 128-bit integers have no instruction; the headers define functions for them only when asked to. */
static bool divides_int128(const char *path) {
    static const char *const operations[] = {"sdiv i128", "udiv i128", "srem i128", "urem i128"};
    size_t length;
    FREED char *module = text_read_file(path, IR_LIMIT, &length);
    bool found = false;
    for (size_t i = 0; module && i < sizeof operations / sizeof *operations; i++)
        found |= memmem(module, length, operations[i], strlen(operations[i])) != NULL;
    return found;
}

static bool widen_file(Compilation *compilation, const char *from, const char *to) {
    size_t length;
    FREED char *module = compilation_read(compilation, from, IR_LIMIT, &length);
    if (!module) return false;
    CompileResult *result = compilation->result;
    if (!find_version_in(COMPILER_CLANG, module, length, result->compiler, sizeof result->compiler)) {
        find_version(COMPILER_CLANG, compilation->compiler, result->compiler, sizeof result->compiler);
    }
    LOCAL_TEXT relocated = {0}, widened = {0};
    const bool apart = compilation->request->relocatable;
    if (apart) relocated_module(module, length, &relocated);
    imitate_nvcc(apart ? text_string(&relocated) : module, apart ? relocated.length : length, result->compiler, &widened);
    return text_write_file(to, text_string(&widened), widened.length) || unwritten(compilation);
}

bool clang_device(Compilation *compilation, bool silently) {
    LOCAL_TEXT front = compilation_file(compilation, "front.ll"), widened = compilation_file(compilation, "wide.ll"),
               ptx = compilation_file(compilation, "out.ptx");
    bool fine = clang_front(compilation, text_string(&front), silently, false);
    if (!fine && arch_unknown(compilation)) {
        compilation->known_arch = STAND_IN_ARCH;
        text_free(&compilation->result->messages);
        *compilation->diag = (Diag){0};
        fine = clang_front(compilation, text_string(&front), silently, false);
    }
    if (fine && divides_int128(text_string(&front))) fine = clang_front(compilation, text_string(&front), true, true);
    return fine && widen_file(compilation, text_string(&front), text_string(&widened)) &&
           clang_back(compilation, text_string(&widened), text_string(&ptx));
}

/* --- host code --- */

/* The driver that newer versions prefer leaves the registration of kernels to the linker. The device pass has named the version. */
static bool knows_two_drivers(const Compilation *compilation) {
    unsigned major = 0;
    return sscanf(compilation->result->compiler, "clang %u.", &major) == 1 && major >= 15;
}

/* The runtime expects the embedded text to end with a NUL, which clang 19 no longer adds. */
static bool end_with_nul(Compilation *compilation, const char *path) {
    FILE *file = fopen(path, "ab");
    bool fine = file && fputc(0, file) == 0;
    if (file && fclose(file) != 0) fine = false;
    return fine || unwritten(compilation);
}

/* A call at a function's end stays one, whose line is known: runtime/callsite.h. */
bool clang_host(Compilation *compilation, const char *object_path) {
    LOCAL_TEXT ptx = compilation_file(compilation, "out.ptx");
    Argv command = {0};
    bool fine = end_with_nul(compilation, text_string(&ptx));
    begin(&command, compilation);
    argv_add_split(&command, "--cuda-host-only -c -O2 -gline-tables-only -fno-optimize-sibling-calls -Qunused-arguments");
    if (knows_two_drivers(compilation)) argv_add(&command, "--no-offload-new-driver");
    options_add(&command, compilation->request->options, compilation->request->option_count, SIDE_HOST);
    return run(compilation, SIDE_HOST, &command, text_string(&ptx), object_path) && fine;
}
