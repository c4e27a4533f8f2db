// Lab 09: capstone
//
// Write the fastest transposes that you can: of bytes, of floats and of doubles.
//
// `in` is a matrix of rows x cols elements, row by row: element (row, col) is in[row * cols + col].
// `out` is its transpose, cols x rows: in(row, col) belongs at out[col * rows + row]. It must work for any rows and
// any cols. Both arrays begin at multiples of 256 bytes and do not overlap; a row may begin anywhere. Where requests are
// counted, rows begin at multiples of 16 bytes on both sides. A lane moves 16 bytes as a float4, a double2 or a uint4, which
// is four unsigned words. Bytes of words can be put together by shifts and masks; __byte_perm() does it in one instruction.
//
// A transpose moves as many bytes as a copy does. So a copy is the yardstick. The tile of labs 05 and 06 comes near to it with
// floats, but asks far more often than it must; with bytes it is lost, since a lane that moves one byte moves next to
// nothing. Counted are, for every 512 bytes of the matrix, the requests to global memory, and wavefronts of shared memory, shuffles and
// requests to local memory, four of which weigh as much as a request. Where rows and cols are odd, the sectors that are stored are counted instead.
//
// There is a figure to beat for each: the share of a copy's speed, modelled for an H200, beside that of the reference. main.cu
// measures on a real GPU.
//
// Everything between BEGIN YOUR CODE and END YOUR CODE is yours: the shape of a block, the tile (the part of `in`
// that one block transposes), which block takes which tile, and how it does so. Only the names and the parameters of the
// three kernels must stay. What stands there now is right, and slow.
//
// Then: make grade LAB=09

// BEGIN YOUR CODE
constexpr int BYTE_TILE_ROWS = 32, BYTE_TILE_COLS = 32;
constexpr int BYTE_BLOCK_X = 32, BYTE_BLOCK_Y = 32;

constexpr int FLOAT_TILE_ROWS = 32, FLOAT_TILE_COLS = 32;
constexpr int FLOAT_BLOCK_X = 32, FLOAT_BLOCK_Y = 32;

constexpr int DOUBLE_TILE_ROWS = 32, DOUBLE_TILE_COLS = 32;
constexpr int DOUBLE_BLOCK_X = 32, DOUBLE_BLOCK_Y = 32;

extern "C" __global__ void transpose_bytes(const unsigned char *in, unsigned char *out, int rows, int cols) {
    __shared__ unsigned char tile[32][33];
    int tiles_across = (cols + 31) / 32;
    int first_row = blockIdx.x / tiles_across * 32, first_col = blockIdx.x % tiles_across * 32;
    int row = first_row + threadIdx.y, col = first_col + threadIdx.x;
    if (row < rows && col < cols) tile[threadIdx.y][threadIdx.x] = in[(size_t)row * cols + col];
    __syncthreads();
    row = first_row + threadIdx.x, col = first_col + threadIdx.y;
    if (row < rows && col < cols) out[(size_t)col * rows + row] = tile[threadIdx.x][threadIdx.y];
}

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
// blockIdx.x. Blocks start about in that order. A block has BYTE_BLOCK_X x BYTE_BLOCK_Y threads (and so on), 32 to 1024. A tile
// has 1 to 512 rows and columns; the last ones stick out of the matrix where its size is no multiple of theirs.
extern "C" {
__constant__ int byte_tile_rows = BYTE_TILE_ROWS, byte_tile_cols = BYTE_TILE_COLS;
__constant__ int byte_block_x = BYTE_BLOCK_X, byte_block_y = BYTE_BLOCK_Y;
__constant__ int float_tile_rows = FLOAT_TILE_ROWS, float_tile_cols = FLOAT_TILE_COLS;
__constant__ int float_block_x = FLOAT_BLOCK_X, float_block_y = FLOAT_BLOCK_Y;
__constant__ int double_tile_rows = DOUBLE_TILE_ROWS, double_tile_cols = DOUBLE_TILE_COLS;
__constant__ int double_block_x = DOUBLE_BLOCK_X, double_block_y = DOUBLE_BLOCK_Y;
}
