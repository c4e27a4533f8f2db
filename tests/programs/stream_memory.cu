// Allocation in the order of a stream: memory that is allocated, used and freed without the host waiting; what one stream frees
// another may be given, once an event says so.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#include "check.h"

__global__ void fill(int *data, int n, int value) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) data[i] = value + i;
}

__global__ void add_to(int *sum, const int *data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] += data[i];
}

// Adds `rounds` temporary arrays into sum, each freed in the stream right after its use.
static void temporaries(int *sum, int n, int rounds, cudaStream_t stream) {
    for (int round = 0; round < rounds; round++) {
        int *data;
        CHECK(cudaMallocAsync((void **)&data, n * sizeof(int), stream));
        fill<<<5, 100, 0, stream>>>(data, n, round * 1000);
        add_to<<<(n + 127) / 128, 128, 0, stream>>>(sum, data, n);
        CHECK(cudaFreeAsync(data, stream));
    }
}

int main() {
    const int n = 7003, rounds = 8;
    int supported = 0;
    CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
    if (!supported) {
        printf("the device has no memory pools\n");
        return 1;
    }
    cudaStream_t first, second;
    cudaEvent_t made, used;
    CHECK(cudaStreamCreate(&first));
    CHECK(cudaStreamCreate(&second));
    CHECK(cudaEventCreateWithFlags(&made, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&used, cudaEventDisableTiming));

    // Allocated and first filled in one stream, used and freed in the other.
    int *sum, *extra;
    CHECK(cudaMallocAsync(&sum, n * sizeof(int), first));
    CHECK(cudaMemsetAsync(sum, 0, n * sizeof(int), first));
    temporaries(sum, n, rounds, first);
    CHECK(cudaMallocAsync(&extra, n * sizeof(int), first));
    fill<<<20, 64, 0, first>>>(extra, n, -500);
    CHECK(cudaEventRecord(made, first));
    CHECK(cudaStreamWaitEvent(second, made, 0));
    add_to<<<(n + 95) / 96, 96, 0, second>>>(sum, extra, n);
    CHECK(cudaFreeAsync(extra, second));
    temporaries(sum, n, rounds, second);
    CHECK(cudaEventRecord(used, second));
    CHECK(cudaStreamWaitEvent(first, used, 0));

    std::vector<int> got(n);
    CHECK(cudaMemcpyAsync(got.data(), sum, n * sizeof(int), cudaMemcpyDeviceToHost, first));
    CHECK(cudaFreeAsync(sum, first));
    CHECK(cudaStreamSynchronize(first));
    for (int i = 0; i < n; i++) {
        int expected = 2 * (rounds * i + 1000 * rounds * (rounds - 1) / 2) + i - 500;
        if (got[i] != expected) {
            printf("element %d is %d, expected %d\n", i, got[i], expected);
            return 1;
        }
    }
    CHECK(cudaEventDestroy(made));
    CHECK(cudaEventDestroy(used));
    CHECK(cudaStreamDestroy(first));
    CHECK(cudaStreamDestroy(second));
    printf("ok: %d temporary arrays\n", 2 * rounds + 1);
    return 0;
}
