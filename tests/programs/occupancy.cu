// How many threads fit: occupancy questions, a launch configured by their answer, launch bounds, and what a kernel says of
// itself.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#include "check.h"

__global__ void square(const int *in, int *out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i] * in[i];
}

// Never more than 192 threads a block, at least 2 blocks a multiprocessor.
__global__ void __launch_bounds__(192, 2) cube(const int *in, int *out, int n) {
    __shared__ int staged[192];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    staged[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    int mine = staged[threadIdx.x];
    if (i < n) out[i] = mine * mine * mine;
}

__global__ void negate(const int *in, int *out, int n) {
    extern __shared__ int mine[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    mine[threadIdx.x] = in[i];
    out[i] = -mine[threadIdx.x];
}

struct BytesOf { // of shared memory that negate needs
    __host__ __device__ size_t operator()(int threads) const { return threads * sizeof(int); }
};

static const int n = 30011;
static std::vector<int> in(n), out(n);
static int *d_in, *d_out;

template <typename F> static bool verify(const char *kernel, F expected) {
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        if (out[i] != expected(in[i])) {
            printf("%s: element %d is %d, expected %d\n", kernel, i, out[i], expected(in[i]));
            return false;
        }
    }
    return true;
}

#define REQUIRE(condition)                                     \
    if (!(condition)) {                                        \
        printf("line %d: not so: %s\n", __LINE__, #condition); \
        return 1;                                              \
    }

int main() {
    for (int i = 0; i < n; i++) in[i] = i % 1001 - 500;
    CHECK(cudaMalloc(&d_in, n * sizeof(int)));
    CHECK(cudaMalloc(&d_out, n * sizeof(int)));
    CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    const int resident = device.maxThreadsPerMultiProcessor;

    // The largest block that gives the best occupancy, and the grid that fills the device with such blocks.
    int grid = 0, block = 0;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, square, 0, 0));
    REQUIRE(block >= 32 && block <= device.maxThreadsPerBlock && block % device.warpSize == 0);
    REQUIRE(grid >= 1 && grid % device.multiProcessorCount == 0);
    REQUIRE((long)grid * block <= (long)resident * device.multiProcessorCount);
    square<<<(n + block - 1) / block, block>>>(d_in, d_out, n);
    if (!verify("square", [](int x) { return x * x; })) return 1;

    // Fewer threads than the block's limit; as many blocks as fit.
    int blocks = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, square, 128, 0));
    REQUIRE(blocks >= 1 && blocks * 128 <= resident);
    const size_t lots = 20000;
    int fewer = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fewer, square, 128, lots));
    REQUIRE(fewer >= 1 && fewer <= blocks && fewer * lots <= device.sharedMemPerMultiprocessor);

    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, cube));
    REQUIRE(attributes.maxThreadsPerBlock == 192);
    REQUIRE(attributes.sharedSizeBytes == 192 * sizeof(int));
    REQUIRE(attributes.numRegs > 0 && attributes.numRegs * 192 * 2 <= device.regsPerMultiprocessor);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, cube, 192, 0));
    REQUIRE(blocks >= 2);
    cube<<<(n + 191) / 192, 192>>>(d_in, d_out, n);
    if (!verify("cube", [](int x) { return x * x * x; })) return 1;
    cube<<<(n + 255) / 256, 256>>>(d_in, d_out, n); // more than it was compiled for
    REQUIRE(cudaGetLastError() == cudaErrorInvalidValue);

    // Shared memory that grows with the block; and a launch through a pointer to the kernel and an array of arguments.
    CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, negate, BytesOf(), 512));
    REQUIRE(block >= 32 && block <= 512);
    int count = n;
    void *arguments[] = {&d_in, &d_out, &count};
    CHECK(cudaLaunchKernel((const void *)negate, dim3((n + block - 1) / block), dim3(block), arguments, BytesOf()(block), 0));
    if (!verify("negate", [](int x) { return -x; })) return 1;

    CHECK(cudaFuncSetCacheConfig(square, cudaFuncCachePreferL1));
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    printf("ok: three kernels on %d elements\n", n);
    return 0;
}
