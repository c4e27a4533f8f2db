// Products of tiles by nvcuda::wmma: where a fragment's elements are, in each of its lanes and in each layout, and that a product is, to the bit, the
// two of mma.sync, of tf32 four, that an H100's assembler makes of it. A fragment's order is not documented; what is printed is an H100's.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

enum { N = 16, LANES = 32, MOST = 16 };

template <class T> __host__ __device__ T number(float i) { return T(i); }
template <> __host__ __device__ half number<half>(float i) { return __float2half(i); }
template <> __host__ __device__ __nv_bfloat16 number<__nv_bfloat16>(float i) { return __float2bfloat16(i); }

// What each lane has of a tile, from global memory and from shared whose element in row r and column c is r times the columns plus c, in `to`, its number of elements behind them.
template <class Fragment, class T> __global__ void spread(const T *tile, int elements, unsigned stride, float *to) {
    __shared__ __align__(128) T copy[N * N];
    Fragment fragment, other;
    bool differs = false;
    for (int i = threadIdx.x; i < elements; i += LANES) copy[i] = tile[i];
    __syncwarp();
    wmma::load_matrix_sync(fragment, tile, stride);
    wmma::load_matrix_sync(other, copy, stride);
    for (int i = 0; i < fragment.num_elements; i++) {
        to[threadIdx.x * MOST + i] = float(fragment.x[i]);
        differs |= float(fragment.x[i]) != float(other.x[i]);
    }
    if (threadIdx.x == 0) to[LANES * MOST] = fragment.num_elements;
    if (differs) to[LANES * MOST] = -1;
}

template <class T, class Sums> __global__ void spread_sums(const T *tile, wmma::layout_t layout, float *to, T *back) {
    Sums fragment;
    wmma::load_matrix_sync(fragment, tile, N, layout);
    for (int i = 0; i < fragment.num_elements; i++) to[threadIdx.x * MOST + i] = float(fragment.x[i]);
    if (threadIdx.x == 0) to[LANES * MOST] = fragment.num_elements;
    wmma::store_matrix_sync(back, fragment, N, layout);
}

static float *lanes;

static void print_lanes(const char *what, int columns) {
    cudaDeviceSynchronize();
    const int elements = (int)lanes[LANES * MOST];
    printf("%s: %d elements; lane 5 has", what, elements);
    unsigned sum = 0; // of all lanes, by place
    for (int lane = 0; lane < LANES; lane++)
        for (int i = 0; i < elements; i++) {
            const int value = (int)lanes[lane * MOST + i];
            sum = sum * 31 + (unsigned)value;
            if (lane == 5) printf(" %d,%d", value / columns, value % columns);
        }
    printf("; all %08x\n", sum);
}

template <class T, class Fragment> void spread_tile(const char *what, int rows, int columns, bool by_rows) {
    T *tile;
    cudaMallocManaged(&tile, sizeof(T) * rows * columns);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            tile[by_rows ? r * columns + c : c * rows + r] = number<T>((r * columns + c) & (sizeof(T) == 1 ? 127 : 255));
    spread<Fragment><<<1, LANES>>>(tile, rows * columns, by_rows ? columns : rows, lanes);
    print_lanes(what, columns);
    cudaFree(tile);
}

