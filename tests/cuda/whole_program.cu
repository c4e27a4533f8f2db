// A program as courses write it: host and device code in one file.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define CHECK(call)                                                                                                               \
    do {                                                                                                                           \
        cudaError_t error = (call);                                                                                                \
        if (error != cudaSuccess) std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));              \
    } while (0)

__constant__ float weights[4];

template <typename T> __global__ void scale(T *data, T factor, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = max(data[i], T(0)) * factor + sqrt(data[i]) * weights[i & 3];
}

int main() {
    const int n = 1 << 10;
    std::vector<float> host(n, 2.0f);
    float *device = nullptr;
    cudaEvent_t start, stop;
    CHECK(cudaMalloc(&device, n * sizeof(float)));
    CHECK(cudaMemcpy(device, host.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(weights, host.data(), sizeof weights));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    dim3 block(256), grid((n + block.x - 1) / block.x);
    CHECK(cudaEventRecord(start));
    scale<float><<<grid, block>>>(device, std::pow(2.0f, 0.5f) * float(std::riemann_zeta(2.0)), n); // needs <cmath> as a whole
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    CHECK(cudaMemcpy(host.data(), device, n * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device));
    std::printf("%f in %f ms, %d\n", std::fabs(host[0]), ms, std::max(3, std::min(2, abs(-4))));
    return 0;
}
