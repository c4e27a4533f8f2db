// A sparse matrix times a vector: compressed rows (CSR) with a thread a row and with a warp a row, and rows of equal length
// (ELL) whose columns are stored one after the other.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <random>
#include <vector>

#include "check.h"

__global__ void csr_scalar(const int *row_start, const int *column, const float *value, const float *x, float *y, int rows) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int k = row_start[row]; k < row_start[row + 1]; k++) sum += value[k] * x[column[k]];
    y[row] = sum;
}

__global__ void csr_vector(const int *__restrict__ row_start, const int *__restrict__ column, const float *__restrict__ value,
                           const float *__restrict__ x, float *__restrict__ y, int rows) {
    int lane = threadIdx.x % 32;
    for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < rows; row += gridDim.x * blockDim.x / 32) {
        float sum = 0.0f;
        for (int k = row_start[row] + lane; k < row_start[row + 1]; k += 32) sum += value[k] * __ldg(&x[column[k]]);
        for (int d = 16; d > 0; d >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, d);
        if (lane == 0) y[row] = sum;
    }
}

__global__ void ell(const int *column, const float *value, const float *x, float *y, int rows, int width) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int k = 0; k < width; k++) {
        int c = column[k * rows + row];
        if (c >= 0) sum += value[k * rows + row] * x[c];
    }
    y[row] = sum;
}

template <typename T> static T *upload(const std::vector<T> &values) {
    T *data;
    CHECK(cudaMalloc(&data, values.size() * sizeof(T)));
    CHECK(cudaMemcpy(data, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    return data;
}

static bool verify(const char *kernel, const float *d_y, const std::vector<float> &expected) {
    std::vector<float> y(expected.size());
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(y.data(), d_y, y.size() * sizeof(float), cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < y.size(); i++) {
        if (y[i] != expected[i]) {
            printf("%s: y[%zu] is %g, expected %g\n", kernel, i, y[i], expected[i]);
            return false;
        }
    }
    return true;
}

int main() {
    const int rows = 1203, columns = 997;
    std::mt19937 random(7);
    std::vector<int> row_start(1, 0), column;
    std::vector<float> value, x(columns), y(rows);
    int width = 0;
    for (int c = 0; c < columns; c++) x[c] = (float)(c % 19 - 9);
    for (int r = 0; r < rows; r++) {
        int length = r % 50 == 49 ? 0 : (int)(random() % 12); // empty rows,
        if (r % 201 == 200) length = 150;                     // and some long ones
        std::vector<int> row(length);
        for (int &c : row) c = (int)(random() % columns);
        std::sort(row.begin(), row.end());
        row.erase(std::unique(row.begin(), row.end()), row.end());
        for (int c : row) {
            float v = (float)(random() % 9) - 4.0f;
            column.push_back(c);
            value.push_back(v);
            y[r] += v * x[c];
        }
        width = std::max(width, (int)row.size());
        row_start.push_back((int)column.size());
    }
    std::vector<int> ell_column(rows * width, -1);
    std::vector<float> ell_value(rows * width, 0.0f);
    for (int r = 0; r < rows; r++) {
        for (int k = row_start[r]; k < row_start[r + 1]; k++) {
            ell_column[(k - row_start[r]) * rows + r] = column[k];
            ell_value[(k - row_start[r]) * rows + r] = value[k];
        }
    }

    int *d_row_start = upload(row_start), *d_column = upload(column), *d_ell_column = upload(ell_column);
    float *d_value = upload(value), *d_ell_value = upload(ell_value), *d_x = upload(x), *d_y = upload(std::vector<float>(rows));
    const int threads = 128, blocks = (rows + threads - 1) / threads;
    csr_scalar<<<blocks, threads>>>(d_row_start, d_column, d_value, d_x, d_y, rows);
    if (!verify("csr_scalar", d_y, y)) return 1;
    CHECK(cudaMemset(d_y, 0xff, rows * sizeof(float)));
    csr_vector<<<40, threads>>>(d_row_start, d_column, d_value, d_x, d_y, rows);
    if (!verify("csr_vector", d_y, y)) return 1;
    CHECK(cudaMemset(d_y, 0xff, rows * sizeof(float)));
    ell<<<blocks, threads>>>(d_ell_column, d_ell_value, d_x, d_y, rows, width);
    if (!verify("ell", d_y, y)) return 1;
    for (void *p : {(void *)d_row_start, (void *)d_column, (void *)d_ell_column, (void *)d_value, (void *)d_ell_value,
                    (void *)d_x, (void *)d_y})
        CHECK(cudaFree(p));
    printf("ok: %dx%d with %zu numbers\n", rows, columns, column.size());
    return 0;
}
