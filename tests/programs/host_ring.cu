// A ring in mapped memory: the host puts numbers in, a kernel that stays on the device takes them, squares them and puts them into a second ring, from which
// the host takes them again. Neither side could go on without the other: each ring has far fewer places than there are numbers.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#include "check.h"

enum { PLACES = 8, NUMBERS = 300 };

struct Ring {
    volatile unsigned put, taken; // so far
    volatile unsigned long long items[PLACES];
};

__global__ void square(Ring *in, Ring *out) {
    for (unsigned n = 0; n < NUMBERS; n++) {
        while (in->put == n) {}
        __threadfence_system();
        unsigned long long item = in->items[n % PLACES];
        __threadfence_system();
        in->taken = n + 1;
        while (out->put - out->taken == PLACES) {}
        out->items[n % PLACES] = item * item;
        __threadfence_system();
        out->put = n + 1;
    }
}

int main() {
    Ring *in, *out;
    CHECK(cudaHostAlloc(&in, sizeof *in, cudaHostAllocMapped));
    CHECK(cudaHostAlloc(&out, sizeof *out, cudaHostAllocMapped));
    in->put = in->taken = out->put = out->taken = 0;
    square<<<1, 1>>>(in, out);
    CHECK(cudaGetLastError());
    unsigned put = 0;
    for (unsigned taken = 0; taken < NUMBERS;) {
        if (put < NUMBERS && put - in->taken < PLACES) {
            in->items[put % PLACES] = 7 + put;
            std::atomic_thread_fence(std::memory_order_seq_cst);
            in->put = ++put;
        }
        if (out->put == taken) continue;
        std::atomic_thread_fence(std::memory_order_seq_cst);
        unsigned long long expected = (7ULL + taken) * (7 + taken), item = out->items[taken % PLACES];
        if (item != expected) {
            printf("number %u: %llu, expected %llu\n", taken, item, expected);
            exit(1);
        }
        std::atomic_thread_fence(std::memory_order_seq_cst);
        out->taken = ++taken;
    }
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFreeHost(in));
    CHECK(cudaFreeHost(out));
    printf("ok: %d numbers through two rings of %d\n", NUMBERS, PLACES);
    return 0;
}
