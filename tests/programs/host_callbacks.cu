// Host functions in a stream: they run when what was enqueued before them is done, and what comes after waits for them. Here
// they check each step of a computation, change its data, and count.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#include "check.h"

const int N = 1501, STEPS = 5;

__global__ void multiply(int *data, int n, int factor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= factor;
}

struct Step {
    int *seen; // pinned: what the device had after this step
    int expected, wrong;
    std::atomic<int> *order;
    int place;
};

static void CUDART_CB inspect(void *argument) {
    Step *step = (Step *)argument;
    step->place = step->order->fetch_add(1);
    step->wrong = 0;
    for (int i = 0; i < N; i++) step->wrong += step->seen[i] != step->expected * (i % 9);
    for (int i = 0; i < N; i++) step->seen[i] += i % 9; // goes back to the device
}

static void CUDART_CB finish(cudaStream_t stream, cudaError_t status, void *argument) {
    *(int *)argument = status == cudaSuccess && stream != nullptr ? 4242 : -1;
}

int main() {
    const size_t bytes = N * sizeof(int);
    int *d_data, *pinned, finished = 0;
    std::atomic<int> order(0);
    Step steps[STEPS];
    cudaStream_t stream;
    CHECK(cudaMalloc(&d_data, bytes));
    CHECK(cudaMallocHost(&pinned, bytes));
    CHECK(cudaStreamCreate(&stream));
    for (int i = 0; i < N; i++) pinned[i] = i % 9;
    CHECK(cudaMemcpyAsync(d_data, pinned, bytes, cudaMemcpyHostToDevice, stream));
    int value = 1; // times i % 9
    for (int s = 0; s < STEPS; s++) {
        multiply<<<(N + 127) / 128, 128, 0, stream>>>(d_data, N, s + 2);
        CHECK(cudaMemcpyAsync(pinned, d_data, bytes, cudaMemcpyDeviceToHost, stream));
        value *= s + 2;
        steps[s].seen = pinned;
        steps[s].expected = value++;
        steps[s].wrong = steps[s].place = -1;
        steps[s].order = &order;
        CHECK(cudaLaunchHostFunc(stream, inspect, &steps[s]));
        CHECK(cudaMemcpyAsync(d_data, pinned, bytes, cudaMemcpyHostToDevice, stream));
    }
    CHECK(cudaStreamAddCallback(stream, finish, &finished, 0));
    CHECK(cudaStreamSynchronize(stream));
    for (int s = 0; s < STEPS; s++) {
        if (steps[s].place != s || steps[s].wrong != 0) {
            printf("step %d came as number %d and saw %d wrong elements\n", s, steps[s].place, steps[s].wrong);
            return 1;
        }
    }
    if (finished != 4242) {
        printf("the last callback left %d, expected 4242\n", finished);
        return 1;
    }
    int *got = (int *)malloc(bytes);
    CHECK(cudaMemcpy(got, d_data, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) {
        if (got[i] != value * (i % 9)) {
            printf("element %d is %d, expected %d\n", i, got[i], value * (i % 9));
            return 1;
        }
    }
    free(got);
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(d_data));
    CHECK(cudaFreeHost(pinned));
    printf("ok: %d host functions in order, up to %d\n", order.load(), value);
    return 0;
}
