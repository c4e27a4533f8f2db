// Inline PTX: special registers, carries, bit fields, byte permutation, three-input logic, predicates, cached loads and
// stores, and assembly with a scope of its own; against plain arithmetic on the host.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#include "check.h"

struct Result {
    uint32_t lane, warp, lanes_below, highest_bit, field, inserted, permuted, logic, population, reversed, saturated, larger;
    uint32_t wide_low, wide_high;
    uint64_t product, sum_low, sum_high;
};

__device__ inline uint32_t lane_id() {
    uint32_t lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

// (a, b) + (c, d), 128 bits each, by the carry flag.
__device__ inline void add128(uint64_t &low, uint64_t &high, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    asm("add.cc.u64 %0, %2, %4;\n\t"
        "addc.u64 %1, %3, %5;"
        : "=l"(low), "=l"(high)
        : "l"(a), "l"(b), "l"(c), "l"(d));
}

__global__ void evaluate(const uint32_t *a, const uint32_t *b, Result *out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Result r;
    uint32_t x, y;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(x) : "l"(a + i) : "memory");
    asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(y) : "l"(b + i));
    r.lane = lane_id();
    asm("mov.u32 %0, %%tid.x;\n\tshr.u32 %0, %0, 5;" : "=r"(r.warp));
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(r.lanes_below));
    asm("bfind.u32 %0, %1;" : "=r"(r.highest_bit) : "r"(x));
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r.field) : "r"(x), "r"(5), "r"(11));
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r.inserted) : "r"(x), "r"(y), "n"(8), "n"(12));
    asm("prmt.b32 %0, %1, %2, 0x7250;" : "=r"(r.permuted) : "r"(x), "r"(y));
    asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(r.logic) : "r"(x), "r"(y), "r"(0x0ff0f00fu)); // the majority of each three bits
    asm("popc.b32 %0, %1;" : "=r"(r.population) : "r"(x ^ y));
    asm("brev.b32 %0, %1;" : "=r"(r.reversed) : "r"(x));
    asm("add.sat.s32 %0, %1, %2;" : "=r"(r.saturated) : "r"(x), "r"(y));
    asm("{\n\t"
        ".reg .pred bigger;\n\t"
        "setp.gt.u32 bigger, %1, %2;\n\t"
        "selp.u32 %0, %1, %2, bigger;\n\t"
        "@!bigger add.u32 %0, %0, 1;\n\t"
        "}"
        : "=r"(r.larger)
        : "r"(x), "r"(y));
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(r.product) : "r"(x), "r"(y));
    asm("mov.b64 {%0, %1}, %2;" : "=r"(r.wide_low), "=r"(r.wide_high) : "l"(r.product));
    add128(r.sum_low, r.sum_high, r.product, x, ~(uint64_t)y, y);
    out[i] = r;
}

static uint32_t reverse(uint32_t x) {
    uint32_t reversed = 0;
    for (int bit = 0; bit < 32; bit++) reversed |= (x >> bit & 1) << (31 - bit);
    return reversed;
}

static Result expect(uint32_t x, uint32_t y, int thread) {
    Result r = {};
    r.lane = thread % 32;
    r.warp = thread / 32;
    r.lanes_below = (1u << r.lane) - 1;
    r.highest_bit = 0xffffffffu;
    for (int bit = 0; bit < 32; bit++) {
        if (x >> bit & 1) r.highest_bit = bit;
        r.population += (x ^ y) >> bit & 1;
    }
    r.field = x >> 5 & 0x7ff;
    r.inserted = (y & ~0xfff00u) | (x & 0xfff) << 8;
    // Bytes 0 to 3 are those of x, 4 to 7 those of y; the result's are numbers 0, 5, 2, 7.
    r.permuted = (x & 0xff) | (y & 0xff00) | (x & 0xff0000) | (y & 0xff000000u);
    const uint32_t z = 0x0ff0f00fu;
    r.logic = (x & y) | (x & z) | (y & z);
    r.reversed = reverse(x);
    int64_t sum = (int64_t)(int32_t)x + (int32_t)y;
    r.saturated = (uint32_t)(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum);
    r.larger = x > y ? x : y + 1;
    r.product = (uint64_t)x * y;
    r.wide_low = (uint32_t)r.product;
    r.wide_high = (uint32_t)(r.product >> 32);
    r.sum_low = r.product + ~(uint64_t)y;
    r.sum_high = (uint64_t)x + y + (r.sum_low < r.product);
    return r;
}

#define COMPARE(field)                                                                                     \
    if (got[i].field != wanted.field) {                                                                    \
        printf("element %d: " #field " is 0x%llx, expected 0x%llx\n", i, (unsigned long long)got[i].field, \
               (unsigned long long)wanted.field);                                                          \
        return 1;                                                                                          \
    }

int main() {
    const int n = 1013, threads = 96;
    std::vector<uint32_t> a(n), b(n);
    uint32_t state = 99;
    for (int i = 0; i < n; i++) {
        a[i] = (state = state * 1664525u + 1013904223u) >> i % 23;
        b[i] = (state = state * 1664525u + 1013904223u);
    }
    a[0] = 0, b[0] = 0;
    a[1] = 0x7fffffffu, b[1] = 1;
    a[2] = 0x80000000u, b[2] = 0xffffffffu;
    uint32_t *d_a, *d_b;
    Result *d_out;
    std::vector<Result> got(n);
    CHECK(cudaMalloc(&d_a, n * sizeof(uint32_t)));
    CHECK(cudaMalloc(&d_b, n * sizeof(uint32_t)));
    CHECK(cudaMalloc(&d_out, n * sizeof(Result)));
    CHECK(cudaMemcpy(d_a, a.data(), n * sizeof(uint32_t), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b.data(), n * sizeof(uint32_t), cudaMemcpyHostToDevice));
    evaluate<<<(n + threads - 1) / threads, threads>>>(d_a, d_b, d_out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(got.data(), d_out, n * sizeof(Result), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        const Result wanted = expect(a[i], b[i], i % threads);
        COMPARE(lane)
        COMPARE(warp)
        COMPARE(lanes_below) COMPARE(highest_bit) COMPARE(field) COMPARE(inserted) COMPARE(permuted) COMPARE(logic)
            COMPARE(population) COMPARE(reversed) COMPARE(saturated) COMPARE(larger) COMPARE(wide_low) COMPARE(wide_high)
                COMPARE(product) COMPARE(sum_low) COMPARE(sum_high)
    }
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_out));
    printf("ok: %d results of each instruction\n", n);
    return 0;
}
