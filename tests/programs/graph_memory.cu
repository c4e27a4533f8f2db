// Memory that belongs to graphs: allocated and freed by nodes, kept from one graph to another, captured from stream-ordered calls, and freed by the
// next launch. Nodes are added by their own calls and by the one for all types.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

#include "check.h"

__global__ void iota(int *p, int n, int first) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = first + i;
}

__global__ void total(const int *p, int n, int *sum) {
    int mine = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) mine += p[i];
    atomicAdd(sum, mine);
}

static unsigned long long used() {
    unsigned long long bytes = 0;
    CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &bytes));
    return bytes;
}

static cudaMemAllocNodeParams allocation(size_t bytes) {
    cudaMemAllocNodeParams params;
    memset(&params, 0, sizeof(params));
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location.type = cudaMemLocationTypeDevice;
    params.poolProps.location.id = 0;
    params.bytesize = bytes;
    return params;
}

static int fetch(const int *sum) {
    int value = 0;
    CHECK(cudaMemcpy(&value, sum, sizeof(value), cudaMemcpyDeviceToHost));
    return value;
}

// Allocated, used and freed within each launch.
static void within_a_launch(int *sum) {
    const int n = 1000;
    cudaGraph_t graph;
    cudaGraphNode_t allocate, fill, add, release;
    cudaGraphExec_t ready;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaMemAllocNodeParams memory = allocation(n * sizeof(int));
    CHECK(cudaGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &memory));
    int *p = (int *)memory.dptr, first = 1, count = n;
    void *fill_arguments[] = {&p, &count, &first}, *add_arguments[] = {&p, &count, &sum};
    cudaGraphNodeParams kernel = {};
    kernel.type = cudaGraphNodeTypeKernel;
    kernel.kernel.func = (void *)iota;
    kernel.kernel.gridDim = dim3(8);
    kernel.kernel.blockDim = dim3(128);
    kernel.kernel.kernelParams = fill_arguments;
    CHECK(cudaGraphAddNode(&fill, graph, &allocate, nullptr, 1, &kernel));
    kernel.kernel.func = (void *)total;
    kernel.kernel.gridDim = dim3(1);
    kernel.kernel.kernelParams = add_arguments;
    CHECK(cudaGraphAddNode(&add, graph, &fill, nullptr, 1, &kernel));
    CHECK(cudaGraphAddMemFreeNode(&release, graph, &add, 1, p));
    void *freed = nullptr;
    CHECK(cudaGraphMemFreeNodeGetParams(release, &freed));
    CHECK(cudaGraphInstantiate(&ready, graph, 0));
    CHECK(cudaMemset(sum, 0, sizeof(int)));
    for (int i = 0; i < 3; i++) CHECK(cudaGraphLaunch(ready, 0));
    CHECK(cudaDeviceSynchronize());
    printf("three launches: %d, of the same memory: %d, used after them: %llu\n", fetch(sum), freed == (void *)p, used());
    first = 2; // of the next launches
    kernel.kernel.func = (void *)iota;
    kernel.kernel.gridDim = dim3(8);
    kernel.kernel.kernelParams = fill_arguments;
    CHECK(cudaGraphExecNodeSetParams(ready, fill, &kernel));
    CHECK(cudaMemset(sum, 0, sizeof(int)));
    CHECK(cudaGraphLaunch(ready, 0));
    printf("from 2 on: %d\n", fetch(sum));
    CHECK(cudaGraphExecDestroy(ready));
    CHECK(cudaGraphDestroy(graph));
}

