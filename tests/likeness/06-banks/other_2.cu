// An independent solution: four values of a thread in registers first, bits turned by hand, columns of counters added by rows of threads.
#include "given.inc"

__device__ unsigned turned(unsigned i) {
    unsigned r = 0;
    for (int bit = 0; bit < 10; bit++) r |= (i >> bit & 1) << (9 - bit);
    return r;
}

extern "C" __global__ void reverse(const float *in, float *out, int segments) {
    __shared__ float all[SEGMENT];
    float a[4];
    unsigned long long base = blockIdx.x * 1024ull + threadIdx.x;
    for (int k = 0; k < 4; k++) a[k] = in[base + 256 * k];
    for (int k = 0; k < 4; k++) {
        unsigned to = turned(threadIdx.x + 256 * k);
        all[to ^ (turned(to) & 31)] = a[k];
    }
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        unsigned at = threadIdx.x + 256 * k;
        out[base + 256 * k] = all[at ^ (turned(at) & 31)];
    }
}

extern "C" __global__ void channels(const double *in, double *out, int segments) {
    __shared__ double lines[16][65];
    unsigned long long base = blockIdx.x * 1024ull;
    const double2 *pairs = (const double2 *)(in + base);
    for (int k = 0; k < 2; k++) {
        int i = 256 * k + threadIdx.x;
        double2 two = pairs[i];
        lines[i % 8 * 2][i / 8] = two.x;
        lines[i % 8 * 2 + 1][i / 8] = two.y;
    }
    __syncthreads();
    for (int row = threadIdx.x / 64; row < 16; row += 4) out[base + row * 64 + threadIdx.x % 64] = lines[row][threadIdx.x % 64];
}

extern "C" __global__ void histogram(const unsigned *values, unsigned *counts, int n) {
    __shared__ unsigned short small[16][512];
    unsigned packed[8] = {0};
    for (int k = 0; k < 16; k++) {
        int i = blockIdx.x * VALUES + k * THREADS + threadIdx.x;
        unsigned level = i < n ? values[i] >> 28 : 99;
#pragma unroll
        for (int j = 0; j < 8; j++) packed[j] += (level == 2 * j) + (level == 2 * j + 1) * 65536u;
    }
    for (int j = 0; j < 8; j++) {
        small[2 * j][threadIdx.x] = packed[j] & 0xffff;
        small[2 * j + 1][threadIdx.x] = packed[j] >> 16;
    }
    __syncthreads();
    int level = threadIdx.x >> 4;
    unsigned sum = 0;
    for (int k = threadIdx.x & 15; k < 256; k += 16) sum += small[level][k];
    for (int d = 1; d < 16; d <<= 1) sum += __shfl_xor_sync(~0u, sum, d);
    if ((threadIdx.x & 15) == 0) counts[blockIdx.x * 16 + level] = sum;
}
