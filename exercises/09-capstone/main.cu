// Lab 09 on a real GPU: checks the transposes and times them beside a copy of the same bytes.
//
//     nvcc -O3 -arch=native main.cu -o main && ./main [ROWS COLS]
//
// The copy is cudaMemcpy from device to device. Copy and transpose take turns, so that both meet the same conditions.
// The last line of each table is what counts: at 12800 x 12800 the transpose should reach 0.95 of the copy.
#include "../timing.h"
#include "kernel.cu"

static int pieces(int count, int of) { return (count + of - 1) / of; }

static void launch(const unsigned char *in, unsigned char *out, int rows, int cols) {
    const long long tiles = (long long)pieces(cols, BYTE_TILE_COLS) * pieces(rows, BYTE_TILE_ROWS);
    transpose_bytes<<<(unsigned)tiles, dim3(BYTE_BLOCK_X, BYTE_BLOCK_Y)>>>(in, out, rows, cols);
}

static void launch(const float *in, float *out, int rows, int cols) {
    const long long tiles = (long long)pieces(cols, FLOAT_TILE_COLS) * pieces(rows, FLOAT_TILE_ROWS);
    transpose_floats<<<(unsigned)tiles, dim3(FLOAT_BLOCK_X, FLOAT_BLOCK_Y)>>>(in, out, rows, cols);
}

static void launch(const double *in, double *out, int rows, int cols) {
    const long long tiles = (long long)pieces(cols, DOUBLE_TILE_COLS) * pieces(rows, DOUBLE_TILE_ROWS);
    transpose_doubles<<<(unsigned)tiles, dim3(DOUBLE_BLOCK_X, DOUBLE_BLOCK_Y)>>>(in, out, rows, cols);
}

// Each element has a value of its own, as far as the type can tell so many numbers apart.
template <typename T> __global__ void fill(T *data, size_t count) {
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < count) data[i] = (T)(sizeof(T) == 1 ? (i * 2654435761u >> 13) % 251 : i % 16777213);
}

template <typename T> __global__ void count_wrong(const T *in, const T *out, int rows, int cols, unsigned long long *wrong) {
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= (size_t)rows * cols) return;
    const size_t row = i / cols, col = i % cols;
    if (!(out[col * rows + row] == in[i])) atomicAdd(wrong, 1ull);
}

template <typename T> static unsigned long long wrong_elements(const T *in, const T *out, int rows, int cols) {
    const size_t count = (size_t)rows * cols;
    unsigned long long *device, wrong = 0;
    require(cudaMalloc(&device, sizeof wrong), "cudaMalloc");
    require(cudaMemset(device, 0, sizeof wrong), "cudaMemset");
    count_wrong<<<(unsigned)((count + 255) / 256), 256>>>(in, out, rows, cols, device);
    require(cudaMemcpy(&wrong, device, sizeof wrong, cudaMemcpyDeviceToHost), "cudaMemcpy");
    require(cudaFree(device), "cudaFree");
    return wrong;
}

// Microseconds of one launch.
template <typename Work> static float once_us(Work work) {
    static cudaEvent_t begin, end;
    if (!begin) {
        require(cudaEventCreate(&begin), "cudaEventCreate");
        require(cudaEventCreate(&end), "cudaEventCreate");
    }
    float milliseconds = 0;
    require(cudaEventRecord(begin), "cudaEventRecord");
    work();
    require(cudaGetLastError(), "launch");
    require(cudaEventRecord(end), "cudaEventRecord");
    require(cudaEventSynchronize(end), "cudaEventSynchronize");
    require(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
    return 1000 * milliseconds;
}

// A line of the table; the median.
static float show(const char *name, std::vector<float> &times, size_t bytes) {
    std::sort(times.begin(), times.end());
    const float median = times[times.size() / 2];
    printf("  %-10s %10.1f us   fastest %10.1f   slowest %10.1f   %6.0f GB/s\n", name, median, times.front(), times.back(),
           2 * bytes / median / 1000);
    return median;
}

template <typename T> static bool run(const char *type, int rows, int cols) {
    const size_t count = (size_t)rows * cols, bytes = count * sizeof(T);
    T *in, *out;
    require(cudaMalloc(&in, bytes), "cudaMalloc");
    require(cudaMalloc(&out, bytes), "cudaMalloc");
    fill<<<(unsigned)((count + 255) / 256), 256>>>(in, count);
    require(cudaMemset(out, 0xff, bytes), "cudaMemset");
    launch(in, out, rows, cols);
    require(cudaGetLastError(), "launch");
    const unsigned long long wrong = wrong_elements(in, out, rows, cols);

    std::vector<float> copies, transposes;
    for (int i = 0; i < 32; i++) {
        const float copy = once_us([&] { require(cudaMemcpyAsync(out, in, bytes, cudaMemcpyDeviceToDevice), "copy"); });
        const float transpose = once_us([&] { launch(in, out, rows, cols); });
        if (i < 2) continue; // the first launches are slower
        copies.push_back(copy);
        transposes.push_back(transpose);
    }
    printf("%d x %d %s; median of %zu launches\n", rows, cols, type, copies.size());
    const float copy = show("copy", copies, bytes), transpose = show("transpose", transposes, bytes);
    printf("  %.3f of the copy's speed; %s\n", copy / transpose, wrong ? "WRONG" : "right");
    require(cudaFree(in), "cudaFree");
    require(cudaFree(out), "cudaFree");
    return wrong == 0;
}

int main(int argc, char **argv) {
    const int rows = argc > 2 ? atoi(argv[1]) : 12800, cols = argc > 2 ? atoi(argv[2]) : 12800;
    if (rows < 1 || cols < 1) {
        fprintf(stderr, "usage: %s [ROWS COLS]\n", argv[0]);
        return 2;
    }
    const bool bytes = run<unsigned char>("bytes", rows, cols), floats = run<float>("floats", rows, cols), doubles = run<double>("doubles", rows, cols);
    return bytes && floats && doubles ? 0 : 1;
}
