// Tiles of 1024 floats, each written in reverse: by way of registers, by asynchronous copies, by bulk copies that one thread asks for. Blocks of 128
// threads; block b takes tiles b, b + gridDim.x and so on.
#include <cuda_pipeline.h>

constexpr int TILE = 1024, THREADS = 128, PACKS = TILE / 4;

__device__ inline void write_reversed(const float4 *tile, float *to) {
#pragma unroll
    for (int i = threadIdx.x; i < TILE; i += THREADS) to[i] = ((const float *)tile)[TILE - 1 - i];
}

extern "C" __global__ void through_registers(const float4 *in, float *out, int tiles) {
    __shared__ float4 staged[PACKS];
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const float4 *from = in + (size_t)tile * PACKS;
#pragma unroll
        for (int k = 0; k < PACKS; k += THREADS) staged[k + threadIdx.x] = from[k + threadIdx.x];
        __syncthreads(); // the tile is there
        write_reversed(staged, out + (size_t)tile * TILE);
        __syncthreads(); // it may be overwritten
    }
}

extern "C" __global__ void past_registers(const float4 *in, float *out, int tiles) {
    __shared__ float4 staged[PACKS];
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const float4 *from = in + (size_t)tile * PACKS;
        for (int k = threadIdx.x; k < PACKS; k += THREADS) __pipeline_memcpy_async(&staged[k], &from[k], 16);
        __pipeline_commit();
        __pipeline_wait_prior(0); // this thread's copies have arrived
        __syncthreads();          // and all others'
        write_reversed(staged, out + (size_t)tile * TILE);
        __syncthreads();
    }
}

// A group for each tile; where there is no such tile, an empty one.
template <int BUFFERS> __device__ inline void ask(float4 (*ring)[PACKS], int iteration, const float4 *in, int tiles) {
    const int tile = blockIdx.x + iteration * gridDim.x;
    if (tile < tiles)
        for (int k = threadIdx.x; k < PACKS; k += THREADS)
            __pipeline_memcpy_async(&ring[iteration % BUFFERS][k], &in[(size_t)tile * PACKS + k], 16);
    __pipeline_commit();
}

template <int BUFFERS> __device__ inline void in_a_ring(const float4 *in, float *out, int tiles) {
    __shared__ float4 ring[BUFFERS][PACKS];
    for (int iteration = 0; iteration < BUFFERS - 1; iteration++) ask<BUFFERS>(ring, iteration, in, tiles);
    for (int iteration = 0, tile = blockIdx.x; tile < tiles; iteration++, tile += gridDim.x) {
        __pipeline_wait_prior(BUFFERS - 2); // the oldest group has arrived
        __syncthreads();                    // for all threads; and all have used the buffer that is asked for next
        ask<BUFFERS>(ring, iteration + BUFFERS - 1, in, tiles);
        write_reversed(ring[iteration % BUFFERS], out + (size_t)tile * TILE);
    }
}

extern "C" __global__ void two_buffers(const float4 *in, float *out, int tiles) { in_a_ring<2>(in, out, tiles); }
extern "C" __global__ void three_buffers(const float4 *in, float *out, int tiles) { in_a_ring<3>(in, out, tiles); }
extern "C" __global__ void four_buffers(const float4 *in, float *out, int tiles) { in_a_ring<4>(in, out, tiles); }
extern "C" __global__ void six_buffers(const float4 *in, float *out, int tiles) { in_a_ring<6>(in, out, tiles); }
extern "C" __global__ void eight_buffers(const float4 *in, float *out, int tiles) { in_a_ring<8>(in, out, tiles); }
extern "C" __global__ void twelve_buffers(const float4 *in, float *out, int tiles) { in_a_ring<12>(in, out, tiles); }

// One warp: lane i copies float i * step.
extern "C" __global__ void copy_apart(const float *in, float *out, int step) {
    __shared__ float copied[32];
    __pipeline_memcpy_async(&copied[threadIdx.x], &in[threadIdx.x * step], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = copied[threadIdx.x];
}
