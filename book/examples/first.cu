// A whole CUDA program: two arrays are added on the GPU.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void add(const float *a, const float *b, float *sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] = a[i] + b[i];
}

static void require(cudaError_t status, const char *what) {
    if (status == cudaSuccess) return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    exit(1);
}

int main() {
    const int n = 1000;
    const size_t bytes = n * sizeof(float);
    std::vector<float> a(n), b(n), sum(n);
    for (int i = 0; i < n; i++) a[i] = i, b[i] = 2 * i;

    float *device_a, *device_b, *device_sum;
    require(cudaMalloc(&device_a, bytes), "cudaMalloc");
    require(cudaMalloc(&device_b, bytes), "cudaMalloc");
    require(cudaMalloc(&device_sum, bytes), "cudaMalloc");
    require(cudaMemcpy(device_a, a.data(), bytes, cudaMemcpyHostToDevice), "copy of a");
    require(cudaMemcpy(device_b, b.data(), bytes, cudaMemcpyHostToDevice), "copy of b");

    int threads = 256, blocks = (n + threads - 1) / threads;
    add<<<blocks, threads>>>(device_a, device_b, device_sum, n);
    require(cudaGetLastError(), "launch of add");

    require(cudaMemcpy(sum.data(), device_sum, bytes, cudaMemcpyDeviceToHost), "copy of the sum");
    printf("the last sum is %g\n", sum[n - 1]);

    require(cudaFree(device_a), "cudaFree");
    require(cudaFree(device_b), "cudaFree");
    require(cudaFree(device_sum), "cudaFree");
    return 0;
}
