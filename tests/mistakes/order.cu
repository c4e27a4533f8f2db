// Mistakes of what orders threads: barriers, warps, atomics, flags, groups. The form: tests/mistakes/program.
#include <cooperative_groups.h>

#include "program.h"
namespace cg = cooperative_groups;

// --- reductions

// says put a __syncthreads() that all threads of the block reach between the two accesses
__global__ void k_tree(const float *in, float *out) {
    __shared__ float s[256];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int d = 128; d > 0; d /= 2)
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d]; // HERE
    if (threadIdx.x == 0) *out = s[0];
}
PROGRAM(reduction_without_barriers) { k_tree<<<1, 256>>>(device(), device()); }
// fine
__global__ void k_tree_right(const float *in, float *out) {
    __shared__ float s[256];
    s[threadIdx.x] = in[threadIdx.x];
    for (int d = 128; d > 0; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
    }
    if (threadIdx.x == 0) *out = s[0];
}
PROGRAM(reduction_with_barriers) { k_tree_right<<<1, 256>>>(device(), device()); }
// strict had left the kernel when other threads came to this barrier: gone another way at line
__global__ void k_branch(const float *in, float *out) {
    __shared__ float s[256];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int d = 128; d > 0; d /= 2)
        if (threadIdx.x < d) {
            s[threadIdx.x] += s[threadIdx.x + d];
            __syncthreads();
        }
    if (threadIdx.x == 0) *out = s[0];
}
PROGRAM(barrier_in_the_branch_of_a_reduction) { k_branch<<<1, 256>>>(device(), device()); }
// says __syncwarp() where only the lanes of one warp share: they need not run in step
__global__ void k_last_warp(const float *in, float *out) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 32];
        for (int d = 16; d > 0; d /= 2) s[t] += s[t + d]; // HERE
    }
    if (t == 0) *out = s[0];
}
PROGRAM(last_warp_without_syncwarp) { k_last_warp<<<1, 64>>>(device(), device()); }
// says the lanes of a warp need not run in step since compute capability 7.0, not even with volatile
__global__ void k_volatile(const float *in, float *out) {
    __shared__ volatile float s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 32) s[t] += s[t + 32], s[t] += s[t + 16], s[t] += s[t + 8], s[t] += s[t + 4], s[t] += s[t + 2], s[t] += s[t + 1]; // HERE
    if (t == 0) *out = s[0];
}
PROGRAM(last_warp_with_volatile) { k_volatile<<<1, 64>>>(device(), device()); }
// says __syncwarp() where only the lanes of one warp share
__global__ void k_one_syncwarp(const float *in, float *out) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 32)
        for (int d = 32; d > 0; d /= 2) {
            s[t] += s[t + d]; // HERE
            __syncwarp();
        }
    if (t == 0) *out = s[0];
}
PROGRAM(one_syncwarp_for_read_and_write) { k_one_syncwarp<<<1, 64>>>(device(), device()); }
// fine
__global__ void k_two_syncwarps(const float *in, float *out) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 32)
        for (int d = 32; d > 0; d /= 2) {
            float other = s[t + d];
            __syncwarp();
            s[t] += other;
            __syncwarp();
        }
    if (t == 0) *out = s[0];
}
PROGRAM(two_syncwarps) { k_two_syncwarps<<<1, 64>>>(device(), device()); }
// unnamed halves of an odd number leave one out, which no rule forbids
// fine
__global__ void k_odd(const float *in, float *out) {
    __shared__ float s[96];
    s[threadIdx.x] = in[threadIdx.x];
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
    }
    if (threadIdx.x == 0) *out = s[0];
}
PROGRAM(reduction_of_no_power_of_two) { k_odd<<<1, 96>>>(device(), device()); }
// says which was never written
__global__ void k_not_loaded(const float *in, float *out) {
    __shared__ float s[256];
    for (int d = 128; d > 0; d /= 2) {
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d]; // HERE
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = s[0];
}
PROGRAM(tile_never_loaded) { k_not_loaded<<<1, 256>>>(device(), device()); }

// --- tiles

