#define _GNU_SOURCE /* memmem */
#include "cuda/cuda12.h"

#include <string.h>

/* In words of nvcc's or clang's messages. */
static const char *const removed[] = {"clockRate",
                                      "memoryClockRate",
                                      "deviceOverlap",
                                      "kernelExecTimeoutEnabled",
                                      "computeMode",
                                      "cooperativeMultiDeviceLaunch",
                                      "singleToDoublePrecisionPerfRatio",
                                      "cudaThreadSynchronize",
                                      "cudaThreadExit",
                                      "cudaThreadSetLimit",
                                      "cudaThreadGetLimit",
                                      "cudaThreadSetCacheConfig",
                                      "cudaThreadGetCacheConfig",
                                      "cudaMemLocation", /* that a device's number is none */
                                      "unary_function",  /* Thrust's */
                                      "binary_function",
                                      "__shfl",
                                      "__shfl_up",
                                      "__shfl_down",
                                      "__shfl_xor",
                                      "__any",
                                      "__all",
                                      "__ballot"};

/* The same, of what CUDA 12 has no longer. */
static const char *const references[] = {"textureReference",
                                         "cudaBindTexture",
                                         "cudaBindTexture2D",
                                         "cudaBindTextureToArray",
                                         "cudaUnbindTexture",
                                         "cudaGetTextureReference",
                                         "cudaGetTextureAlignmentOffset"};

/* Whether the line, an error or a warning of what is outdated, has the name between quotation marks. */
static bool names(const char *line, size_t length, const char *name) {
    const char *error = memmem(line, length, "error: ", 7), *outdated = memmem(line, length, "\" was declared deprecated", 25);
    if (!error && !outdated) return false;
    const char *end = outdated ? outdated : line + length;
    const size_t size = strlen(name);
    for (const char *at = line; (at = memmem(at, (size_t)(end - at), name, size)) != NULL; at += size) {
        const bool begins = at > line && (at[-1] == '"' || at[-1] == '\''), ends = at + size <= end && !text_is_word(at[size]);
        if (begins && ends) return true;
    }
    return false;
}

static bool is_missed(const char *messages, const char *name) {
    for (const char *line = messages; *line;) {
        const size_t length = strcspn(line, "\n");
        if (names(line, length, name)) return true;
        line += length + (line[length] != 0);
    }
    return false;
}

/* Which had a parameter less: the message alone does not name it. */
static bool is_shorter_call(const char *messages, const char *name) {
    for (const char *at = messages; (at = strstr(at, "too few arguments in function call")) != NULL; at++) {
        const char *next = strchr(at, '\n'), *found = next ? strstr(next, name) : NULL;
        if (found && found < next + 1 + strcspn(next + 1, "\n")) return true;
    }
    return false;
}

/* Whether it wanted a template of that name: "texture" between quotation marks may be a name of the program's own. */
static bool wants_textures(const char *messages) {
    return strstr(messages, "error: texture is not a template") || strstr(messages, "error: no template named 'texture'");
}

static void add(Text *found, const char *name) { text_add(found, "%s%s", found->length ? ", " : "", name); }

unsigned cuda12_missed(const char *messages, Text *found) {
    for (size_t i = 0; i < sizeof removed / sizeof *removed; i++)
        if (is_missed(messages, removed[i])) add(found, removed[i]);
    if (is_shorter_call(messages, "cuCtxCreate")) add(found, "cuCtxCreate");
    const size_t newer = found->length;
    if (wants_textures(messages)) add(found, "texture");
    for (size_t i = 0; i < sizeof references / sizeof *references; i++)
        if (is_missed(messages, references[i])) add(found, references[i]);
    return found->length > newer ? 11 : newer ? 12 : 0;
}
