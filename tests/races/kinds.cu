// Kinds of races, and right kernels that resemble them. Before each kernel: GRID BLOCK all|strict, and what is said, or 'fine'. Both arguments
// are buffers of 1024 zeroed ints.

// 1 32 all with no __syncwarp() between
extern "C" __global__ void shifted_in_a_warp(int *a, int *o) { a[threadIdx.x] = a[(threadIdx.x + 1) % 32] + 1; }
// 1 32 all fine
extern "C" __global__ void shifted_with_syncwarp(int *a, int *o) {
    int next = a[(threadIdx.x + 1) % 32];
    __syncwarp();
    a[threadIdx.x] = next + 1;
}
// 1 32 all use atomicAdd() or another atomic operation
extern "C" __global__ void counted_by_lanes(int *a, int *o) { o[0] += a[threadIdx.x] + 1; }
// 1 128 all use atomicAdd() or another atomic operation
extern "C" __global__ void histogram_without_atomics(int *a, int *o) { o[threadIdx.x / 32 % 2]++; }
// 1 128 all fine
extern "C" __global__ void histogram(int *a, int *o) { atomicAdd(&o[threadIdx.x % 8], 1); }
// 1 128 all read with no __syncthreads() between
extern "C" __global__ void neighbour_of_another_warp(int *a, int *o) {
    o[threadIdx.x] = threadIdx.x;
    a[threadIdx.x] = o[threadIdx.x ^ 32];
}
// 1 128 all fine
extern "C" __global__ void neighbour_behind_a_barrier(int *a, int *o) {
    o[threadIdx.x] = threadIdx.x;
    __syncthreads();
    a[threadIdx.x] = o[threadIdx.x ^ 32];
}
// 1 64 all with no __syncthreads() between
extern "C" __global__ void producer_and_consumer(int *a, int *o) {
    if (threadIdx.x == 0) o[0] = 42;
    if (threadIdx.x == 32) a[1] = o[0];
}
// 1 128 all put a __syncthreads() that all threads of the block reach
extern "C" __global__ void tree_without_barriers(int *a, int *o) {
    for (int half = blockDim.x / 2; half; half /= 2)
        if (threadIdx.x < half) a[threadIdx.x] += a[threadIdx.x + half];
}
// 1 128 all fine
extern "C" __global__ void tree(int *a, int *o) {
    for (int half = blockDim.x / 2; half; half /= 2) {
        if (threadIdx.x < half) a[threadIdx.x] += a[threadIdx.x + half];
        __syncthreads();
    }
}
// 1 128 all put a __syncthreads() that all threads of the block reach
extern "C" __global__ void scan_with_one_barrier_a_step(int *a, int *o) {
    for (int d = 1; d < blockDim.x; d *= 2) {
        if (threadIdx.x >= d) a[threadIdx.x] += a[threadIdx.x - d];
        __syncthreads();
    }
}
// 1 128 all write different values to
extern "C" __global__ void different_values_to_one_place(int *a, int *o) { o[0] = threadIdx.x; }
// 1 128 all fine
extern "C" __global__ void one_value_to_one_place(int *a, int *o) { o[0] = 1; }
// 1 128 strict one value, but not atomically
extern "C" __global__ void one_value_to_one_place_strictly(int *a, int *o) { o[0] = 1; }
// 2 32 all two blocks write different values to one place
extern "C" __global__ void blocks_write_one_place(int *a, int *o) {
    if (threadIdx.x == 0) o[0] = blockIdx.x + 1;
}
// 2 32 all leave _block out
extern "C" __global__ void atomic_of_block_scope(int *a, int *o) { atomicAdd_block(&o[threadIdx.x], 1); }
// 1 64 all fine
extern "C" __global__ void atomic_of_block_scope_in_a_block(int *a, int *o) { atomicAdd_block(&o[threadIdx.x % 32], 1); }
// 4 64 all make both accesses atomic
extern "C" __global__ void read_beside_atomics(int *a, int *o) {
    atomicAdd(&o[0], 1);
    a[blockIdx.x * 64 + threadIdx.x] = o[0];
}
// 2 32 all __threadfence() must stand between the data and the flag
extern "C" __global__ void flag_without_a_fence(int *a, int *o) {
    if (threadIdx.x) return;
    if (blockIdx.x == 0) {
        a[0] = 42;
        atomicExch(&o[0], 1);
    } else {
        while (atomicAdd(&o[0], 0) == 0) {}
        o[1] = a[0];
    }
}
// 2 32 all __threadfence_block() orders one block alone
extern "C" __global__ void flag_with_a_fence_of_the_block(int *a, int *o) {
    if (threadIdx.x) return;
    if (blockIdx.x == 0) {
        a[0] = 42;
        __threadfence_block();
        atomicExch(&o[0], 1);
    } else {
        while (atomicAdd(&o[0], 0) == 0) {}
        o[1] = a[0];
    }
}
// 2 32 all fine
extern "C" __global__ void flag_behind_a_fence(int *a, int *o) {
    if (threadIdx.x) return;
    if (blockIdx.x == 0) {
        a[0] = 42;
        __threadfence();
        atomicExch(&o[0], 1);
    } else {
        while (atomicAdd(&o[0], 0) == 0) {}
        o[1] = a[0];
    }
}
// 8 64 all fine
extern "C" __global__ void the_last_block_adds_up(int *a, int *o) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        a[blockIdx.x] = blockIdx.x;
        __threadfence();
        last = atomicAdd(&o[0], 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 32)
        for (int b = 0; b < gridDim.x; b++) o[1] += a[b];
}
// 8 64 all data, then __threadfence(), then the flag
extern "C" __global__ void the_last_block_adds_up_too_soon(int *a, int *o) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        last = atomicAdd(&o[0], 1) == gridDim.x - 1;
        a[blockIdx.x] = blockIdx.x;
        __threadfence();
    }
    __syncthreads();
    if (last && threadIdx.x == 32)
        for (int b = 0; b < gridDim.x; b++) o[1] += a[b];
}
// 4 32 strict fine
extern "C" __global__ void lock(int *a, int *o) {
    if (threadIdx.x) return;
    while (atomicCAS(&o[0], 0, 1) != 0) {}
    __threadfence();
    a[0]++;
    __threadfence();
    atomicExch(&o[0], 0);
}
// 4 32 all data, then __threadfence(), then the flag or the lock's release
extern "C" __global__ void lock_given_back_too_soon(int *a, int *o) {
    if (threadIdx.x) return;
    while (atomicCAS(&o[0], 0, 1) != 0) {}
    __threadfence();
    a[0]++;
    atomicExch(&o[0], 0);
}
// 4 32 strict and __threadfence() behind taking a lock
extern "C" __global__ void lock_without_a_fence_behind_it(int *a, int *o) {
    if (threadIdx.x) return;
    while (atomicCAS(&o[0], 0, 1) != 0) {}
    a[0]++;
    __threadfence();
    atomicExch(&o[0], 0);
}
// 4 32 all global race
extern "C" __global__ void not_all_take_the_lock(int *a, int *o) {
    if (threadIdx.x) return;
    if (blockIdx.x < 3)
        while (atomicCAS(&o[0], 0, 1) != 0) {}
    __threadfence();
    a[0]++;
    __threadfence();
    if (blockIdx.x < 3) atomicExch(&o[0], 0);
}
// 2 32 strict global race
extern "C" __global__ void volatile_flag(int *a, int *o) {
    volatile int *flag = o;
    if (threadIdx.x) return;
    if (blockIdx.x == 0)
        *flag = 1;
    else
        while (*flag == 0) {}
}
// 2 32 all fine
extern "C" __global__ void volatile_flag_by_ptx(int *a, int *o) {
    volatile int *flag = o;
    if (threadIdx.x) return;
    if (blockIdx.x == 0)
        *flag = 1;
    else
        while (*flag == 0) {}
}
// 2 64 all fine
extern "C" __global__ void guess_before_a_maximum(int *a, int *o) {
    if (o[0] < threadIdx.x) atomicMax(&o[0], threadIdx.x);
}
// 2 64 strict global race
extern "C" __global__ void guess_before_a_maximum_strictly(int *a, int *o) {
    if (o[0] < threadIdx.x) atomicMax(&o[0], threadIdx.x);
}
// 1 64 all use atomicAdd() or another atomic operation
extern "C" __global__ void counted_in_shared_memory(int *a, int *o) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    count += a[threadIdx.x] + 1;
    o[threadIdx.x] = count;
}
// 1 32 all use atomicAdd() or another atomic operation
extern "C" __global__ void counted_in_shared_memory_by_a_warp(int *a, int *o) {
    __shared__ int count[32];
    count[threadIdx.x] = 0;
    __syncwarp();
    count[0] += a[threadIdx.x] + 1;
    __syncwarp();
    o[threadIdx.x] = count[0];
}
// 1 64 all use atomicAdd() or another atomic operation
extern "C" __global__ void histogram_in_shared_memory(int *a, int *o) {
    __shared__ int count[64];
    count[threadIdx.x] = 0;
    __syncthreads();
    count[(a[threadIdx.x] + threadIdx.x) % 8]++;
    __syncthreads();
    o[threadIdx.x] = count[threadIdx.x];
}
// 1 64 all use atomicAdd() or another atomic operation
extern "C" __global__ void maximum_in_shared_memory(int *a, int *o) {
    __shared__ int most;
    if (threadIdx.x == 0) most = 0;
    __syncthreads();
    if (a[threadIdx.x] + (int)threadIdx.x > most) most = a[threadIdx.x] + (int)threadIdx.x;
    __syncthreads();
    o[threadIdx.x] = most;
}
// 1 32 all use atomicAdd() or another atomic operation
extern "C" __global__ void different_sums_to_one_place(int *a, int *o) { o[0] += threadIdx.x; }
// 1 64 all put a __syncthreads() that all threads of the block reach
extern "C" __global__ void smoothed_in_place(int *a, int *o) {
    if (threadIdx.x > 0 && threadIdx.x < 63) a[threadIdx.x] = a[threadIdx.x - 1] + a[threadIdx.x + 1] + (int)threadIdx.x;
}
// 1 64 all put a __syncthreads() that all threads of the block reach
extern "C" __global__ void smoothed_in_shared_memory(int *a, int *o) {
    __shared__ int s[64];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    if (threadIdx.x > 0 && threadIdx.x < 63) s[threadIdx.x] = s[threadIdx.x - 1] + s[threadIdx.x + 1] + (int)threadIdx.x;
    __syncthreads();
    o[threadIdx.x] = s[threadIdx.x];
}
// 1 128 all put a __syncthreads() that all threads of the block reach
extern "C" __global__ void scan_in_shared_memory_with_one_barrier_a_step(int *a, int *o) {
    __shared__ int s[128];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        if (threadIdx.x >= d) s[threadIdx.x] += s[threadIdx.x - d];
        __syncthreads();
    }
    o[threadIdx.x] = s[threadIdx.x];
}
// 1 128 all put a __syncthreads() that all threads of the block reach
extern "C" __global__ void tree_in_shared_memory_without_barriers(int *a, int *o) {
    __shared__ int s[128];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    for (int half = blockDim.x / 2; half; half /= 2)
        if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
    o[threadIdx.x] = s[threadIdx.x];
}
// 1 64 all put a __syncthreads() that all threads of the block reach
extern "C" __global__ void given_and_taken_on_one_line(int *a, int *o) {
    __shared__ int box[1];
    if (threadIdx.x == 0) box[0] = a[5];
    o[threadIdx.x] = box[0];
}
// 1 64 strict between the two accesses, or make both atomic
extern "C" __global__ void guess_before_a_maximum_in_shared_memory_strictly(int *a, int *o) {
    __shared__ int most;
    if (threadIdx.x == 0) most = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0 && most < (int)threadIdx.x + 1) atomicMax(&most, threadIdx.x + 1);
    __syncthreads();
    o[threadIdx.x] = most;
}
// 1 64 strict write one value, but not atomically
extern "C" __global__ void one_value_in_shared_memory_strictly(int *a, int *o) {
    __shared__ int found;
    if (a[threadIdx.x] == 0) found = a[5];
    __syncthreads();
    o[threadIdx.x] = found;
}
// 1 64 all fine
extern "C" __global__ void one_value_in_shared_memory(int *a, int *o) {
    __shared__ int found;
    if (a[threadIdx.x] == 0) found = a[5];
    __syncthreads();
    o[threadIdx.x] = found;
}
// 1 64 strict gave the same value with no __syncthreads() between
extern "C" __global__ void one_value_by_warps_strictly(int *a, int *o) {
    __shared__ char found[4];
    if (threadIdx.x % 32 == 0) found[2] = a[5];
    __syncthreads();
    o[threadIdx.x] = found[2];
}
// 1 64 strict fine
extern "C" __global__ void one_value_atomically(int *a, int *o) {
    __shared__ int found;
    if (a[threadIdx.x] == 0) atomicExch(&found, a[5] + 1);
    __syncthreads();
    o[threadIdx.x] = found;
}
// 2 1 strict let one thread write
extern "C" __global__ void one_value_by_blocks_strictly(int *a, int *o) { o[0] = a[5]; }

