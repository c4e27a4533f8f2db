// Lab 08: matrix product
//
// C = A * B. A has m rows of k floats, B has k rows of n floats, C has m rows of n floats, all row by row.
// C(row, col) is the sum of A(row, i) * B(i, col) over all i from 0 to k - 1. Here a thread makes one
// element of C. In each step i of its sum a warp makes two load requests, one to A and one to B.
//
// It is often said that one of the two is coalesced and the other is not. Which one is it? That depends on
// the index that the lanes of a warp follow: are they neighbours in a column of C, or in a row?
//
//   1. Predict what both ways cost.
//   2. matmul_cols() is right, but its lanes go down a column. Make them go along a row.
//   3. matmul_tiled() reads each element of A and B again and again. Let the block read tiles of them into
//      shared memory once, and take every product from there.
//   4. matmul_abt() multiplies by B transposed. Neither way of (1) helps here, a tile does.
//
// All kernels run in blocks of 32 x 32 threads, in a grid of n/32 x m/32 blocks (rounded up): one block for
// 32 x 32 elements of C, blockIdx.y for the row of such pieces and blockIdx.x for the column. They must work
// for any m, n and k from 1 on. The three matrices begin at multiples of 256 bytes and do not overlap.
//
// Counts are taken at m = 96, n = 128, k = 64: 12,288 results, 384 warps, each with 64 steps.
//
// Edit only between the lines BEGIN YOUR CODE and END YOUR CODE. Then: make grade LAB=08

constexpr int TILE = 32;

// ---- 1. Predict --------------------------------------------------------------------------------------------

// The lanes of a warp are neighbours in a column of C: threadIdx.x is the row. Given; leave it as it is.
extern "C" __global__ void matmul_rows(const float *a, const float *b, float *c, int m, int n, int k) {
    int row = blockIdx.y * TILE + threadIdx.x;
    int col = blockIdx.x * TILE + threadIdx.y;
    if (row >= m || col >= n) return;
    float sum = 0.0f;
    for (int i = 0; i < k; i++) sum += a[(size_t)row * k + i] * b[(size_t)i * n + col];
    c[(size_t)row * n + col] = sum;
}

#define PREDICT(kernel, a, b, c)               \
    extern "C" {                               \
    __constant__ int sectors_##kernel##_a = a; \
    __constant__ int sectors_##kernel##_b = b; \
    __constant__ int sectors_##kernel##_c = c; \
    }

// How many sectors does one request touch: a load from A, a load from B, a store to C? Put your numbers in
// place of the zeros. rows is matmul_rows() above. cols is matmul_cols() below when it is done: the same,
// but threadIdx.x is the column. m = 96, n = 128, k = 64.
// BEGIN YOUR CODE
//      kernel  A   B  C
PREDICT(rows,   0,  0, 0)
PREDICT(cols,   0,  0, 0)
// END YOUR CODE

// ---- 2. Lanes along a row ----------------------------------------------------------------------------------
//
// C = A * B. Counted: sectors loaded for each result, and sectors stored for every 32 results.
extern "C" __global__ void matmul_cols(const float *a, const float *b, float *c, int m, int n, int k) {
    // BEGIN YOUR CODE
    int row = blockIdx.y * TILE + threadIdx.x;
    int col = blockIdx.x * TILE + threadIdx.y;
    if (row >= m || col >= n) return;
    float sum = 0.0f;
    for (int i = 0; i < k; i++) sum += a[(size_t)row * k + i] * b[(size_t)i * n + col];
    c[(size_t)row * n + col] = sum;
    // END YOUR CODE
}

// ---- 3. Tiles ----------------------------------------------------------------------------------------------
//
// C = A * B. The 1024 threads of a block want 32 rows of A and 32 columns of B. In matmul_cols() each warp
// loads what it needs for itself, so that all 32 warps of a block load the same elements of B. Instead, let
// the block go through k in pieces of 32: load a tile of 32 x 32 elements of A and one of B into shared
// memory, coalesced, and let all threads add their 32 products from there. Where a tile reaches beyond a
// matrix, its elements must be 0.
//
// Counted: sectors loaded and stored for each result, and bank conflicts for each request to shared memory.
extern "C" __global__ void matmul_tiled(const float *a, const float *b, float *c, int m, int n, int k) {
    // BEGIN YOUR CODE
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row < m && col < n) {
        float sum = 0.0f;
        for (int i = 0; i < k; i++) sum += a[(size_t)row * k + i] * b[(size_t)i * n + col];
        c[(size_t)row * n + col] = sum;
    }
    // END YOUR CODE
}

// ---- 4. B transposed ---------------------------------------------------------------------------------------
//
// C = A * transposed B. Now B has n rows of k floats, and C(row, col) is the sum of A(row, i) * B(col, i):
// both matrices are read along their rows. Lanes along a row of C want 32 rows of B, lanes along a column
// want 32 rows of A. Use tiles again: load both coalesced, and see to it that the reads of shared memory
// have no bank conflicts.
//
// Counted: as for matmul_tiled().
extern "C" __global__ void matmul_abt(const float *a, const float *b, float *c, int m, int n, int k) {
    // BEGIN YOUR CODE
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row < m && col < n) {
        float sum = 0.0f;
        for (int i = 0; i < k; i++) sum += a[(size_t)row * k + i] * b[(size_t)col * k + i];
        c[(size_t)row * n + col] = sum;
    }
    // END YOUR CODE
}
