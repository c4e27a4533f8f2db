// Mistakes that a program may make and go on: bad launches, bad sizes, bad pointers, bad device numbers; what the calls
// return, what cudaGetLastError remembers and forgets, and the names of it all.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

__global__ void fill(int *data, int n, int value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = value;
}

static int failures = 0;

static void expect(const char *what, cudaError_t got, cudaError_t expected) {
    if (got == expected) return;
    printf("%s: %s, expected %s\n", what, cudaGetErrorName(got), cudaGetErrorName(expected));
    failures++;
}

// Runtimes differ in how exactly they name some mistakes: CUDA 13.0 calls these arguments invalid, older ones are more precise.
static void expect_either(const char *what, cudaError_t got, cudaError_t expected) {
    expect(what, got == cudaErrorInvalidValue || got == cudaErrorInvalidResourceHandle ? expected : got, expected);
}

static void expect_text(const char *what, const char *got, const char *expected) {
    if (strcmp(got, expected) == 0) return;
    printf("%s: \"%s\", expected \"%s\"\n", what, got, expected);
    failures++;
}

static void launches(int *data) {
    fill<<<1, 2048>>>(data, 1, 1); // too many threads
    cudaError_t peeked = cudaPeekAtLastError();
    expect_either("2048 threads", peeked, cudaErrorInvalidConfiguration);
    expect("2048 threads, asked for and forgotten", cudaGetLastError(), peeked);
    expect("asked again", cudaGetLastError(), cudaSuccess);
    fill<<<0, 32>>>(data, 1, 1);
    expect_either("no blocks", cudaGetLastError(), cudaErrorInvalidConfiguration);
    fill<<<1, 0>>>(data, 1, 1);
    expect_either("no threads", cudaGetLastError(), cudaErrorInvalidConfiguration);
    fill<<<dim3(1, 70000), 32>>>(data, 1, 1);
    expect_either("70000 blocks in y", cudaGetLastError(), cudaErrorInvalidConfiguration);
    fill<<<1, dim3(1, 1, 65)>>>(data, 1, 1);
    expect_either("65 threads in z", cudaGetLastError(), cudaErrorInvalidConfiguration);
    fill<<<1, 32, 1 << 20>>>(data, 1, 1);
    expect("1 MiB of shared memory", cudaGetLastError(), cudaErrorInvalidValue);
    void *arguments[] = {nullptr};
    expect_either("a host function as a kernel",
                  cudaLaunchKernel((const void *)launches, dim3(1), dim3(1), arguments, 0, nullptr),
                  cudaErrorInvalidDeviceFunction);
    cudaGetLastError();
}

static void memory(int *data) {
    int local[4] = {};
    void *huge = nullptr;
    expect("a pebibyte", cudaMalloc(&huge, (size_t)1 << 50), cudaErrorMemoryAllocation);
    expect("what a call returned is remembered", cudaGetLastError(), cudaErrorMemoryAllocation);
    expect("cudaMalloc into nowhere", cudaMalloc((void **)nullptr, 16), cudaErrorInvalidValue);
    expect("a copy from nowhere", cudaMemcpy(data, nullptr, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    expect("a copy in direction 9", cudaMemcpy(data, local, 16, (cudaMemcpyKind)9), cudaErrorInvalidMemcpyDirection);
    expect("a copy beyond the end", cudaMemcpy(data, data, (size_t)1 << 40, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
    expect_either("a pitch below the width", cudaMemcpy2D(data, 8, local, 16, 16, 1, cudaMemcpyHostToDevice),
                  cudaErrorInvalidPitchValue);
    expect("cudaFree of the middle", cudaFree(data + 1), cudaErrorInvalidValue);
    expect("cudaFree of nothing", cudaFree(nullptr), cudaSuccess);
    expect("the last of these errors", cudaGetLastError(), cudaErrorInvalidValue);
}

static void devices_and_streams() {
    int count = 0, value = 0;
    expect("cudaGetDeviceCount", cudaGetDeviceCount(&count), cudaSuccess);
    expect("a device too many", cudaSetDevice(count), cudaErrorInvalidDevice);
    expect("an attribute of it", cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, count), cudaErrorInvalidDevice);
    expect("no such attribute", cudaDeviceGetAttribute(&value, (cudaDeviceAttr)100000, 0), cudaErrorInvalidValue);
    cudaEvent_t never, untimed;
    float milliseconds;
    expect("cudaEventCreate", cudaEventCreate(&never), cudaSuccess);
    expect("cudaEventCreateWithFlags", cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming), cudaSuccess);
    expect("cudaEventRecord", cudaEventRecord(untimed, 0), cudaSuccess);
    expect("time without timing", cudaEventElapsedTime(&milliseconds, untimed, untimed), cudaErrorInvalidResourceHandle);
    expect("time of an event that was not recorded", cudaEventElapsedTime(&milliseconds, never, never),
           cudaErrorInvalidResourceHandle);
    expect("an event that was not recorded is done", cudaEventQuery(never), cudaSuccess);
    cudaEventDestroy(never);
    cudaEventDestroy(untimed);
    cudaGetLastError();
}

int main() {
    int *data, back[100];
    if (cudaMalloc(&data, sizeof(back)) != cudaSuccess) {
        printf("no memory\n");
        return 1;
    }
    expect("nothing has gone wrong", cudaGetLastError(), cudaSuccess);
    launches(data);
    memory(data);
    devices_and_streams();

    expect_text("name", cudaGetErrorName(cudaErrorInvalidConfiguration), "cudaErrorInvalidConfiguration");
    expect_text("text", cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument");
    expect_text("text", cudaGetErrorString(cudaErrorInvalidValue), "invalid argument");
    expect_text("text", cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
    expect_text("text", cudaGetErrorString(cudaSuccess), "no error");
    expect_text("name", cudaGetErrorName((cudaError_t)12345), "unrecognized error code");

    // None of this has hurt the device.
    fill<<<4, 32>>>(data, 100, 7);
    expect("a good launch", cudaGetLastError(), cudaSuccess);
    expect("cudaMemcpy", cudaMemcpy(back, data, sizeof(back), cudaMemcpyDeviceToHost), cudaSuccess);
    for (int i = 0; i < 100; i++) {
        if (back[i] == 7) continue;
        printf("element %d is %d, expected 7\n", i, back[i]);
        return 1;
    }
    expect("cudaFree", cudaFree(data), cudaSuccess);
    if (failures) return 1;
    printf("ok: every mistake had its name\n");
    return 0;
}
