// Lab 06 on a real GPU: checks the three transposes and the column sums against the host and times them beside a plain copy.
//
//     nvcc -O3 main.cu -o main && ./main [ROWS COLS]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "kernel.cu"

static void require(cudaError_t status, const char *what) {
    if (status == cudaSuccess) return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    exit(1);
}

// Median time of one launch in microseconds.
template <typename Launch> static float time_us(Launch launch) {
    const int repeats = 11;
    std::vector<float> times;
    cudaEvent_t begin, end;
    require(cudaEventCreate(&begin), "cudaEventCreate");
    require(cudaEventCreate(&end), "cudaEventCreate");
    launch(); // the first launch is slower than the rest
    for (int i = 0; i < repeats; i++) {
        float milliseconds = 0;
        require(cudaEventRecord(begin), "cudaEventRecord");
        launch();
        require(cudaEventRecord(end), "cudaEventRecord");
        require(cudaEventSynchronize(end), "cudaEventSynchronize");
        require(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
        times.push_back(1000 * milliseconds);
    }
    require(cudaEventDestroy(begin), "cudaEventDestroy");
    require(cudaEventDestroy(end), "cudaEventDestroy");
    std::sort(times.begin(), times.end());
    return times[repeats / 2];
}

// Runs a kernel on rows x cols random elements, compares what it wrote with `expected(in)` and prints a line.
// True where it is right.
template <typename Element, typename Expected>
static bool try_kernel(const char *name, void (*kernel)(const Element *, Element *, int, int), dim3 grid, dim3 block, int rows,
                       int cols, Expected expected) {
    std::vector<Element> host((size_t)rows * cols);
    for (Element &value : host) value = (Element)(rand() % 1000003);
    const std::vector<Element> right = expected(host);
    const size_t in_bytes = host.size() * sizeof(Element), out_bytes = right.size() * sizeof(Element);
    Element *in, *out;
    require(cudaMalloc(&in, in_bytes), "cudaMalloc");
    require(cudaMalloc(&out, in_bytes), "cudaMalloc");
    require(cudaMemcpy(in, host.data(), in_bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    const float copy_us = time_us([&] { require(cudaMemcpyAsync(out, in, in_bytes, cudaMemcpyDeviceToDevice), "copy"); });
    require(cudaMemset(out, 0xff, in_bytes), "cudaMemset");
    const float us = time_us([&] { kernel<<<grid, block>>>(in, out, rows, cols); });
    require(cudaGetLastError(), name);
    std::vector<Element> got(right.size());
    require(cudaMemcpy(got.data(), out, out_bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    const bool is_right = got == right;
    printf("%-18s %10.1f us %8.0f GB/s   copy %10.1f us   %s\n", name, us, (in_bytes + out_bytes) / us / 1000, copy_us,
           is_right ? "right" : "WRONG");
    require(cudaFree(in), "cudaFree");
    require(cudaFree(out), "cudaFree");
    return is_right;
}

template <typename Element>
static bool try_transpose(const char *name, void (*kernel)(const Element *, Element *, int, int), int rows, int cols) {
    const dim3 grid((rows + TILE - 1) / TILE, (cols + TILE - 1) / TILE);
    return try_kernel(name, kernel, grid, dim3(TILE, ROWS), rows, cols, [=](const std::vector<Element> &in) {
        std::vector<Element> out(in.size());
        for (size_t row = 0; row < (size_t)rows; row++)
            for (size_t col = 0; col < (size_t)cols; col++) out[col * rows + row] = in[row * cols + col];
        return out;
    });
}

int main(int argc, char **argv) {
    const int rows = argc > 2 ? atoi(argv[1]) : 8192, cols = argc > 2 ? atoi(argv[2]) : 8192;
    if (rows < 1 || cols < 1) {
        fprintf(stderr, "usage: %s [ROWS COLS]\n", argv[0]);
        return 2;
    }
    srand(32);
    printf("%d x %d elements; median of 11 launches; beside each a copy of its input\n", rows, cols);
    bool right = try_transpose("transpose_padded", transpose_padded, rows, cols);
    right = try_transpose("transpose_swizzled", transpose_swizzled, rows, cols) && right;
    right = try_transpose("transpose_doubles", transpose_doubles, rows, cols) && right;
    right = try_kernel("column_sums", column_sums, dim3((cols + TILE - 1) / TILE), dim3(TILE, TILE), rows, cols,
                       [=](const std::vector<unsigned> &in) {
                           std::vector<unsigned> sums(cols);
                           for (size_t i = 0; i < in.size(); i++) sums[i % cols] += in[i];
                           return sums;
                       }) &&
            right;
    return right ? 0 : 1;
}
