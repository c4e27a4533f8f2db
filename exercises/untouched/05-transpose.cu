// Lab 05: transpose
//
// `in` is a matrix of rows x cols floats, row by row: element (row, col) is in[row * cols + col].
// `out` is its transpose, cols x rows: in(row, col) belongs at out[col * rows + row]. Any rows, any cols.
//
// transpose_read is given. Its neighbouring lanes have neighbouring `col`: a warp reads 128 bytes in a row, 4 sectors, and
// writes 32 floats that lie `rows` apart, 32 sectors. All kernels run on a grid of cols/32 x rows/32 blocks (rounded up).
//
//   1  transpose_write: make the stores the coalesced ones. The loads may be scattered instead.
//   2  transpose_tiled: make both coalesced, by way of a tile in shared memory, without bank conflicts.
//   3  transpose_rows:  the same with fewer threads: a block has 32 x ROWS_BLOCK threads for a 32 x 32 tile, so each thread moves
//                       several elements. You may choose ROWS_BLOCK: 1, 2, 4, 8, 16 or 32.
//
// Only what stands between BEGIN YOUR CODE and END YOUR CODE is to be changed. `make grade LAB=05` says how far you are.

constexpr int TILE = 32;

// Blocks of 32 x 32 threads. Complete: an example.
extern "C" __global__ void transpose_read(const float *in, float *out, int rows, int cols) {
    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    if (row < rows && col < cols) out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

// Blocks of 32 x 32 threads.
extern "C" __global__ void transpose_write(const float *in, float *out, int rows, int cols) {
    // BEGIN YOUR CODE
    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    if (row < rows && col < cols) out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
    // END YOUR CODE
}

// Blocks of 32 x 32 threads.
extern "C" __global__ void transpose_tiled(const float *in, float *out, int rows, int cols) {
    // BEGIN YOUR CODE
    __shared__ float tile[TILE][TILE];
    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    if (row < rows && col < cols) tile[threadIdx.y][threadIdx.x] = in[(size_t)row * cols + col];
    __syncthreads();
    if (row < rows && col < cols) out[(size_t)col * rows + row] = tile[threadIdx.y][threadIdx.x];
    // END YOUR CODE
}

// Blocks of 32 x ROWS_BLOCK threads: threadIdx.y runs from 0 to ROWS_BLOCK - 1. The grid has as many blocks as before.
// BEGIN YOUR CODE
#define ROWS_BLOCK 8
// END YOUR CODE
extern "C" { __constant__ int rows_block = ROWS_BLOCK; } // the grader reads it

extern "C" __global__ void transpose_rows(const float *in, float *out, int rows, int cols) {
    // BEGIN YOUR CODE
    __shared__ float tile[TILE][TILE];
    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    if (row < rows && col < cols) tile[threadIdx.y][threadIdx.x] = in[(size_t)row * cols + col];
    __syncthreads();
    if (row < rows && col < cols) out[(size_t)col * rows + row] = tile[threadIdx.y][threadIdx.x];
    // END YOUR CODE
}
