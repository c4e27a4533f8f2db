/* cooperative_groups.h: the grid, blocks, tiles of a warp and coalesced lanes as objects. */
#pragma once
#define _COOPERATIVE_GROUPS_H_ /* programs ask for it */

#include "warpscope_cuda.h"

namespace cooperative_groups {

class thread_block {
  public:
    WARPSCOPE_METHOD static void sync() { __syncthreads(); }
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

/* Lanes of one warp: mask names them, rank counts the ones before this lane. Base of the two kinds below. */
class WarpscopeLanes {
  protected:
    unsigned int mask;
    WARPSCOPE_METHOD explicit WarpscopeLanes(unsigned int lanes) : mask(lanes) {}
    WARPSCOPE_METHOD static unsigned int lane() {
        unsigned int index;
        asm("mov.u32 %0, %%laneid;" : "=r"(index));
        return index;
    }

  public:
    WARPSCOPE_METHOD void sync() const { __syncwarp(mask); }
    WARPSCOPE_METHOD int any(int predicate) const { return __any_sync(mask, predicate); }
    WARPSCOPE_METHOD int all(int predicate) const { return __all_sync(mask, predicate); }
};

/* Size lanes whose first lane's number is a multiple of Size: a power of two up to 32. */
template <unsigned int Size, typename Parent = void> class thread_block_tile : public WarpscopeLanes {
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");
    static constexpr unsigned int low_mask = Size == 32 ? 0xffffffffu : (1u << (Size % 32)) - 1;
    unsigned int meta_rank, meta_size; /* which tile of its parent, and of how many */
    template <unsigned int OtherSize, typename OtherParent> friend class thread_block_tile;
    WARPSCOPE_METHOD static unsigned int first_lane() { return lane() & ~(Size - 1); }

  public:
    WARPSCOPE_METHOD thread_block_tile(unsigned int parent_rank, unsigned int parent_size)
        : WarpscopeLanes(Size == 32 ? 0xffffffffu : low_mask << first_lane()), meta_rank(parent_rank / Size),
          meta_size((parent_size + Size - 1) / Size) {}
    /* A tile may be kept as one that has forgotten its parent. */
    template <typename Other>
    WARPSCOPE_METHOD thread_block_tile(const thread_block_tile<Size, Other> &other)
        : WarpscopeLanes(other), meta_rank(other.meta_rank), meta_size(other.meta_size) {}
    WARPSCOPE_METHOD static constexpr unsigned int size() { return Size; }
    WARPSCOPE_METHOD static constexpr unsigned int num_threads() { return Size; }
    WARPSCOPE_METHOD static unsigned int thread_rank() { return thread_block::thread_rank() & (Size - 1); }
    WARPSCOPE_METHOD unsigned int meta_group_rank() const { return meta_rank; }
    WARPSCOPE_METHOD unsigned int meta_group_size() const { return meta_size; }
    template <typename T> WARPSCOPE_METHOD T shfl(T v, int rank) const { return __shfl_sync(mask, v, rank, Size); }
    template <typename T> WARPSCOPE_METHOD T shfl_up(T v, unsigned int by) const { return __shfl_up_sync(mask, v, by, Size); }
    template <typename T> WARPSCOPE_METHOD T shfl_down(T v, unsigned int by) const {
        return __shfl_down_sync(mask, v, by, Size);
    }
    template <typename T> WARPSCOPE_METHOD T shfl_xor(T v, int by) const { return __shfl_xor_sync(mask, v, by, Size); }
    WARPSCOPE_METHOD unsigned int ballot(int predicate) const {
        return (__ballot_sync(mask, predicate) >> (Size == 32 ? 0 : first_lane())) & low_mask;
    }
    template <typename T> WARPSCOPE_METHOD unsigned int match_any(T v) const {
        return (__match_any_sync(mask, v) >> (Size == 32 ? 0 : first_lane())) & low_mask;
    }
};
template <unsigned int Size> WARPSCOPE_DEVICE thread_block_tile<Size, thread_block> tiled_partition(const thread_block &) {
    return thread_block_tile<Size, thread_block>(thread_block::thread_rank(), thread_block::size());
}
template <unsigned int Size, unsigned int Whole, typename Parent>
WARPSCOPE_DEVICE thread_block_tile<Size, thread_block_tile<Whole, Parent>>
tiled_partition(const thread_block_tile<Whole, Parent> &) {
    static_assert(Size <= Whole, "a tile cannot be larger than what it is cut from");
    return thread_block_tile<Size, thread_block_tile<Whole, Parent>>(thread_block_tile<Whole, Parent>::thread_rank(), Whole);
}

/* The lanes that were active where it was made; ranks count them from the lowest. */
class coalesced_group : public WarpscopeLanes {
    /* The lane that has this rank. */
    WARPSCOPE_METHOD int lane_of(unsigned int rank) const {
        unsigned int left = mask;
        for (; rank > 0; rank--) left &= left - 1;
        return __ffs((int)left) - 1;
    }

