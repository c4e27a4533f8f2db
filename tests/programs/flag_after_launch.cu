// Kernels that wait for what the host does after their launch: a flag in mapped, registered and managed memory, which one of many blocks polls, or
// every block; work behind such a kernel, in its stream and in others, and events that are not there yet.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#include "check.h"

__global__ void wait_for(volatile int *flag, int *result, int value) {
    if (threadIdx.x == 0)
        while (*flag == 0) {}
    __syncthreads();
    if (threadIdx.x == 0) result[blockIdx.x] = *flag * value;
}
// block 0 waits for the host, the others for block 0
__global__ void relay(volatile int *flag, volatile int *told, int *result) {
    volatile int *mine = blockIdx.x == 0 ? flag : told;
    while (*mine == 0) {}
    if (blockIdx.x == 0) {
        *told = *flag + 1;
        __threadfence();
    }
    result[blockIdx.x] = *told;
}
// gives up after so many looks
__global__ void count_looks(volatile int *flag, int *result, long long most) {
    long long looks = 0;
    while (*flag == 0 && looks < most) looks++;
    *result = looks < most ? *flag : -1;
}
__global__ void triple(const int *from, int *to) { *to = 3 * *from; }

__managed__ int managed_flag;
enum { BLOCKS = 40 };

static int expect(const char *what, int value, int expected) {
    if (value == expected) return 0;
    printf("%s: %d, expected %d\n", what, value, expected);
    return 1;
}

static int mapped(int *result, int *back) {
    int *flag, wrong = 0;
    CHECK(cudaHostAlloc(&flag, sizeof *flag, cudaHostAllocMapped));
    *flag = 0;
    wait_for<<<BLOCKS, 64>>>(flag, result, 5);
    CHECK(cudaGetLastError());
    *(volatile int *)flag = 2;
    CHECK(cudaMemcpy(back, result, BLOCKS * sizeof *back, cudaMemcpyDeviceToHost));
    for (int i = 0; i < BLOCKS; i++) wrong += expect("mapped", back[i], 10);
    CHECK(cudaFreeHost(flag));
    return wrong;
}

static int registered(int *result, int *back) {
    static int flag[1024];
    CHECK(cudaHostRegister(flag, sizeof flag, cudaHostRegisterMapped));
    int wrong = 0, *told;
    CHECK(cudaMalloc(&told, sizeof *told));
    CHECK(cudaMemset(told, 0, sizeof *told));
    relay<<<BLOCKS, 1>>>(flag + 7, told, result);
    *(volatile int *)(flag + 7) = 6;
    CHECK(cudaMemcpy(back, result, BLOCKS * sizeof *back, cudaMemcpyDeviceToHost));
    for (int i = 0; i < BLOCKS; i++) wrong += expect("registered", back[i], 7);
    CHECK(cudaFree(told));
    CHECK(cudaHostUnregister(flag));
    return wrong;
}

static int counted(int *result, int *back) {
    count_looks<<<1, 1>>>(&managed_flag, result, 1LL << 40);
    *(volatile int *)&managed_flag = 9;
    CHECK(cudaMemcpy(back, result, sizeof *back, cudaMemcpyDeviceToHost));
    return expect("counted", *back, 9);
}

// Work in the kernel's stream waits with it, other streams' does not.
static int behind(int *result, int *back) {
    cudaStream_t waits, others;
    cudaEvent_t begun, done;
    int *flag, wrong = 0;
    CHECK(cudaHostAlloc(&flag, sizeof *flag, cudaHostAllocMapped));
    *flag = 0;
    CHECK(cudaStreamCreateWithFlags(&waits, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&others, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&begun));
    CHECK(cudaEventCreate(&done));
    CHECK(cudaMemset(result, 0, BLOCKS * sizeof *result));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventRecord(begun, waits));
    wait_for<<<1, 32, 0, waits>>>(flag, result, 4);
    triple<<<1, 1, 0, waits>>>(result, result + 1);
    CHECK(cudaMemcpyAsync(back, result + 1, sizeof *back, cudaMemcpyDeviceToHost, waits));
    CHECK(cudaEventRecord(done, waits));
    wrong += expect("an event behind it", cudaEventQuery(done), cudaErrorNotReady);
    wrong += expect("the same again", cudaEventQuery(done), cudaErrorNotReady);
    wrong += expect("its stream", cudaStreamQuery(waits), cudaErrorNotReady);
    triple<<<1, 1, 0, others>>>(result + 5, result + 6);
    CHECK(cudaStreamSynchronize(others));
    CHECK(cudaStreamWaitEvent(others, done, 0));
    triple<<<1, 1, 0, others>>>(result + 1, result + 2);
    *(volatile int *)flag = 2;
    CHECK(cudaStreamSynchronize(others));
    wrong += expect("an event that is done", cudaEventQuery(done), cudaSuccess);
    wrong += expect("copied behind it", back[0], 24); // 3 * 4 * 2
    float ms = -1;
    CHECK(cudaEventElapsedTime(&ms, begun, done));
    wrong += expect("a time that is above 0", ms > 0, 1);
    CHECK(cudaMemcpy(back, result + 2, sizeof *back, cudaMemcpyDeviceToHost));
    wrong += expect("behind the event", back[0], 72);
    CHECK(cudaEventDestroy(begun));
    CHECK(cudaEventDestroy(done));
    CHECK(cudaStreamDestroy(waits));
    CHECK(cudaStreamDestroy(others));
    CHECK(cudaFreeHost(flag));
    return wrong;
}

int main() {
    int *result, *back, wrong = 0;
    cudaFuncAttributes loaded; // while nothing waits: loading a kernel may wait for those that run
    CHECK(cudaFuncGetAttributes(&loaded, triple));
    CHECK(cudaMalloc(&result, BLOCKS * sizeof *result));
    CHECK(cudaMallocHost(&back, BLOCKS * sizeof *back));
    wrong += mapped(result, back);
    wrong += registered(result, back);
    wrong += counted(result, back);
    wrong += behind(result, back);
    CHECK(cudaFree(result));
    CHECK(cudaFreeHost(back));
    if (wrong) return 1;
    printf("ok: four kernels waited for the host\n");
    return 0;
}
