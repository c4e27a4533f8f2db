// Four host threads share the device: each has streams, events and buffers of its own, its own current device and its own last
// error; kernels of all four add to one counter, and host functions of all four count together.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <thread>
#include <vector>

enum { THREADS = 4, STREAMS = 2, ROUNDS = 6, ELEMENTS = 1000, BLOCK = 128 };

__device__ unsigned long long total;

__global__ void step(unsigned *data, int n, unsigned by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    data[i] = data[i] * 3 + by;
    if (i == 0) atomicAdd(&total, (unsigned long long)by);
}

static std::atomic<int> failures, called;

static void check(cudaError_t error, const char *what, int thread) {
    if (error == cudaSuccess) return;
    printf("thread %d: %s: %s\n", thread, what, cudaGetErrorString(error));
    failures++;
}

static void CUDART_CB count(void *) { called++; }

// Each thread has made another mistake, and none when its number is 0; nobody hears of another's.
static void last_errors(int thread) {
    void *p;
    cudaError_t expected = cudaSuccess;
    if (thread == 1) expected = cudaSetDevice(1000);
    if (thread == 2) expected = cudaMalloc(&p, (size_t)1 << 50);
    if (thread == 3) expected = cudaMemcpy(&p, nullptr, 8, cudaMemcpyHostToDevice);
    for (int i = 0; i < 20; i++) {
        std::this_thread::yield();
        cudaError_t last = cudaPeekAtLastError();
        if (last == expected) continue;
        printf("thread %d: last error %s, not %s\n", thread, cudaGetErrorName(last), cudaGetErrorName(expected));
        failures++;
        break;
    }
    if (thread && expected == cudaSuccess) failures++;
    if (cudaGetLastError() != expected || cudaGetLastError() != cudaSuccess) failures++;
}

static void work(int thread) {
    int device = -1;
    check(cudaSetDevice(0), "cudaSetDevice", thread);
    check(cudaGetDevice(&device), "cudaGetDevice", thread);
    if (device != 0) failures++;
    cudaStream_t streams[STREAMS];
    cudaEvent_t events[STREAMS];
    unsigned *data[STREAMS], *host[STREAMS];
    for (int s = 0; s < STREAMS; s++) {
        check(cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking), "cudaStreamCreate", thread);
        check(cudaEventCreate(&events[s]), "cudaEventCreate", thread);
        check(cudaMalloc(&data[s], ELEMENTS * sizeof(unsigned)), "cudaMalloc", thread);
        check(cudaMallocHost(&host[s], ELEMENTS * sizeof(unsigned)), "cudaMallocHost", thread);
        for (int i = 0; i < ELEMENTS; i++) host[s][i] = i + 100 * thread + 10 * s;
        check(cudaMemcpyAsync(data[s], host[s], ELEMENTS * sizeof(unsigned), cudaMemcpyHostToDevice, streams[s]),
              "to the device", thread);
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int s = 0; s < STREAMS; s++) {
            step<<<(ELEMENTS + BLOCK - 1) / BLOCK, BLOCK, 0, streams[s]>>>(data[s], ELEMENTS, thread + 1);
            check(cudaGetLastError(), "launch", thread);
            check(cudaLaunchHostFunc(streams[s], count, nullptr), "cudaLaunchHostFunc", thread);
        }
    last_errors(thread);
    for (int s = 0; s < STREAMS; s++) {
        check(cudaMemcpyAsync(host[s], data[s], ELEMENTS * sizeof(unsigned), cudaMemcpyDeviceToHost, streams[s]), "to the host",
              thread);
        check(cudaEventRecord(events[s], streams[s]), "cudaEventRecord", thread);
    }
    for (int s = 0; s < STREAMS; s++) {
        check(cudaEventSynchronize(events[s]), "cudaEventSynchronize", thread);
        for (int i = 0; i < ELEMENTS; i++) {
            unsigned expected = i + 100 * thread + 10 * s;
            for (int round = 0; round < ROUNDS; round++) expected = expected * 3 + thread + 1;
            if (host[s][i] == expected) continue;
            printf("thread %d, stream %d, element %d: %u, expected %u\n", thread, s, i, host[s][i], expected);
            failures++;
            break;
        }
        check(cudaFree(data[s]), "cudaFree", thread);
        check(cudaFreeHost(host[s]), "cudaFreeHost", thread);
        check(cudaEventDestroy(events[s]), "cudaEventDestroy", thread);
        check(cudaStreamDestroy(streams[s]), "cudaStreamDestroy", thread);
    }
}

int main() {
    std::vector<std::thread> threads;
    for (int t = 0; t < THREADS; t++) threads.emplace_back(work, t);
    for (auto &thread : threads) thread.join();
    unsigned long long sum = 0;
    check(cudaMemcpyFromSymbol(&sum, total, sizeof sum), "cudaMemcpyFromSymbol", -1);
    // each of 12 launches of a thread adds its number, from 1 on: 12 * (1 + 2 + 3 + 4)
    if (sum != 120 || called != THREADS * STREAMS * ROUNDS) {
        printf("total %llu, expected 120; %d host functions, expected %d\n", sum, called.load(), THREADS * STREAMS * ROUNDS);
        return 1;
    }
    if (failures) return 1;
    printf("ok: four threads, eight streams, 48 launches\n");
    return 0;
}
