// The transposes that the chapters compare: rows x cols floats, one element a thread in blocks of 32 x 32, or of 32 x 8 with four each.
#define TILE 32

// Lanes along a row of `in`: loads side by side, stores `rows` apart.
__global__ void read_coalesced(const float *in, float *out, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

// Lanes along a row of `out`: stores side by side, loads `cols` apart.
__global__ void write_coalesced(const float *in, float *out, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

// The same with the read-only load.
__global__ void write_coalesced_ldg(const float *in, float *out, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) out[(size_t)col * rows + row] = __ldg(&in[(size_t)row * cols + col]);
}

// A tile in shared memory turns it; PAD columns more keep a column of the tile in 32 banks.
template <int PAD> __device__ void tiled(const float *in, float *out, int rows, int cols) {
    __shared__ float tile[TILE][TILE + PAD];
    int col = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += blockDim.y)
        if (row + i < rows && col < cols) tile[threadIdx.y + i][threadIdx.x] = in[(size_t)(row + i) * cols + col];
    __syncthreads();
    row = blockIdx.y * TILE + threadIdx.x;
    col = blockIdx.x * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += blockDim.y)
        if (row < rows && col + i < cols) out[(size_t)(col + i) * rows + row] = tile[threadIdx.x][threadIdx.y + i];
}

__global__ void tiled_padded(const float *in, float *out, int rows, int cols) { tiled<1>(in, out, rows, cols); }
__global__ void tiled_unpadded(const float *in, float *out, int rows, int cols) { tiled<0>(in, out, rows, cols); }

// Stored into the tile turned, read straight: the conflict is in the store instead of the load.
__global__ void tiled_turned_stores(const float *in, float *out, int rows, int cols) {
    __shared__ float tile[TILE][TILE];
    int col = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
    if (row < rows && col < cols) tile[threadIdx.x][threadIdx.y] = in[(size_t)row * cols + col];
    __syncthreads();
    row = blockIdx.y * TILE + threadIdx.x;
    col = blockIdx.x * TILE + threadIdx.y;
    if (row < rows && col < cols) out[(size_t)col * rows + row] = tile[threadIdx.y][threadIdx.x];
}
