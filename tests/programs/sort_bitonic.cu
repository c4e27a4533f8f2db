// Bitonic sorting networks: pairs of keys and values, in shared memory while they fit and step by step through global memory
// beyond.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <random>
#include <vector>

#include "check.h"

struct Pair {
    unsigned int key, value;
};

const int TILE = 512; // pairs in shared memory, by TILE / 2 threads

__device__ inline void order(Pair &a, Pair &b, bool ascending) {
    if ((a.key > b.key) == ascending) {
        Pair swap = a;
        a = b;
        b = swap;
    }
}

// All steps of sizes up to TILE: leaves runs of TILE that ascend and descend in turn.
__global__ void sort_tiles(Pair *pairs) {
    __shared__ Pair tile[TILE];
    const int tid = threadIdx.x, base = blockIdx.x * TILE;
    tile[tid] = pairs[base + tid];
    tile[tid + TILE / 2] = pairs[base + tid + TILE / 2];
    for (int size = 2; size <= TILE; size *= 2) {
        for (int stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            int a = 2 * tid - (tid & (stride - 1));
            order(tile[a], tile[a + stride], ((base + a) & size) == 0);
        }
    }
    __syncthreads();
    pairs[base + tid] = tile[tid];
    pairs[base + tid + TILE / 2] = tile[tid + TILE / 2];
}

// One step whose stride reaches beyond a tile.
__global__ void merge_step(Pair *pairs, int size, int stride) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    int a = 2 * tid - (tid & (stride - 1));
    order(pairs[a], pairs[a + stride], (a & size) == 0);
}

// The remaining steps of a merge, once its strides fit into a tile.
__global__ void merge_tiles(Pair *pairs, int size) {
    __shared__ Pair tile[TILE];
    const int tid = threadIdx.x, base = blockIdx.x * TILE;
    tile[tid] = pairs[base + tid];
    tile[tid + TILE / 2] = pairs[base + tid + TILE / 2];
    const bool ascending = (base & size) == 0;
    for (int stride = TILE / 2; stride > 0; stride /= 2) {
        __syncthreads();
        int a = 2 * tid - (tid & (stride - 1));
        order(tile[a], tile[a + stride], ascending);
    }
    __syncthreads();
    pairs[base + tid] = tile[tid];
    pairs[base + tid + TILE / 2] = tile[tid + TILE / 2];
}

static void sort(Pair *d_pairs, int padded) {
    const int blocks = padded / TILE, threads = TILE / 2;
    sort_tiles<<<blocks, threads>>>(d_pairs);
    for (int size = 2 * TILE; size <= padded; size *= 2) {
        for (int stride = size / 2; stride >= TILE; stride /= 2) merge_step<<<blocks, threads>>>(d_pairs, size, stride);
        merge_tiles<<<blocks, threads>>>(d_pairs, size);
    }
    CHECK(cudaGetLastError());
}

int main() {
    const int n = 7001;
    int padded = TILE;
    while (padded < n) padded *= 2;

    std::mt19937 random(2024);
    std::vector<Pair> pairs(padded, Pair{0xffffffffu, 0u}); // what is added sorts to the end
    for (int i = 0; i < n; i++) pairs[i] = Pair{(unsigned int)(random() >> 4), (unsigned int)i};
    std::vector<Pair> got(padded);

    Pair *d_pairs;
    CHECK(cudaMalloc(&d_pairs, padded * sizeof(Pair)));
    CHECK(cudaMemcpy(d_pairs, pairs.data(), padded * sizeof(Pair), cudaMemcpyHostToDevice));
    sort(d_pairs, padded);
    CHECK(cudaMemcpy(got.data(), d_pairs, padded * sizeof(Pair), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_pairs));

    std::vector<unsigned int> keys(n);
    for (int i = 0; i < n; i++) keys[i] = pairs[i].key;
    std::sort(keys.begin(), keys.end());
    for (int i = 0; i < n; i++) {
        if (got[i].key != keys[i]) {
            printf("key %d is %u, expected %u\n", i, got[i].key, keys[i]);
            return 1;
        }
        if (got[i].value >= (unsigned int)n || pairs[got[i].value].key != got[i].key) {
            printf("value %d is %u, which did not come with key %u\n", i, got[i].value, got[i].key);
            return 1;
        }
    }
    printf("ok: %d pairs sorted as %d\n", n, padded);
    return 0;
}
