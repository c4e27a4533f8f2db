/* groups_block.h: cooperative groups of whole blocks: thread_block, grid_group, and thread_group, which may be any group. */
#pragma once

namespace cooperative_groups {

class thread_block {
    /* Not __syncthreads(): the threads of a warp may come to the group's barrier at several places. */
    WARPSCOPE_METHOD static void meet() { asm volatile("barrier.sync 0;" ::: "memory"); }

  public:
    typedef struct {
    } arrival_token;
    WARPSCOPE_METHOD static void sync() { meet(); }
    WARPSCOPE_METHOD static arrival_token barrier_arrive() { return arrival_token(); }
    WARPSCOPE_METHOD static void barrier_wait(arrival_token) { meet(); }
    WARPSCOPE_METHOD static unsigned int size() { return blockDim.x * blockDim.y * blockDim.z; }
    WARPSCOPE_METHOD static unsigned int num_threads() { return size(); }
    WARPSCOPE_METHOD static unsigned int thread_rank() {
        return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    }
    WARPSCOPE_METHOD static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    WARPSCOPE_METHOD static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    WARPSCOPE_METHOD static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    WARPSCOPE_METHOD static dim3 dim_threads() { return group_dim(); }
};
WARPSCOPE_DEVICE thread_block this_thread_block() { return thread_block(); }

/* All blocks of a cooperative launch meet at a word that the driver provides, at the address in %envreg1 (upper half) and %envreg2, plus 4:
 * each block adds 1, the first one 0x80000000 - (blocks - 1), so that the top bit changes when the last one comes. In other launches the
 * address is 0. */
class grid_group {
    WARPSCOPE_METHOD static unsigned long long workspace() {
        unsigned int high, low;
        asm("mov.u32 %0, %%envreg1;" : "=r"(high));
        asm("mov.u32 %0, %%envreg2;" : "=r"(low));
        return (unsigned long long)high << 32 | low;
    }
    WARPSCOPE_METHOD static bool is_first_thread() { return (threadIdx.x | threadIdx.y | threadIdx.z) == 0; }

  public:
    typedef unsigned int arrival_token;
    WARPSCOPE_METHOD static bool is_valid() { return workspace() != 0; }
    WARPSCOPE_METHOD static unsigned long long size() { return num_blocks() * thread_block::size(); }
    WARPSCOPE_METHOD static unsigned long long num_threads() { return size(); }
    WARPSCOPE_METHOD static unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
    WARPSCOPE_METHOD static unsigned long long block_rank() {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    WARPSCOPE_METHOD static unsigned long long thread_rank() {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    WARPSCOPE_METHOD static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    WARPSCOPE_METHOD static dim3 dim_blocks() { return group_dim(); }
    WARPSCOPE_METHOD static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    WARPSCOPE_METHOD static dim3 dim_threads() {
        return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
    }
    WARPSCOPE_METHOD static dim3 thread_index() {
        return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                    blockIdx.z * blockDim.z + threadIdx.z);
    }
    WARPSCOPE_METHOD static arrival_token barrier_arrive() {
        if (!is_valid()) __trap();
        unsigned int before = 0;
        __syncthreads();
        if (is_first_thread()) {
            unsigned int blocks = (unsigned int)num_blocks(), by = block_rank() == 0 ? 0x80000000u - (blocks - 1) : 1u;
            asm volatile("atom.add.release.gpu.u32 %0, [%1], %2;" : "=r"(before) : "l"(workspace() + 4), "r"(by) : "memory");
        }
        return before;
    }
    WARPSCOPE_METHOD static void barrier_wait(arrival_token before) {
        if (is_first_thread()) {
            unsigned int now;
            do asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(workspace() + 4) : "memory");
            while (((before ^ now) & 0x80000000u) == 0);
        }
        __syncthreads();
    }
    WARPSCOPE_METHOD static void sync() { barrier_wait(barrier_arrive()); }
};
WARPSCOPE_DEVICE grid_group this_grid() { return grid_group(); }

} // namespace cooperative_groups