  public:
    WARPSCOPE_METHOD coalesced_group() : WarpscopeLanes(__activemask()) {}
    WARPSCOPE_METHOD unsigned int size() const { return (unsigned int)__popc(mask); }
    WARPSCOPE_METHOD unsigned int num_threads() const { return size(); }
    WARPSCOPE_METHOD unsigned int thread_rank() const { return (unsigned int)__popc(mask & __lanemask_lt()); }
    template <typename T> WARPSCOPE_METHOD T shfl(T v, unsigned int rank) const {
        return __shfl_sync(mask, v, rank == 0 ? __ffs((int)mask) - 1 : lane_of(rank));
    }
    template <typename T> WARPSCOPE_METHOD T shfl_up(T v, unsigned int by) const {
        unsigned int rank = thread_rank();
        return __shfl_sync(mask, v, lane_of(rank >= by ? rank - by : rank));
    }
    template <typename T> WARPSCOPE_METHOD T shfl_down(T v, unsigned int by) const {
        unsigned int rank = thread_rank();
        return __shfl_sync(mask, v, lane_of(rank + by < size() ? rank + by : rank));
    }
    WARPSCOPE_METHOD unsigned int ballot(int predicate) const {
        unsigned int lanes = __ballot_sync(mask, predicate), packed = 0, rank = 0;
        for (unsigned int left = mask; left; left &= left - 1, rank++) {
            if (lanes & left & -left) packed |= 1u << rank;
        }
        return packed;
    }
};
WARPSCOPE_DEVICE coalesced_group coalesced_threads() { return coalesced_group(); }

template <typename Group> WARPSCOPE_DEVICE void sync(const Group &group) { group.sync(); }
template <typename Group> WARPSCOPE_DEVICE unsigned int thread_rank(const Group &group) { return group.thread_rank(); }
template <typename Group> WARPSCOPE_DEVICE unsigned int group_size(const Group &group) { return group.size(); }

/* Operations for reduce(), which lives here too: cooperative_groups/reduce.h includes this file. */
template <typename T = void> struct plus {
    template <typename U> WARPSCOPE_METHOD U operator()(U a, U b) const { return a + b; }
};
template <typename T = void> struct less {
    template <typename U> WARPSCOPE_METHOD U operator()(U a, U b) const { return b < a ? b : a; }
};
template <typename T = void> struct greater {
    template <typename U> WARPSCOPE_METHOD U operator()(U a, U b) const { return a < b ? b : a; }
};
template <unsigned int Size, typename Parent, typename T, typename Op>
WARPSCOPE_DEVICE T reduce(const thread_block_tile<Size, Parent> &tile, T v, Op op) {
    for (unsigned int by = Size / 2; by > 0; by /= 2) v = op(v, tile.shfl_xor(v, (int)by));
    return v;
}

} // namespace cooperative_groups
