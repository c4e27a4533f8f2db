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
    LOCAL_TEXT text = logs_take(iterator, SIZE_MAX);
    const bool written = fputs(text_string(&text), file) >= 0;
    return fclose(file) == 0 && written ? cudaSuccess : api_end(NULL, cudaErrorOperatingSystem);
}

cudaError_t cudaLogsDumpToMemory(cudaLogIterator *iterator, char *buffer, size_t *bytes, unsigned flags) {
    CALLSITE_BEGIN();
    (void)flags;
    if (!buffer || !bytes || !*bytes) return api_end(NULL, cudaErrorInvalidValue);
    const size_t room = *bytes < LOG_BYTES ? *bytes : LOG_BYTES;
    const bool has_any = logs_count() > (iterator ? *iterator : 0);
    LOCAL_TEXT text = logs_take(iterator, room - 1);
    *bytes = strlen(text_string(&text));
    if (has_any && !*bytes) return api_end(NULL, cudaErrorInvalidValue); /* not one has room */
    memcpy(buffer, text_string(&text), *bytes + 1);
    return cudaSuccess;
}
