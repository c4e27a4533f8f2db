// cuBLAS's products of other types and of batches, and its symmetric and triangular matrices: worked out by hand. All are stored column by column.
#include "check.h"

#include <cublas_v2.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdint>
#include <vector>

#define HOLDS(condition) CHECK((condition) ? cudaSuccess : cudaErrorUnknown)
#define BLAS(call) HOLDS((call) == CUBLAS_STATUS_SUCCESS)

template <typename T> struct Device {
    T *at;
    size_t count;
    explicit Device(const std::vector<T> &values) : count(values.size()) {
        CHECK(cudaMalloc(&at, count * sizeof(T)));
        CHECK(cudaMemcpy(at, values.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~Device() { cudaFree(at); }
    std::vector<T> get() const {
        std::vector<T> values(count);
        CHECK(cudaMemcpy(values.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost));
        return values;
    }
    bool is(const std::vector<T> &values) const { return get() == values; }
};

static const cublasOperation_t N = CUBLAS_OP_N, T = CUBLAS_OP_T;
static const cublasFillMode_t LOWER = CUBLAS_FILL_MODE_LOWER, UPPER = CUBLAS_FILL_MODE_UPPER;

// f16 by its bits: 1 is 3c00, 2048 6800, 2052 6802. bf16: 1 is 3f80, 256 4380, 260 4382.
static void types(cublasHandle_t handle) {
    const float one = 1, zero = 0;
    const int32_t whole_one = 1, whole_two = 2;
    const cublasGemmAlgo_t any = CUBLAS_GEMM_DEFAULT;
    // (2048, 1) times (1, 1) is 2049, halfway to 2050: to the even one. (2048, 1) times (1, 3) is 2051, to 2052.
    Device<uint16_t> a({0x6800, 0x3c00}), b({0x3c00, 0x3c00, 0x3c00, 0x4200}), halves({0, 0});
    BLAS(cublasGemmEx(handle, N, N, 1, 2, 2, &one, a.at, CUDA_R_16F, 1, b.at, CUDA_R_16F, 2, &zero, halves.at, CUDA_R_16F, 1,
                      CUBLAS_COMPUTE_32F, any));
    HOLDS(halves.is({0x6800, 0x6802}));
    Device<float> floats({0, 0});
    BLAS(cublasGemmEx(handle, N, N, 1, 2, 2, &one, a.at, CUDA_R_16F, 1, b.at, CUDA_R_16F, 2, &zero, floats.at, CUDA_R_32F, 1,
                      CUBLAS_COMPUTE_32F, any));
    HOLDS(floats.is({2049, 2051}));
    BLAS(cublasSgemmEx(handle, N, N, 1, 2, 2, &one, a.at, CUDA_R_16F, 1, b.at, CUDA_R_16F, 2, &one, floats.at, CUDA_R_32F, 1));
    HOLDS(floats.is({4098, 4102}));
    Device<uint16_t> c({0x4380, 0x3f80}), d({0x3f80, 0x3f80, 0x3f80, 0x4040}), brains({0, 0}); // 257 and 259
    BLAS(cublasGemmEx(handle, N, N, 1, 2, 2, &one, c.at, CUDA_R_16BF, 1, d.at, CUDA_R_16BF, 2, &zero, brains.at, CUDA_R_16BF, 1,
                      CUBLAS_COMPUTE_32F, any));
    HOLDS(brains.is({0x4380, 0x4382}));
    // of 4 x 4 numbers, as the tensor cores' alignments want it: -128 in all of A, 127 in all of B: 4 * -16256, and once more
    Device<int8_t> low(std::vector<int8_t>(16, -128)), high(std::vector<int8_t>(16, 127));
    Device<int32_t> sums(std::vector<int32_t>(16, 5));
    BLAS(cublasGemmEx(handle, N, N, 4, 4, 4, &whole_one, low.at, CUDA_R_8I, 4, high.at, CUDA_R_8I, 4, &whole_two, sums.at,
                      CUDA_R_32I, 4, CUBLAS_COMPUTE_32I, any));
    HOLDS(sums.is(std::vector<int32_t>(16, -65024 + 10)));
    const int32_t great = 0x7fffffff, none_at_all = 0; // 4 * 16384 times 2^31 - 1 is -65536 in 32 bits
    BLAS(cublasGemmEx(handle, N, N, 4, 4, 4, &great, low.at, CUDA_R_8I, 4, low.at, CUDA_R_8I, 4, &none_at_all, sums.at,
                      CUDA_R_32I, 4, CUDA_R_32I, CUBLAS_GEMM_ALGO0)); // as older programs say it
    HOLDS(sums.is(std::vector<int32_t>(16, -65536)));
    const __half half_one = __float2half(1), half_zero = __float2half(0);
    Device<uint16_t> threes({0, 0});
    BLAS(cublasHgemm(handle, N, N, 1, 2, 1, &half_one, (const __half *)b.at + 3, 1, (const __half *)b.at, 1, &half_zero,
                     (__half *)threes.at, 1));
    HOLDS(threes.is({0x4200, 0x4200}));
    BLAS(cublasHgemmStridedBatched(handle, N, N, 1, 1, 1, &half_one, (const __half *)b.at + 2, 1, 1, (const __half *)b.at, 1, 0,
                                   &half_zero, (__half *)threes.at, 1, 1, 2)); // 1 and 3 times 1
    HOLDS(threes.is({0x3c00, 0x4200}));
    const double two = 2, none = 0;
    Device<double> doubles({3, 4});
    BLAS(cublasGemmEx(handle, N, N, 1, 1, 1, &two, doubles.at, CUDA_R_64F, 1, doubles.at + 1, CUDA_R_64F, 1, &none, doubles.at,
                      CUDA_R_64F, 1, CUBLAS_COMPUTE_64F, any));
    HOLDS(doubles.is({24, 4}));
}

static void batches(cublasHandle_t handle) {
    const float one = 1, zero = 0, two = 2;
    Device<float> numbers({1, 3, 2, 4, 5, 7, 6, 8}), results({0, 0, 0, 0, 0, 0, 0, 0}); // 1 2 / 3 4 and 5 6 / 7 8
    const float *first = numbers.at, *second = numbers.at + 4;
    Device<const float *> a({first, second}), b({second, second});
    Device<float *> c({results.at + 4, results.at}); // the first product comes last
    BLAS(cublasSgemmBatched(handle, N, N, 2, 2, 2, &one, a.at, 2, b.at, 2, &zero, c.at, 2, 2));
    HOLDS(results.is({67, 91, 78, 106, 19, 43, 22, 50}));
    BLAS(cublasGemmBatchedEx(handle, T, N, 2, 2, 2, &two, (const void *const *)a.at, CUDA_R_32F, 2, (const void *const *)b.at,
                             CUDA_R_32F, 2, &one, (void *const *)c.at, CUDA_R_32F, 2, 1, CUBLAS_COMPUTE_32F,
                             CUBLAS_GEMM_DEFAULT)); // 19 22 / 43 50 and twice 26 30 / 38 44
    HOLDS(results.is({67, 91, 78, 106, 71, 119, 82, 138}));
    BLAS(cublasGemmStridedBatchedEx(handle, N, N, 1, 1, 2, &one, numbers.at, CUDA_R_32F, 1, 4, numbers.at, CUDA_R_32F, 2, 0,
                                    &zero, results.at, CUDA_R_32F, 1, 1, 2, CUBLAS_COMPUTE_32F,
                                    CUBLAS_GEMM_DEFAULT)); // (1, 3) and (5, 7) times (1, 3)
    HOLDS(results.is({10, 26, 78, 106, 71, 119, 82, 138}));
    Device<const float *> nothing({nullptr, nullptr}); // which alpha = 0 does not look at
    BLAS(cublasSgemmBatched(handle, N, N, 2, 2, 2, &zero, nothing.at, 2, nothing.at, 2, &two, c.at, 2, 1));
    HOLDS(results.is({10, 26, 78, 106, 142, 238, 164, 276}));
}

// The lower triangle is 2 . / 3 4, the upper one 2 3 / . 4; of x = (1, 2) each gives one of two results.
static void triangles(cublasHandle_t handle) {
    const float one = 1, two = 2;
    Device<float> lower({2, 3, NAN, 4}), upper({2, NAN, 3, 4});
    for (int i = 0; i < 16; i++) {
        const bool low = i & 1, transposed = i & 2, unit = i & 4, right = i & 8;
        const bool first = low != transposed != right; // x1, then a sum
        const float y1 = first ? unit ? 1 : 2 : unit ? 7 : 8, y2 = first ? unit ? 5 : 11 : unit ? 2 : 8;
        const float *t = low ? lower.at : upper.at;
        const cublasFillMode_t half = low ? LOWER : UPPER;
        const cublasOperation_t operation = transposed ? T : N;
        const cublasDiagType_t diagonal = unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
        const cublasSideMode_t side = right ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT;
        const int m = right ? 1 : 2, n = right ? 2 : 1;
        Device<float> x({1, 2}), y({NAN, NAN});
        BLAS(cublasStrmm(handle, side, half, operation, diagonal, m, n, &two, t, 2, x.at, m, y.at, m));
        HOLDS(y.is({2 * y1, 2 * y2}));
        BLAS(cublasStrsm(handle, side, half, operation, diagonal, m, n, &one, t, 2, y.at, m));
        HOLDS(y.is({2, 4}));
        if (right) continue;
        BLAS(cublasStrmv(handle, half, operation, diagonal, 2, t, 2, x.at, 1));
        HOLDS(x.is({y1, y2}));
        BLAS(cublasStrsv(handle, half, operation, diagonal, 2, t, 2, x.at, 1));
        HOLDS(x.is({1, 2}));
    }
    // Two columns, three numbers apart: (2, 11) and twice that.
    Device<double> both({2, 11, 7, 4, 22, 7}), wide({2, 3, 7, 7, 4, 7});
    const double whole = 1;
    BLAS(cublasDtrsm(handle, CUBLAS_SIDE_LEFT, LOWER, N, CUBLAS_DIAG_NON_UNIT, 2, 2, &whole, wide.at, 3, both.at, 3));
    HOLDS(both.is({1, 2, 7, 2, 4, 7}));
}

static void symmetric(cublasHandle_t handle) {
    const float one = 1, zero = 0, two = 2;
    Device<float> a({1, 3, 2, 4}), c({1, 1, 9, 1}); // A A' is 5 11 / 11 25, A' A 10 14 / 14 20
    BLAS(cublasSsyrk(handle, LOWER, N, 2, 2, &two, a.at, 2, &one, c.at, 2));
    HOLDS(c.is({11, 23, 9, 51}));
    BLAS(cublasSsyrk(handle, UPPER, T, 2, 2, &one, a.at, 2, &zero, c.at, 2));
    HOLDS(c.is({10, 23, 14, 20}));
    Device<float> s({1, NAN, 2, 3}), b({5, 7, 6, 8}), x({1, 10}),
        y({1, 1}); // 1 2 / 2 3, of which the lower half is not looked at
    BLAS(cublasSsymm(handle, CUBLAS_SIDE_LEFT, UPPER, 2, 2, &one, s.at, 2, b.at, 2, &zero, c.at, 2));
    HOLDS(c.is({19, 31, 22, 36}));
    BLAS(cublasSsymm(handle, CUBLAS_SIDE_RIGHT, UPPER, 2, 2, &one, s.at, 2, b.at, 2, &one, c.at, 2)); // 17 28 / 23 38 more
    HOLDS(c.is({36, 54, 50, 74}));
    BLAS(cublasSsymv(handle, UPPER, 2, &two, s.at, 2, x.at, 1, &one, y.at, 1)); // twice (21, 32), and 1
    HOLDS(y.is({43, 65}));
}

static void refused(cublasHandle_t handle) {
    const float one = 1;
    Device<float> a({1, 2, 3, 4});
    const cublasFillMode_t full = CUBLAS_FILL_MODE_FULL;
    HOLDS(cublasSsyrk(handle, full, N, 2, 2, &one, a.at, 2, &one, a.at, 2) == CUBLAS_STATUS_INVALID_VALUE);
    HOLDS(cublasSsyrk(handle, LOWER, N, 2, 2, &one, a.at, 1, &one, a.at, 2) == CUBLAS_STATUS_INVALID_VALUE);
    HOLDS(cublasStrsm(handle, CUBLAS_SIDE_RIGHT, LOWER, N, CUBLAS_DIAG_UNIT, 1, 2, &one, a.at, 1, a.at, 1) ==
          CUBLAS_STATUS_INVALID_VALUE);
    HOLDS(cublasStrsm(handle, CUBLAS_SIDE_LEFT, LOWER, N, CUBLAS_DIAG_UNIT, -1, 2, &one, a.at, 1, a.at, 1) ==
          CUBLAS_STATUS_INVALID_VALUE);
    HOLDS(cublasSgemmBatched(handle, N, N, 1, 1, 1, &one, nullptr, 1, nullptr, 1, &one, nullptr, 1, -1) ==
          CUBLAS_STATUS_INVALID_VALUE);
    HOLDS(a.is({1, 2, 3, 4}));
}

int main() {
    cublasHandle_t handle;
    BLAS(cublasCreate(&handle));
    types(handle);
    batches(handle);
    triangles(handle);
    symmetric(handle);
    refused(handle);
    BLAS(cublasDestroy(handle));
    puts("ok");
}
