// verdict: slow odd_floats_speed odd_doubles_speed
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
constexpr int FLOAT_TILE_ROWS = 64, FLOAT_TILE_COLS = 64;
constexpr int FLOAT_BLOCK_X = 256, FLOAT_BLOCK_Y = 1;

constexpr int DOUBLE_TILE_ROWS = 64, DOUBLE_TILE_COLS = 64;
constexpr int DOUBLE_BLOCK_X = 256, DOUBLE_BLOCK_Y = 1;

// A thread turns a square of 4 x 4 elements in registers. A warp has 8 squares one below the other, 4 side by side.
template <typename T> __device__ __forceinline__ void transpose(const T *in, T *out, int rows, int cols) {
    struct alignas(16) Pack {
        T element[16 / sizeof(T)];
    };
    constexpr int N = 16 / sizeof(T);
    int tiles_across = (cols + 63) / 64, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int row = blockIdx.x / tiles_across * 64 + warp / 4 * 32 + lane % 8 * 4;
    int col = blockIdx.x % tiles_across * 64 + warp % 4 * 16 + lane / 8 * 4;
    T square[4][4];
    if (cols % 4 == 0) {
#pragma unroll
        for (int i = 0; i < 4; i++)
#pragma unroll
            for (int j = 0; j < 4; j += N) {
                Pack pack = *(const Pack *)&in[(size_t)min(row + i, rows - 1) * cols + min(col, cols - 4) + j];
#pragma unroll
                for (int k = 0; k < N; k++) square[i][j + k] = pack.element[k];
            }
    } else {
#pragma unroll
        for (int i = 0; i < 4; i++)
#pragma unroll
            for (int j = 0; j < 4; j++) square[i][j] = in[(size_t)min(row + i, rows - 1) * cols + min(col + j, cols - 1)];
    }
#pragma unroll
    for (int j = 0; j < 4; j++) {
        T *to = &out[(size_t)(col + j) * rows + row];
        if (col + j >= cols || row >= rows) continue;
        if (rows % 4 == 0) {
#pragma unroll
            for (int i = 0; i < 4; i += N) {
                Pack pack;
#pragma unroll
                for (int k = 0; k < N; k++) pack.element[k] = square[i + k][j];
                *(Pack *)&to[i] = pack;
            }
        } else {
#pragma unroll
            for (int i = 0; i < 4; i++)
                if (row + i < rows) to[i] = square[i][j];
        }
    }
}

extern "C" __global__ void transpose_floats(const float *in, float *out, int rows, int cols) {
    transpose(in, out, rows, cols);
}

extern "C" __global__ void transpose_doubles(const double *in, double *out, int rows, int cols) {
    transpose(in, out, rows, cols);
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
