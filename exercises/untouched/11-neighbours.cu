// Lab 11: neighbours and tiles
//
// From compute capability 9.0 on, the blocks of a cluster run at the same time, each on an SM of its own, and reach each other's shared memory:
//
//     cg::cluster_group cluster = cg::this_cluster();    the blocks of this cluster
//     cluster.block_rank(), cluster.num_blocks()         which of them this one is, and how many there are
//     cluster.map_shared_rank(&a, r)                     where block r has its a: an address that can be read, written and added to
//     cluster.sync()                                     a barrier for all threads of all blocks of the cluster
//
// A block must have started before others use its shared memory, and must not end before they have: cluster.sync() stands before the first use
// and after the last, and between what others add to your memory and your own reading of it.
//
//   1. Predict which banks a swizzled tile has, and who has what in a cluster.
//   2. tile() waits for banks. Keep its 4096 bytes in another order: there is no room for padding.
//   3. histogram() adds to global memory, value by value. Count in the shared memory of a cluster.
//
// Edit only between the lines BEGIN YOUR CODE and END YOUR CODE. Then: make grade LAB=11
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// ---- 1. Predict --------------------------------------------------------------------------------------------
//
// A tile has 32 rows of 128 bytes, each of eight packs of 16 bytes. Hardware that copies tiles can swizzle them: pack p of row r then stands where
// pack p ^ (r % 8) of the row would. This is the place of a float in such a tile, in floats:
__device__ inline int swizzled(int row, int col) { return 32 * row + 4 * (col / 4 ^ row % 8) + col % 4; }

// Each kernel is launched with blocks of one warp. How many wavefronts does its load from shared memory take
// (for any `col`; it is the same in all lanes)?

extern "C" __global__ void column(float *out, int col) {
    __shared__ float tile[1024];
    for (int row = 0; row < 32; row++) tile[swizzled(row, threadIdx.x)] = 32 * row + threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[swizzled(threadIdx.x % 32, col)]; // lane i: a float of row i % 32
}

extern "C" __global__ void packs(float4 *out, int col) {
    __shared__ float4 tile[256];
    for (int row = 0; row < 32; row++) ((float *)tile)[swizzled(row, threadIdx.x)] = 32 * row + threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[swizzled(2 * threadIdx.x % 32, col) / 4]; // lane i: a pack of row 2 * i % 32
}

// Memory of another block is read in sectors of 32 bytes, as global memory is. How many sectors does each warp read, where step is 3?

extern "C" __global__ void neighbour(int *out, int step) { // in clusters of 4 blocks
    __shared__ int words[256];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < 256; i += 32) words[i] = 256 * cluster.block_rank() + i;
    cluster.sync();
    const int *theirs = cluster.map_shared_rank(words, (cluster.block_rank() + 1) % cluster.num_blocks());
    out[32 * blockIdx.x + threadIdx.x] = theirs[step * threadIdx.x];
    cluster.sync();
}

// At which float of the swizzled tile, counted from 0, does float 13 of row 6 stand?
//
// 20000 counters lie in the shared memory of a cluster of 8 blocks, in order, as many in each block. Which block has counter 17345, and at which
// of its words, both counted from 0?
//
// Put your numbers in place of the zeros.
// BEGIN YOUR CODE
__constant__ int wavefronts_column = 0, wavefronts_packs = 0;
__constant__ int sectors_neighbour = 0;
__constant__ int float_of_tile = 0;
__constant__ int block_of_counter = 0, word_of_counter = 0;
// END YOUR CODE

// ---- 2. A tile without padding -----------------------------------------------------------------------------
//
// `out` becomes the transpose of `in`, a matrix of rows x cols floats, row by row. Both are multiples of 32, and both arrays begin at multiples of 256
// bytes. Launched with cols / 32 by rows / 32 blocks of 256 threads, one for each tile. A block may take 4096 bytes of shared memory: just the tile.
//
// Counted: wavefronts of shared memory, and each shuffle as one. All floats go through it, and all sectors of global memory stay full.
constexpr int TILE = 32, THREADS = 256;

extern "C" __global__ void tile(const float *in, float *out, int rows, int cols) {
    // BEGIN YOUR CODE
    __shared__ float4 packs[TILE * TILE / 4];
    const float *floats = (const float *)packs;
    const int t = threadIdx.x;
    const float *from = in + (size_t)blockIdx.y * TILE * cols + blockIdx.x * TILE;
    float *to = out + (size_t)blockIdx.x * TILE * rows + blockIdx.y * TILE;
    packs[t] = *(const float4 *)&from[(size_t)(t / 8) * cols + t % 8 * 4]; // row t / 8, pack t % 8
    __syncthreads();
    for (int col = t / 32; col < TILE; col += THREADS / 32) to[(size_t)col * rows + t % 32] = floats[TILE * (t % 32) + col];
    // END YOUR CODE
}

// ---- 3. A histogram across a cluster -----------------------------------------------------------------------
//
// counts[b] is to grow by the number of values whose upper 14 bits are b, for each of the 16,384 bins b. They would take 65,536 bytes. A block may take
// 16,384 bytes of shared memory: a quarter of them.
//
// Launched with blocks of 256 threads in clusters of 4. Any number of values, any number of clusters; `values` begins at a multiple of 256 bytes.
//
// Counted: sectors that atomic operations touch in global memory, wavefronts of plain loads and stores of shared memory, and sectors of loads: each value is
// to be loaded once. What is counted is traffic to L2. By an H200's clock this histogram takes about as long in global memory, by a cluster, or with each
// block reading all values of its cluster: 1019, 996 and 840 us for 67,108,864 values.
enum { BINS = 1 << 14, BLOCKS = 4 };

extern "C" __global__ void histogram(const unsigned *values, unsigned *counts, int n) {
    // BEGIN YOUR CODE
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) atomicAdd(&counts[values[i] >> 18], 1);
    // END YOUR CODE
}
