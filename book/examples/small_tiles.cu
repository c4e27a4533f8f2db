// Transposes by tiles of 32 x 32 elements, a thread for each.
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
