// assert in a kernel: one that holds lets the kernel end well; one that fails stops it, names file, line, block and thread on
// standard error, and leaves cudaErrorAssert behind, for every later call too.
#include <cassert>
#include <cstdio>
#include <cuda_runtime.h>

#include "check.h"

__global__ void all_below(const int *data, int n, int limit) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) assert(data[i] < limit);
}

static int expect(const char *call, cudaError_t got) {
    if (got == cudaErrorAssert) return 0;
    printf("%s: %s, expected cudaErrorAssert\n", call, cudaGetErrorName(got));
    return 1;
}

int main() {
    const int n = 150;
    int data[n], *d_data;
    for (int i = 0; i < n; i++) data[i] = i == 101 ? 777 : i;
    CHECK(cudaMalloc(&d_data, sizeof(data)));
    CHECK(cudaMemcpy(d_data, data, sizeof(data), cudaMemcpyHostToDevice));

    all_below<<<3, 64>>>(d_data, n, 1000);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());

    all_below<<<3, 64>>>(d_data, n, 500); // fails in block 1, thread 37
    CHECK(cudaGetLastError());            // the launch itself is fine
    if (expect("cudaDeviceSynchronize", cudaDeviceSynchronize())) return 1;
    if (expect("cudaGetLastError", cudaGetLastError())) return 1;
    int *more;
    if (expect("cudaMalloc", cudaMalloc(&more, 4))) return 1;
    if (expect("cudaMemcpy", cudaMemcpy(data, d_data, sizeof(data), cudaMemcpyDeviceToHost))) return 1;
    printf("ok: %s\n", cudaGetErrorString(cudaErrorAssert));
    return 0;
}
