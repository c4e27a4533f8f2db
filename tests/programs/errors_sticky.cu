// An access to an address that was never allocated: the launch succeeds, the error comes with the next synchronisation, and
// no call on this device works from then on.
#include <cstdio>
#include <cuda_runtime.h>

#include "check.h"

__global__ void scatter(int *data, const size_t *where, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[where[i]] = i;
}

static int expect(const char *what, cudaError_t got) {
    if (got == cudaErrorIllegalAddress) return 0;
    printf("%s: %s, expected cudaErrorIllegalAddress\n", what, cudaGetErrorName(got));
    return 1;
}

int main() {
    const int n = 70;
    size_t where[n], *d_where;
    int data[n], *d_data;
    for (int i = 0; i < n; i++) where[i] = n - 1 - i;
    CHECK(cudaMalloc(&d_data, sizeof(data)));
    CHECK(cudaMalloc(&d_where, sizeof(where)));
    CHECK(cudaMemcpy(d_where, where, sizeof(where), cudaMemcpyHostToDevice));
    scatter<<<2, 64>>>(d_data, d_where, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(data, d_data, sizeof(data), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        if (data[i] != n - 1 - i) {
            printf("element %d is %d, expected %d\n", i, data[i], n - 1 - i);
            return 1;
        }
    }

    where[66] = (size_t)1 << 44; // 64 TiB away
    CHECK(cudaMemcpy(d_where, where, sizeof(where), cudaMemcpyHostToDevice));
    scatter<<<2, 64>>>(d_data, d_where, n);
    if (expect("cudaDeviceSynchronize", cudaDeviceSynchronize())) return 1;
    if (expect("cudaGetLastError", cudaGetLastError())) return 1;
    if (expect("cudaMemcpy", cudaMemcpy(data, d_data, sizeof(data), cudaMemcpyDeviceToHost))) return 1;
    scatter<<<2, 64>>>(d_data, d_where, 1);
    if (expect("another launch", cudaGetLastError())) return 1;
    if (expect("cudaFree", cudaFree(d_data))) return 1;
    printf("ok: %s\n", cudaGetErrorString(cudaErrorIllegalAddress));
    return 0;
}
