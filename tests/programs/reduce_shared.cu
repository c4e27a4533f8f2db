// Seven ways to sum an array in shared memory, from interleaved pairs with a remainder to loops unrolled by the block's size;
// each block leaves one partial sum and the host adds these up.
#include <cstdio>
#include <cuda_runtime.h>
#include <numeric>
#include <vector>

#include "check.h"

#define BLOCK 128

__global__ void reduce_remainder(const int *in, int *out, int n) {
    extern __shared__ int part[];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    part[tid] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0) part[tid] += part[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = part[0];
}

// The same pairs, added by neighbouring threads: no idle lanes, but bank conflicts.
__global__ void reduce_strided(const int *in, int *out, int n) {
    extern __shared__ int part[];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    part[tid] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = 1; s < blockDim.x; s *= 2) {
        int index = 2 * s * tid;
        if (index < blockDim.x) part[index] += part[index + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = part[0];
}

__global__ void reduce_sequential(const int *in, int *out, int n) {
    extern __shared__ int part[];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    part[tid] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) part[tid] += part[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = part[0];
}

// Half as many blocks: the first addition is made while loading.
__global__ void reduce_first_add(const int *in, int *out, int n) {
    extern __shared__ int part[];
    int tid = threadIdx.x, i = blockIdx.x * (2 * blockDim.x) + tid;
    int sum = i < n ? in[i] : 0;
    if (i + blockDim.x < n) sum += in[i + blockDim.x];
    part[tid] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) part[tid] = sum = sum + part[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = sum;
}

// The last warp alone, as on devices whose warps always ran in step: all 32 lanes go on to the end, through `volatile`.
__device__ void last_warp_volatile(volatile int *part, int tid) {
    part[tid] += part[tid + 32];
    part[tid] += part[tid + 16];
    part[tid] += part[tid + 8];
    part[tid] += part[tid + 4];
    part[tid] += part[tid + 2];
    part[tid] += part[tid + 1];
}

__global__ void reduce_warp_volatile(const int *in, int *out, int n) {
    extern __shared__ int part[];
    int tid = threadIdx.x, i = blockIdx.x * (2 * blockDim.x) + tid;
    part[tid] = (i < n ? in[i] : 0) + (i + blockDim.x < n ? in[i + blockDim.x] : 0);
    __syncthreads();
    for (int s = blockDim.x / 2; s > 32; s >>= 1) {
        if (tid < s) part[tid] += part[tid + s];
        __syncthreads();
    }
    if (tid < 32) last_warp_volatile(part, tid);
    if (tid == 0) out[blockIdx.x] = part[0];
}

// The last warp with __syncwarp() between reading and writing; the block's size is known to the compiler.
template <int SIZE> __global__ void reduce_unrolled(const int *in, int *out, int n) {
    __shared__ int part[SIZE];
    int tid = threadIdx.x, i = blockIdx.x * (2 * SIZE) + tid;
    int sum = (i < n ? in[i] : 0) + (i + SIZE < n ? in[i + SIZE] : 0);
    part[tid] = sum;
    __syncthreads();
    if (SIZE >= 512 && tid < 256) part[tid] = sum = sum + part[tid + 256];
    if (SIZE >= 512) __syncthreads();
    if (SIZE >= 256 && tid < 128) part[tid] = sum = sum + part[tid + 128];
    if (SIZE >= 256) __syncthreads();
    if (SIZE >= 128 && tid < 64) part[tid] = sum = sum + part[tid + 64];
    if (SIZE >= 128) __syncthreads();
    if (tid < 32) {
        if (SIZE >= 64) sum += part[tid + 32];
        for (int s = 16; s > 0; s /= 2) {
            __syncwarp();
            part[tid] = sum;
            __syncwarp();
            sum += part[tid ^ s];
        }
        if (tid == 0) out[blockIdx.x] = sum;
    }
}

// Few blocks, each thread sums many elements first.
__global__ void reduce_many(const int *in, int *out, int n) {
    __shared__ int part[BLOCK];
    int tid = threadIdx.x, sum = 0;
    for (int i = blockIdx.x * BLOCK + tid; i < n; i += gridDim.x * BLOCK) sum += in[i];
    part[tid] = sum;
    for (int s = BLOCK / 2; s > 0; s /= 2) {
        __syncthreads();
        if (tid < s) part[tid] += part[tid + s];
    }
    if (tid == 0) out[blockIdx.x] = part[0];
}

static const int *d_in;
static int *d_out, n, expected;
typedef void (*Kernel)(const int *, int *, int);

static bool sums(const char *name, Kernel kernel, int blocks, int threads) {
    std::vector<int> partial(blocks);
    CHECK(cudaMemset(d_out, 0x55, blocks * sizeof(int)));
    kernel<<<blocks, threads, threads * sizeof(int)>>>(d_in, d_out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(partial.data(), d_out, blocks * sizeof(int), cudaMemcpyDeviceToHost));
    int got = std::accumulate(partial.begin(), partial.end(), 0);
    if (got != expected) printf("%s: sum is %d, expected %d\n", name, got, expected);
    return got == expected;
}

int main() {
    n = 50021;
    std::vector<int> in(n);
    for (int i = 0; i < n; i++) in[i] = i * 31 % 1013 - 400;
    expected = std::accumulate(in.begin(), in.end(), 0);
    int *buffer;
    CHECK(cudaMalloc(&buffer, n * sizeof(int)));
    CHECK(cudaMalloc(&d_out, (n / 64 + 1) * sizeof(int))); // the smallest blocks take 64 elements
    CHECK(cudaMemcpy(buffer, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    d_in = buffer;

    const int blocks = (n + BLOCK - 1) / BLOCK, half = (n + 2 * BLOCK - 1) / (2 * BLOCK);
    bool good = sums("remainder", reduce_remainder, blocks, BLOCK) && sums("strided", reduce_strided, blocks, BLOCK) &&
                sums("sequential", reduce_sequential, blocks, BLOCK) && sums("first_add", reduce_first_add, half, BLOCK) &&
                sums("warp_volatile", reduce_warp_volatile, half, BLOCK) && sums("many", reduce_many, 20, BLOCK);
    good = good && sums("unrolled<32>", reduce_unrolled<32>, (n + 63) / 64, 32) &&
           sums("unrolled<64>", reduce_unrolled<64>, (n + 127) / 128, 64) &&
           sums("unrolled<256>", reduce_unrolled<256>, (n + 511) / 512, 256) &&
           sums("unrolled<512>", reduce_unrolled<512>, (n + 1023) / 1024, 512);
    if (!good) return 1;
    CHECK(cudaFree(buffer));
    CHECK(cudaFree(d_out));
    printf("ok: 10 sums of %d numbers are %d\n", n, expected);
    return 0;
}
