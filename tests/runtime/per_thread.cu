/* What the default stream is: of each thread its own, or the legacy one, which cannot be captured. */
#include <cstdio>
#include <thread>

__device__ int factor = 1;
__global__ void add(int *p, int by) { *p += by * factor; }

static void fine(cudaError_t error) {
    if (error != cudaSuccess) printf("%s\n", cudaGetErrorName(error));
}

static void work(int *p, int by) {
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaStreamCaptureStatus status;
    size_t nodes = 0;
    cudaError_t error = cudaStreamBeginCapture(0, cudaStreamCaptureModeThreadLocal);
    if (error != cudaSuccess) {
        printf("%s\n", cudaGetErrorName(error));
        return;
    }
    add<<<1, 1>>>(p, by);
    fine(cudaGetLastError());
    void *arguments[] = {&p, &by};
    fine(cudaLaunchKernel(add, dim3(1), dim3(1), arguments));
    fine(cudaMemsetAsync(p + 1, by, 1));
    fine(cudaStreamIsCapturing(cudaStreamPerThread, &status));
    fine(cudaStreamEndCapture(0, &graph));
    fine(cudaGraphGetNodes(graph, nullptr, &nodes));
    fine(cudaGraphInstantiate(&executable, graph, 0));
    fine(cudaGraphLaunch(executable, 0));
    fine(cudaGraphLaunch(executable, 0));
    int sums[2] = {}, three = 3;
    fine(cudaMemcpyToSymbol(factor, &three, sizeof three));
    add<<<1, 1>>>(p, by);
    fine(cudaStreamSynchronize(0));
    fine(cudaMemcpy(sums, p, sizeof sums, cudaMemcpyDeviceToHost));
    printf("%d: %d nodes, %d, %d\n", status == cudaStreamCaptureStatusActive, (int)nodes, sums[0], sums[1]);
    /* a copy that waits has no place in a capture */
    fine(cudaStreamBeginCapture(0, cudaStreamCaptureModeThreadLocal));
    printf("%s\n", cudaGetErrorName(cudaMemcpy(sums, p, sizeof sums, cudaMemcpyDeviceToHost)));
    printf("%s\n", cudaGetErrorName(cudaStreamEndCapture(0, &graph)));
    cudaGetLastError();
    fine(cudaGraphExecDestroy(executable));
}

int main() {
    int *p;
    fine(cudaMalloc(&p, 2 * sizeof *p));
    fine(cudaMemset(p, 0, 2 * sizeof *p));
    fine(cudaDeviceSynchronize());
    std::thread other(work, p, 5);
    other.join();
    fine(cudaFree(p));
}
