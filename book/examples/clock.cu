// Times a kernel with two events, and beside it what the host's clock says of the launch alone.
#include <chrono>
#include <cstdio>

__global__ void fill(float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 1.0f;
}

int main() {
    const int n = 1 << 22;
    float *out, milliseconds = 0;
    cudaEvent_t begin, end;
    cudaMalloc(&out, n * sizeof(float));
    cudaEventCreate(&begin);
    cudaEventCreate(&end);

    auto before = std::chrono::steady_clock::now();
    cudaEventRecord(begin);
    fill<<<n / 256, 256>>>(out, n);
    cudaEventRecord(end);
    auto after = std::chrono::steady_clock::now();
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&milliseconds, begin, end);
    printf("the device took %.1f us; the host went on after %.1f us\n", 1000 * milliseconds,
           std::chrono::duration<double, std::micro>(after - before).count());
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    cudaFree(out);
    return 0;
}
