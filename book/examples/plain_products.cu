// Matrix products of 32 x 32 blocks, a thread for each element of C: as given, each warp loads what it needs for itself. The record of the
// H200 has them beside those of tiled_products.cu.
constexpr int TILE = 32;

// Lanes down a column of C.
extern "C" __global__ void matmul_down(const float *a, const float *b, float *c, int m, int n, int k) {
    int row = blockIdx.y * TILE + threadIdx.x;
    int col = blockIdx.x * TILE + threadIdx.y;
    if (row >= m || col >= n) return;
    float sum = 0.0f;
    for (int i = 0; i < k; i++) sum += a[(size_t)row * k + i] * b[(size_t)i * n + col];
    c[(size_t)row * n + col] = sum;
}

extern "C" __global__ void matmul_cols(const float *a, const float *b, float *c, int m, int n, int k) {
    int row = blockIdx.y * TILE + threadIdx.x;
    int col = blockIdx.x * TILE + threadIdx.y;
    if (row >= m || col >= n) return;
    float sum = 0.0f;
    for (int i = 0; i < k; i++) sum += a[(size_t)row * k + i] * b[(size_t)i * n + col];
    c[(size_t)row * n + col] = sum;
}

// Lanes along a row of C.
extern "C" __global__ void matmul_tiled(const float *a, const float *b, float *c, int m, int n, int k) {
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row < m && col < n) {
        float sum = 0.0f;
        for (int i = 0; i < k; i++) sum += a[(size_t)row * k + i] * b[(size_t)i * n + col];
        c[(size_t)row * n + col] = sum;
    }
}

// B transposed: n rows of k floats.
extern "C" __global__ void matmul_abt(const float *a, const float *b, float *c, int m, int n, int k) {
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    if (row < m && col < n) {
        float sum = 0.0f;
        for (int i = 0; i < k; i++) sum += a[(size_t)row * k + i] * b[(size_t)col * k + i];
        c[(size_t)row * n + col] = sum;
    }
}
