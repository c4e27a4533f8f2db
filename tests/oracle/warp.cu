// Lanes and warps that talk to each other: votes, shuffles, barriers, atomics.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void votes(const int *in, unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = i < n ? in[i] : 0;
    unsigned ballot = __ballot_sync(0xffffffff, v & 1);
    int all = __all_sync(0xffffffff, v >= 0), any = __any_sync(0xffffffff, v > 90);
    if (i < n) out[i] = ballot ^ (all << 3) ^ (any << 4);
}

extern "C" __global__ void votes_of_some(const int *in, unsigned *out) {
    int lane = threadIdx.x;
    if (in[lane] & 1)
        out[lane] = __ballot_sync(__activemask(), in[lane] & 2);
    else if (lane < 16)
        out[lane] = __popc(__activemask());
    else
        out[lane] = in[lane] == 42 ? 7 : 1;
}

extern "C" __global__ void matches(const int *in, unsigned *out, int *agree) {
    int lane = threadIdx.x, predicate;
    out[lane] = __match_any_sync(0xffffffff, in[lane]);
    out[32 + lane] = __match_all_sync(0xffffffff, in[lane] / 1000, &predicate);
    out[64 + lane] = __match_any_sync(0xffffffff, (long long)in[lane] << 33);
    agree[lane] = predicate;
}

extern "C" __global__ void shuffles(const int *in, int *out) {
    int lane = threadIdx.x, v = in[lane];
    out[lane] = __shfl_sync(~0u, v, 5);
    out[32 + lane] = __shfl_sync(~0u, v, lane * 7);
    out[64 + lane] = __shfl_up_sync(~0u, v, 3);
    out[96 + lane] = __shfl_down_sync(~0u, v, 9);
    out[128 + lane] = __shfl_xor_sync(~0u, v, 21);
    out[160 + lane] = __shfl_sync(~0u, v, lane + 3, 8);
    out[192 + lane] = __shfl_up_sync(~0u, v, 1, 4);
    out[224 + lane] = __shfl_down_sync(~0u, v, 2, 16);
    out[256 + lane] = __shfl_xor_sync(~0u, v, 1, 2);
}

extern "C" __global__ void shuffles_of_64_bits(const double *in, double *out) {
    int lane = threadIdx.x;
    out[lane] = __shfl_xor_sync(~0u, in[lane], 1);
    out[32 + lane] = (double)__shfl_down_sync(~0u, (long long)in[lane], 4);
    out[64 + lane] = __shfl_up_sync(~0u, (float)in[lane], 2);
}

// Keeps the even values, in order, of each block: ballot, prefix count, one atomic for each warp.
extern "C" __global__ void compact(const int *in, int *out, int *count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, base;
    bool keep = i < n && in[i] % 2 == 0;
    unsigned mask = __ballot_sync(0xffffffff, keep);
    if (lane == 0) base = atomicAdd(count, __popc(mask));
    base = __shfl_sync(0xffffffff, base, 0);
    if (keep) out[base + __popc(mask & ((1u << lane) - 1))] = in[i];
}

extern "C" __global__ void block_votes(const int *in, int *out, int n) {
    int i = threadIdx.x, v = i < n ? in[i] : 0;
    int count = __syncthreads_count(v > 50), all = __syncthreads_and(v < 1000), any = __syncthreads_or(v == 77);
    out[i] = count * 4 + (all ? 2 : 0) + (any ? 1 : 0);
}

// Two producers' warps and two consumers' warps meet at named barriers of 64 + 64 threads.
extern "C" __global__ void named_barriers(const int *in, int *out, int rounds) {
    __shared__ int box[64];
    int tid = threadIdx.x % 64;
    for (int r = 0; r < rounds; r++) {
        if (threadIdx.x < 64) {
            box[tid] = in[r * 64 + tid] * 3;
            asm volatile("bar.arrive 1, 128;" ::: "memory");
            asm volatile("bar.sync 2, 128;" ::: "memory");
        } else {
            asm volatile("bar.sync 1, 128;" ::: "memory");
            out[r * 64 + tid] = box[63 - tid];
            asm volatile("bar.arrive 2, 128;" ::: "memory");
        }
    }
}