// says no __syncthreads()
__global__ void k_double_buffer(const float *in, float *out, int steps) {
    __shared__ float buf[2][64];
    int t = threadIdx.x;
    buf[0][t] = in[t];
    for (int k = 0; k < steps; k++) {
        buf[(k + 1) % 2][t] = in[t + 64 * (k + 1)];
        out[t] += buf[k % 2][(t + 33) % 64]; // HERE
    }
}
PROGRAM(double_buffer_without_a_barrier) { k_double_buffer<<<1, 64>>>(device(), device(), 4); }
// fine
__global__ void k_double_right(const float *in, float *out, int steps) {
    __shared__ float buf[2][64];
    int t = threadIdx.x;
    buf[0][t] = in[t];
    for (int k = 0; k < steps; k++) {
        __syncthreads();
        buf[(k + 1) % 2][t] = in[t + 64 * (k + 1)];
        out[t] += buf[k % 2][(t + 33) % 64];
    }
}
PROGRAM(double_buffer_with_one_barrier) { k_double_right<<<1, 64>>>(device(), device(), 4); }
// says read with no __syncthreads()
__global__ void k_one_barrier(const float *in, float *out, int steps) {
    __shared__ float buf[64];
    int t = threadIdx.x;
    for (int k = 0; k < steps; k++) {
        buf[t] = in[t + 64 * k]; // HERE
        __syncthreads();
        out[t] += buf[(t + 33) % 64]; // HERE
    }
}
PROGRAM(one_barrier_in_a_loop_of_tiles) { k_one_barrier<<<1, 64>>>(device(), device(), 4); }
// says put a __syncthreads() that all threads of the block reach between the two accesses
__global__ void k_scan(float *a) {
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        if (t >= d) s[t] += s[t - d]; // HERE
        __syncthreads();
    }
    a[t] = s[t];
}
PROGRAM(scan_in_place_with_one_barrier) { k_scan<<<1, 128>>>(device()); }
// says another one
__device__ __noinline__ void load(float *s, const float *in, int i, int n) {
    if (i < n) {
        s[threadIdx.x] = in[i];
        __syncthreads(); // HERE
    }
}
__global__ void k_in_a_function(const float *in, float *out, int n) {
    __shared__ float s[64];
    load(s, in, threadIdx.x, n);
    s[threadIdx.x] = 0;
    __syncthreads(); // HERE
    out[threadIdx.x] = s[63 - threadIdx.x];
}
PROGRAM(barrier_in_a_function_for_some) { k_in_a_function<<<1, 64>>>(device(), device(), 40); }
// says put a __syncthreads() that all threads of the block reach between the two accesses
__global__ void k_stencil(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) a[i] = (a[i - 1] + a[i] + a[i + 1]) / 3; // HERE
}
PROGRAM(stencil_in_place) { k_stencil<<<1, 256>>>(device(), N); }
// says put a __syncthreads() that all threads of the block reach between the two accesses
__global__ void k_sort(int *a, int n) {
    for (int phase = 0; phase < n; phase++) {
        int i = 2 * threadIdx.x + phase % 2;
        if (i + 1 < n && a[i] <= a[i + 1]) { int t = a[i]; a[i] = a[i + 1]; a[i + 1] = t + 1; } // HERE
    }
}
PROGRAM(odd_even_sort_without_barriers) { k_sort<<<1, 64>>>(device<int>(), 128); }
// says write to another buffer, or use two launches
__global__ void k_transpose(float *a, int n) {
    float t = a[blockIdx.x * n + threadIdx.x];
    a[threadIdx.x * n + blockIdx.x] = t; // HERE
}
PROGRAM(transposed_in_place) { k_transpose<<<16, 16>>>(device(), 16); }

// --- counters and lists

