/* What is told of kernels that go on: one mistake each, chosen by the first argument. Returns 0. */
#include <cstdio>
#include <cstring>

#include "told.h"

/* Element 40 is written by nobody; warp 0 reads it before warp 1 has written those beside it. */
__global__ void hole(float *to) {
    __shared__ float tile[64];
    if (threadIdx.x != 40) tile[threadIdx.x] = 1;
    if (threadIdx.x == 23) to[0] = tile[40];
}

/* The same of an array with another shape: what is behind element 63 is written by nobody. */
__global__ void upper(float *to) {
    __shared__ float tile[128];
    tile[threadIdx.x] = 1;
    to[threadIdx.x] = tile[threadIdx.x + 64];
}

/* Warp 1 writes element 40 after warp 0 has read it. */
__global__ void late(float *to) {
    __shared__ float tile[64];
    tile[threadIdx.x] = 1;
    if (threadIdx.x == 23) to[0] = tile[40];
}

__global__ void sum(float *to, int n) {
    if ((int)threadIdx.x >= n) return;
    float value = 1;
    for (int distance = 16; distance; distance /= 2) value += __shfl_down_sync(0xffffffff, value, distance);
    if (threadIdx.x == 0) to[blockIdx.x] = value;
}

__global__ void shift(float *to, const float *from) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = after(from, i);
}

__global__ void shift_apart(float *to, const float *from) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = apart(from, i);
}

__global__ void far_away(float *to) { to[(1 << 20) + threadIdx.x] = 1; }

int main(int argc, char **argv) {
    const char *mistake = argc > 1 ? argv[1] : "";
    float *a, *b, result = 0;
    cudaMalloc(&a, 128 * sizeof *a);
    cudaMalloc(&b, 128 * sizeof *b);
    cudaMemset(a, 0, 128 * sizeof *a);
    cudaMemset(b, 0, 128 * sizeof *b);
    if (!strcmp(mistake, "hole")) hole<<<1, 64>>>(a);
    if (!strcmp(mistake, "upper")) upper<<<1, 64>>>(a);
    if (!strcmp(mistake, "late")) late<<<1, 64>>>(a);
    if (!strcmp(mistake, "sum"))
        for (int launch = 0; launch < 5; launch++) sum<<<2, 32>>>(a, 20);
    if (!strcmp(mistake, "shift"))
        for (int launch = 0; launch < 3; launch++) shift<<<2, 64>>>(a, b);
    if (!strcmp(mistake, "shift_apart")) shift_apart<<<2, 64>>>(a, b);
    if (!strcmp(mistake, "far_away")) far_away<<<1, 64>>>(a);
    printf("%s\n", cudaGetErrorName(cudaMemcpy(&result, a, sizeof result, cudaMemcpyDeviceToHost)));
    cudaFree(a);
    cudaFree(b);
    return 0;
}
