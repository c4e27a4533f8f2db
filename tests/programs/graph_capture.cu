// A graph made by capturing a stream: copies, a fill, kernels, a second stream that forks and joins by events; launched many
// times, with what happens meanwhile kept in device memory.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#include "check.h"

__global__ void scale(const int *in, int *out, int n, int factor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = factor * in[i];
}

__global__ void combine(const int *a, const int *b, int *sum, int n, const int *round) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] += a[i] - b[i] + *round;
}

__global__ void next_round(int *round) { *round += 1; }

struct Buffers {
    int *in, *a, *b, *sum, *round, *pinned;
};

// Two branches, one of which computes on `side`: in -> a, in -> b, then sum += a - b + round.
static cudaGraph_t capture(cudaStream_t stream, cudaStream_t side, const Buffers &d, int n) {
    const int threads = 96, blocks = (n + threads - 1) / threads;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemcpyAsync(d.in, d.pinned, n * sizeof(int), cudaMemcpyHostToDevice, stream));
    CHECK(cudaEventRecord(fork, stream));
    CHECK(cudaStreamWaitEvent(side, fork, 0));
    scale<<<blocks, threads, 0, stream>>>(d.in, d.a, n, 3);
    CHECK(cudaMemsetAsync(d.b, 0xff, n * sizeof(int), side));
    scale<<<blocks, threads, 0, side>>>(d.in, d.b, n - 1, 2); // the last element keeps -1
    CHECK(cudaEventRecord(join, side));
    CHECK(cudaStreamWaitEvent(stream, join, 0));
    combine<<<blocks, threads, 0, stream>>>(d.a, d.b, d.sum, n, d.round);
    next_round<<<1, 1, 0, stream>>>(d.round);
    cudaStreamCaptureStatus capturing;
    CHECK(cudaStreamIsCapturing(stream, &capturing));
    if (capturing != cudaStreamCaptureStatusActive) {
        printf("the stream is not being captured: status %d\n", capturing);
        exit(1);
    }
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaEventDestroy(fork));
    CHECK(cudaEventDestroy(join));
    return graph;
}

int main() {
    const int n = 2005, rounds = 6;
    const size_t bytes = n * sizeof(int);
    Buffers d;
    for (int **buffer : {&d.in, &d.a, &d.b, &d.sum}) CHECK(cudaMalloc(buffer, bytes));
    CHECK(cudaMalloc(&d.round, sizeof(int)));
    CHECK(cudaMallocHost(&d.pinned, bytes));
    CHECK(cudaMemset(d.sum, 0, bytes));
    CHECK(cudaMemset(d.round, 0, sizeof(int)));
    cudaStream_t stream, side;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamCreate(&side));

    cudaGraph_t graph = capture(stream, side, d, n);
    size_t nodes = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    if (nodes != 6) { // a copy, a fill, 4 kernels; events are edges
        printf("the graph has %zu nodes, expected 6\n", nodes);
        return 1;
    }
    int untouched = -1; // capturing has run nothing
    CHECK(cudaMemcpy(&untouched, d.round, sizeof(int), cudaMemcpyDeviceToHost));
    if (untouched != 0) {
        printf("%d rounds were run by the capture\n", untouched);
        return 1;
    }
    cudaGraphExec_t executable;
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphDestroy(graph));

    std::vector<int> expected(n, 0), got(n);
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < n; i++) {
            d.pinned[i] = i * (round + 1) % 1000;
            expected[i] += 3 * d.pinned[i] - (i < n - 1 ? 2 * d.pinned[i] : -1) + round;
        }
        CHECK(cudaGraphLaunch(executable, stream));
        CHECK(cudaStreamSynchronize(stream));
    }
    CHECK(cudaMemcpy(got.data(), d.sum, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        if (got[i] != expected[i]) {
            printf("element %d is %d, expected %d\n", i, got[i], expected[i]);
            return 1;
        }
    }
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaStreamDestroy(side));
    for (int *buffer : {d.in, d.a, d.b, d.sum, d.round}) CHECK(cudaFree(buffer));
    CHECK(cudaFreeHost(d.pinned));
    printf("ok: a graph of %zu nodes launched %d times\n", nodes, rounds);
    return 0;
}
