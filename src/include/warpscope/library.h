/* library.h: what a kernel may call of the C library: printf, assert, malloc, clocks; and ways to stop. */
#pragma once

extern "C" {
__device__ int printf(const char *format, ...);
__device__ int vprintf(const char *format, const char *arguments);
__device__ void *malloc(size_t bytes) noexcept(true);
__device__ void free(void *p) noexcept(true);
__device__ void __assertfail(const char *message, const char *file, unsigned int line, const char *function, size_t char_bytes);
}

/* What assert() of the C library calls. */
WARPSCOPE_DEVICE void __assert_fail(const char *message, const char *file, unsigned int line,
                                    const char *function) noexcept(true) {
    __assertfail(message, file, line, function, 1);
}

WARPSCOPE_DEVICE long clock() {
    unsigned int ticks;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(ticks)::"memory");
    return (long)ticks;
}
WARPSCOPE_DEVICE long long clock64() {
    long long ticks;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(ticks)::"memory");
    return ticks;
}
WARPSCOPE_DEVICE void __nanosleep(unsigned int ns) { asm volatile("nanosleep.u32 %0;" ::"r"(ns)); }
WARPSCOPE_DEVICE void __trap() { asm volatile("trap;"); }
WARPSCOPE_DEVICE void __brkpt() { asm volatile("brkpt;"); }
/* The counter is a constant up to 7; which one it is changes nothing here. */
WARPSCOPE_DEVICE void __prof_trigger(int) { asm volatile("pmevent 0;"); }

WARPSCOPE_DEVICE void *memcpy(void *to, const void *from, size_t bytes) { return __builtin_memcpy(to, from, bytes); }
WARPSCOPE_DEVICE void *memmove(void *to, const void *from, size_t bytes) { return __builtin_memmove(to, from, bytes); }
WARPSCOPE_DEVICE void *memset(void *to, int value, size_t bytes) { return __builtin_memset(to, value, bytes); }
