// Lab 05 as a whole program: checks rotate(), mirror() and flip_small() against the host and times each beside a plain copy.
//
//     nvcc -O3 -arch=native main.cu -o main && ./main [ROWS COLS]
#include "../timing.h"
#include "kernel.cu"

// Compares what a kernel left in `device` with what it should be and prints a line; beside it the time of a copy that reads and writes half of
// `bytes` each.
static bool compare(const char *name, float us, size_t bytes, const float *device, const std::vector<float> &expected) {
    std::vector<float> got(expected.size());
    require(cudaMemcpy(got.data(), device, got.size() * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
    float *from, *to;
    require(cudaMalloc(&from, bytes / 2), "cudaMalloc");
    require(cudaMalloc(&to, bytes / 2), "cudaMalloc");
    const float copy_us = time_us([&] { require(cudaMemcpyAsync(to, from, bytes / 2, cudaMemcpyDeviceToDevice), "copy"); });
    require(cudaFree(from), "cudaFree");
    require(cudaFree(to), "cudaFree");
    const bool right = got == expected;
    printf("%-12s %10.1f us %8.0f GB/s %6.2f of the copy   %s\n", name, us, bytes / us / 1000, copy_us / us, right ? "right" : "WRONG");
    return right;
}

static std::vector<float> random_floats(size_t count) {
    std::vector<float> floats(count);
    for (float &value : floats) value = rand() / (float)RAND_MAX;
    return floats;
}

static unsigned tiles(int n) { return (unsigned)((n + TILE - 1) / TILE); }

static bool run_rotate(int rows, int cols) {
    const std::vector<float> image = random_floats((size_t)rows * cols);
    std::vector<float> rotated(image.size(), -1);
    float *in = device_copy(image), *out = device_copy(rotated);
    const float us = time_us([&] { rotate<<<tiles(rows) * tiles(cols), dim3(TILE, ROWS_BLOCK)>>>(in, out, rows, cols); });
    require(cudaGetLastError(), "rotate");
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++) rotated[(size_t)col * rows + rows - 1 - row] = image[(size_t)row * cols + col];
    const bool right = compare("rotate", us, 2 * image.size() * sizeof(float), out, rotated);
    require(cudaFree(in), "cudaFree");
    require(cudaFree(out), "cudaFree");
    return right;
}

static bool run_mirror(int n) {
    const std::vector<float> packed = random_floats((size_t)n * (n + 1) / 2);
    std::vector<float> full((size_t)n * n, -1);
    float *in = device_copy(packed), *out = device_copy(full);
    const float us = time_us([&] { mirror<<<tiles(n) * (tiles(n) + 1) / 2, dim3(TILE, MIRROR_ROWS)>>>(in, out, n); });
    require(cudaGetLastError(), "mirror");
    size_t element = 0;
    for (int row = 0; row < n; row++)
        for (int col = 0; col <= row; col++, element++) full[(size_t)row * n + col] = full[(size_t)col * n + row] = packed[element];
    const bool right = compare("mirror", us, (packed.size() + full.size()) * sizeof(float), out, full);
    require(cudaFree(in), "cudaFree");
    require(cudaFree(out), "cudaFree");
    return right;
}

static bool run_flip(int count) {
    const int floats = SIDE * SIDE;
    const std::vector<float> before = random_floats((size_t)count * floats);
    std::vector<float> after(before.size());
    for (size_t i = 0; i < before.size(); i++) after[i - i % floats + i % SIDE * SIDE + i % floats / SIDE] = before[i];
    float *matrices = device_copy(before);
    const unsigned blocks = (unsigned)((count + MATRICES_BLOCK - 1) / MATRICES_BLOCK);
    // Twelve launches, one to warm up and eleven that are timed, leave what was there before; one more does not.
    const float us = time_us([&] { flip_small<<<blocks, 256>>>(matrices, count); });
    flip_small<<<blocks, 256>>>(matrices, count);
    require(cudaGetLastError(), "flip_small");
    const bool right = compare("flip_small", us, 2 * before.size() * sizeof(float), matrices, after);
    require(cudaFree(matrices), "cudaFree");
    return right;
}

int main(int argc, char **argv) {
    const int rows = argc > 2 ? atoi(argv[1]) : 8192, cols = argc > 2 ? atoi(argv[2]) : 8192;
    if (rows < 1 || cols < 1) {
        fprintf(stderr, "usage: %s [ROWS COLS]\n", argv[0]);
        return 2;
    }
    srand(32);
    const int small = (int)((size_t)rows * cols / (SIDE * SIDE)) + 1;
    printf("an image of %d x %d floats, a triangle of %d rows, %d small matrices; median of 11 launches\n", rows, cols, cols, small);
    bool right = run_rotate(rows, cols);
    right = run_mirror(cols) && right;
    right = run_flip(small) && right;
    return right ? 0 : 1;
}