// says wrote with no __syncthreads() or __syncwarp() between
__global__ void k_cleared(int *out) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0; // HERE
    atomicAdd(&count, 1); // HERE
    __syncthreads();
    if (threadIdx.x == 0) *out = count;
}
PROGRAM(counter_cleared_without_a_barrier) { k_cleared<<<1, 64>>>(device<int>()); }
// says updates 4 bytes at 'count', which was never written
__global__ void k_uncleared(int *out) {
    __shared__ int count;
    atomicAdd(&count, 1); // HERE
    __syncthreads();
    if (threadIdx.x == 0) *out = count;
}
PROGRAM(counter_never_cleared) { k_uncleared<<<1, 64>>>(device<int>()); }
// says 'bins[200]', which was never written
__global__ void k_bins(const int *in, int *out) {
    __shared__ int bins[256];
    if (threadIdx.x < 128) bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[in[threadIdx.x] + 200], 1); // HERE
    __syncthreads();
    out[threadIdx.x] = bins[threadIdx.x];
}
PROGRAM(half_of_the_bins_cleared) { k_bins<<<1, 128>>>(device<int>(), device<int>()); }
// says updated with no __syncthreads()
__global__ void k_too_soon(const int *in, int *out) {
    __shared__ int bins[64];
    bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[in[threadIdx.x] + threadIdx.x % 8], 1); // HERE
    out[threadIdx.x] = bins[threadIdx.x]; // HERE
}
PROGRAM(bins_read_without_a_barrier) { k_too_soon<<<1, 64>>>(device<int>(), device<int>()); }
// says use atomicAdd() or another atomic operation
__global__ void k_maximum(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] >= *out) *out = in[i] + 1; // HERE
}
PROGRAM(maximum_by_comparison) { k_maximum<<<1, 256>>>(device(), device(), N); }
// says only one of the values stays: let one lane write, or use an atomic operation
__global__ void k_append(const int *in, int *out, int *count) {
    int at = *count;
    out[at] = in[threadIdx.x] + threadIdx.x; // HERE
    *count = at + 1;
}
PROGRAM(appended_without_atomics) { k_append<<<1, 32>>>(device<int>(), device<int>(), device<int>()); }
// says make both accesses atomic, or put __syncthreads() between them
__global__ void k_append_again(const int *in, int *out, int *count) {
    atomicAdd(count, 1); // HERE
    out[*count] = in[threadIdx.x]; // HERE
}
PROGRAM(appended_at_what_is_read_again) { k_append_again<<<1, 32>>>(device<int>(), device<int>(), device<int>()); }
// fine
__global__ void k_append_right(const int *in, int *out, int *count) { out[atomicAdd(count, 1)] = in[threadIdx.x]; }
PROGRAM(appended_at_what_the_atomic_gave) { k_append_right<<<1, 32>>>(device<int>(), device<int>(), device<int>()); }

// --- flags, locks, grids

// says What other threads change it must read anew: volatile or atomic
__global__ void k_flag(int *flag, int *out) {
    if (blockIdx.x == 0) {
        while (*flag == 0) {} // HERE
        *out = 1;
    } else
        *flag = 1;
}
PROGRAM(flag_without_volatile) { k_flag<<<2, 1>>>(device<int>(), device<int>()); }
// fine
__global__ void k_lock(int *lock, int *sum) {
    bool done = false;
    while (!done)
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *sum += 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
}
PROGRAM(lock_of_each_lane) { k_lock<<<2, 32>>>(device<int>(), device<int>()); }
// says blocks that wait for each other must fit the device together
__global__ void k_grid_barrier(int *count, int *out) {
    if (threadIdx.x == 0) {
        atomicAdd(count, 1);
        while (atomicAdd(count, 0) < gridDim.x) {} // HERE
    }
    __syncthreads();
    out[blockIdx.x] = 1;
}
PROGRAM(grid_barrier_of_too_many_blocks) { k_grid_barrier<<<300, 1024>>>(device<int>(), device<int>()); }
// says __threadfence() must stand between the data and the flag
__global__ void k_last(int *count, const float *in, float *part, float *out) {
    part[blockIdx.x] = in[blockIdx.x]; // HERE
    if (atomicAdd(count, 1) != gridDim.x - 1) return;
    float s = 0;
    for (int i = 0; i < gridDim.x; i++) s += part[i]; // HERE
    *out = s;
}
PROGRAM(last_block_without_a_fence) { k_last<<<8, 1>>>(device<int>(), device(), device(), device()); }
// says A fence waits for nobody
__global__ void k_total(const float *in, float *part, float *out) {
    part[blockIdx.x] = in[blockIdx.x] + 1; // HERE
    __threadfence();
    if (blockIdx.x == 0) {
        float s = 0;
        for (int i = 0; i < gridDim.x; i++) s += part[i]; // HERE
        *out = s;
    }
}
PROGRAM(fence_taken_for_a_barrier) { k_total<<<8, 1>>>(device(), device(), device()); }
// says this_grid().sync() needs a cooperative launch
__global__ void k_grid_sync(int *out) {
    out[blockIdx.x] = 1;
    cg::this_grid().sync(); // HERE
    out[blockIdx.x] += out[(blockIdx.x + 1) % gridDim.x] * 0;
}
PROGRAM(grid_sync_of_a_plain_launch) { k_grid_sync<<<4, 32>>>(device<int>()); }
// says every block of the grid must reach every grid.sync()
__global__ void k_some_blocks(int *out) {
    if (blockIdx.x == 0) return;
    out[blockIdx.x] = 1;
    cg::this_grid().sync(); // HERE
}
static void cooperate(void (*kernel)(int *), unsigned blocks) {
    int *out = device<int>(blocks + 32);
    void *args[] = {&out};
    cudaLaunchCooperativeKernel((void *)kernel, dim3(blocks), dim3(32), args, 0, 0);
}
PROGRAM(grid_sync_of_some_blocks) { cooperate(k_some_blocks, 4); }
// says use atomicAdd()
__global__ void k_counted_between(int *out) {
    cg::this_grid().sync();
    out[threadIdx.x] += 1; // HERE
    cg::this_grid().sync();
}
PROGRAM(blocks_that_count_between_grid_syncs) { cooperate(k_counted_between, 4); }
// says too many blocks in cooperative launch: 100000
PROGRAM(cooperative_grid_too_large) { cooperate(k_grid_sync, 100000); }

