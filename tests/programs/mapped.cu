// Kernels that read and write the host's own memory: allocated as mapped, or registered after the fact; and the flags and
// pointers that such memory answers with.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#include "check.h"

__global__ void gather_backwards(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 3 * in[n - 1 - i] + 1;
}

static int verify(const char *what, const int *out, int n, int factor, int offset) {
    for (int i = 0; i < n; i++) {
        int expected = 3 * (factor * (n - 1 - i) + offset) + 1;
        if (out[i] != expected) {
            printf("%s: element %d is %d, expected %d\n", what, i, out[i], expected);
            return 1;
        }
    }
    return 0;
}

int main() {
    const int n = 2999, threads = 128, blocks = (n + threads - 1) / threads;
    int can_map = 0;
    CHECK(cudaSetDeviceFlags(cudaDeviceMapHost));
    CHECK(cudaDeviceGetAttribute(&can_map, cudaDevAttrCanMapHostMemory, 0));
    if (!can_map) {
        printf("the device cannot map the host's memory\n");
        return 1;
    }

    int *in, *out, *d_in, *d_out;
    unsigned int flags = 0;
    CHECK(cudaHostAlloc(&in, n * sizeof(int), cudaHostAllocMapped | cudaHostAllocWriteCombined));
    CHECK(cudaHostAlloc(&out, n * sizeof(int), cudaHostAllocMapped | cudaHostAllocPortable));
    CHECK(cudaHostGetDevicePointer(&d_in, in, 0));
    CHECK(cudaHostGetDevicePointer((void **)&d_out, out, 0));
    CHECK(cudaHostGetFlags(&flags, in));
    if (!(flags & cudaHostAllocWriteCombined)) {
        printf("flags are 0x%x, expected write-combined among them\n", flags);
        return 1;
    }
    for (int i = 0; i < n; i++) in[i] = 2 * i + 5;
    gather_backwards<<<blocks, threads>>>(d_in, d_out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    if (verify("mapped", out, n, 2, 5)) return 1;

    // Memory that the program had already, from the middle of an array on.
    std::vector<int> numbers(n + 100), results(n, -1);
    int *some = numbers.data() + 33, *d_some, *d_results;
    for (int i = 0; i < n; i++) some[i] = -i + 9;
    CHECK(cudaHostRegister(some, n * sizeof(int), cudaHostRegisterMapped));
    CHECK(cudaHostGetDevicePointer(&d_some, some, 0));
    CHECK(cudaMalloc(&d_results, n * sizeof(int)));
    gather_backwards<<<blocks, threads>>>(d_some, d_results, n);
    CHECK(cudaMemcpy(results.data(), d_results, n * sizeof(int), cudaMemcpyDeviceToHost));
    if (verify("registered", results.data(), n, -1, 9)) return 1;

    cudaPointerAttributes attributes;
    CHECK(cudaPointerGetAttributes(&attributes, out));
    if (attributes.type != cudaMemoryTypeHost || attributes.devicePointer != d_out || attributes.hostPointer != out) {
        printf("pointer attributes: type %d, device %p, host %p\n", attributes.type, attributes.devicePointer,
               attributes.hostPointer);
        return 1;
    }
    CHECK(cudaHostUnregister(some));
    CHECK(cudaFreeHost(in));
    CHECK(cudaFreeHost(out));
    CHECK(cudaFree(d_results));
    printf("ok: %d elements where the host keeps them\n", n);
    return 0;
}
