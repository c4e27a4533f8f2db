/* groups_cluster.h: cooperative groups of a cluster of blocks: cluster_group, from sm_90 on. */
#pragma once

#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 900
#define _CG_HAS_CLUSTER_GROUP /* programs ask for it */

namespace cooperative_groups {

class cluster_group {
#define WARPSCOPE_OF_CLUSTER(function, name)                   \
    WARPSCOPE_METHOD static unsigned int function() {          \
        unsigned int value;                                    \
        asm volatile("mov.u32 %0, %%" name ";" : "=r"(value)); \
        return value;                                          \
    }
    WARPSCOPE_OF_CLUSTER(block_x, "cluster_ctaid.x")
    WARPSCOPE_OF_CLUSTER(block_y, "cluster_ctaid.y")
    WARPSCOPE_OF_CLUSTER(block_z, "cluster_ctaid.z")
    WARPSCOPE_OF_CLUSTER(blocks_x, "cluster_nctaid.x")
    WARPSCOPE_OF_CLUSTER(blocks_y, "cluster_nctaid.y")
    WARPSCOPE_OF_CLUSTER(blocks_z, "cluster_nctaid.z")

  public:
    typedef struct {
    } arrival_token;
    WARPSCOPE_OF_CLUSTER(block_rank, "cluster_ctarank")
    WARPSCOPE_OF_CLUSTER(num_blocks, "cluster_nctarank")
#undef WARPSCOPE_OF_CLUSTER
    WARPSCOPE_METHOD static arrival_token barrier_arrive() {
        asm volatile("barrier.cluster.arrive;" ::: "memory");
        return arrival_token();
    }
    WARPSCOPE_METHOD static void barrier_wait() { asm volatile("barrier.cluster.wait;" ::: "memory"); }
    WARPSCOPE_METHOD static void barrier_wait(arrival_token) { barrier_wait(); }
    WARPSCOPE_METHOD static void sync() { barrier_wait(barrier_arrive()); }
    WARPSCOPE_METHOD static dim3 block_index() { return dim3(block_x(), block_y(), block_z()); }
    WARPSCOPE_METHOD static dim3 dim_blocks() { return dim3(blocks_x(), blocks_y(), blocks_z()); }
    WARPSCOPE_METHOD static dim3 dim_threads() {
        return dim3(blocks_x() * blockDim.x, blocks_y() * blockDim.y, blocks_z() * blockDim.z);
    }
    WARPSCOPE_METHOD static dim3 group_dim() { return dim_threads(); }
    WARPSCOPE_METHOD static unsigned int num_threads() { return num_blocks() * thread_block::num_threads(); }
    WARPSCOPE_METHOD static unsigned int size() { return num_threads(); }
    WARPSCOPE_METHOD static unsigned int thread_rank() {
        return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
    }
    WARPSCOPE_METHOD static dim3 thread_index() {
        return dim3(block_x() * blockDim.x + threadIdx.x, block_y() * blockDim.y + threadIdx.y,
                    block_z() * blockDim.z + threadIdx.z);
    }
    WARPSCOPE_METHOD static unsigned int query_shared_rank(const void *address) {
        unsigned int rank;
        asm("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(address));
        return rank;
    }
    template <typename T> WARPSCOPE_METHOD static T *map_shared_rank(T *address, int rank) {
        T *mapped;
        asm("mapa.u64 %0, %1, %2;" : "=l"(mapped) : "l"(address), "r"(rank));
        return mapped;
    }
};
WARPSCOPE_DEVICE cluster_group this_cluster() { return cluster_group(); }

} // namespace cooperative_groups
#endif
