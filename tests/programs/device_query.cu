// What a program can ask of the devices: how many, their properties, attributes, memory, versions and limits; that the
// answers agree with each other, and with what a kernel sees.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#include "check.h"

#define REQUIRE(condition)                                         \
    do {                                                           \
        if (!(condition)) {                                        \
            printf("line %d: not so: %s\n", __LINE__, #condition); \
            exit(1);                                               \
        }                                                          \
    } while (0)

struct Seen {
    int warp_size, arch;
    dim3 grid, block;
    long long ticks;
};

__global__ void look(Seen *seen) {
    long long start = clock64();
#ifdef __CUDA_ARCH__
    seen->arch = __CUDA_ARCH__;
#endif
    seen->warp_size = warpSize;
    seen->grid = gridDim;
    seen->block = blockDim;
    seen->ticks = clock64() - start;
}

static int attribute(cudaDeviceAttr which, int device) {
    int value = -1;
    CHECK(cudaDeviceGetAttribute(&value, which, device));
    return value;
}

static void describe(int device, const cudaDeviceProp &p) {
    fprintf(stderr, "device %d: %s, compute capability %d.%d\n", device, p.name, p.major, p.minor);
    fprintf(stderr, "  %d multiprocessors, %.1f GiB of memory, %.1f MiB of L2, %d-bit bus\n", p.multiProcessorCount,
            p.totalGlobalMem / 1073741824.0, p.l2CacheSize / 1048576.0, p.memoryBusWidth);
    fprintf(stderr, "  shared memory: %zu bytes a block (%zu if asked for), %zu a multiprocessor\n", p.sharedMemPerBlock,
            p.sharedMemPerBlockOptin, p.sharedMemPerMultiprocessor);
    fprintf(stderr, "  registers: %d a block, %d a multiprocessor; constant memory: %zu bytes\n", p.regsPerBlock,
            p.regsPerMultiprocessor, p.totalConstMem);
}

static void inspect(int device) {
    cudaDeviceProp p;
    CHECK(cudaSetDevice(device));
    CHECK(cudaGetDeviceProperties(&p, device));
    describe(device, p);
    REQUIRE(strlen(p.name) > 0 && strlen(p.name) < sizeof(p.name));
    REQUIRE(p.major >= 5 && p.minor >= 0 && p.minor < 10);
    REQUIRE(p.warpSize == 32 && p.maxThreadsPerBlock == 1024);
    REQUIRE(p.maxThreadsDim[0] == 1024 && p.maxThreadsDim[1] == 1024 && p.maxThreadsDim[2] == 64);
    REQUIRE(p.maxGridSize[0] == 2147483647 && p.maxGridSize[1] == 65535 && p.maxGridSize[2] == 65535);
    REQUIRE(p.sharedMemPerBlock == 49152 && p.sharedMemPerBlockOptin >= p.sharedMemPerBlock);
    REQUIRE(p.sharedMemPerMultiprocessor >= p.sharedMemPerBlockOptin);
    REQUIRE(p.totalConstMem == 65536 && p.regsPerBlock == 65536);
    REQUIRE(p.maxThreadsPerMultiProcessor % p.warpSize == 0 && p.maxThreadsPerMultiProcessor >= 1024);
    REQUIRE(p.unifiedAddressing == 1 && p.canMapHostMemory == 1 && p.concurrentKernels == 1);

    REQUIRE(attribute(cudaDevAttrComputeCapabilityMajor, device) == p.major);
    REQUIRE(attribute(cudaDevAttrComputeCapabilityMinor, device) == p.minor);
    REQUIRE(attribute(cudaDevAttrMultiProcessorCount, device) == p.multiProcessorCount);
    REQUIRE(attribute(cudaDevAttrMaxThreadsPerBlock, device) == p.maxThreadsPerBlock);
    REQUIRE(attribute(cudaDevAttrMaxBlockDimZ, device) == 64);
    REQUIRE(attribute(cudaDevAttrMaxGridDimX, device) == p.maxGridSize[0]);
    REQUIRE(attribute(cudaDevAttrWarpSize, device) == p.warpSize);
    REQUIRE((size_t)attribute(cudaDevAttrMaxSharedMemoryPerBlock, device) == p.sharedMemPerBlock);
    REQUIRE((size_t)attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, device) == p.sharedMemPerMultiprocessor);
    REQUIRE(attribute(cudaDevAttrL2CacheSize, device) == p.l2CacheSize);
    REQUIRE(attribute(cudaDevAttrClockRate, device) > 0 && attribute(cudaDevAttrMemoryClockRate, device) > 0);
    REQUIRE(attribute(cudaDevAttrGlobalMemoryBusWidth, device) == p.memoryBusWidth);
    REQUIRE(attribute(cudaDevAttrManagedMemory, device) == p.managedMemory);

    // 16 MiB less while they are allocated.
    size_t free_before, free_now, total;
    void *some;
    CHECK(cudaMemGetInfo(&free_before, &total));
    REQUIRE(free_before <= total && total <= p.totalGlobalMem && total > 0);
    CHECK(cudaMalloc(&some, 16 << 20));
    CHECK(cudaMemGetInfo(&free_now, &total));
    REQUIRE(free_now < free_before);
    CHECK(cudaFree(some));

    Seen seen = {}, *d_seen;
    CHECK(cudaMalloc(&d_seen, sizeof(Seen)));
    look<<<dim3(1, 1, 1), dim3(1, 1, 1)>>>(d_seen);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&seen, d_seen, sizeof(Seen), cudaMemcpyDeviceToHost));
    REQUIRE(seen.warp_size == p.warpSize && seen.grid.x == 1 && seen.block.z == 1);
    REQUIRE(seen.arch >= 500 && seen.arch <= p.major * 100 + p.minor * 10);
    REQUIRE(seen.ticks >= 0);
    CHECK(cudaFree(d_seen));
}

int main() {
    int devices = 0, current = -1, runtime = 0, driver = 0;
    CHECK(cudaGetDeviceCount(&devices));
    REQUIRE(devices >= 1);
    CHECK(cudaGetDevice(&current));
    REQUIRE(current == 0);
    CHECK(cudaRuntimeGetVersion(&runtime));
    CHECK(cudaDriverGetVersion(&driver));
    REQUIRE(runtime / 1000 == CUDART_VERSION / 1000 && driver >= runtime / 1000 * 1000);
    for (int device = 0; device < devices; device++) inspect(device);
    CHECK(cudaSetDevice(0));
    size_t limit = 0;
    CHECK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 2 << 20));
    CHECK(cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize));
    REQUIRE(limit >= 2 << 20);
    CHECK(cudaDeviceReset());
    printf("ok: warps of 32\n");
    return 0;
}
