// Threads of the host, each with a stream: one launches kernels that wait for what the other does, and waits for them; the other has kernels run meanwhile,
// copies their results, and then lets the first one's go on. Launches of both count on the same counter.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <thread>

#include "check.h"

enum { ROUNDS = 6 };

__device__ unsigned counter;

__global__ void wait_for(volatile int *flag, int until, int *result) {
    while (*flag < until) {}
    *result = *flag;
    atomicAdd(&counter, 1);
}
__global__ void add(int *sum, int value) {
    atomicAdd(sum, value);
    atomicAdd(&counter, 10);
}

int main() {
    int *flag, *result, *sum;
    cudaFuncAttributes loaded; // while nothing waits: loading a kernel may wait for those that run
    CHECK(cudaFuncGetAttributes(&loaded, wait_for));
    CHECK(cudaFuncGetAttributes(&loaded, add));
    std::atomic<int> launched(0), wrong(0);
    CHECK(cudaHostAlloc(&flag, sizeof *flag, cudaHostAllocMapped));
    CHECK(cudaMallocHost(&result, sizeof *result));
    CHECK(cudaMalloc(&sum, sizeof *sum));
    CHECK(cudaMemset(sum, 0, sizeof *sum));
    CHECK(cudaDeviceSynchronize());
    *flag = 0;
    std::thread waits([&] {
        cudaStream_t stream;
        CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        for (int round = 1; round <= ROUNDS; round++) {
            wait_for<<<1, 1, 0, stream>>>(flag, round, result);
            launched = round;
            CHECK(cudaStreamSynchronize(stream));
            if (*result != round) printf("round %d: %d\n", round, *result), wrong++;
        }
        CHECK(cudaStreamDestroy(stream));
    });
    std::thread works([&] {
        cudaStream_t stream;
        int back, expected = 0;
        CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        for (int round = 1; round <= ROUNDS; round++) {
            while (launched < round) std::this_thread::yield();
            add<<<2, 32, 0, stream>>>(sum, round);
            expected += 64 * round;
            CHECK(cudaMemcpyAsync(&back, sum, sizeof back, cudaMemcpyDeviceToHost, stream));
            CHECK(cudaStreamSynchronize(stream));
            if (back != expected) printf("round %d: sum %d, expected %d\n", round, back, expected), wrong++;
            *(volatile int *)flag = round;
        }
        CHECK(cudaStreamDestroy(stream));
    });
    waits.join();
    works.join();
    unsigned count = 0;
    CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
    if (count != ROUNDS + 10 * 64 * ROUNDS) printf("counted %u\n", count), wrong++;
    CHECK(cudaFree(sum));
    CHECK(cudaFreeHost(flag));
    CHECK(cudaFreeHost(result));
    if (wrong) return 1;
    printf("ok: two threads, %d rounds\n", ROUNDS);
    return 0;
}
