// The solution of lab 06, as someone hands it on who does not want to be found: other names, statements and kernels in another order, loops and
// conditions written in another way.
#include "given.inc"

extern "C" __global__ void histogram(const unsigned *numbers, unsigned *result, int size) {
    __shared__ unsigned table[256 * 16];
    int me = threadIdx.x;
#pragma unroll
    for (int bin = 0; bin < 16; bin++) table[me + 256 * bin] = 0;
#pragma unroll
    for (int step = 0; step < 4096; step += 256) {
        int place = me + step + 4096 * blockIdx.x;
        if (place >= size) continue;
        table[me + (numbers[place] >> 28) * 256] += 1;
    }
    __syncthreads();
    int column = me % 32, bin = me / 32;
#pragma unroll
    while (bin < 16) {
        unsigned total = 0;
#pragma unroll
        for (int step = 0; step < 256; step += 32) total = table[column + step + bin * 256] + total;
#pragma unroll
        for (int far = 16; far; far >>= 1) total = __shfl_down_sync(0xffffffffu, total, far) + total;
        if (!column) result[bin + 16 * blockIdx.x] = total;
        bin += 8;
    }
}

extern "C" __global__ void channels(const double *input, double *output, int pieces) {
    __shared__ double buffer[(16 + 1) * 64];
    size_t offset = 64 * 16 * (size_t)blockIdx.x;
#pragma unroll
    for (int step = 0; step < 1024; step += 256) {
        int place = threadIdx.x + step;
        buffer[place % 16 + place / 16 * 17] = input[place + offset];
    }
    __syncthreads();
#pragma unroll
    for (int step = 0; step < 1024; step += 256) {
        int place = threadIdx.x + step, time = place % 64, line = place / 64;
        output[place + offset] = buffer[line + 17 * time];
    }
}

__device__ inline int backwards(int number) { return __brev(number) >> 22; }

extern "C" __global__ void reverse(const float *input, float *output, int pieces) {
    __shared__ float buffer[1024];
    size_t offset = 1024 * (size_t)blockIdx.x;
#pragma unroll
    for (int step = 0; step < 1024; step += 256) {
        int place = threadIdx.x + step;
        int kept = (place >> 5) ^ place;
        buffer[kept] = input[place + offset];
    }
    __syncthreads();
#pragma unroll
    for (int step = 0; step < 1024; step += 256) {
        int place = threadIdx.x + step;
        int source = backwards(place);
        output[place + offset] = buffer[(source >> 5) ^ source];
    }
}
