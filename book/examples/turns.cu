// Transposes beside those of tiles.cu: element (row, col) of `in` belongs at out[col * rows + row].
constexpr int TILE = 32;

// A thread for each row, as one would write it for a CPU: a copy, and a transpose whose row `row` of `out` is a column of `in`.
__global__ void copy_a_row_each(const float *in, float *out, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    for (int col = 0; col < cols; col++) out[row * cols + col] = in[row * cols + col];
}

__global__ void transpose_a_row_each(const float *in, float *out, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= cols) return;
    for (int col = 0; col < rows; col++) out[row * rows + col] = in[col * cols + row];
}

// transpose_write with loads that leave nothing in L1, and with loads that are promised to be of read-only data.
__global__ void write_past_l1(const float *in, float *out, int rows, int cols) {
    int col = blockIdx.x * TILE + threadIdx.y;
    int row = blockIdx.y * TILE + threadIdx.x;
    const float *element = &in[(size_t)row * cols + col];
    if (row < rows && col < cols) out[(size_t)col * rows + row] = __ldcg(element);
}

__global__ void write_read_only(const float *in, float *out, int rows, int cols) {
    int col = blockIdx.x * TILE + threadIdx.y;
    int row = blockIdx.y * TILE + threadIdx.x;
    if (row < rows && col < cols) out[(size_t)col * rows + row] = __ldg(&in[(size_t)row * cols + col]);
}

// No tile: each warp of a block of 256 threads moves 8 rows of 4 floats, and the block 8 rows of 32.
__global__ void transpose_patches(const float *in, float *out, int rows, int cols) {
    int col = blockIdx.x * 32 + threadIdx.x / 8;
    int row = blockIdx.y * 8 + threadIdx.x % 8;
    if (row < rows && col < cols) out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

// Doubles: coalesced loads, and coalesced stores.
__global__ void read_doubles(const double *in, double *out, int rows, int cols) {
    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    if (row < rows && col < cols) out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

__global__ void write_doubles(const double *in, double *out, int rows, int cols) {
    int col = blockIdx.x * TILE + threadIdx.y;
    int row = blockIdx.y * TILE + threadIdx.x;
    if (row < rows && col < cols) out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

// transpose_rows with blocks of 32 x ROWS threads.
template <int ROWS> __device__ void turn(const float *in, float *out, int rows, int cols) {
    __shared__ float tile[TILE][TILE + 1];
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * TILE + x;
    int row = blockIdx.y * TILE + y;
    for (int i = 0; i < TILE; i += ROWS)
        if (row + i < rows && col < cols) tile[y + i][x] = in[(size_t)(row + i) * cols + col];
    __syncthreads();
    row = blockIdx.y * TILE + x;
    col = blockIdx.x * TILE + y;
    for (int i = 0; i < TILE; i += ROWS)
        if (row < rows && col + i < cols) out[(size_t)(col + i) * rows + row] = tile[x][y + i];
}

__global__ void turn_16(const float *in, float *out, int rows, int cols) { turn<16>(in, out, rows, cols); }
__global__ void turn_8(const float *in, float *out, int rows, int cols) { turn<8>(in, out, rows, cols); }
__global__ void turn_4(const float *in, float *out, int rows, int cols) { turn<4>(in, out, rows, cols); }
__global__ void turn_2(const float *in, float *out, int rows, int cols) { turn<2>(in, out, rows, cols); }

// turn_4 without guards around its loads: what would lie outside `in` is taken from its edge instead, and is not stored.
__global__ void turn_4_from_the_edge(const float *in, float *out, int rows, int cols) {
    __shared__ float tile[TILE][TILE + 1];
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * TILE + x;
    int row = blockIdx.y * TILE + y;
#pragma unroll
    for (int i = 0; i < TILE; i += 4)
        tile[y + i][x] = in[(size_t)min(row + i, rows - 1) * cols + min(col, cols - 1)];
    __syncthreads();
    row = blockIdx.y * TILE + x;
    col = blockIdx.x * TILE + y;
    for (int i = 0; i < TILE; i += 4)
        if (row < rows && col + i < cols) out[(size_t)(col + i) * rows + row] = tile[x][y + i];
}

// The other way round: the tile is filled by columns and read by rows.
__global__ void turned_at_first(const float *in, float *out, int rows, int cols) {
    __shared__ float tile[TILE][TILE];
    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    if (row < rows && col < cols) tile[threadIdx.x][threadIdx.y] = in[(size_t)row * cols + col];
    __syncthreads();
    row = blockIdx.y * TILE + threadIdx.x;
    col = blockIdx.x * TILE + threadIdx.y;
    if (row < rows && col < cols) out[(size_t)col * rows + row] = tile[threadIdx.y][threadIdx.x];
}

// No padding: element (r, c) of the tile is kept in tile[r][c ^ r].
__global__ void swizzled(const float *in, float *out, int rows, int cols) {
    __shared__ float tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * TILE + x;
    int row = blockIdx.y * TILE + y;
    if (row < rows && col < cols) tile[y][x ^ y] = in[(size_t)row * cols + col];
    __syncthreads();
    row = blockIdx.y * TILE + x;
    col = blockIdx.x * TILE + y;
    if (row < rows && col < cols) out[(size_t)col * rows + row] = tile[x][y ^ x];
}
