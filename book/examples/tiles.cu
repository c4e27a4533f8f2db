// The transposes of chapters 05 and 06, and sums of columns. `in` is rows x cols, row by row; element (row, col) belongs at
// out[col * rows + row].
constexpr int TILE = 32;

// Blocks of 32 x 32 threads, a float each: coalesced loads, coalesced stores, both by way of a tile.
extern "C" __global__ void transpose_read(const float *in, float *out, int rows, int cols) {
    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    if (row < rows && col < cols) out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

extern "C" __global__ void transpose_write(const float *in, float *out, int rows, int cols) {
    int col = blockIdx.x * TILE + threadIdx.y;
    int row = blockIdx.y * TILE + threadIdx.x;
    if (row < rows && col < cols) out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

extern "C" __global__ void transpose_tiled(const float *in, float *out, int rows, int cols) {
    __shared__ float tile[TILE][TILE + 1]; // one column more: chapter 06 says why
    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    if (row < rows && col < cols) tile[threadIdx.y][threadIdx.x] = in[(size_t)row * cols + col];
    __syncthreads();
    // The tile's place in `out`: neighbouring lanes take neighbouring rows of `in`.
    row = blockIdx.y * TILE + threadIdx.x;
    col = blockIdx.x * TILE + threadIdx.y;
    if (row < rows && col < cols) out[(size_t)col * rows + row] = tile[threadIdx.x][threadIdx.y];
}

// The tile without padding.
extern "C" __global__ void transpose_unpadded(const float *in, float *out, int rows, int cols) {
    __shared__ float tile[TILE][TILE];
    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    if (row < rows && col < cols) tile[threadIdx.y][threadIdx.x] = in[(size_t)row * cols + col];
    __syncthreads();
    // The tile's place in `out`: neighbouring lanes take neighbouring rows of `in`.
    row = blockIdx.y * TILE + threadIdx.x;
    col = blockIdx.x * TILE + threadIdx.y;
    if (row < rows && col < cols) out[(size_t)col * rows + row] = tile[threadIdx.x][threadIdx.y];
}

// A tile that is filled but not turned: right for tiles, in the wrong order for lanes.
extern "C" __global__ void transpose_not_turned(const float *in, float *out, int rows, int cols) {
    __shared__ float tile[TILE][TILE];
    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    if (row < rows && col < cols) tile[threadIdx.y][threadIdx.x] = in[(size_t)row * cols + col];
    __syncthreads();
    if (row < rows && col < cols) out[(size_t)col * rows + row] = tile[threadIdx.y][threadIdx.x];
}

// The same, whatever the number of rows of the block: of a tile only what has a thread is moved.
extern "C" __global__ void transpose_too_few(const float *in, float *out, int rows, int cols) {
    __shared__ float tile[TILE][TILE];
    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    if (row < rows && col < cols) tile[threadIdx.y][threadIdx.x] = in[(size_t)row * cols + col];
    __syncthreads();
    if (row < rows && col < cols) out[(size_t)col * rows + row] = tile[threadIdx.y][threadIdx.x];
}

// Blocks of 32 x 4 threads, eight floats each.
#define ROWS_BLOCK 4

extern "C" __global__ void transpose_rows(const float *in, float *out, int rows, int cols) {
    __shared__ float tile[TILE][TILE + 1];
    // Blocks start about in the order of their numbers. Counted downwards, those that run at the same time fill the same
    // rows of `out`.
    int number = blockIdx.y * gridDim.x + blockIdx.x;
    int first_row = number % gridDim.y * TILE, first_col = number / gridDim.y * TILE;
    int row = first_row + threadIdx.y, col = first_col + threadIdx.x;
    // Behind guards the loads might be sent one by one. What lies outside `in` is taken from its edge, and not stored.
#pragma unroll
    for (int i = 0; i < TILE; i += ROWS_BLOCK)
        tile[threadIdx.y + i][threadIdx.x] = in[(size_t)min(row + i, rows - 1) * cols + min(col, cols - 1)];
    __syncthreads();
    row = first_row + threadIdx.x;
    col = first_col + threadIdx.y;
#pragma unroll
    for (int i = 0; i < TILE; i += ROWS_BLOCK)
        if (row < rows && col + i < cols) out[(size_t)(col + i) * rows + row] = tile[threadIdx.x][threadIdx.y + i];
}

// From here on a tile's block is counted by blockIdx.x down the rows of `in`. Rows of 32 floats, of 33 floats, and swizzled.
constexpr int ROWS = 4; // rows of threads in a block of a transpose

extern "C" __global__ void tile_plain(const float *in, float *out, int rows, int cols) {
    __shared__ float tile[TILE][TILE];
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

extern "C" __global__ void tile_padded(const float *in, float *out, int rows, int cols) {
    __shared__ float tile[TILE][TILE + 1]; // one word more: the next row begins one bank further
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

extern "C" __global__ void tile_swizzled(const float *in, float *out, int rows, int cols) {
    __shared__ float tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.x * TILE + y, col = blockIdx.y * TILE + x;
    // Element (r, c) of the tile is kept in tile[r][c ^ r].
#pragma unroll
    for (int i = 0; i < TILE; i += ROWS)
        tile[y + i][x ^ (y + i)] = in[(size_t)min(row + i, rows - 1) * cols + min(col, cols - 1)];
    __syncthreads();
    row = blockIdx.x * TILE + x, col = blockIdx.y * TILE + y;
#pragma unroll
    for (int i = 0; i < TILE; i += ROWS)
        if (row < rows && col + i < cols) out[(size_t)(col + i) * rows + row] = tile[x][(y + i) ^ x];
}

// Rows of 32, 33 and 34 doubles.
extern "C" __global__ void doubles_plain(const double *in, double *out, int rows, int cols) {
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
}

extern "C" __global__ void doubles_padded(const double *in, double *out, int rows, int cols) {
    __shared__ double tile[TILE][TILE + 1]; // two words more: 16 rows begin in 16 different pairs of banks
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

extern "C" __global__ void doubles_padded_twice(const double *in, double *out, int rows, int cols) {
    __shared__ double tile[TILE][TILE + 2];
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

// sums[col] = the sum of column col of `in`. Blocks of 32 x 32 threads; without padding and with it.
extern "C" __global__ void sums_plain(const unsigned *in, unsigned *sums, int rows, int cols) {
    int col = blockIdx.x * TILE + threadIdx.x;
    unsigned sum = 0;
    if (col < cols)
        for (int row = threadIdx.y; row < rows; row += TILE) sum += in[(size_t)row * cols + col];
    // Each of the 32 warps now has a part of the sums of 32 columns. Warp w collects the 32 parts of column w and adds them up.
    __shared__ unsigned parts[TILE][TILE];
    parts[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    sum = parts[threadIdx.x][threadIdx.y];
    for (int distance = TILE / 2; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
    col = blockIdx.x * TILE + threadIdx.y;
    if (threadIdx.x == 0 && col < cols) sums[col] = sum;
}

extern "C" __global__ void sums_padded(const unsigned *in, unsigned *sums, int rows, int cols) {
    int col = blockIdx.x * TILE + threadIdx.x;
    unsigned sum = 0;
    if (col < cols)
        for (int row = threadIdx.y; row < rows; row += TILE) sum += in[(size_t)row * cols + col];
    // Each of the 32 warps now has a part of the sums of 32 columns. Warp w collects the 32 parts of column w and adds them up.
    __shared__ unsigned parts[TILE][TILE + 1];
    parts[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    sum = parts[threadIdx.x][threadIdx.y];
    for (int distance = TILE / 2; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
    col = blockIdx.x * TILE + threadIdx.y;
    if (threadIdx.x == 0 && col < cols) sums[col] = sum;
}
