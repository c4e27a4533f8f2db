// Histograms of bytes: atomics in global memory, one histogram a block in shared memory, one a warp; and a weighted one of
// floats.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#include "check.h"

enum { BINS = 256, NARROW = 64, WARPS = 6 };
typedef unsigned char uchar;
typedef unsigned int uint;

__global__ void histogram_global(const uchar *data, uint *bins, int n) {
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) atomicAdd(&bins[data[i]], 1u);
}

__global__ void histogram_block(const uchar *data, uint *bins, int n) {
    __shared__ uint local[BINS];
    for (int b = threadIdx.x; b < BINS; b += blockDim.x) local[b] = 0;
    __syncthreads();
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) atomicAdd(&local[data[i]], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x) {
        if (local[b]) atomicAdd(&bins[b], local[b]);
    }
}

__device__ void add_byte(uint *warp_bins, uint byte) { atomicAdd(warp_bins + (byte >> 2), 1u); }

// 64 bins, one set a warp; four bytes are read at a time, and the bytes after the last whole word by block 0.
__global__ void histogram_warp(const uchar *data, uint *bins, int n) {
    __shared__ uint local[WARPS][NARROW];
    uint *mine = local[threadIdx.x / 32];
    for (int b = threadIdx.x % 32; b < NARROW; b += 32) mine[b] = 0;
    __syncwarp();
    const uint *words = reinterpret_cast<const uint *>(data);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) {
        uint word = words[i];
        add_byte(mine, word & 0xff);
        add_byte(mine, (word >> 8) & 0xff);
        add_byte(mine, (word >> 16) & 0xff);
        add_byte(mine, word >> 24);
    }
    if (blockIdx.x == 0 && threadIdx.x < n % 4) add_byte(mine, data[n / 4 * 4 + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x < NARROW) {
        uint sum = 0;
        for (int w = 0; w < WARPS; w++) sum += local[w][threadIdx.x];
        atomicAdd(&bins[threadIdx.x], sum);
    }
}

// The weights are small multiples of 1/4, so that sums are exact in any order.
__global__ void histogram_weighted(const uchar *data, const float *weights, float *bins, int n) {
    __shared__ float local[NARROW];
    if (threadIdx.x < NARROW) local[threadIdx.x] = 0.0f;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[data[i] % NARROW], weights[i]);
    __syncthreads();
    if (threadIdx.x < NARROW) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

template <typename T> static int verify(const char *kernel, const T *d_bins, const std::vector<T> &expected) {
    std::vector<T> got(expected.size());
    CHECK(cudaMemcpy(got.data(), d_bins, got.size() * sizeof(T), cudaMemcpyDeviceToHost));
    for (size_t b = 0; b < got.size(); b++) {
        if (got[b] != expected[b]) {
            printf("%s: bin %zu is %g, expected %g\n", kernel, b, (double)got[b], (double)expected[b]);
            return 1;
        }
    }
    return 0;
}

int main() {
    const int n = 60007;
    std::vector<uchar> data(n);
    std::vector<float> weights(n), weighted(NARROW, 0.0f);
    std::vector<uint> wide(BINS, 0u), narrow(NARROW, 0u);
    uint state = 12345;
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        data[i] = i % 5 == 0 ? 77 : state >> 24; // one value is frequent: many lanes meet in one bin
        weights[i] = (float)(state >> 8 & 3) * 0.25f;
        wide[data[i]]++;
        narrow[data[i] >> 2]++;
        weighted[data[i] % NARROW] += weights[i];
    }
    uchar *d_data;
    float *d_weights, *d_weighted;
    uint *d_bins;
    CHECK(cudaMalloc(&d_data, n));
    CHECK(cudaMalloc(&d_weights, n * sizeof(float)));
    CHECK(cudaMalloc(&d_weighted, NARROW * sizeof(float)));
    CHECK(cudaMalloc(&d_bins, 3 * BINS * sizeof(uint)));
    CHECK(cudaMemcpy(d_data, data.data(), n, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_weights, weights.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_bins, 0, 3 * BINS * sizeof(uint)));
    CHECK(cudaMemset(d_weighted, 0, NARROW * sizeof(float)));

    histogram_global<<<30, 256>>>(d_data, d_bins, n);
    histogram_block<<<30, 200>>>(d_data, d_bins + BINS, n);
    histogram_warp<<<20, WARPS * 32>>>(d_data, d_bins + 2 * BINS, n);
    histogram_weighted<<<20, 128>>>(d_data, d_weights, d_weighted, n);
    CHECK(cudaGetLastError());
    if (verify("histogram_global", d_bins, wide) || verify("histogram_block", d_bins + BINS, wide) ||
        verify("histogram_warp", d_bins + 2 * BINS, narrow) || verify("histogram_weighted", d_weighted, weighted))
        return 1;
    CHECK(cudaFree(d_data));
    CHECK(cudaFree(d_weights));
    CHECK(cudaFree(d_weighted));
    CHECK(cudaFree(d_bins));
    printf("ok: %d bytes, %u of them 77\n", n, wide[77]);
    return 0;
}
