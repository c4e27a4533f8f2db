// Heat spreading over a plate: a five-point stencil, two buffers that change places after each step, and a largest change that
// tells when to stop. One kernel reads global memory, the other a tile with its border.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <utility>
#include <vector>

#include "check.h"

constexpr int WIDTH = 101, HEIGHT = 67, STEPS = 20;
constexpr int TILE_X = 32, TILE_Y = 8;

// Products by powers of two are exact, so host and device agree to the last bit, with fma or without.
__host__ __device__ inline float mix(float centre, float left, float right, float above, float below) {
    float around = ((left + right) + above) + below;
    return 0.5f * centre + 0.125f * around;
}

__global__ void step_global(float *next, const float *now) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= WIDTH || y >= HEIGHT) return;
    int i = y * WIDTH + x;
    bool border = x == 0 || y == 0 || x == WIDTH - 1 || y == HEIGHT - 1;
    next[i] = border ? now[i] : mix(now[i], now[i - 1], now[i + 1], now[i - WIDTH], now[i + WIDTH]);
}

// change: the bits of the largest change of any cell, which order as the non-negative floats do.
__global__ void step_tiled(float *next, const float *now, unsigned int *change) {
    __shared__ float tile[TILE_Y + 2][TILE_X + 2];
    __shared__ unsigned int block_change;
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const int x = blockIdx.x * TILE_X + threadIdx.x, y = blockIdx.y * TILE_Y + threadIdx.y;
    if (tx == 1 && ty == 1) block_change = 0;
    if (x < WIDTH && y < HEIGHT) {
        const float *cell = now + y * WIDTH + x;
        tile[ty][tx] = *cell;
        if (tx == 1 && x > 0) tile[ty][0] = cell[-1];
        if (tx == TILE_X && x < WIDTH - 1) tile[ty][TILE_X + 1] = cell[1];
        if (ty == 1 && y > 0) tile[0][tx] = cell[-WIDTH];
        if (ty == TILE_Y && y < HEIGHT - 1) tile[TILE_Y + 1][tx] = cell[WIDTH];
    }
    __syncthreads();
    if (x > 0 && y > 0 && x < WIDTH - 1 && y < HEIGHT - 1) {
        float before = tile[ty][tx];
        float after = mix(before, tile[ty][tx - 1], tile[ty][tx + 1], tile[ty - 1][tx], tile[ty + 1][tx]);
        next[y * WIDTH + x] = after;
        atomicMax(&block_change, __float_as_uint(fabsf(after - before)));
    } else if (x < WIDTH && y < HEIGHT) {
        next[y * WIDTH + x] = tile[ty][tx];
    }
    __syncthreads();
    if (tx == 1 && ty == 1) atomicMax(change, block_change);
}

static void host_step(std::vector<float> &next, const std::vector<float> &now, float *change) {
    next = now;
    *change = 0;
    for (int y = 1; y < HEIGHT - 1; y++) {
        for (int x = 1; x < WIDTH - 1; x++) {
            int i = y * WIDTH + x;
            next[i] = mix(now[i], now[i - 1], now[i + 1], now[i - WIDTH], now[i + WIDTH]);
            *change = std::fmax(*change, std::fabs(next[i] - now[i]));
        }
    }
}

static int verify(const char *kernel, const float *d_plate, const std::vector<float> &expected) {
    std::vector<float> got(expected.size());
    CHECK(cudaMemcpy(got.data(), d_plate, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < got.size(); i++) {
        if (got[i] != expected[i]) {
            printf("%s: cell (%zu, %zu) is %.9g, expected %.9g\n", kernel, i % WIDTH, i / WIDTH, got[i], expected[i]);
            return 1;
        }
    }
    return 0;
}

int main() {
    std::vector<float> start(WIDTH * HEIGHT, 20.0f), plate, next;
    for (int x = 0; x < WIDTH; x++) start[x] = 100.0f; // a hot edge
    start[30 * WIDTH + 50] = 4096.0f;                  // and a hot spot
    plate = start;
    float change = 0;
    for (int s = 0; s < STEPS; s++) {
        host_step(next, plate, &change);
        plate.swap(next);
    }

    const size_t bytes = start.size() * sizeof(float);
    float *now, *then;
    unsigned int *d_change, change_bits;
    CHECK(cudaMalloc(&now, bytes));
    CHECK(cudaMalloc(&then, bytes));
    CHECK(cudaMalloc(&d_change, sizeof(unsigned int)));
    const dim3 block(TILE_X, TILE_Y), grid((WIDTH + TILE_X - 1) / TILE_X, (HEIGHT + TILE_Y - 1) / TILE_Y);

    CHECK(cudaMemcpy(now, start.data(), bytes, cudaMemcpyHostToDevice));
    for (int s = 0; s < STEPS; s++, std::swap(now, then)) step_global<<<grid, block>>>(then, now);
    CHECK(cudaGetLastError());
    if (verify("step_global", now, plate)) return 1;

    CHECK(cudaMemcpy(now, start.data(), bytes, cudaMemcpyHostToDevice));
    for (int s = 0; s < STEPS; s++, std::swap(now, then)) {
        CHECK(cudaMemset(d_change, 0, sizeof(unsigned int)));
        step_tiled<<<grid, block>>>(then, now, d_change);
    }
    CHECK(cudaGetLastError());
    if (verify("step_tiled", now, plate)) return 1;
    CHECK(cudaMemcpy(&change_bits, d_change, sizeof(change_bits), cudaMemcpyDeviceToHost));
    float last_change;
    static_assert(sizeof(last_change) == sizeof(change_bits), "a float has 32 bits");
    std::copy_n((const char *)&change_bits, sizeof(float), (char *)&last_change);
    if (last_change != change) {
        printf("the last step changed a cell by %.9g, expected %.9g\n", last_change, change);
        return 1;
    }
    CHECK(cudaFree(now));
    CHECK(cudaFree(then));
    CHECK(cudaFree(d_change));
    printf("ok: %d steps on %dx%d cells, last change %.4f\n", STEPS, WIDTH, HEIGHT, change);
    return 0;
}
