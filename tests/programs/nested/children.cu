#include "children.h"

__global__ void add(int *to, int n, int value) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] += value;
}

__global__ void scale(int *to, int n, int factor) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] *= factor;
}

__global__ void sum(const int *of, int n, int *to) {
    extern __shared__ int partial[];
    int mine = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) mine += of[i];
    partial[threadIdx.x] = mine;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    }
    if (threadIdx.x == 0) *to = partial[0];
}
