#include "device/fifo.h"

bool fifo_say(uint64_t calls, uint64_t bytes, Text *what, const char **hint) {
    *hint = "print from fewer threads; or cudaDeviceSetLimit(cudaLimitPrintfFifoSize, bytes) before the first launch makes "
            "more room";
    if (calls <= bytes / FIFO_CALL_BYTES) return false;
    text_add(what,
             "threads called printf %llu times before the host waited, which are all printed here: a GPU keeps the last %llu "
             "for certain (%llu "
             "bytes, %d for each), and what comes later overwrites the oldest",
             (unsigned long long)calls, (unsigned long long)bytes / FIFO_CALL_BYTES, (unsigned long long)bytes,
             FIFO_CALL_BYTES);
    return true;
}
