// Lab 06: banks
//
// Shared memory has 32 banks. The 4-byte word at byte address a lies in bank (a / 4) mod 32. A bank hands out one
// word a pass, to any number of lanes. If the lanes of a request want two different words of one bank, the request
// needs two passes; the second is a bank conflict. A row of 32 floats fills all 32 banks once. A column of such rows
// lies in one bank: 32 passes, 31 conflicts.
//
// A double is two words. A warp that reads or writes 32 doubles is served in two halves, lanes 0-15 and lanes 16-31,
// so two passes are the least. Conflicts are the passes beyond that, and are counted within each half.
//
// All four kernels here are right, and all have conflicts. Change them so that not one is left:
//
//   1  transpose_padded:   floats; you may make the tile larger.
//   2  transpose_swizzled: floats; the tile stays at 32 x 32 floats, 4096 bytes. Put the elements in other places of it.
//   3  transpose_doubles:  doubles; in whichever of the two ways you like.
//   4  column_sums:        a sum that 32 warps finish together through shared memory.
//
// The transposes are those of lab 05: `in` is rows x cols, row by row, and in(row, col) belongs at out[col * rows +
// row]. A block of 32 x 4 threads turns a tile of 32 x 32, so each thread moves eight elements. There are rows/32 x
// cols/32 blocks (rounded up); blockIdx.x counts tiles downwards, so that blocks that run at the same time fill the same
// rows of `out`. No load is guarded: what would lie outside `in` is taken from its edge instead, and is not stored.
// Loads and stores of global memory are coalesced already: 4 sectors a request for floats, 8 for doubles. They must
// stay so.
//
// Only what stands between BEGIN YOUR CODE and END YOUR CODE is to be changed. `make grade LAB=06` says how far you
// are.

constexpr int TILE = 32;
constexpr int ROWS = 4; // rows of threads in a block of a transpose

extern "C" __global__ void transpose_padded(const float *in, float *out, int rows, int cols) {
    // BEGIN YOUR CODE
    __shared__ float tile[TILE][TILE];
    // END YOUR CODE
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.x * TILE + y, col = blockIdx.y * TILE + x;
#pragma unroll
    for (int i = 0; i < TILE; i += ROWS)
        tile[y + i][x] = in[(size_t)min(row + i, rows - 1) * cols + min(col, cols - 1)];
    __syncthreads();
    row = blockIdx.x * TILE + x, col = blockIdx.y * TILE + y;
#pragma unroll
    for (int i = 0; i < TILE; i += ROWS)
        if (row < rows && col + i < cols) out[(size_t)(col + i) * rows + row] = tile[x][y + i];
}

extern "C" __global__ void transpose_swizzled(const float *in, float *out, int rows, int cols) {
    __shared__ float tile[TILE][TILE]; // stays as it is
    // BEGIN YOUR CODE
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.x * TILE + y, col = blockIdx.y * TILE + x;
#pragma unroll
    for (int i = 0; i < TILE; i += ROWS)
        tile[y + i][x] = in[(size_t)min(row + i, rows - 1) * cols + min(col, cols - 1)];
    __syncthreads();
    row = blockIdx.x * TILE + x, col = blockIdx.y * TILE + y;
#pragma unroll
    for (int i = 0; i < TILE; i += ROWS)
        if (row < rows && col + i < cols) out[(size_t)(col + i) * rows + row] = tile[x][y + i];
    // END YOUR CODE
}

extern "C" __global__ void transpose_doubles(const double *in, double *out, int rows, int cols) {
    // BEGIN YOUR CODE
    __shared__ double tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.x * TILE + y, col = blockIdx.y * TILE + x;
#pragma unroll
    for (int i = 0; i < TILE; i += ROWS)
        tile[y + i][x] = in[(size_t)min(row + i, rows - 1) * cols + min(col, cols - 1)];
    __syncthreads();
    row = blockIdx.x * TILE + x, col = blockIdx.y * TILE + y;
#pragma unroll
    for (int i = 0; i < TILE; i += ROWS)
        if (row < rows && col + i < cols) out[(size_t)(col + i) * rows + row] = tile[x][y + i];
    // END YOUR CODE
}

// sums[col] = the sum of column col of `in` (modulo 2^32, so that every order of adding gives the same). cols/32
// blocks (rounded up) of 32 x 32 threads.
extern "C" __global__ void column_sums(const unsigned *in, unsigned *sums, int rows, int cols) {
    int col = blockIdx.x * TILE + threadIdx.x;
    unsigned sum = 0;
    if (col < cols)
        for (int row = threadIdx.y; row < rows; row += TILE) sum += in[(size_t)row * cols + col];
    // Each of the 32 warps now has a part of the sums of 32 columns. Warp w collects the 32 parts of column w and adds them up.
    // BEGIN YOUR CODE
    __shared__ unsigned parts[TILE][TILE];
    parts[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    sum = parts[threadIdx.x][threadIdx.y];
    for (int distance = TILE / 2; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
    col = blockIdx.x * TILE + threadIdx.y;
    if (threadIdx.x == 0 && col < cols) sums[col] = sum;
    // END YOUR CODE
}
