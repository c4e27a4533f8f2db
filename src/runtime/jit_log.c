#include "runtime/jit_log.h"

#include <stdint.h>
#include <string.h>

static JitLog find(JitOptions given, CUjit_option buffer, CUjit_option size) {
    JitLog log = {0};
    for (unsigned i = 0; i < given.count; i++) {
        if (given.options[i] == buffer) log.into = given.values[i];
        if (given.options[i] == size) log.written = &given.values[i];
    }
    if (log.written) log.room = (unsigned)(uintptr_t)*log.written;
    return log;
}

JitLogs jit_logs(JitOptions given) {
    return (JitLogs){find(given, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES),
                     find(given, CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES)};
}

static void write_log(const JitLog *log, const char *text) {
    const size_t length = strlen(text) + 1;
    size_t written = log->into ? length < log->room ? length : log->room : 0;
    if (written) {
        memcpy(log->into, text, written);
        log->into[written - 1] = 0;
    }
    if (log->written) memcpy(log->written, &written, sizeof written);
}

void jit_logs_write(const JitLogs *logs, const char *error) {
    write_log(&logs->error, error);
    write_log(&logs->info, "");
}
