// Every kind of atomic, on 32- and 64-bit integers, float and double, in global and in shared memory; compare-and-swap loops, a
// counter that wraps around, a lock, and warps that count with one atomic for all their lanes.
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#include "check.h"

typedef unsigned int uint;
typedef unsigned long long ull;

struct Totals {
    int add, sub, low, high, bits_and, bits_or, bits_xor;
    uint wrapped_up, wrapped_down, last_exchanged;
    ull add64, high64, swaps64;
    float add_float, high_float;
    double add_double, product;
    int locked, held; // `locked` is guarded by the lock `held`
    uint warp_counted;
};

// A double is multiplied by way of its bits: repeated until nobody came in between.
__device__ double atomic_multiply(double *at, double by) {
    ull *bits = (ull *)at, seen = *bits, expected;
    do {
        expected = seen;
        seen = atomicCAS(bits, expected, (ull)__double_as_longlong(__longlong_as_double((long long)expected) * by));
    } while (seen != expected);
    return __longlong_as_double((long long)seen);
}

__device__ void atomic_max_float(float *at, float value) {
    int seen = __float_as_int(*at);
    while (value > __int_as_float(seen)) {
        int before = atomicCAS((int *)at, seen, __float_as_int(value));
        if (before == seen) return;
        seen = before;
    }
}

__global__ void in_global(Totals *t, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(&t->add, i % 7);
    atomicSub(&t->sub, i % 5);
    atomicMin(&t->low, (i * 37) % 1001 - 500);
    atomicMax(&t->high, (i * 37) % 1001 - 500);
    atomicAnd(&t->bits_and, ~(1 << (i % 9)));
    atomicOr(&t->bits_or, 1 << (i % 20));
    atomicXor(&t->bits_xor, i);
    atomicInc(&t->wrapped_up, 99u);
    atomicDec(&t->wrapped_down, 99u);
    atomicExch(&t->last_exchanged, 1000u + i);
    atomicAdd(&t->add64, (ull)i << 20);
    atomicMax(&t->high64, (ull)(i * 11 % 3001) << 33);
    atomicCAS(&t->swaps64, (ull)(i + 1), 5ull); // the value is 0 and never i + 1: nothing happens
    atomicAdd(&t->add_float, 0.25f);
    atomic_max_float(&t->high_float, (float)(i * 17 % 901));
    atomicAdd(&t->add_double, 0.5);
    if (i % 256 == 0) atomic_multiply(&t->product, 2.0);
    if (i % 64 == 0) { // one thread of two warps at a time takes the lock
        while (atomicCAS(&t->held, 0, 1) != 0) {}
        __threadfence();
        *(volatile int *)&t->locked = *(volatile int *)&t->locked + i % 3;
        __threadfence();
        atomicExch(&t->held, 0);
    }
    if (i % 3 == 1) {
        uint active = __activemask();
        int lane = threadIdx.x % 32, leader = __ffs(active) - 1;
        if (lane == leader) atomicAdd(&t->warp_counted, (uint)__popc(active));
    }
}

// Each thread takes a ticket: all tickets of a block are different. out: the block's ticket holders in order of tickets.
__global__ void in_shared(int *out, float *sums) {
    __shared__ int next, seen;
    __shared__ float sum;
    if (threadIdx.x == 0) {
        next = seen = 0;
        sum = 0.0f;
    }
    __syncthreads();
    int ticket = atomicAdd(&next, 1);
    out[blockIdx.x * blockDim.x + ticket] = threadIdx.x;
    atomicOr(&seen, 1 << (threadIdx.x % 31));
    atomicAdd(&sum, 1.5f);
    __syncthreads();
    if (threadIdx.x == 0) sums[blockIdx.x] = sum + (float)__popc(seen);
}

