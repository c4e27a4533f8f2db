// Transposes of a rows x cols matrix, row-major, into a cols x rows one: each block of 32 x 8 threads does a 32 x 32 tile unless its
// name says otherwise.
enum { TILE = 32, ROWS = 8 };

template <typename T> __global__ void naive_read(const T *in, T *out, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

template <typename T> __global__ void naive_write(const T *__restrict__ in, T *__restrict__ out, int rows, int cols) {
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows && col < cols) out[(size_t)col * rows + row] = in[(size_t)row * cols + col];
}

template <typename T, int PAD> __global__ void tiled(const T *in, T *out, int rows, int cols) {
    __shared__ T tile[TILE][TILE + PAD];
    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        if (col < cols && row + i < rows) tile[threadIdx.y + i][threadIdx.x] = in[(size_t)(row + i) * cols + col];
    __syncthreads();
    col = blockIdx.y * TILE + threadIdx.x;
    row = blockIdx.x * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        if (col < rows && row + i < cols) out[(size_t)(row + i) * rows + col] = tile[threadIdx.x][threadIdx.y + i];
}

template <typename T> __global__ void swizzled(const T *in, T *out, int rows, int cols) {
    __shared__ T tile[TILE * TILE];
    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS) {
        int y = threadIdx.y + i, x = threadIdx.x ^ y;
        if (col < cols && row + i < rows) tile[y * TILE + x] = in[(size_t)(row + i) * cols + col];
    }
    __syncthreads();
    col = blockIdx.y * TILE + threadIdx.x;
    row = blockIdx.x * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS) {
        int y = threadIdx.x, x = (threadIdx.y + i) ^ y;
        if (col < rows && row + i < cols) out[(size_t)(row + i) * rows + col] = tile[y * TILE + x];
    }
}

#define INSTANTIATE(T)                                                                                                              \
    template __global__ void naive_read<T>(const T *, T *, int, int);                                                               \
    template __global__ void naive_write<T>(const T *__restrict__, T *__restrict__, int, int);                                      \
    template __global__ void tiled<T, 0>(const T *, T *, int, int);                                                                 \
    template __global__ void tiled<T, 1>(const T *, T *, int, int);                                                                 \
    template __global__ void swizzled<T>(const T *, T *, int, int)
INSTANTIATE(char);
INSTANTIATE(short);
INSTANTIATE(float);
INSTANTIATE(double);

// 64 x 64 tiles by 16-byte accesses; rows and cols are multiples of 64. 16 x 16 threads.
extern "C" __global__ void wide_tiles(const float4 *in, float4 *out, int rows, int cols) {
    __shared__ float tile[64][65];
    for (int y = threadIdx.y; y < 64; y += 16) {
        float4 v = in[((size_t)(blockIdx.y * 64 + y) * cols + blockIdx.x * 64) / 4 + threadIdx.x];
        int x = 4 * threadIdx.x;
        tile[y][x] = v.x;
        tile[y][x + 1] = v.y;
        tile[y][x + 2] = v.z;
        tile[y][x + 3] = v.w;
    }
    __syncthreads();
    for (int y = threadIdx.y; y < 64; y += 16) {
        int x = 4 * threadIdx.x;
        float4 v = make_float4(tile[x][y], tile[x + 1][y], tile[x + 2][y], tile[x + 3][y]);
        out[((size_t)(blockIdx.x * 64 + y) * rows + blockIdx.y * 64) / 4 + threadIdx.x] = v;
    }
}

// A matrix of float4: every element moves as 16 bytes.
extern "C" __global__ void elements_of_16_bytes(const float4 *in, float4 *out, int rows, int cols) {
    __shared__ float4 tile[16][17];
    int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row < rows && col < cols) tile[threadIdx.y][threadIdx.x] = in[row * cols + col];
    __syncthreads();
    col = blockIdx.y * 16 + threadIdx.x;
    row = blockIdx.x * 16 + threadIdx.y;
    if (row < cols && col < rows) out[row * rows + col] = tile[threadIdx.x][threadIdx.y];
}

// In place, n x n, n a multiple of 32: the blocks on and above the diagonal exchange tiles. Dynamic shared memory: two tiles.
extern "C" __global__ void in_place(int *matrix, int n) {
    extern __shared__ int tiles[];
    if (blockIdx.x < blockIdx.y) return;
    int *above = tiles, *below = tiles + TILE * (TILE + 1);
    for (int y = threadIdx.y; y < TILE; y += ROWS) {
        above[y * (TILE + 1) + threadIdx.x] = matrix[(blockIdx.y * TILE + y) * n + blockIdx.x * TILE + threadIdx.x];
        below[y * (TILE + 1) + threadIdx.x] = matrix[(blockIdx.x * TILE + y) * n + blockIdx.y * TILE + threadIdx.x];
    }
    __syncthreads();
    for (int y = threadIdx.y; y < TILE; y += ROWS) {
        matrix[(blockIdx.y * TILE + y) * n + blockIdx.x * TILE + threadIdx.x] = below[threadIdx.x * (TILE + 1) + y];
        if (blockIdx.x != blockIdx.y)
            matrix[(blockIdx.x * TILE + y) * n + blockIdx.y * TILE + threadIdx.x] = above[threadIdx.x * (TILE + 1) + y];
    }
}