// --- phases of an mbarrier

static __device__ unsigned mbarrier_of(unsigned threads) {
    static __shared__ unsigned long long object;
    const unsigned at = (unsigned)__cvta_generic_to_shared(&object);
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(threads) : "memory");
    __syncthreads();
    return at;
}
static __device__ void arrive(unsigned at) {
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(at) : "memory");
}
static __device__ void await(unsigned at, unsigned parity) {
    for (unsigned over = 0; !over;)
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(over)
                     : "r"(at), "r"(parity)
                     : "memory");
}
// 1 128 all use atomicAdd() or another atomic operation
extern "C" __global__ void counted_between_two_phases(int *a, int *o) {
    const unsigned at = mbarrier_of(blockDim.x);
    arrive(at);
    await(at, 0);
    o[threadIdx.x % 32] += 1;
    arrive(at);
    await(at, 1);
}
// 1 128 all with no __syncthreads() between
extern "C" __global__ void read_before_the_phase_is_waited_for(int *a, int *o) {
    const unsigned at = mbarrier_of(blockDim.x);
    if (threadIdx.x < 32) o[threadIdx.x] = 1;
    arrive(at);
    if (threadIdx.x >= 96) a[threadIdx.x] = o[threadIdx.x - 96];
    await(at, 0);
}
// 1 128 all fine
extern "C" __global__ void in_turn_by_phases(int *a, int *o) {
    const unsigned at = mbarrier_of(blockDim.x);
    for (unsigned phase = 0; phase < 5; phase++) {
        if (threadIdx.x / 32 == phase % 4) o[threadIdx.x % 32] += a[threadIdx.x] + 1;
        arrive(at);
        await(at, phase % 2);
    }
}
