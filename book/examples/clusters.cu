// Blocks of a cluster, which use each other's shared memory. For compute capability 9.0.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// Lane i reads word i * step of the next block's 1024.
extern "C" __global__ void read_next(int *out, int step) {
    __shared__ int words[1024];
    cg::cluster_group cluster = cg::this_cluster();
    const int first = 1024 * blockIdx.x;
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) words[i] = first + i;
    cluster.sync(); // all blocks have begun, and have written
    const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
    const int *theirs = cluster.map_shared_rank(words, next);
    out[blockIdx.x * blockDim.x + threadIdx.x] = theirs[threadIdx.x * step];
    cluster.sync(); // all have read, and blocks may end
}

// The same of the block's own.
extern "C" __global__ void read_own(int *out, int step) {
    __shared__ int words[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) words[i] = 1024 * blockIdx.x + i;
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = words[threadIdx.x * step];
}

// A table of 65,536 floats is looked up once for each index.
constexpr int TABLE = 65536, BLOCKS = 8, SHARE = TABLE / BLOCKS;

extern "C" __global__ void look_up_in_memory(const float *table, const unsigned short *index, float *out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = table[index[i]];
}

// Each block of a cluster of 8 has an eighth of the table.
extern "C" __global__ void look_up_in_cluster(const float *table,          //
                                              const unsigned short *index, //
                                              float *out, int n) {
    __shared__ float share[SHARE];
    cg::cluster_group cluster = cg::this_cluster();
    const float *mine = table + cluster.block_rank() * SHARE;
    for (int i = threadIdx.x; i < SHARE; i += blockDim.x) share[i] = mine[i];
    cluster.sync(); // all shares are there
    const int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        const float *theirs = cluster.map_shared_rank(share, index[i] / SHARE);
        out[i] = theirs[index[i] % SHARE];
    }
    cluster.sync(); // nobody needs this block's share any more
}
