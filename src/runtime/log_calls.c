/* log_calls.c: the calls that give out what the runtime has said. */
#include <string.h>

#include "runtime/context.h"
#include "runtime/logs.h"

enum { LOG_BYTES = 25600 }; /* that are given out at once, at most (CUDA Runtime API, cudaLogsDumpToMemory) */

cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t function, void *data, cudaLogsCallbackHandle *handle) {
    CALLSITE_BEGIN();
    if (!function) return api_end(NULL, cudaErrorInvalidValue);
    const cudaLogsCallbackHandle made = logs_listen(function, data);
    if (handle) *handle = made;
    return cudaSuccess;
}

cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle handle) {
    CALLSITE_BEGIN();
    return logs_leave(handle) ? cudaSuccess : api_end(NULL, cudaErrorInvalidValue);
}

cudaError_t cudaLogsCurrent(cudaLogIterator *iterator, unsigned flags) {
    CALLSITE_BEGIN();
    (void)flags;
    if (!iterator) return api_end(NULL, cudaErrorInvalidValue);
    *iterator = logs_count();
    return cudaSuccess;
}

cudaError_t cudaLogsDumpToFile(cudaLogIterator *iterator, const char *path, unsigned flags) {
    CALLSITE_BEGIN();
    (void)flags;
    if (!path) return api_end(NULL, cudaErrorInvalidValue);
    FILE *file = fopen(path, "a");
    if (!file) return api_end(NULL, cudaErrorInvalidValue);
    unsigned next;
    LOCAL_TEXT text = logs_lines(iterator ? *iterator : 0, SIZE_MAX, &next);
    const bool written = fputs(text_string(&text), file) >= 0;
    if (fclose(file) != 0 || !written) return api_end(NULL, cudaErrorOperatingSystem);
    if (iterator) *iterator = next;
    return cudaSuccess;
}

cudaError_t cudaLogsDumpToMemory(cudaLogIterator *iterator, char *buffer, size_t *bytes, unsigned flags) {
    CALLSITE_BEGIN();
    (void)flags;
    if (!buffer || !bytes || !*bytes) return api_end(NULL, cudaErrorInvalidValue);
    const size_t room = *bytes < LOG_BYTES ? *bytes : LOG_BYTES;
    const unsigned first = iterator ? *iterator : 0;
    unsigned next;
    LOCAL_TEXT text = logs_lines(first, room - 1, &next);
    *bytes = text.length;
    if (next > first && !*bytes) return api_end(NULL, cudaErrorInvalidValue); /* not one has room */
    memcpy(buffer, text_string(&text), *bytes + 1);
    if (iterator) *iterator = next;
    return cudaSuccess;
}
