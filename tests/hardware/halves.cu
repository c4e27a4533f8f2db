/* halves.cu: of the halves of a sector that are stored one after the other, which reach L2 as one? And does L1 outlast a kernel? The counters
 * of h200-halves.csv (README.md): nvcc -O3 -arch=sm_90a tests/hardware/halves.cu -o halves && ncu --clock-control none --cache-control none … ./halves */
#include <cstdio>

enum { BLOCKS = 4096, BLOCK = 256 };

extern "C" __global__ void one_warp(float *out) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    out[2 * i] = 1;
    out[2 * i + 1] = 2;
}

/* Warps 2k and 2k + 1 fill the same sectors. */
extern "C" __global__ void neighbours(float *out) {
    int warp = (blockIdx.x * BLOCK + threadIdx.x) / 32, lane = threadIdx.x % 32;
    out[(warp / 2) * 64 + 2 * lane + warp % 2] = 1;
}

/* Warps w and w + 4 of a block do. */
extern "C" __global__ void four_apart(float *out) {
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    out[(blockIdx.x * 4 + warp % 4) * 64 + 2 * lane + warp / 4] = 1;
}

/* Blocks 2k and 2k + 1 do. */
extern "C" __global__ void two_blocks(float *out) {
    int i = (blockIdx.x / 2) * BLOCK + threadIdx.x;
    out[2 * i + blockIdx.x % 2] = 1;
}

extern "C" __global__ void whole(float *out) { out[blockIdx.x * BLOCK + threadIdx.x] = 1; }

/* Twice: the second time nothing of the first is left in L1. */
extern "C" __global__ void load(const float *in, float *out) {
    int i = blockIdx.x * 1024 + threadIdx.x;
    out[i] = in[i];
}

int main() {
    float *in, *out;
    cudaMalloc(&in, sizeof(float) * 2 * BLOCKS * BLOCK);
    cudaMalloc(&out, sizeof(float) * 2 * BLOCKS * BLOCK);
    load<<<132, 1024>>>(in, out);
    load<<<132, 1024>>>(in, out);
    one_warp<<<BLOCKS, BLOCK>>>(out);
    neighbours<<<BLOCKS, BLOCK>>>(out);
    four_apart<<<BLOCKS, BLOCK>>>(out);
    two_blocks<<<BLOCKS, BLOCK>>>(out);
    whole<<<BLOCKS, BLOCK>>>(out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
