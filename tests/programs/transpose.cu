// Matrix transposes: straight from global memory, and through a tile in shared memory laid out plainly, with padding and with a
// swizzle; for elements of 1, 4, 8 and 16 bytes.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

#include "check.h"

constexpr int TILE = 32; // a block moves TILE x TILE elements
constexpr int ROWS = 8;  // with TILE x ROWS threads

template <typename T> __global__ void transpose_naive(T *out, const T *in, int width, int height) {
    int x = blockIdx.x * TILE + threadIdx.x;
    for (int j = 0; j < TILE; j += ROWS) {
        int y = blockIdx.y * TILE + threadIdx.y + j;
        if (x < width && y < height) out[x * height + y] = in[y * width + x];
    }
}

// Where element (row, col) of a tile is kept, in three layouts.
struct Plain {
    static constexpr int size = TILE * TILE;
    __device__ static int at(int row, int col) { return row * TILE + col; }
};
struct Padded {
    static constexpr int size = TILE * (TILE + 1);
    __device__ static int at(int row, int col) { return row * (TILE + 1) + col; }
};
struct Swizzled {
    static constexpr int size = TILE * TILE;
    __device__ static int at(int row, int col) { return row * TILE + (col ^ row); }
};

template <typename T, typename Layout> __device__ void transpose_tile(T *out, const T *in, int width, int height) {
    __shared__ T tile[Layout::size];
    int x = blockIdx.x * TILE + threadIdx.x;
    for (int j = threadIdx.y; j < TILE; j += ROWS) {
        int y = blockIdx.y * TILE + j;
        if (x < width && y < height) tile[Layout::at(j, threadIdx.x)] = in[y * width + x];
    }
    __syncthreads();
    int y = blockIdx.y * TILE + threadIdx.x;
    for (int j = threadIdx.y; j < TILE; j += ROWS) {
        int out_row = blockIdx.x * TILE + j;
        if (out_row < width && y < height) out[out_row * height + y] = tile[Layout::at(threadIdx.x, j)];
    }
}

template <typename T> __global__ void transpose_plain(T *out, const T *in, int width, int height) {
    transpose_tile<T, Plain>(out, in, width, height);
}
template <typename T> __global__ void transpose_padded(T *out, const T *in, int width, int height) {
    transpose_tile<T, Padded>(out, in, width, height);
}
template <typename T> __global__ void transpose_swizzled(T *out, const T *in, int width, int height) {
    transpose_tile<T, Swizzled>(out, in, width, height);
}

static void set(char &element, int value) { element = (char)(value * 37 % 127); }
static void set(float &element, int value) { element = (float)value; }
static void set(double &element, int value) { element = value + 0.125; }
static void set(float4 &element, int value) { element = make_float4((float)value, (float)-value, value * 0.5f, value + 0.25f); }

template <typename T> static int run(const char *type, int width, int height) {
    typedef void (*Kernel)(T *, const T *, int, int);
    const struct {
        const char *name;
        Kernel kernel;
    } kernels[] = {{"naive", transpose_naive<T>},
                   {"plain", transpose_plain<T>},
                   {"padded", transpose_padded<T>},
                   {"swizzled", transpose_swizzled<T>}};
    const size_t count = (size_t)width * height, bytes = count * sizeof(T);
    std::vector<T> in(count), out(count);
    for (size_t i = 0; i < count; i++) set(in[i], (int)i);
    T *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    CHECK(cudaMemcpy(d_in, in.data(), bytes, cudaMemcpyHostToDevice));
    const dim3 block(TILE, ROWS), grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
    for (const auto &entry : kernels) {
        CHECK(cudaMemset(d_out, 0xee, bytes));
        entry.kernel<<<grid, block>>>(d_out, d_in, width, height);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(out.data(), d_out, bytes, cudaMemcpyDeviceToHost));
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                if (memcmp(&out[(size_t)x * height + y], &in[(size_t)y * width + x], sizeof(T)) != 0) {
                    printf("%s, %s: element (%d, %d) is not where it belongs\n", entry.name, type, x, y);
                    return 1;
                }
            }
        }
    }
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return 0;
}

int main() {
    const int width = 200, height = 136;
    if (run<char>("char", width, height) || run<float>("float", width, height) || run<double>("double", width, height) ||
        run<float4>("float4", width, height))
        return 1;
    printf("ok: 16 transposes of %dx%d\n", width, height);
    return 0;
}
