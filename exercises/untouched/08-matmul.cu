// Lab 08: matrix product
//
// All matrices are stored row by row, and begin at multiples of 256 bytes. C has m rows of n floats, and C(row, col) is the sum of
// A(row, i) * B(i, col) over all i from 0 to k - 1.
//
//   1. Predict what three products ask of memory, whose lanes make other elements of C than the chapter's.
//   2. product_turned() stores C transposed. Let its blocks use tiles, and its threads registers.
//   3. times_symmetric() multiplies by a symmetric matrix of which only one half is stored.
//
// Kernels must work for any m, n and k from 1 on.
//
// Edit only between the lines BEGIN YOUR CODE and END YOUR CODE. Then: make grade LAB=08

// ---- 1. Predict --------------------------------------------------------------------------------------------
//
// m = 96, n = 128, k = 64. How many sectors does one request of a whole warp touch: a load from A, a load from B, a store to C?
// Remember how threads become warps: 32 in a row, threadIdx.x first.

// Launched with blocks of 8 x 8 threads: 8 along a row of C, 8 down a column.
extern "C" __global__ void small_blocks(const float *a, const float *b, float *c, int m, int n, int k) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || col >= n) return;
    float sum = 0.0f;
    for (int i = 0; i < k; i++) sum += a[(size_t)row * k + i] * b[(size_t)i * n + col];
    c[(size_t)row * n + col] = sum;
}

// A is stored transposed, k rows of m floats. Launched with blocks of 32 x 32 threads, and threadIdx.x is the row.
extern "C" __global__ void lanes_down(const float *a, const float *b, float *c, int m, int n, int k) {
    int row = blockIdx.y * blockDim.x + threadIdx.x, col = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= m || col >= n) return;
    float sum = 0.0f;
    for (int i = 0; i < k; i++) sum += a[(size_t)i * m + row] * b[(size_t)i * n + col];
    c[(size_t)row * n + col] = sum;
}

// B is stored transposed, n rows of k floats. Launched with blocks of 16 x 16 threads: 16 along a row of C, 16 down a column.
extern "C" __global__ void b_sideways(const float *a, const float *b, float *c, int m, int n, int k) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || col >= n) return;
    float sum = 0.0f;
    for (int i = 0; i < k; i++) sum += a[(size_t)row * k + i] * b[(size_t)col * k + i];
    c[(size_t)row * n + col] = sum;
}

#define PREDICT(kernel, a, b, c)               \
    extern "C" {                               \
    __constant__ int sectors_##kernel##_a = a; \
    __constant__ int sectors_##kernel##_b = b; \
    __constant__ int sectors_##kernel##_c = c; \
    }

// BEGIN YOUR CODE
//      kernel         A   B   C
PREDICT(small_blocks,  0,  0,  0)
PREDICT(lanes_down,    0,  0,  0)
PREDICT(b_sideways,    0,  0,  0)
// END YOUR CODE

// ---- 2. The result transposed ------------------------------------------------------------------------------
//
// D = C transposed: D has n rows of m floats, and D(col, row) = C(row, col) belongs at d[col * m + row]. A has m rows of k floats, B has
// k rows of n floats.
//
// From here on a block has 16 x 16 threads, and makes 32 x 32 elements of C: blockIdx.y counts them down the rows of C, blockIdx.x
// along its columns. So each thread makes four.
//
// Counted, at k = 56 and an m and n that each grading draws, multiples of 8 but not of 32:
// - sectors loaded and stored for each result;
// - for every 32 products of whole tiles: the wavefronts of shared memory, shuffles, requests to local memory, and the sectors once more, each as four
//   wavefronts: a weight chosen for this lab, since L2 serves all multiprocessors and shared memory one. An edge's tile counts as a whole one,
//   k = 56 as 64. One result of a thread takes two values from shared memory for each product. How many do four results take?
constexpr int TILE = 32, SIDE = 16; // elements of C and threads of a block, each way

extern "C" __global__ void product_turned(const float *a, const float *b, float *d, int m, int n, int k) {
    // BEGIN YOUR CODE
    for (int y = threadIdx.y; y < TILE; y += SIDE)
        for (int x = threadIdx.x; x < TILE; x += SIDE) {
            int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
            if (row >= m || col >= n) continue;
            float sum = 0.0f;
            for (int i = 0; i < k; i++) sum += a[(size_t)row * k + i] * b[(size_t)i * n + col];
            d[(size_t)col * m + row] = sum;
        }
    // END YOUR CODE
}

// ---- 3. One half of a symmetric matrix ---------------------------------------------------------------------
//
// C = A * S. S has n rows and n columns, and S(i, j) = S(j, i). So only the elements with j <= i are stored, row after row without
// gaps: S(0,0), S(1,0), S(1,1), S(2,0), … Element (i, j) of this half is s[i * (i + 1) / 2 + j]. A and C have m rows of n floats.
//
// Counted as in 2, at n = 120 and a drawn m. A row of the half begins anywhere: 32 floats of it touch five sectors, mostly.
__device__ __forceinline__ size_t packed(int i, int j) { return (size_t)i * (i + 1) / 2 + j; } // j <= i

extern "C" __global__ void times_symmetric(const float *a, const float *s, float *c, int m, int n) {
    // BEGIN YOUR CODE
    for (int y = threadIdx.y; y < TILE; y += SIDE)
        for (int x = threadIdx.x; x < TILE; x += SIDE) {
            int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
            if (row >= m || col >= n) continue;
            float sum = 0.0f;
            for (int i = 0; i < n; i++) sum += a[(size_t)row * n + i] * s[packed(max(i, col), min(i, col))];
            c[(size_t)row * n + col] = sum;
        }
    // END YOUR CODE
}
