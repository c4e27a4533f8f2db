// Pi by throwing darts: every thread has a generator of its own (PCG, one sequence a thread), so that the host can throw the
// very same darts and count as many hits.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#include "check.h"

struct Generator { // PCG-XSH-RR: 64 bits of state, 32 bits a number; an odd increment names the sequence
    uint64_t state, increment;
    __host__ __device__ Generator(uint64_t seed, uint64_t sequence) : state(0), increment(sequence << 1 | 1) {
        next();
        state += seed;
        next();
    }
    __host__ __device__ uint32_t next() {
        uint64_t old = state;
        state = old * 6364136223846793005ULL + increment;
        uint32_t shifted = (uint32_t)((old >> 18 ^ old) >> 27);
        uint32_t turn = (uint32_t)(old >> 59);
        return shifted >> turn | shifted << (-turn & 31);
    }
    __host__ __device__ float uniform() { return (float)(next() >> 8) / 16777216.0f; } // in [0, 1), exact
};

// 24-bit coordinates, compared in integers: no rounding, the same answer everywhere.
__host__ __device__ inline bool hit(Generator &random) {
    uint64_t x = random.next() >> 8, y = random.next() >> 8;
    return x * x + y * y < (uint64_t)1 << 48;
}

__global__ void throw_darts(uint64_t seed, int threads, int darts, unsigned int *hits, double *mean) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int mine = 0;
    float sum = 0.0f;
    if (i < threads) {
        Generator random(seed, i);
        for (int k = 0; k < darts; k++) mine += hit(random);
        for (int k = 0; k < 4; k++) sum += random.uniform();
    }
    for (int d = 16; d > 0; d /= 2) {
        mine += __shfl_down_sync(0xffffffffu, mine, d);
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(hits, mine);
        atomicAdd(mean, (double)sum / (4.0 * threads));
    }
}

int main() {
    const int threads = 2001, darts = 50, block = 160;
    const uint64_t seed = 20261121;
    unsigned int *d_hits, hits, expected = 0;
    double *d_mean, mean, expected_mean = 0.0;
    CHECK(cudaMalloc(&d_hits, sizeof(hits)));
    CHECK(cudaMalloc(&d_mean, sizeof(mean)));
    CHECK(cudaMemset(d_hits, 0, sizeof(hits)));
    CHECK(cudaMemset(d_mean, 0, sizeof(mean)));
    throw_darts<<<(threads + block - 1) / block, block>>>(seed, threads, darts, d_hits, d_mean);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&hits, d_hits, sizeof(hits), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&mean, d_mean, sizeof(mean), cudaMemcpyDeviceToHost));

    for (int i = 0; i < threads; i++) {
        Generator random(seed, i);
        for (int k = 0; k < darts; k++) expected += hit(random);
        for (int k = 0; k < 4; k++) expected_mean += random.uniform() / (4.0 * threads);
    }
    if (hits != expected) {
        printf("%u hits, expected %u\n", hits, expected);
        return 1;
    }
    if (std::fabs(mean - expected_mean) > 1e-6) {
        printf("the mean is %.9f, expected %.9f\n", mean, expected_mean);
        return 1;
    }
    const double pi = 4.0 * hits / ((double)threads * darts);
    if (std::fabs(pi - 3.14159265358979) > 0.03) { // six standard deviations of 1.64 / sqrt(100050)
        printf("pi is %.6f\n", pi);
        return 1;
    }
    CHECK(cudaFree(d_hits));
    CHECK(cudaFree(d_mean));
    printf("ok: %u hits of %d, pi is about %.4f\n", hits, threads * darts, pi);
    return 0;
}
