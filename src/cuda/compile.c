#include "cuda/compile.h"

#include <stdio.h>
#include <string.h>

#include "cuda/clang.h"
#include "cuda/find.h"
#include "cuda/host.h"
#include "cuda/job.h"
#include "cuda/options.h"

bool compile_find(CompilerChoice choice, char *path, size_t path_bytes, char *name, size_t name_bytes) {
    if (choice == COMPILER_AUTO) {
        return compile_find(COMPILER_NVCC, path, path_bytes, name, name_bytes) ||
               compile_find(COMPILER_CLANG, path, path_bytes, name, name_bytes);
    }
    if (!find_compiler(choice, path, path_bytes)) return false;
    find_version(choice, path, name, name_bytes);
    return true;
}

bool compile_fits_runtime(const char *name) {
    unsigned major;
    return sscanf(name, "nvcc %u", &major) != 1 || major >= 13;
}

/* nvcc gives the name to a shell, in double quotes. */
static bool nvcc_takes(Job *job, const char *path) {
    if (!strpbrk(path, "$`\\\n")) return true;
    diag_error(job->diag, path, 0, 0, "nvcc cannot take a file name with $, ` or \\ in it");
    return diag_hint(job->diag, "rename the file, or let clang compile it: --cc clang");
}

/* Runs nvcc with these words before the user's, which are in its own language but for the device's. more: the last options, or NULL. */
static bool run_nvcc_once(Job *job, const char *const *words, const char *const *more, const char *output) {
    const CompileRequest *request = job->request;
    const char *const common[] = {"-lineinfo", "-Wno-deprecated-gpu-targets", NULL}, *const to[] = {"-o", output, NULL};
    Argv command = {0};
    argv_add(&command, job->compiler);
    argv_add_all(&command, words);
    argv_add_all(&command, common);
    if (!options_have(request, "-std") && !options_have(request, "--std")) argv_add(&command, "-std=c++17");
    options_add_nvcc(&command, request);
    if (more) argv_add_all(&command, more);
    argv_add_all(&command, to);
    argv_add_input(&command, request->path);
    bool fine = job_run(job, &command);
    argv_free(&command);
    return fine;
}

static bool hint_host(Job *job, unsigned newest) {
    char known[40] = "that is installed";
    if (newest) snprintf(known, sizeof known, "newer than %u", newest);
    return diag_hint(job->diag, "this nvcc takes no g++ %s: ./setup --cuda gets a newer nvcc; or --cc clang", known);
}

/* Again with another compiler of host code, if nvcc refused the one that it found and the user did not choose it. Of PTX the host's
 * compiler is just the preprocessor, so that any will do that gets through nvcc's headers. */
static bool run_nvcc(Job *job, const char *const *words, bool ptx_alone, const char *output) {
    const CompileRequest *request = job->request;
    if (!nvcc_takes(job, request->path) || !nvcc_takes(job, output)) return false;
    if (run_nvcc_once(job, words, NULL, output)) return true;
    Text *messages = &job->result->messages;
    if (options_have(request, "-ccbin") || options_have(request, "--compiler-bindir") || !host_refused(text_string(messages)))
        return false;
    unsigned newest = host_newest(text_string(messages));
    char other[JOB_PATH_BYTES];
    bool takes = host_instead(text_string(messages), other, sizeof other);
    if (!takes && !(ptx_alone && find_in_path("g++", other, sizeof other))) return hint_host(job, newest);
    text_free(messages);
    *job->diag = (Diag){0};
    const char *const more[] = {"-ccbin", other, takes ? NULL : "-allow-unsupported-compiler", NULL};
    if (run_nvcc_once(job, words, more, output)) return true;
    return !takes && strcmp(job->diag->file, request->path) != 0 && hint_host(job, newest);
}

static bool device_by_nvcc(Job *job) {
    CompileResult *result = job->result;
    Text ptx = job_file(job, "out.ptx"), arch = {0};
    text_add(&arch, "-arch=%s", job->arch);
    const char *const words[] = {"-ptx", text_string(&arch), NULL};
    bool fine = run_nvcc(job, words, true, text_string(&ptx)) && job_keep_ptx(job, text_string(&ptx));
    if (fine &&
        !find_version_in(COMPILER_NVCC, result->ptx.data, result->ptx.length, result->compiler, sizeof result->compiler)) {
        find_version(COMPILER_NVCC, job->compiler, result->compiler, sizeof result->compiler);
    }
    text_free(&ptx);
    text_free(&arch);
    return fine;
}

/* PTX alone goes into the fat binary, as text. */
static bool object_by_nvcc(Job *job, const char *object_path) {
    Text code = {0};
    const char *number = strncmp(job->arch, "sm_", 3) == 0 ? job->arch + 3 : job->arch;
    text_add(&code, "arch=compute_%s,code=compute_%s", number, number);
    const char *const words[] = {"-c", "-cudart", "none", "-no-compress", "-gencode", text_string(&code), NULL};
    bool fine = run_nvcc(job, words, false, object_path);
    if (fine) find_version(COMPILER_NVCC, job->compiler, job->result->compiler, sizeof job->result->compiler);
    text_free(&code);
    return fine;
}

bool compile_cu(const CompileRequest *request, CompileResult *result, Diag *diag) {
    Job job;
    *result = (CompileResult){0};
    bool fine = job_begin(&job, request, result, diag) &&
                (result->used == COMPILER_NVCC ? device_by_nvcc(&job) : clang_device(&job, false));
    job_end(&job);
    if (!fine) text_free(&result->ptx);
    return fine;
}

bool compile_object(const CompileRequest *request, const char *object_path, CompileResult *result, Diag *diag) {
    Job job;
    *result = (CompileResult){0};
    bool fine = job_begin(&job, request, result, diag) &&
                (result->used == COMPILER_NVCC ? object_by_nvcc(&job, object_path)
                                               : clang_device(&job, true) && clang_host(&job, object_path));
    job_end(&job);
    if (!fine) text_free(&result->ptx);
    return fine;
}

void compile_result_free(CompileResult *result) {
    text_free(&result->ptx);
    text_free(&result->messages);
}