#define EXPECT(field, format, value)                                              \
    if (got.field != (value)) {                                                   \
        printf(#field " is " format ", expected " format "\n", got.field, value); \
        return 1;                                                                 \
    }

static int check_global(const Totals &got, int n) {
    Totals e = {};
    e.bits_and = -1;
    for (int i = 0; i < n; i++) {
        e.add += i % 7;
        e.sub -= i % 5;
        e.low = std::min(e.low, i * 37 % 1001 - 500);
        e.high = std::max(e.high, i * 37 % 1001 - 500);
        e.bits_and &= ~(1 << (i % 9));
        e.bits_or |= 1 << (i % 20);
        e.bits_xor ^= i;
        e.add64 += (ull)i << 20;
        e.high64 = std::max(e.high64, (ull)(i * 11 % 3001) << 33);
        e.high_float = std::max(e.high_float, (float)(i * 17 % 901));
        if (i % 64 == 0) e.locked += i % 3;
        if (i % 3 == 1) e.warp_counted++;
    }
    EXPECT(add, "%d", e.add)
    EXPECT(sub, "%d", e.sub)
    EXPECT(low, "%d", e.low)
    EXPECT(high, "%d", e.high)
    EXPECT(bits_and, "%d", e.bits_and)
    EXPECT(bits_or, "%d", e.bits_or)
    EXPECT(bits_xor, "%d", e.bits_xor)
    EXPECT(wrapped_up, "%u", (uint)(n % 100))                 // 0, 1, … 99, 0
    EXPECT(wrapped_down, "%u", (uint)((100 - n % 100) % 100)) // 0, 99, 98, … 0
    EXPECT(add64, "%llu", e.add64)
    EXPECT(high64, "%llu", e.high64)
    EXPECT(swaps64, "%llu", 0ull)
    EXPECT(add_float, "%g", n * 0.25f)
    EXPECT(high_float, "%g", e.high_float)
    EXPECT(add_double, "%g", n * 0.5)
    EXPECT(product, "%g", (double)(1 << ((n + 255) / 256)))
    EXPECT(locked, "%d", e.locked)
    EXPECT(held, "%d", 0)
    EXPECT(warp_counted, "%u", e.warp_counted)
    if (got.last_exchanged < 1000u || got.last_exchanged >= 1000u + n) {
        printf("last_exchanged is %u, which no thread wrote\n", got.last_exchanged);
        return 1;
    }
    return 0;
}

int main() {
    const int n = 5003, blocks = 3, threads = 100;
    Totals totals = {};
    totals.bits_and = -1;
    totals.product = 1.0;
    Totals *d_totals;
    CHECK(cudaMalloc(&d_totals, sizeof(Totals)));
    CHECK(cudaMemcpy(d_totals, &totals, sizeof(Totals), cudaMemcpyHostToDevice));
    in_global<<<(n + 127) / 128, 128>>>(d_totals, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&totals, d_totals, sizeof(Totals), cudaMemcpyDeviceToHost));
    if (check_global(totals, n)) return 1;

    int *d_holders;
    float *d_sums, sums[blocks];
    std::vector<int> holders(blocks * threads);
    CHECK(cudaMalloc(&d_holders, holders.size() * sizeof(int)));
    CHECK(cudaMalloc(&d_sums, sizeof(sums)));
    in_shared<<<blocks, threads>>>(d_holders, d_sums);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(holders.data(), d_holders, holders.size() * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(sums, d_sums, sizeof(sums), cudaMemcpyDeviceToHost));
    for (int b = 0; b < blocks; b++) {
        std::sort(holders.begin() + b * threads, holders.begin() + (b + 1) * threads);
        for (int i = 0; i < threads; i++) {
            if (holders[b * threads + i] != i) {
                printf("block %d: thread %d has no ticket of its own\n", b, i);
                return 1;
            }
        }
        if (sums[b] != 1.5f * threads + 31) {
            printf("block %d: sum is %g, expected %g\n", b, sums[b], 1.5f * threads + 31);
            return 1;
        }
    }
    CHECK(cudaFree(d_totals));
    CHECK(cudaFree(d_holders));
    CHECK(cudaFree(d_sums));
    printf("ok: %d threads agreed\n", n);
    return 0;
}
