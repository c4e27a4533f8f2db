// verdict: slow floats_speed
// Lab 09: capstone
//
// Write the fastest transpose that you can: one for floats, one for doubles.
//
// `in` is a matrix of rows x cols elements, row by row: element (row, col) is in[row * cols + col].
// `out` is its transpose, cols x rows: in(row, col) belongs at out[col * rows + row]. It must work for any rows and
// any cols. Both arrays begin at multiples of 256 bytes and do not overlap; a row may begin anywhere.
//
// A transpose moves as many bytes as a copy does. So a copy is the yardstick: the goals ask what share of a copy's
// speed you reach, once where all rows begin at multiples of 128 bytes, once where rows and cols are odd. The grader
// takes the modelled time of an H200; main.cu measures on a real GPU.
//
// Everything between BEGIN YOUR CODE and END YOUR CODE is yours: the shape of a block, the tile (the piece of `in`
// that one block turns), which block takes which tile, and how it does so. Only the names and the parameters of the
// two kernels must stay. What stands there now is right, and slow: the 32 x 32 tile of labs 05 and 06.
//
// Then: make grade LAB=09

// BEGIN YOUR CODE
constexpr int FLOAT_TILE_ROWS = 32, FLOAT_TILE_COLS = 32;
constexpr int FLOAT_BLOCK_X = 256, FLOAT_BLOCK_Y = 1;

constexpr int DOUBLE_TILE_ROWS = 64, DOUBLE_TILE_COLS = 32;
constexpr int DOUBLE_BLOCK_X = 256, DOUBLE_BLOCK_Y = 1;

// The copy to shared memory passes by the registers. The tile is as in `in`, with one element more a row.
template <typename T, int ROWS, int COLS> __device__ __forceinline__ void transpose(const T *in, T *out, int rows, int cols) {
    constexpr int THREADS = 256;
    __shared__ T tile[ROWS][COLS + 1];
    int tiles_down = (rows + ROWS - 1) / ROWS;
    int first_row = blockIdx.x % tiles_down * ROWS, first_col = blockIdx.x / tiles_down * COLS;
#pragma unroll
    for (int k = 0; k < ROWS * COLS / THREADS; k++) {
        int i = threadIdx.x + k * THREADS, row = i / COLS, col = i % COLS;
        const T *from = &in[(size_t)min(first_row + row, rows - 1) * cols + min(first_col + col, cols - 1)];
        unsigned to = (unsigned)__cvta_generic_to_shared(&tile[row][col]);
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(sizeof(T)) : "memory");
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ROWS * COLS / THREADS; k++) {
        int i = threadIdx.x + k * THREADS, col = i / ROWS, row = i % ROWS;
        if (first_row + row < rows && first_col + col < cols)
            out[(size_t)(first_col + col) * rows + first_row + row] = tile[row][col];
    }
}

extern "C" __global__ void transpose_floats(const float *in, float *out, int rows, int cols) {
    transpose<float, FLOAT_TILE_ROWS, FLOAT_TILE_COLS>(in, out, rows, cols);
}

extern "C" __global__ void transpose_doubles(const double *in, double *out, int rows, int cols) {
    transpose<double, DOUBLE_TILE_ROWS, DOUBLE_TILE_COLS>(in, out, rows, cols);
}
// END YOUR CODE

// What the grader and main.cu launch: a grid of one dimension with as many blocks as there are tiles, counted by
// blockIdx.x. Blocks start about in that order. A block has FLOAT_BLOCK_X x FLOAT_BLOCK_Y threads, 32 to 1024. A tile
// has 1 to 512 rows and columns; the last ones stick out of the matrix where its size is no multiple of theirs.
extern "C" {
__constant__ int float_tile_rows = FLOAT_TILE_ROWS, float_tile_cols = FLOAT_TILE_COLS;
__constant__ int float_block_x = FLOAT_BLOCK_X, float_block_y = FLOAT_BLOCK_Y;
__constant__ int double_tile_rows = DOUBLE_TILE_ROWS, double_tile_cols = DOUBLE_TILE_COLS;
__constant__ int double_block_x = DOUBLE_BLOCK_X, double_block_y = DOUBLE_BLOCK_Y;
}
