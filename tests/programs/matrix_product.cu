// C = A·B for float matrices, naive and by tiles in shared memory; sizes that no tile divides.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define TILE 16

static void check(cudaError_t status, const char *what) {
    if (status == cudaSuccess) return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    exit(1);
}

struct Matrix {
    int rows, cols;
    float *data; // row-major
};

__global__ void product_naive(Matrix a, Matrix b, Matrix c) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= c.rows || col >= c.cols) return;
    float sum = 0.0f;
    for (int k = 0; k < a.cols; k++) sum += a.data[row * a.cols + k] * b.data[k * b.cols + col];
    c.data[row * c.cols + col] = sum;
}

__global__ void product_tiled(Matrix a, Matrix b, Matrix c) {
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int first = 0; first < a.cols; first += TILE) {
        a_tile[ty][tx] = row < a.rows && first + tx < a.cols ? a.data[row * a.cols + first + tx] : 0.0f;
        b_tile[ty][tx] = first + ty < b.rows && col < b.cols ? b.data[(first + ty) * b.cols + col] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++) sum += a_tile[ty][k] * b_tile[k][tx];
        __syncthreads();
    }
    if (row < c.rows && col < c.cols) c.data[row * c.cols + col] = sum;
}

static Matrix device_matrix(int rows, int cols, const std::vector<float> *values) {
    Matrix m = {rows, cols, nullptr};
    size_t bytes = (size_t)rows * cols * sizeof(float);
    check(cudaMalloc(&m.data, bytes), "cudaMalloc");
    if (values)
        check(cudaMemcpy(m.data, values->data(), bytes, cudaMemcpyHostToDevice), "copy to the device");
    else
        check(cudaMemset(m.data, 0xff, bytes), "cudaMemset");
    return m;
}

static bool verify(const char *kernel, const Matrix &c, const std::vector<float> &expected) {
    std::vector<float> got(expected.size());
    check(cudaMemcpy(got.data(), c.data, got.size() * sizeof(float), cudaMemcpyDeviceToHost), kernel);
    for (size_t i = 0; i < got.size(); i++) {
        if (got[i] != expected[i]) {
            printf("%s: C[%zu][%zu] is %g, expected %g\n", kernel, i / c.cols, i % c.cols, got[i], expected[i]);
            return false;
        }
    }
    return true;
}

int main() {
    const int m = 77, k = 88, n = 104;
    // Small integers: every sum is exact, whatever its order.
    std::vector<float> a(m * k), b(k * n), c(m * n);
    for (int i = 0; i < m * k; i++) a[i] = (float)(i * 7 % 11 - 5);
    for (int i = 0; i < k * n; i++) b[i] = (float)(i * 5 % 13 - 6);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            float sum = 0.0f;
            for (int t = 0; t < k; t++) sum += a[i * k + t] * b[t * n + j];
            c[i * n + j] = sum;
        }
    }

    Matrix d_a = device_matrix(m, k, &a), d_b = device_matrix(k, n, &b);
    Matrix d_naive = device_matrix(m, n, nullptr), d_tiled = device_matrix(m, n, nullptr);

    dim3 wide(32, 8);
    product_naive<<<dim3((n + wide.x - 1) / wide.x, (m + wide.y - 1) / wide.y), wide>>>(d_a, d_b, d_naive);
    check(cudaGetLastError(), "product_naive");
    dim3 square(TILE, TILE);
    product_tiled<<<dim3((n + TILE - 1) / TILE, (m + TILE - 1) / TILE), square>>>(d_a, d_b, d_tiled);
    check(cudaGetLastError(), "product_tiled");
    if (!verify("product_naive", d_naive, c) || !verify("product_tiled", d_tiled, c)) return 1;

    for (Matrix *matrix : {&d_a, &d_b, &d_naive, &d_tiled}) check(cudaFree(matrix->data), "cudaFree");
    printf("ok: %dx%d times %dx%d\n", m, k, k, n);
    return 0;
}