template <class Stored, class T, int K> void spread_types(const char *name) {
    char what[64];
#define SPREAD(MATRIX, letter, layout, rows, columns)               \
    snprintf(what, sizeof what, "%s %s %s", name, letter, #layout); \
    spread_tile<Stored, wmma::fragment<wmma::MATRIX, N, N, K, T, wmma::layout>>(what, rows, columns, #layout[0] == 'r')
    SPREAD(matrix_a, "a", row_major, N, K);
    SPREAD(matrix_a, "a", col_major, N, K);
    SPREAD(matrix_b, "b", row_major, K, N);
    SPREAD(matrix_b, "b", col_major, K, N);
}

template <class T, int K> void spread_accumulator(const char *name) {
    T *tile, *back;
    cudaMallocManaged(&tile, sizeof(T) * N * N);
    cudaMallocManaged(&back, sizeof(T) * N * N);
    for (int layout = 0; layout < 2; layout++) {
        char what[64];
        for (int i = 0; i < N * N; i++) tile[i] = number<T>(layout ? i % N * N + i / N : i), back[i] = number<T>(-1);
        spread_sums<T, wmma::fragment<wmma::accumulator, N, N, K, T>>
            <<<1, LANES>>>(tile, layout ? wmma::mem_col_major : wmma::mem_row_major, lanes, back);
        snprintf(what, sizeof what, "%s sums %s", name, layout ? "col_major" : "row_major");
        print_lanes(what, N);
        if (memcmp(tile, back, sizeof(T) * N * N) != 0) printf("%s: what is stored is not what was loaded\n", what);
    }
    cudaFree(tile);
    cudaFree(back);
}

// mma.sync of the same registers: the tile's left half, and its right one.
__device__ void product(float *d, const uint32_t *a, const uint32_t *b, const float *c, half) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
}
__device__ void product(float *d, const uint32_t *a, const uint32_t *b, const float *c, __nv_bfloat16) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
}
// Of tf32 in two steps.
__device__ void product(float *d, const uint32_t *a, const uint32_t *b, const float *c, float) {
    for (int step = 0; step < 2; step++) {
        asm("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"
            : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
            : "r"(a[2 * step]), "r"(a[2 * step + 1]), "r"(b[step]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
        c = d;
    }
}
__device__ void product(int *d, const uint32_t *a, const uint32_t *b, const int *c, signed char) {
    asm("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
}
__device__ void product(half *d, const uint32_t *a, const uint32_t *b, const half *c, half) {
    uint32_t to[2], from[2];
    memcpy(from, c, sizeof from);
    asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9};"
        : "=r"(to[0]), "=r"(to[1])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(from[0]), "r"(from[1]));
    memcpy(d, to, sizeof to);
}

template <class Fragment> __device__ void round_inputs(Fragment &) {}
template <class M, class L> __device__ void round_inputs(wmma::fragment<M, N, N, 8, wmma::precision::tf32, L> &fragment) {
    for (int i = 0; i < fragment.num_elements; i++) fragment.x[i] = wmma::__float_to_tf32(fragment.x[i]);
}

// How many elements of the lane differ from mma.sync's; and the product.
template <class T, class Stored, class Sum, int K>
__global__ void multiply(const Stored *a, const Stored *b, const Sum *c, Sum *d, int *wrong) {
    wmma::fragment<wmma::matrix_a, N, N, K, T, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, N, N, K, T, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, N, N, K, Sum> sums, result;
    wmma::load_matrix_sync(left, a, K);
    wmma::load_matrix_sync(right, b, K);
    wmma::load_matrix_sync(sums, c, N, wmma::mem_row_major);
    round_inputs(left);
    round_inputs(right);
    wmma::mma_sync(result, left, right, sums);
    wmma::store_matrix_sync(d, result, N, wmma::mem_row_major);
    uint32_t left_bits[sizeof left.x / 4], right_bits[sizeof right.x / 4];
    Sum expected[8];
    memcpy(left_bits, &left.x, sizeof left_bits);
    memcpy(right_bits, &right.x, sizeof right_bits);
    product(expected, left_bits, right_bits, sums.x, Stored());
    product(expected + 4, left_bits, right_bits + K * sizeof(Stored) / 16, sums.x + 4, Stored());
    for (int i = 0; i < 8; i++)
        if (float(expected[i]) != float(result.x[i])) atomicAdd(wrong, 1);
}

// Of small whole numbers, whose products and sums all types have, and of thirds of larger ones.
template <class T, class Stored, class Sum, int K> void products(const char *name, bool whole) {
    Stored *a, *b;
    Sum *c, *d;
    int *wrong, inexact = 0;
    cudaMallocManaged(&a, sizeof(Stored) * N * K);
    cudaMallocManaged(&b, sizeof(Stored) * N * K);
    cudaMallocManaged(&c, sizeof(Sum) * N * N);
    cudaMallocManaged(&d, sizeof(Sum) * N * N);
    cudaMallocManaged(&wrong, sizeof *wrong);
    *wrong = 0;
    uint32_t state = 7, sum = 0;
    const auto next = [&] {
        state = state * 1664525 + 1013904223;
        return whole ? (float)(state >> 29) - 4 : ((float)(state >> 24) - 128) / 3;
    };
    for (int i = 0; i < N * K; i++) a[i] = number<Stored>(next()), b[i] = number<Stored>(next());
    for (int i = 0; i < N * N; i++) c[i] = number<Sum>(next());
    multiply<T, Stored, Sum, K><<<1, LANES>>>(a, b, c, d, wrong);
    cudaDeviceSynchronize();
    for (int row = 0; row < N; row++)
        for (int column = 0; column < N; column++) {
            float exact = float(c[row * N + column]);
            for (int k = 0; k < K; k++) exact += float(a[row * K + k]) * float(b[column * K + k]);
            inexact += whole && float(d[row * N + column]) != exact;
            uint32_t bits = 0;
            memcpy(&bits, &d[row * N + column], sizeof(Sum));
            sum = sum * 31 + bits;
        }
    printf("%s: %d differ from mma.sync, %d from the host's, all %08x\n", name, *wrong, inexact, sum);
    cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(d), cudaFree(wrong);
}

int main() {
    cudaMallocManaged(&lanes, sizeof(float) * (LANES * MOST + 1));
    spread_types<half, half, 16>("half");
    spread_types<__nv_bfloat16, __nv_bfloat16, 16>("bfloat16");
    spread_types<float, wmma::precision::tf32, 8>("tf32");
    spread_types<signed char, signed char, 16>("8 bits");
    spread_accumulator<half, 16>("half");
    spread_accumulator<float, 16>("float");
    spread_accumulator<int, 16>("32 bits");
    for (bool whole : {true, false}) {
        products<half, half, float, 16>("half to float", whole);
        products<half, half, half, 16>("half", whole);
        products<__nv_bfloat16, __nv_bfloat16, float, 16>("bfloat16", whole);
        products<wmma::precision::tf32, float, float, 8>("tf32", whole);
        products<signed char, signed char, int, 16>("8 bits", whole);
    }
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(lanes);
}