// Warp 1 waits for warp 0's flag.
extern "C" __global__ void flag_between_warps(int *out) {
    __shared__ volatile int flag;
    __shared__ volatile int message;
    if (threadIdx.x == 0) {
        flag = 0;
        message = 0;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        message = 1234;
        __threadfence_block();
        flag = 1;
    } else if (threadIdx.x == 32) {
        while (flag == 0) {}
        __threadfence_block();
        *out = message;
    }
}

extern "C" __global__ void atomics(int *out, unsigned *wrap, unsigned long long *wide, const int *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int v = in[i];
    atomicAdd(&out[0], v);
    atomicSub(&out[1], v);
    atomicMin(&out[2], v);
    atomicMax(&out[3], v);
    atomicAnd(&out[4], v | 0xff00);
    atomicOr(&out[5], v);
    atomicXor(&out[6], v);
    atomicInc(&wrap[0], 10);
    atomicDec(&wrap[1], 10);
    atomicMin(&wrap[2], (unsigned)v);
    atomicMax(&wrap[3], (unsigned)v);
    atomicAdd(wide, (unsigned long long)v << 20);
    atomicMax(wide + 1, (unsigned long long)(unsigned)v);
    atomicXor(wide + 2, (unsigned long long)(unsigned)v << 7);
}

extern "C" __global__ void atomics_on_floats(float *sum, double *wide, float *most, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(sum, in[i]);
    atomicAdd(wide, (double)in[i] * 0.5);
    int *bits = (int *)most, old = *(volatile int *)bits, seen;
    do {
        seen = old;
        old = atomicCAS(bits, seen, __float_as_int(fmaxf(in[i], __int_as_float(seen))));
    } while (old != seen);
}

// Exchanged values are all different: a linked list of all threads, each its predecessor's successor.
extern "C" __global__ void linked_list(int *head, int *next, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) next[i] = atomicExch(head, i);
}

// Asks of each lane which one leads its group of equal keys; the leaders add once for all.
extern "C" __global__ void aggregated(const int *keys, int *counts, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned active = __activemask(), peers = __match_any_sync(active, keys[i]);
    int leader = __ffs(peers) - 1;
    if ((threadIdx.x & 31) == leader) atomicAdd(&counts[keys[i]], __popc(peers));
}

// Shared memory that many write with the same value, and a value handed on through three barriers.
extern "C" __global__ void relay(int *out) {
    __shared__ int stage[4];
    int warp = threadIdx.x / 32;
    if (threadIdx.x == 0) stage[0] = 7;
    for (int w = 1; w < 4; w++) {
        __syncthreads();
        if (warp == w) {
            int v = stage[w - 1] * 3 + w;
            __syncwarp();
            if (threadIdx.x % 32 == 0) stage[w] = v;
        }
    }
    __syncthreads();
    if (threadIdx.x < 4) out[threadIdx.x] = stage[threadIdx.x];
}

extern "C" __global__ void special_registers(unsigned *out) {
    unsigned lane, warp, lt, ge;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lt));
    asm("mov.u32 %0, %%lanemask_ge;" : "=r"(ge));
    unsigned i = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    out[4 * i] = lane;
    out[4 * i + 1] = warp;
    out[4 * i + 2] = lt;
    out[4 * i + 3] = ge;
}

// One thread writes a shared variable that all others read: no compiler may move the reads before the barrier.
extern "C" __global__ void thread_tells_all(const int *in, int *out, int rounds) {
    __shared__ int told;
    for (int r = 0; r < rounds; r++) {
        if (threadIdx.x == r) told = in[r];
        __syncthreads();
        out[r * blockDim.x + threadIdx.x] = told;
        __syncthreads();
    }
}

// out[i]: the sum over the tile of `size` neighbours to which thread i belongs.
template <int SIZE> __device__ int tile_sum(cg::thread_block_tile<SIZE> tile, int value) {
    for (int i = tile.size() / 2; i > 0; i /= 2) value += tile.shfl_down(value, i);
    return tile.shfl(value, 0);
}
extern "C" __global__ void sums_of_tiles(const int *in, int *out) {
    cg::thread_block block = cg::this_thread_block();
    int i = blockIdx.x * block.size() + block.thread_rank();
    int wide = tile_sum<32>(cg::tiled_partition<32>(block), in[i]);
    int narrow = tile_sum<8>(cg::tiled_partition<8>(block), in[i]);
    block.sync();
    out[2 * i] = wide;
    out[2 * i + 1] = narrow;
}
