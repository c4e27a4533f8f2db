// What a trace has to show: copies to the device and back, fills, kernels, a host function and events in the default stream and two others, and a graph of which
// two nodes need not wait for each other.
#include <cstdio>

__global__ void add(int *data, int n, int by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += by;
}
static void CUDART_CB nothing(void *) {}

enum { N = 100000 };

static void graph(cudaStream_t s, cudaStream_t t, int *d) {
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaEvent_t fork, join;
    cudaEventCreate(&fork);
    cudaEventCreate(&join);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaEventRecord(fork, s);
    cudaStreamWaitEvent(t, fork, 0);
    add<<<1, 32, 0, s>>>(d, 32, 1);
    add<<<1, 64, 0, t>>>(d + 32, 64, 1);
    cudaEventRecord(join, t);
    cudaStreamWaitEvent(s, join, 0);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&executable, graph, 0);
    for (int i = 0; i < 3; i++) cudaGraphLaunch(executable, s);
}

int main() {
    cudaStream_t s, t;
    cudaEvent_t done;
    int *d, *h;
    cudaStreamCreate(&s);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaEventCreate(&done);
    cudaMalloc(&d, N * sizeof *d);
    cudaMallocHost(&h, N * sizeof *h);
    cudaMemset(d, 0, N * sizeof *d);
    cudaDeviceSynchronize();
    add<<<(N + 255) / 256, 256, 0, s>>>(d, N, 5);
    cudaMemcpyAsync(h, d, N * sizeof *d, cudaMemcpyDeviceToHost, s);
    cudaEventRecord(done, s);
    cudaLaunchHostFunc(s, nothing, nullptr);
    cudaStreamWaitEvent(t, done, 0);
    add<<<(N + 255) / 256, 256, 0, t>>>(d, N, 6);
    add<<<1, 2000, 0, t>>>(d, N, 7); // refused
    cudaDeviceSynchronize();
    cudaMemcpy(d, h, N * sizeof *d, cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
    graph(s, t, d);
    cudaDeviceSynchronize();
    cudaFree(d);
    cudaFreeHost(h);
    printf("%d\n", h == nullptr);
}
