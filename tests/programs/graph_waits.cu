// Kernels of graphs that wait for what the host does after the launch: what comes behind such a graph waits with it, its next launch as well, and what the
// program changes meanwhile is for that one. Memory that is freed in stream order behind a kernel that waits.
#include <cstdio>
#include <cuda_runtime.h>

#include "check.h"

__global__ void wait_then_set(volatile int *flag, int *to, int value) {
    while (*flag == 0) {}
    *to = value;
}
__global__ void copy(const int *from, int *to) { *to = *from; }
__global__ void add(int *to, int value) { *to += value; }

static int expect(const char *what, int value, int expected) {
    if (value == expected) return 0;
    printf("%s: %d, expected %d\n", what, value, expected);
    return 1;
}

static int fetch(const int *from) {
    int value = -1;
    CHECK(cudaMemcpy(&value, from, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

static cudaStream_t new_stream() {
    cudaStream_t stream;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return stream;
}

static cudaKernelNodeParams call_of(void **arguments) {
    cudaKernelNodeParams params = {};
    params.func = (void *)wait_then_set;
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = arguments;
    return params;
}

static cudaGraph_t graph_of(cudaGraphNode_t *node, int *flag, int *to, int value) {
    cudaGraph_t graph;
    void *arguments[] = {&flag, &to, &value};
    const cudaKernelNodeParams params = call_of(arguments);
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddKernelNode(node, graph, nullptr, 0, &params));
    return graph;
}

// The launch that waits sets 5, whatever becomes of the graph; each one behind it what the graph was when it was launched.
static int changed(volatile int *flag, int *p) {
    cudaGraphNode_t node, other_node;
    cudaGraphExec_t ready;
    cudaEvent_t done;
    cudaGraphExecUpdateResultInfo info;
    cudaStream_t first = new_stream(), second = new_stream();
    cudaGraph_t graph = graph_of(&node, (int *)flag, p, 5), other = graph_of(&other_node, (int *)flag, p + 2, 7);
    int wrong = 0, *to = p + 1, value = 6, *waits = (int *)flag;
    void *arguments[] = {&waits, &to, &value};
    const cudaKernelNodeParams params = call_of(arguments);
    CHECK(cudaEventCreate(&done));
    CHECK(cudaMemset(p, 0, 8 * sizeof *p));
    CHECK(cudaGraphInstantiate(&ready, graph, 0));
    CHECK(cudaDeviceSynchronize());
    *flag = 0;
    CHECK(cudaGraphLaunch(ready, first));
    copy<<<1, 1, 0, first>>>(p, p + 3);
    CHECK(cudaGraphExecKernelNodeSetParams(ready, node, &params));
    CHECK(cudaGraphLaunch(ready, second)); // behind the first, whose executable graph it is
    copy<<<1, 1, 0, second>>>(p, p + 4);
    CHECK(cudaGraphExecUpdate(ready, other, &info));
    CHECK(cudaGraphLaunch(ready, second));
    copy<<<1, 1, 0, second>>>(p + 1, p + 5);
    CHECK(cudaEventRecord(done, second));
    CHECK(cudaGraphExecDestroy(ready));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphDestroy(other));
    wrong += expect("an event behind it", cudaEventQuery(done), cudaErrorNotReady);
    wrong += expect("its stream", cudaStreamQuery(first), cudaErrorNotReady);
    *flag = 1;
    CHECK(cudaDeviceSynchronize());
    wrong += expect("the launch that waits", fetch(p), 5);
    wrong += expect("the launch behind it", fetch(p + 1), 6);
    wrong += expect("the third launch", fetch(p + 2), 7);
    wrong += expect("copied behind the first", fetch(p + 3), 5);
    wrong += expect("copied behind the second, which comes behind the first", fetch(p + 4), 5);
    wrong += expect("copied behind the third, which comes behind the second", fetch(p + 5), 6);
    CHECK(cudaEventDestroy(done));
    CHECK(cudaStreamDestroy(first));
    CHECK(cudaStreamDestroy(second));
    return wrong;
}

// What a graph allocates is used and freed behind it, before it is there; an event of its own says when it has ended.
static int allocated(volatile int *flag, int *p, int *back) {
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cudaEvent_t event;
    cudaStream_t stream = new_stream(), other = new_stream();
    int wrong = 0, *memory;
    CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    wait_then_set<<<1, 1, 0, stream>>>(flag, p, 8);
    CHECK(cudaMallocAsync(&memory, sizeof *memory, stream));
    copy<<<1, 1, 0, stream>>>(p, memory);
    CHECK(cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&ready, graph, 0));
    CHECK(cudaDeviceSynchronize());
    *flag = 0;
    *back = 0;
    CHECK(cudaGraphLaunch(ready, stream));
    add<<<1, 1, 0, stream>>>(memory, 3);
    CHECK(cudaMemcpyAsync(back, memory, sizeof *back, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaFreeAsync(memory, stream));
    CHECK(cudaStreamWaitEvent(other, event, 0));
    copy<<<1, 1, 0, other>>>(p, p + 1);
    *flag = 1;
    CHECK(cudaStreamSynchronize(other));
    CHECK(cudaStreamSynchronize(stream));
    wrong += expect("memory of a graph that waits", *back, 11);
    wrong += expect("behind the graph's event", fetch(p + 1), 8);
    CHECK(cudaGraphLaunch(ready, stream)); // it has been freed
    CHECK(cudaFreeAsync(memory, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaGraphExecDestroy(ready));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaEventDestroy(event));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaStreamDestroy(other));
    return wrong;
}

// Freed behind a kernel that waits, and in a stream that does not wait for it.
static int freed(volatile int *flag, int *p) {
    cudaStream_t stream = new_stream(), other = new_stream();
    int wrong = 0, *used, *unused;
    CHECK(cudaMallocAsync(&used, sizeof *used, stream));
    CHECK(cudaMallocAsync(&unused, sizeof *unused, other));
    CHECK(cudaMemsetAsync(unused, 0, sizeof *unused, other));
    CHECK(cudaDeviceSynchronize());
    *flag = 0;
    wait_then_set<<<1, 1, 0, stream>>>(flag, used, 9);
    copy<<<1, 1, 0, stream>>>(used, p);
    CHECK(cudaFreeAsync(used, stream));
    CHECK(cudaFreeAsync(unused, other));
    CHECK(cudaStreamSynchronize(other));
    *flag = 1;
    CHECK(cudaStreamSynchronize(stream));
    wrong += expect("freed behind it", fetch(p), 9);
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaStreamDestroy(other));
    return wrong;
}

int main() {
    int *flag, *p, *back, wrong = 0;
    cudaFuncAttributes loaded; // while nothing waits: loading a kernel may wait for those that run
    CHECK(cudaFuncGetAttributes(&loaded, wait_then_set));
    CHECK(cudaFuncGetAttributes(&loaded, copy));
    CHECK(cudaFuncGetAttributes(&loaded, add));
    CHECK(cudaHostAlloc(&flag, sizeof *flag, cudaHostAllocMapped));
    CHECK(cudaMallocHost(&back, sizeof *back));
    CHECK(cudaMalloc(&p, 8 * sizeof *p));
    wrong += changed(flag, p);
    wrong += allocated(flag, p, back);
    wrong += freed(flag, p);
    CHECK(cudaFree(p));
    CHECK(cudaFreeHost(flag));
    CHECK(cudaFreeHost(back));
    if (wrong) return 1;
    printf("ok: graphs waited for the host\n");
    return 0;
}
