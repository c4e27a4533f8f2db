// Sums, minima and maxima by shuffles, by cooperative groups, by atomics, and in one launch whose last block finishes the work.
#include <algorithm>
#include <climits>
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#include "check.h"

namespace cg = cooperative_groups;

template <typename T> __inline__ __device__ T warp_sum(T value) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}

// Thread 0 returns the sum over the block.
template <typename T> __inline__ __device__ T block_sum(T value) {
    __shared__ T warps[32];
    int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    value = warp_sum(value);
    if (lane == 0) warps[warp] = value;
    __syncthreads();
    value = threadIdx.x < blockDim.x / warpSize ? warps[lane] : T(0);
    return warp == 0 ? warp_sum(value) : value;
}

__global__ void sum_shuffle(const int *in, long long *out, int n) {
    long long sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) atomicAdd((unsigned long long *)out, (unsigned long long)sum);
}

__global__ void sum_groups(const int *in, long long *out, int n) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    __shared__ int tiles[16];
    int i = blockIdx.x * block.size() + block.thread_rank();
    int sum = i < n ? in[i] : 0;
    for (int offset = tile.size() / 2; offset > 0; offset /= 2) sum += tile.shfl_xor(sum, offset);
    if (tile.thread_rank() == 0) tiles[block.thread_rank() / 16] = sum;
    block.sync();
    if (block.thread_rank() < 16) {
        sum = tiles[tile.thread_rank()];
        for (int offset = 8; offset > 0; offset /= 2) sum += tile.shfl_down(sum, offset);
        if (tile.thread_rank() == 0) atomicAdd((unsigned long long *)out, (unsigned long long)(long long)sum);
    }
}

__global__ void sum_atomic(const int *in, int *out, int n) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&sum, in[i]);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(out, sum);
}

__global__ void extremes(const int *in, int *lowest, int *highest, int n) {
    int low = INT_MAX, high = INT_MIN;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        low = min(low, in[i]);
        high = max(high, in[i]);
    }
    for (int mask = 16; mask > 0; mask /= 2) {
        low = min(low, __shfl_xor_sync(0xffffffff, low, mask));
        high = max(high, __shfl_xor_sync(0xffffffff, high, mask));
    }
    if (threadIdx.x % 32 == 0) {
        atomicMin(lowest, low);
        atomicMax(highest, high);
    }
}

__device__ unsigned int blocks_done = 0;

// The block that finishes last adds the partial sums, and leaves the counter at 0 for the next launch.
__global__ void sum_one_launch(const int *in, volatile double *partial, double *out, int n) {
    __shared__ bool is_last;
    double sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        is_last = atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last) return;
    sum = 0;
    for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x) sum += partial[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) *out = sum;
}

struct Results {
    long long shuffle, groups;
    double one_launch;
    int atomic, low, high;
};

int main() {
    const int n = 70001, threads = 256, blocks = (n + threads - 1) / threads;
    std::vector<int> in(n);
    for (int i = 0; i < n; i++) in[i] = (int)(i * 2654435761u >> 17) - 15000;
    long long sum = 0;
    for (int value : in) sum += value;

    Results start = {0, 0, 0.0, 0, INT_MAX, INT_MIN}, got;
    int *d_in;
    Results *d_results;
    double *d_partial;
    CHECK(cudaMalloc(&d_in, n * sizeof(int)));
    CHECK(cudaMalloc(&d_results, sizeof(Results)));
    CHECK(cudaMalloc(&d_partial, 50 * sizeof(double)));
    CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_results, &start, sizeof(Results), cudaMemcpyHostToDevice));

    sum_shuffle<<<30, threads>>>(d_in, &d_results->shuffle, n);
    sum_groups<<<blocks, threads>>>(d_in, &d_results->groups, n);
    sum_atomic<<<blocks, threads>>>(d_in, &d_results->atomic, n);
    extremes<<<20, 160>>>(d_in, &d_results->low, &d_results->high, n);
    for (int again = 0; again < 2; again++) sum_one_launch<<<50, 96>>>(d_in, d_partial, &d_results->one_launch, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&got, d_results, sizeof(Results), cudaMemcpyDeviceToHost));

    const int low = *std::min_element(in.begin(), in.end()), high = *std::max_element(in.begin(), in.end());
    const struct {
        const char *name;
        double got, expected;
    } rows[] = {{"sum_shuffle", (double)got.shuffle, (double)sum}, {"sum_groups", (double)got.groups, (double)sum},
                {"sum_atomic", (double)got.atomic, (double)sum},   {"minimum", (double)got.low, (double)low},
                {"maximum", (double)got.high, (double)high},       {"sum_one_launch", got.one_launch, (double)sum}};
    for (const auto &row : rows) {
        if (row.got != row.expected) {
            printf("%s is %.0f, expected %.0f\n", row.name, row.got, row.expected);
            return 1;
        }
    }
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_results));
    CHECK(cudaFree(d_partial));
    printf("ok: sum %lld, from %d to %d\n", sum, low, high);
    return 0;
}
