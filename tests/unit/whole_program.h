/* whole_program.h: programs that end: each is a function, which runs in a process of its own, with all that the runtime says at its end. */
#pragma once

#include <signal.h>
#include <sys/wait.h>

#include "runtime_test.h"

/* A program that uses a pointer wrongly ends by the signal that it would have without the emulator. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "handle_segv=0:handle_sigbus=0:detect_leaks=0"; }

static char printed[4000], heard[40000]; /* what the last one wrote to standard output and standard error */

static inline void take(FILE *file, char *text, size_t size) {
    rewind(file);
    text[fread(text, 1, size - 1, file)] = 0;
    fclose(file);
}

/* What becomes of the program, as waitpid says it. */
static inline int ends(int (*program)(void)) {
    FILE *output = tmpfile(), *errors = tmpfile();
    int status;
    ck_assert(output && errors);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(fileno(output), STDOUT_FILENO);
        dup2(fileno(errors), STDERR_FILENO);
        exit(program());
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    take(output, printed, sizeof printed);
    take(errors, heard, sizeof heard);
    without_places(heard);
    return status;
}

/* It ends by itself, with this status. */
static inline void exits(int wanted, int (*program)(void)) {
    int status = ends(program);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == wanted, "status %#x, not %d: %s", (unsigned)status, wanted,
                  heard);
}

#define HEARD(text) ck_assert_msg(strstr(heard, (text)), "%s\n  does not have\n%s", heard, (text))
#define NOT_HEARD(text) ck_assert_msg(!strstr(heard, (text)), "%s\n  has\n%s", heard, (text))

/* --- a program of one kernel, k, of which this is the device code --- */

static const char *code;
static inline cudaError_t launch_coded(void) {
    static FatbinWrapper wrapper = {.magic = FATBIN_WRAPPER_MAGIC, .version = 1};
    wrapper.data = code;
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, (const char *)fill, NULL, "k", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFatBinaryEnd(handle);
    return launch_in(NULL, fill, 1, 1, NULL);
}

/* --- the JSON that a program writes --- */

static char path[80];

/* The JSON that the program writes. */
static inline json_t *written(int (*program)(void)) {
    char text[3] = "";
    json_error_t error;
    exits(0, program);
    json_t *array = json_load_file(path, 0, &error);
    ck_assert_msg(json_is_array(array), "%s", error.text);
    FILE *file = fopen(path, "r");
    ck_assert(file && fread(text, 1, 2, file) == 2);
    ck_assert_str_eq(text, json_array_size(array) ? "[\n" : "[]");
    fseek(file, -2, SEEK_END);
    ck_assert(fread(text, 1, 2, file) == 2);
    ck_assert_str_eq(text, "]\n");
    fclose(file);
    return array;
}

static inline void json_to_file(void) {
    suite_file(path, "launches.json");
    setenv("WARPSCOPE_JSON", path, 1);
}
