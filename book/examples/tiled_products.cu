// Matrix products whose lanes go along a row of C, without tiles and with them.
constexpr int TILE = 32;

extern "C" __global__ void matmul_down(const float *a, const float *b, float *c, int m, int n, int k) {
    int row = blockIdx.y * TILE + threadIdx.x;
    int col = blockIdx.x * TILE + threadIdx.y;
    if (row >= m || col >= n) return;
    float sum = 0.0f;
    for (int i = 0; i < k; i++) sum += a[(size_t)row * k + i] * b[(size_t)i * n + col];
    c[(size_t)row * n + col] = sum;
}

extern "C" __global__ void matmul_cols(const float *a, const float *b, float *c, int m, int n, int k) {
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row >= m || col >= n) return;
    float sum = 0.0f;
    for (int i = 0; i < k; i++) sum += a[(size_t)row * k + i] * b[(size_t)i * n + col];
    c[(size_t)row * n + col] = sum;
}

extern "C" __global__ void matmul_tiled(const float *a, const float *b, float *c, int m, int n, int k) {
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int first = 0; first < k; first += TILE) {
        int a_col = first + threadIdx.x;
        int b_row = first + threadIdx.y;
        a_tile[threadIdx.y][threadIdx.x] = row < m && a_col < k ? a[(size_t)row * k + a_col] : 0.0f;
        b_tile[threadIdx.y][threadIdx.x] = b_row < k && col < n ? b[(size_t)b_row * n + col] : 0.0f;
        __syncthreads(); // the tiles are complete
        for (int i = 0; i < TILE; i++) sum += a_tile[threadIdx.y][i] * b_tile[i][threadIdx.x];
        __syncthreads(); // nobody needs them any more
    }
    if (row < m && col < n) c[(size_t)row * n + col] = sum;
}

extern "C" __global__ void matmul_abt(const float *a, const float *b, float *c, int m, int n, int k) {
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE + 1]; // a column of b_tile lies in 32 banks
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    int b_row = blockIdx.x * TILE + threadIdx.y; // of the element that this thread loads: a column of C
    float sum = 0.0f;
    for (int first = 0; first < k; first += TILE) {
        int tile_col = first + threadIdx.x;
        a_tile[threadIdx.y][threadIdx.x] = row < m && tile_col < k ? a[(size_t)row * k + tile_col] : 0.0f;
        b_tile[threadIdx.y][threadIdx.x] = b_row < n && tile_col < k ? b[(size_t)b_row * k + tile_col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE; i++) sum += a_tile[threadIdx.y][i] * b_tile[threadIdx.x][i];
        __syncthreads();
    }
    if (row < m && col < n) c[(size_t)row * n + col] = sum;
}

extern "C" __global__ void abt_no_padding(const float *a, const float *b, float *c, int m, int n, int k) {
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    int b_row = blockIdx.x * TILE + threadIdx.y; // of the element that this thread loads: a column of C
    float sum = 0.0f;
    for (int first = 0; first < k; first += TILE) {
        int tile_col = first + threadIdx.x;
        a_tile[threadIdx.y][threadIdx.x] = row < m && tile_col < k ? a[(size_t)row * k + tile_col] : 0.0f;
        b_tile[threadIdx.y][threadIdx.x] = b_row < n && tile_col < k ? b[(size_t)b_row * k + tile_col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE; i++) sum += a_tile[threadIdx.y][i] * b_tile[threadIdx.x][i];
        __syncthreads();
    }
    if (row < m && col < n) c[(size_t)row * n + col] = sum;
}

extern "C" __global__ void abt_turned(const float *a, const float *b, float *c, int m, int n, int k) {
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE]; // turned: row i holds what the warp wants in step i
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    int b_row = blockIdx.x * TILE + threadIdx.y; // of the element that this thread loads: a column of C
    float sum = 0.0f;
    for (int first = 0; first < k; first += TILE) {
        int tile_col = first + threadIdx.x;
        a_tile[threadIdx.y][threadIdx.x] = row < m && tile_col < k ? a[(size_t)row * k + tile_col] : 0.0f;
        b_tile[threadIdx.x][threadIdx.y] = b_row < n && tile_col < k ? b[(size_t)b_row * k + tile_col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE; i++) sum += a_tile[threadIdx.y][i] * b_tile[i][threadIdx.x];
        __syncthreads();
    }
    if (row < m && col < n) c[(size_t)row * n + col] = sum;
}

extern "C" __global__ void tiled_by_rows(const float *a, const float *b, float *c, int m, int n, int k) {
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.x;
    int col = blockIdx.x * TILE + threadIdx.y;
    float sum = 0.0f;
    for (int first = 0; first < k; first += TILE) {
        int a_col = first + threadIdx.y;
        int b_row = first + threadIdx.x;
        a_tile[threadIdx.x][threadIdx.y] = row < m && a_col < k ? a[(size_t)row * k + a_col] : 0.0f;
        b_tile[threadIdx.x][threadIdx.y] = b_row < k && col < n ? b[(size_t)b_row * n + col] : 0.0f;
        __syncthreads(); // the tiles are complete
        for (int i = 0; i < TILE; i++) sum += a_tile[threadIdx.x][i] * b_tile[i][threadIdx.y];
        __syncthreads(); // nobody needs them any more
    }
    if (row < m && col < n) c[(size_t)row * n + col] = sum;
}

extern "C" __global__ void tiled_64(const float *a, const float *b, float *c, int m, int n, int k) {
    // 64 x 64 results for each second block in both directions, 2 x 2 for a thread, k in pieces of 16.
    __shared__ float a_tile[64][16], b_tile[16][64];
    if (blockIdx.x % 2 || blockIdx.y % 2) return;
    int top = blockIdx.y * TILE, left = blockIdx.x * TILE, thread = threadIdx.y * TILE + threadIdx.x;
    float sum[2][2] = {{0.0f, 0.0f}, {0.0f, 0.0f}};
    for (int first = 0; first < k; first += 16) {
        int a_row = top + thread / 16, a_col = first + thread % 16, b_row = first + thread / 64, b_col = left + thread % 64;
        a_tile[thread / 16][thread % 16] = a_row < m && a_col < k ? a[(size_t)a_row * k + a_col] : 0.0f;
        b_tile[thread / 64][thread % 64] = b_row < k && b_col < n ? b[(size_t)b_row * n + b_col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < 16; i++)
            for (int r = 0; r < 2; r++)
                for (int s = 0; s < 2; s++)
                    sum[r][s] += a_tile[threadIdx.y + 32 * r][i] * b_tile[i][threadIdx.x + 32 * s];
        __syncthreads();
    }
    for (int r = 0; r < 2; r++)
        for (int s = 0; s < 2; s++) {
            int row = top + threadIdx.y + 32 * r, col = left + threadIdx.x + 32 * s;
            if (row < m && col < n) c[(size_t)row * n + col] = sum[r][s];
        }
}
