// Lab 05 on a real GPU: checks the four transposes against the host and times them beside a plain copy.
//
//     nvcc -O3 main.cu -o main && ./main [ROWS COLS]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "kernel.cu"

typedef void Kernel(const float *in, float *out, int rows, int cols);

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

static bool is_transpose(const std::vector<float> &in, const float *device, int rows, int cols) {
    std::vector<float> out(in.size());
    require(cudaMemcpy(out.data(), device, out.size() * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++)
            if (out[(size_t)col * rows + row] != in[(size_t)row * cols + col]) return false;
    return true;
}

int main(int argc, char **argv) {
    const int rows = argc > 2 ? atoi(argv[1]) : 8192, cols = argc > 2 ? atoi(argv[2]) : 8192;
    if (rows < 1 || cols < 1) {
        fprintf(stderr, "usage: %s [ROWS COLS]\n", argv[0]);
        return 2;
    }
    const size_t bytes = (size_t)rows * cols * sizeof(float);
    const dim3 grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    const struct {
        const char *name;
        Kernel *kernel;
        int block_rows;
    } kernels[] = {{"transpose_read", transpose_read, TILE},
                   {"transpose_write", transpose_write, TILE},
                   {"transpose_tiled", transpose_tiled, TILE},
                   {"transpose_rows", transpose_rows, ROWS_BLOCK}};

    std::vector<float> host((size_t)rows * cols);
    srand(32);
    for (float &value : host) value = rand() / (float)RAND_MAX;
    float *in, *out;
    require(cudaMalloc(&in, bytes), "cudaMalloc");
    require(cudaMalloc(&out, bytes), "cudaMalloc");
    require(cudaMemcpy(in, host.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");

    printf("%d x %d floats; median of 11 launches\n", rows, cols);
    const float copy_us = time_us([&] { require(cudaMemcpyAsync(out, in, bytes, cudaMemcpyDeviceToDevice), "copy"); });
    printf("%-16s %10.1f us %8.0f GB/s\n", "copy", copy_us, 2 * bytes / copy_us / 1000);
    bool all_right = true;
    for (const auto &one : kernels) {
        require(cudaMemset(out, 0xff, bytes), "cudaMemset");
        const float us = time_us([&] { one.kernel<<<grid, dim3(TILE, one.block_rows)>>>(in, out, rows, cols); });
        require(cudaGetLastError(), one.name);
        const bool right = is_transpose(host, out, rows, cols);
        all_right = all_right && right;
        printf("%-16s %10.1f us %8.0f GB/s %6.2f of the copy   %s\n", one.name, us, 2 * bytes / us / 1000, copy_us / us,
               right ? "right" : "WRONG");
    }
    require(cudaFree(in), "cudaFree");
    require(cudaFree(out), "cudaFree");
    return all_right ? 0 : 1;
}
