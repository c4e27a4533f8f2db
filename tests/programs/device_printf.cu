// printf in kernels: formats, 64-bit and floating-point arguments, strings, and what it returns. Threads take turns, so that
// the lines have one order everywhere.
#include <cstdio>
#include <cuda_runtime.h>

#include "check.h"

__device__ char text[16];

__global__ void integers() {
    printf("plain text, 100%%\n");
    printf("[%d] [%5d] [%-5d] [%05d] [%+d]\n", -42, 42, 42, 42, 42);
    printf("[%u] [%x] [%X] [%#x] [%o] [%c]\n", 4000000000u, 48879u, 48879u, 255u, 8u, 'w');
    printf("[%lld] [%llu] [%llx] [%ld]\n", -9007199254740993LL, 18446744073709551615ULL, 81985529216486895ULL, 1234567890123L);
    printf("[%hd] [%hu]\n", (short)-7, (unsigned short)65000);
}

__global__ void reals() {
    printf("[%f] [%.2f] [%10.3f] [%-10.1f]\n", 3.14159265358979, 2.5, -1.0 / 3.0, 1e3);
    printf("[%e] [%.1E] [%g] [%g]\n", 12345.678, 0.00012, 1e-10, 1e6);
    float third = 1.0f / 3.0f; // passed as a double
    printf("[%.9f]\n", third);
}

__global__ void strings() {
    for (int i = 0; i < 15; i++) text[i] = 'a' + i;
    text[15] = '\0';
    printf("[%s] [%20s] [%-20s] [%.4s]\n", text, "right", "left", text);
    const char *const words[] = {"zero", "one", "two"};
    for (int i = 2; i >= 0; i--) printf("%s ", words[i]);
    printf("lift-off\n");
}

__global__ void turns() {
    for (int turn = 0; turn < blockDim.x; turn++) {
        if (threadIdx.x == turn && turn % 8 == 3) printf("thread %d of block %d\n", threadIdx.x, blockIdx.x);
        __syncthreads();
    }
}

__global__ void results(int *returned) {
    returned[0] = printf("no arguments\n");
    returned[1] = printf("%d and %s\n", 1, "two");
    returned[2] = printf("%d %d %d %d %d %d %d %d %d %d\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
}

int main() {
    printf("the host begins\n");
    integers<<<1, 1>>>();
    CHECK(cudaDeviceSynchronize());
    reals<<<1, 1>>>();
    CHECK(cudaDeviceSynchronize());
    strings<<<1, 1>>>();
    CHECK(cudaDeviceSynchronize());
    turns<<<1, 40>>>();
    CHECK(cudaDeviceSynchronize());

    int *d_returned, returned[3];
    CHECK(cudaMalloc(&d_returned, sizeof(returned)));
    results<<<1, 1>>>(d_returned);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(returned, d_returned, sizeof(returned), cudaMemcpyDeviceToHost)); // flushes what was printed, too
    CHECK(cudaFree(d_returned));
    const int expected[] = {0, 2, 10}; // a kernel's printf returns the number of its arguments
    for (int i = 0; i < 3; i++) {
        if (returned[i] != expected[i]) {
            printf("printf %d returned %d, expected %d\n", i, returned[i], expected[i]);
            return 1;
        }
    }
    printf("ok: the host ends\n");
    return 0;
}
