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
constexpr int FLOAT_BLOCK_X = 32, FLOAT_BLOCK_Y = 32;

constexpr int DOUBLE_TILE_ROWS = 32, DOUBLE_TILE_COLS = 32;
constexpr int DOUBLE_BLOCK_X = 32, DOUBLE_BLOCK_Y = 32;

extern "C" __global__ void transpose_floats(const float *in, float *out, int rows, int cols) {
    __shared__ float tile[32][33];
    int tiles_across = (cols + 31) / 32;
    int first_row = blockIdx.x / tiles_across * 32, first_col = blockIdx.x % tiles_across * 32;
    int row = first_row + threadIdx.y, col = first_col + threadIdx.x;
    if (row < rows && col < cols) tile[threadIdx.y][threadIdx.x] = in[(size_t)row * cols + col];
    __syncthreads();
    row = first_row + threadIdx.x, col = first_col + threadIdx.y;
    if (row < rows && col < cols) out[(size_t)col * rows + row] = tile[threadIdx.x][threadIdx.y];
}

extern "C" __global__ void transpose_doubles(const double *in, double *out, int rows, int cols) {
    __shared__ double tile[32][33];
    int tiles_across = (cols + 31) / 32;
    int first_row = blockIdx.x / tiles_across * 32, first_col = blockIdx.x % tiles_across * 32;
    int row = first_row + threadIdx.y, col = first_col + threadIdx.x;
    if (row < rows && col < cols) tile[threadIdx.y][threadIdx.x] = in[(size_t)row * cols + col];
    __syncthreads();
    row = first_row + threadIdx.x, col = first_col + threadIdx.y;
    if (row < rows && col < cols) out[(size_t)col * rows + row] = tile[threadIdx.x][threadIdx.y];
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
