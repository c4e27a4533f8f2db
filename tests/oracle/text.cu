// Kernels that speak or fail on purpose.
#include <assert.h>
#include <stdio.h>

extern "C" __global__ void says(int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) printf("block %d thread %d: %5.2f %s %c %lld %x%%\n", blockIdx.x, threadIdx.x, i * 0.25, "word", 'a' + i, 1ll << 40, i);
}

extern "C" __global__ void says_nothing_special(void) { printf("plain\n"); }

extern "C" __global__ void asserts(const int *in, int limit) { assert(in[threadIdx.x] < limit); }

extern "C" __global__ void traps(int when) {
    if (threadIdx.x == when) __trap();
}

extern "C" __global__ void reads_past_the_end(const int *in, int *out) { out[threadIdx.x] = in[threadIdx.x + 1]; }

extern "C" __global__ void reads_null(const int *in, int *out) { out[threadIdx.x] = in[threadIdx.x]; }

extern "C" __global__ void misaligned(const char *in, int *out) { out[threadIdx.x] = *(const int *)(in + 4 * threadIdx.x + 2); }

extern "C" __global__ void reads_unwritten(const int *in, int *out) { out[threadIdx.x] = in[threadIdx.x] + 1; }

extern "C" __global__ void misses_a_barrier(int *out) {
    __shared__ int box[64];
    box[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = box[63 - threadIdx.x];
}

extern "C" __global__ void misses_the_second_barrier(int *out) {
    __shared__ int box[64];
    box[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = box[63 - threadIdx.x];
    box[threadIdx.x] = 0;
}

extern "C" __global__ void blocks_race(int *out) { *out = blockIdx.x; }

extern "C" __global__ void parts_at_a_barrier(int *out) {
    __shared__ int box[32];
    if (threadIdx.x < 32) {
        box[threadIdx.x] = threadIdx.x;
        __syncthreads();
    } else {
        out[threadIdx.x] = threadIdx.x;
    }
    if (threadIdx.x < 32) out[threadIdx.x] = box[31 - threadIdx.x];
}

extern "C" __global__ void never_ends(volatile int *in) {
    while (in[0] == 0) in[1] = in[1] + 1;
}

extern "C" __global__ void waits_for_ever(const volatile int *in) {
    while (in[0] == 0) {}
}

extern "C" __global__ void shuffles_outside_its_mask(const int *in, int *out) {
    out[threadIdx.x] = __shfl_xor_sync(0x0000ffff, in[threadIdx.x], 1);
}

extern "C" __global__ void warp_synchronous(int *out) {
    __shared__ volatile int part[64];
    part[threadIdx.x] = threadIdx.x;
    part[threadIdx.x + 32] = 0;
    if (threadIdx.x < 16) part[threadIdx.x] += part[threadIdx.x + 16];
    if (threadIdx.x < 8) part[threadIdx.x] += part[threadIdx.x + 8];
    if (threadIdx.x == 0) out[0] = part[0];
}

extern "C" __global__ void writes_past_shared(int *out) {
    extern __shared__ int box[];
    box[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = box[threadIdx.x];
}
