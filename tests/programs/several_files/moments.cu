#include "statistics.h"

// Each file may have a kernel and a constant of these names of its own.
static __constant__ int threads_per_block;

static __global__ void sum_up(const float *samples, int n, double mean, double *sums) {
    double sum = 0.0, squares = 0.0;
    for (int i = blockIdx.x * threads_per_block + threadIdx.x; i < n; i += gridDim.x * threads_per_block) {
        double x = samples[i] - mean;
        sum += x;
        squares += x * x;
    }
    for (int d = 16; d > 0; d /= 2) {
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
        squares += __shfl_xor_sync(0xffffffffu, squares, d);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&sums[0], sum);
        atomicAdd(&sums[1], squares);
    }
}

Moments device_moments(const float *samples, int n) {
    const int threads = 96;
    double *d_sums, sums[2], mean = 0.0;
    CHECK(cudaMemcpyToSymbol(threads_per_block, &threads, sizeof(threads)));
    CHECK(cudaMalloc(&d_sums, sizeof(sums)));
    for (int pass = 0; pass < 2; pass++) { // the mean first, then the squares of the distances from it
        CHECK(cudaMemset(d_sums, 0, sizeof(sums)));
        sum_up<<<17, threads>>>(samples, n, mean, d_sums);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(sums, d_sums, sizeof(sums), cudaMemcpyDeviceToHost));
        if (pass == 0) mean = sums[0] / n;
    }
    CHECK(cudaFree(d_sums));
    return Moments{mean, sums[1] / n};
}
