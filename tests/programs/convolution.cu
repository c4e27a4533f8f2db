// Separable convolution of an image: the filter lies in constant memory, rows and columns are filtered one after the other from
// tiles with a halo; the image's edge counts as zero. The product of the two passes is compared with a direct 2-D convolution.
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#include "check.h"

#define RADIUS 4
#define TAPS (2 * RADIUS + 1)
#define ROW_WIDTH 64 // a block of convolve_rows makes ROW_WIDTH x ROW_HEIGHT pixels, a thread one
#define ROW_HEIGHT 4
#define COLUMN_WIDTH \
    16 // a block of convolve_columns makes COLUMN_WIDTH x COLUMN_HEIGHT, a thread COLUMN_HEIGHT / COLUMN_THREADS
#define COLUMN_HEIGHT 32
#define COLUMN_THREADS 8

__constant__ float filter[TAPS];

__global__ void convolve_rows(float *out, const float *in, int width, int height) {
    __shared__ float tile[ROW_HEIGHT][ROW_WIDTH + 2 * RADIUS];
    const int x = blockIdx.x * ROW_WIDTH + threadIdx.x, y = blockIdx.y * ROW_HEIGHT + threadIdx.y;
    for (int i = threadIdx.x; i < ROW_WIDTH + 2 * RADIUS; i += ROW_WIDTH) {
        int from = blockIdx.x * ROW_WIDTH + i - RADIUS;
        tile[threadIdx.y][i] = y < height && from >= 0 && from < width ? in[y * width + from] : 0.0f;
    }
    __syncthreads();
    if (x >= width || y >= height) return;
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < TAPS; k++) sum += filter[k] * tile[threadIdx.y][threadIdx.x + k];
    out[y * width + x] = sum;
}

__global__ void convolve_columns(float *out, const float *in, int width, int height) {
    __shared__ float tile[COLUMN_HEIGHT + 2 * RADIUS][COLUMN_WIDTH];
    const int x = blockIdx.x * COLUMN_WIDTH + threadIdx.x, top = blockIdx.y * COLUMN_HEIGHT;
    for (int i = threadIdx.y; i < COLUMN_HEIGHT + 2 * RADIUS; i += COLUMN_THREADS) {
        int from = top + i - RADIUS;
        tile[i][threadIdx.x] = x < width && from >= 0 && from < height ? in[from * width + x] : 0.0f;
    }
    __syncthreads();
    for (int i = threadIdx.y; i < COLUMN_HEIGHT; i += COLUMN_THREADS) {
        if (x >= width || top + i >= height) continue;
        float sum = 0.0f;
        for (int k = 0; k < TAPS; k++) sum += filter[k] * tile[i + k][threadIdx.x];
        out[(top + i) * width + x] = sum;
    }
}

static double direct(const std::vector<float> &image, const float *taps, int width, int height, int x, int y) {
    double sum = 0;
    for (int j = -RADIUS; j <= RADIUS; j++) {
        for (int i = -RADIUS; i <= RADIUS; i++) {
            if (x + i < 0 || x + i >= width || y + j < 0 || y + j >= height) continue;
            sum += (double)taps[j + RADIUS] * taps[i + RADIUS] * image[(y + j) * width + x + i];
        }
    }
    return sum;
}

int main() {
    const int width = 203, height = 117;
    const size_t bytes = (size_t)width * height * sizeof(float);
    float taps[TAPS];
    for (int i = 0; i < TAPS; i++) taps[i] = std::exp(-0.125f * (i - RADIUS) * (i - RADIUS)) + 0.01f * i; // not symmetric
    std::vector<float> image(width * height), got(width * height);
    for (int i = 0; i < width * height; i++) image[i] = (float)(i * 71 % 256) / 255.0f;

    float *d_in, *d_rows, *d_out;
    CHECK(cudaMalloc(&d_in, bytes));
    CHECK(cudaMalloc(&d_rows, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    CHECK(cudaMemcpyToSymbol(filter, taps, sizeof(taps)));
    CHECK(cudaMemcpy(d_in, image.data(), bytes, cudaMemcpyHostToDevice));

    dim3 row_block(ROW_WIDTH, ROW_HEIGHT), column_block(COLUMN_WIDTH, COLUMN_THREADS);
    dim3 row_grid((width + ROW_WIDTH - 1) / ROW_WIDTH, (height + ROW_HEIGHT - 1) / ROW_HEIGHT);
    dim3 column_grid((width + COLUMN_WIDTH - 1) / COLUMN_WIDTH, (height + COLUMN_HEIGHT - 1) / COLUMN_HEIGHT);
    convolve_rows<<<row_grid, row_block>>>(d_rows, d_in, width, height);
    convolve_columns<<<column_grid, column_block>>>(d_out, d_rows, width, height);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(got.data(), d_out, bytes, cudaMemcpyDeviceToHost));

    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            double expected = direct(image, taps, width, height, x, y);
            if (std::fabs(got[y * width + x] - expected) > 1e-4) {
                printf("pixel (%d, %d) is %.6f, expected %.6f\n", x, y, got[y * width + x], expected);
                return 1;
            }
        }
    }
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_rows));
    CHECK(cudaFree(d_out));
    printf("ok: %dx%d pixels, %d taps twice\n", width, height, TAPS);
    return 0;
}
