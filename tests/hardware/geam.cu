// The transposes of book/examples/packs.cu beside cuBLAS: transposes of the same matrices, timed in turns with a copy of as many bytes.
//
//     nvcc -O3 -arch=native geam.cu -lcublas -o geam && ./geam        writes h200-geam.csv's lines to standard output
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <vector>

#include "../../book/examples/packs.cu"

static void require(bool fine, const char *what) {
    if (fine) return;
    fprintf(stderr, "geam: %s failed\n", what);
    exit(1);
}

static void require(cudaError_t status, const char *what) { require(status == cudaSuccess, what); }

static cublasHandle_t cublas;
static int pieces(int count, int of) { return (count + of - 1) / of; }

static void lab_09(const float *in, float *out, int rows, int cols) {
    int tiles = pieces(cols, FLOAT_TILE_COLS) * pieces(rows, FLOAT_TILE_ROWS);
    transpose_floats<<<tiles, dim3(FLOAT_BLOCK_X, FLOAT_BLOCK_Y)>>>(in, out, rows, cols);
}

static void lab_09(const double *in, double *out, int rows, int cols) {
    int tiles = pieces(cols, DOUBLE_TILE_COLS) * pieces(rows, DOUBLE_TILE_ROWS);
    transpose_doubles<<<tiles, dim3(DOUBLE_BLOCK_X, DOUBLE_BLOCK_Y)>>>(in, out, rows, cols);
}

// cuBLAS counts elements down the columns: its matrix of cols x rows is ours of rows x cols.
static void geam(const float *in, float *out, int rows, int cols) {
    const float one = 1, zero = 0;
    require(cublasSgeam(cublas, CUBLAS_OP_T, CUBLAS_OP_N, rows, cols, &one, in, cols, &zero, out, rows, out, rows) == 0,
            "geam");
}

static void geam(const double *in, double *out, int rows, int cols) {
    const double one = 1, zero = 0;
    require(cublasDgeam(cublas, CUBLAS_OP_T, CUBLAS_OP_N, rows, cols, &one, in, cols, &zero, out, rows, out, rows) == 0,
            "geam");
}

__global__ void copy(const float4 *in, float4 *out, size_t count) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < count) out[i] = in[i];
}

template <typename T> __global__ void fill(T *data, size_t count) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < count) data[i] = (T)(i % 16777213);
}

template <typename T> __global__ void count_wrong(const T *in, const T *out, int rows, int cols, unsigned long long *wrong) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < (size_t)rows * cols && out[i % cols * rows + i / cols] != in[i]) atomicAdd(wrong, 1ull);
}

template <typename Work> static float time_us(Work work) {
    cudaEvent_t begin, end;
    float milliseconds = 0;
    require(cudaEventCreate(&begin), "cudaEventCreate");
    require(cudaEventCreate(&end), "cudaEventCreate");
    require(cudaEventRecord(begin), "cudaEventRecord");
    work();
    require(cudaGetLastError(), "the launch");
    require(cudaEventRecord(end), "cudaEventRecord");
    require(cudaEventSynchronize(end), "cudaEventSynchronize");
    require(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
    require(cudaEventDestroy(begin), "cudaEventDestroy");
    require(cudaEventDestroy(end), "cudaEventDestroy");
    return 1000 * milliseconds;
}

template <typename T> static void compare(const char *type, int run, int rows, int cols) {
    enum { COPY, LIBRARY, LAB, GEAM, KINDS, WARMUP = 3, REPEATS = 30 };
    static const char *const names[KINDS] = {"copy", "cudaMemcpy", "lab 09", "cuBLAS"};
    const size_t count = (size_t)rows * cols, packs = count * sizeof(T) / 16;
    T *in, *out;
    unsigned long long *wrong;
    require(cudaMalloc(&in, count * sizeof(T)), "cudaMalloc");
    require(cudaMalloc(&out, count * sizeof(T)), "cudaMalloc");
    require(cudaMallocManaged(&wrong, sizeof *wrong), "cudaMallocManaged");
    fill<<<(unsigned)((count + 255) / 256), 256>>>(in, count);
    std::vector<float> times[KINDS];
    for (int i = -WARMUP; i < REPEATS; i++)
        for (int kind = 0; kind < KINDS; kind++) {
            float us = time_us([&] {
                if (kind == COPY)
                    copy<<<(unsigned)((packs + 255) / 256), 256>>>((const float4 *)in, (float4 *)out, packs);
                else if (kind == LIBRARY)
                    require(cudaMemcpyAsync(out, in, count * sizeof(T), cudaMemcpyDeviceToDevice), "cudaMemcpy");
                else if (kind == LAB)
                    lab_09(in, out, rows, cols);
                else
                    geam(in, out, rows, cols);
            });
            if (i >= 0) times[kind].push_back(us);
            if (i > -WARMUP || kind < LAB) continue;
            *wrong = 0;
            count_wrong<<<(unsigned)((count + 255) / 256), 256>>>(in, out, rows, cols, wrong);
            require(cudaDeviceSynchronize(), "the check");
            require(*wrong == 0, kind == LAB ? "lab 09's transpose" : "cuBLAS's transpose");
        }
    for (auto &list : times) std::sort(list.begin(), list.end());
    for (int kind = 0; kind < KINDS; kind++) {
        const std::vector<float> &list = times[kind];
        printf("%s,%d,%d,%d,%s,%.1f,%.1f,%.1f,%.3f\n", type, rows, cols, run, names[kind], list[REPEATS / 4], list[REPEATS / 2],
               list[3 * REPEATS / 4], times[COPY][REPEATS / 2] / list[REPEATS / 2]);
    }
    require(cudaFree(in), "cudaFree");
    require(cudaFree(out), "cudaFree");
    require(cudaFree(wrong), "cudaFree");
}

int main() {
    static const int sizes[][2] = {{12800, 12800}, {8192, 8192}, {10007, 9973}, {1024, 262144}};
    require(cublasCreate(&cublas) == CUBLAS_STATUS_SUCCESS, "cublasCreate");
    puts("type,rows,cols,run,kernel,low_us,median_us,high_us,of_copy");
    for (auto &size : sizes)
        for (int run = 1; run <= 3; run++) {
            compare<float>("float", run, size[0], size[1]);
            compare<double>("double", run, size[0], size[1]);
        }
    return 0;
}