// One graph allocates, the host reads, another graph frees.
static void across_graphs() {
    const int n = 64;
    cudaGraph_t first, second;
    cudaGraphNode_t allocate, fill, release;
    cudaGraphExec_t first_ready, second_ready;
    CHECK(cudaGraphCreate(&first, 0));
    CHECK(cudaGraphCreate(&second, 0));
    cudaMemAllocNodeParams memory = allocation(n * sizeof(int));
    CHECK(cudaGraphAddMemAllocNode(&allocate, first, nullptr, 0, &memory));
    cudaMemsetParams set = {};
    set.dst = memory.dptr;
    set.value = 7;
    set.elementSize = 4;
    set.width = n;
    set.height = 1;
    CHECK(cudaGraphAddMemsetNode(&fill, first, &allocate, 1, &set));
    CHECK(cudaGraphAddMemFreeNode(&release, second, nullptr, 0, memory.dptr));
    CHECK(cudaGraphInstantiate(&first_ready, first, 0));
    CHECK(cudaGraphInstantiate(&second_ready, second, 0));
    for (int i = 0; i < 2; i++) {
        int back[n];
        CHECK(cudaGraphLaunch(first_ready, 0));
        CHECK(cudaMemcpy(back, memory.dptr, sizeof(back), cudaMemcpyDeviceToHost));
        printf("kept: %d, used: %d\n", back[n - 1], used() >= sizeof(back));
        CHECK(cudaGraphLaunch(second_ready, 0));
        CHECK(cudaDeviceSynchronize());
        printf("freed, used: %llu\n", used());
    }
    CHECK(cudaGraphLaunch(first_ready, 0));
    CHECK(cudaFreeAsync(memory.dptr, 0));
    CHECK(cudaDeviceSynchronize());
    printf("freed by the host, used: %llu\n", used());
    CHECK(cudaGraphExecDestroy(first_ready));
    CHECK(cudaGraphExecDestroy(second_ready));
    CHECK(cudaGraphDestroy(first));
    CHECK(cudaGraphDestroy(second));
}

// What a stream allocates and frees while it is captured.
static void captured(int *sum) {
    const int n = 500;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    int *p = nullptr;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMallocAsync(&p, n * sizeof(int), stream));
    iota<<<4, 128, 0, stream>>>(p, n, 1);
    total<<<1, 128, 0, stream>>>(p, n, sum);
    CHECK(cudaFreeAsync(p, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    size_t count = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &count));
    CHECK(cudaGraphInstantiate(&ready, graph, 0));
    CHECK(cudaMemset(sum, 0, sizeof(int)));
    CHECK(cudaGraphLaunch(ready, stream));
    CHECK(cudaGraphLaunch(ready, stream));
    CHECK(cudaStreamSynchronize(stream));
    printf("captured: %zu nodes, %d\n", count, fetch(sum));
    CHECK(cudaGraphExecDestroy(ready));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
}

// Never freed by the graph: a launch refuses to allocate again, or frees what is there.
static void freed_by_launches() {
    cudaGraph_t graph;
    cudaGraphNode_t allocate;
    cudaGraphExec_t ready;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaMemAllocNodeParams memory = allocation(4096);
    CHECK(cudaGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &memory));
    CHECK(cudaGraphInstantiate(&ready, graph, 0));
    CHECK(cudaGraphLaunch(ready, 0));
    CHECK(cudaDeviceSynchronize());
    printf("again: %s\n", cudaGetErrorName(cudaGraphLaunch(ready, 0)));
    cudaGetLastError();
    CHECK(cudaFree(memory.dptr));
    CHECK(cudaGraphExecDestroy(ready));
    CHECK(cudaGraphInstantiate(&ready, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    CHECK(cudaGraphLaunch(ready, 0));
    CHECK(cudaGraphLaunch(ready, 0));
    CHECK(cudaDeviceSynchronize());
    printf("with cudaGraphInstantiateFlagAutoFreeOnLaunch: %s\n", cudaGetErrorName(cudaGetLastError()));
    CHECK(cudaFree(memory.dptr));
    CHECK(cudaGraphExecDestroy(ready));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaDeviceGraphMemTrim(0));
    unsigned long long reserved = 1;
    CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &reserved));
    printf("trimmed: %llu\n", reserved);
}

int main() {
    int *sum;
    CHECK(cudaMalloc(&sum, sizeof(int)));
    within_a_launch(sum); // 3 * 500500; 500500 + 1000
    across_graphs();
    captured(sum); // 2 * 125250
    freed_by_launches();
    CHECK(cudaFree(sum));
    printf("ok\n");
    return 0;
}