// --- warps

// says let every lane that is read from reach the shuffle: no return before it, no if or loop around it that only some lanes take
__global__ void k_full_mask(const int *in, int *out) {
    int v = in[threadIdx.x];
    if (threadIdx.x < 16) v += __shfl_down_sync(0xffffffff, v, 8); // HERE
    out[threadIdx.x] = v;
}
PROGRAM(full_mask_in_a_branch) { k_full_mask<<<1, 32>>>(device<int>(), device<int>()); }
// says every lane that is read from must execute the shuffle and be named in its mask
__global__ void k_ballot(const int *in, int *out) {
    int v = in[threadIdx.x], warps = blockDim.x / 32;
    unsigned mask = __ballot_sync(0xffffffff, threadIdx.x < warps);
    if (threadIdx.x < warps) {
        for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(mask, v, d); // HERE
        out[threadIdx.x] = v;
    }
}
PROGRAM(mask_of_few_and_distances_of_all) { k_ballot<<<1, 64>>>(device<int>(), device<int>()); }
// says 'part[8]', which was never written
__global__ void k_parts(const int *in, int *out) {
    __shared__ int part[32];
    int v = in[threadIdx.x], lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (lane == 0) part[warp] = v;
    __syncthreads();
    v = part[lane]; // HERE
    if (warp == 0)
        for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x == 0) *out = v;
}
PROGRAM(parts_of_warps_that_are_not_there) { k_parts<<<1, 256>>>(device<int>(), device<int>()); }
// says put __syncthreads() between the writes and this access
__global__ void k_parts_early(const int *in, int *out) {
    __shared__ int part[32];
    int v = in[threadIdx.x], lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (lane == 0) part[warp] = v; // HERE
    v = threadIdx.x < blockDim.x / 32 ? part[lane] : 0; // HERE
    if (warp == 0)
        for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x == 0) *out = v;
}
PROGRAM(parts_without_a_barrier) { k_parts_early<<<1, 256>>>(device<int>(), device<int>()); }
// says let every lane that is read from reach the shuffle
__global__ void k_guarded(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int v = in[i];
        for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffff, v, d); // HERE
        if (threadIdx.x % 32 == 0) out[i / 32] = v;
    }
}
PROGRAM(shuffles_within_the_guard) { k_guarded<<<4, 64>>>(device<int>(), device<int>(), 200); }
// fine
__global__ void k_unguarded(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = i < n ? in[i] : 0;
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0 && i < n) out[i / 32] = v;
}
PROGRAM(shuffles_outside_the_guard) { k_unguarded<<<4, 64>>>(device<int>(), device<int>(), 200); }
// says uses a variable here that nothing has been assigned to
__global__ void k_broadcast(const int *in, int *out) {
    int v;
    if (threadIdx.x == 0) v = in[0];
    v = __shfl_sync(0xffffffff, v, 1); // HERE
    out[threadIdx.x] = v;
}
PROGRAM(broadcast_of_the_wrong_lane) { k_broadcast<<<1, 32>>>(device<int>(), device<int>()); }
// says with no __syncwarp() between
__global__ void k_half(int *out) {
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x; // HERE
    if (threadIdx.x < 16)
        __syncwarp(0xffffffff);
    else
        out[threadIdx.x] = s[31 - threadIdx.x]; // HERE
}
PROGRAM(syncwarp_of_half_a_warp) { k_half<<<1, 32>>>(device<int>()); }
