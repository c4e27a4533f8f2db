/* cuBLAS's calls on symmetric and triangular matrices, of which one half is looked at. All is computed in double and rounded once. */
#include <stdlib.h>

#include "base/alloc.h"
#include "runtime/blas.h"

/* n x n, with the half that is meant on both sides of the diagonal. On the heap. */
static double *symmetric(const LibraryWork *work, const double *stored, size_t n) {
    double *whole = alloc_zeroed(n * n + 1, sizeof *whole);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            const bool low = i >= j;
            whole[j * n + i] = low == work->lower || i == j ? stored[j * n + i] : stored[i * n + j];
        }
    return whole;
}

/* n x n, 0 in the half that is not meant, transposed if the call says so. On the heap. */
static double *triangle(const LibraryWork *work, const double *stored, size_t n) {
    double *whole = alloc_zeroed(n * n + 1, sizeof *whole);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            if (i != j && (i > j) != work->lower) continue;
            whole[work->transposes[0] ? i * n + j : j * n + i] = i == j && work->unit ? 1 : stored[j * n + i];
        }
    return whole;
}

/* What of a matrix there is: outside of it not even 0 is multiplied. */
typedef enum MatrixHalf { HALF_BOTH, HALF_LOWER, HALF_UPPER } MatrixHalf;

static MatrixHalf used_half(const LibraryWork *work, bool flipped) {
    return work->lower != (work->transposes[0] != flipped) ? HALF_LOWER : HALF_UPPER;
}

static bool is_there(MatrixHalf half, size_t i, size_t j) {
    return half == HALF_BOTH || i == j || (i > j) == (half == HALF_LOWER);
}

/* Of a vector x of n numbers that lie `step` apart. */
typedef void OfVector(const double *t, size_t n, MatrixHalf half, double *x, size_t step);

/* T x takes its place. */
static void times(const double *t, size_t n, MatrixHalf half, double *x, size_t step) {
    FREED double *sums = alloc_zeroed(n + 1, sizeof *sums);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            if (is_there(half, i, j)) sums[i] += t[j * n + i] * x[j * step];
    for (size_t i = 0; i < n; i++) x[i * step] = sums[i];
}

/* What T times is x takes its place. */
static void solve(const double *t, size_t n, MatrixHalf half, double *x, size_t step) {
    for (size_t nth = 0; nth < n; nth++) {
        const size_t i = half == HALF_LOWER ? nth : n - 1 - nth;
        for (size_t other = 0; other < nth; other++) {
            const size_t j = half == HALF_LOWER ? other : n - 1 - other;
            x[i * step] -= t[j * n + i] * x[j * step];
        }
        x[i * step] /= t[i * n + i];
    }
}

/* Each column of the m x n matrix b, or each row, if the other matrix stands right of it: x T is T' x then. */
static void each(const LibraryWork *work, const double *t, MatrixHalf half, double *b, OfVector *apply) {
    const size_t m = work->m, n = work->n, size = work->right ? n : m;
    FREED double *used = blas_as_used(t, size, size, work->right);
    for (size_t nth = 0; nth < (work->right ? m : n); nth++)
        apply(used, size, half, work->right ? b + nth : b + nth * m, work->right ? m : 1);
}

static void of_triangle(const LibraryWork *work, double *const values[], OfVector *apply) { /* a, x */
    FREED double *t = triangle(work, values[0], work->n);
    apply(t, work->n, used_half(work, false), values[1], 1);
}

static void triangle_times(const LibraryWork *work, double *const values[]) { of_triangle(work, values, times); }

static void triangle_solve(const LibraryWork *work, double *const values[]) { of_triangle(work, values, solve); }

static void symmetric_times(const LibraryWork *work, double *const values[]) { /* alpha, beta, a, x, y */
    const size_t n = work->n;
    FREED double *a = symmetric(work, values[2], n);
    times(a, n, HALF_BOTH, values[3], 1);
    for (size_t i = 0; i < n; i++) values[4][i] = blas_combine(values[0][0], values[3][i], values[1][0], values[4][i]);
}

static void square(const LibraryWork *work, double *const values[]) { /* alpha, beta, a, c */
    const size_t n = work->n, k = work->k;
    FREED double *a = blas_as_used(values[2], n, k, work->transposes[0]);
    for (size_t j = 0; j < n; j++)
        for (size_t i = work->lower ? j : 0; i < (work->lower ? n : j + 1); i++) {
            double sum = 0, *c = &values[3][j * n + i];
            for (size_t l = 0; l < k; l++) sum += a[l * n + i] * a[l * n + j];
            *c = blas_combine(values[0][0], sum, values[1][0], *c);
        }
}

static void triangle_product(const LibraryWork *work, double *const values[]) { /* alpha, a, b, c */
    FREED double *t = triangle(work, values[1], work->right ? work->n : work->m);
    each(work, t, used_half(work, work->right), values[2], times);
    for (size_t i = 0; i < work->m * work->n; i++) values[3][i] = blas_combine(values[0][0], values[2][i], 0, 0);
}

static void triangle_systems(const LibraryWork *work, double *const values[]) { /* alpha, a, b */
    FREED double *t = triangle(work, values[1], work->right ? work->n : work->m);
    for (size_t i = 0; i < work->m * work->n; i++) values[2][i] = blas_combine(values[0][0], values[2][i], 0, 0);
    if (values[0][0] != 0) each(work, t, used_half(work, work->right), values[2], solve);
}

static void symmetric_product(const LibraryWork *work, double *const values[]) { /* alpha, beta, a, b, c */
    FREED double *a = symmetric(work, values[2], work->right ? work->n : work->m);
    each(work, a, HALF_BOTH, values[3], times);
    for (size_t i = 0; i < work->m * work->n; i++)
        values[4][i] = blas_combine(values[0][0], values[3][i], values[1][0], values[4][i]);
}

/* --- the calls --- */

static void expect_half(BlasCall *call, cublasFillMode_t uplo) {
    blas_expect(call, uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER,
                "uplo is neither CUBLAS_FILL_MODE_LOWER nor _UPPER");
    call->work.lower = uplo == CUBLAS_FILL_MODE_LOWER;
}

static void expect_side(BlasCall *call, cublasSideMode_t side) {
    blas_expect(call, (unsigned)side <= CUBLAS_SIDE_RIGHT, "side is neither CUBLAS_SIDE_LEFT nor _RIGHT");
    call->work.right = side == CUBLAS_SIDE_RIGHT;
}

static void expect_triangle(BlasCall *call, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag) {
    expect_half(call, uplo);
    blas_expect_operations(call, trans, CUBLAS_OP_N);
    blas_expect(call, (unsigned)diag <= CUBLAS_DIAG_UNIT, "diag is neither CUBLAS_DIAG_NON_UNIT nor _UNIT");
    call->work.unit = diag == CUBLAS_DIAG_UNIT;
}

/* A matrix of n x n of which one half is looked at. */
static LibraryOperand *half_matrix(BlasCall *call, const char *name, const void *address, NumberType type, int n, int leading) {
    LibraryOperand *operand = blas_matrix(call, name, address, type, (const int[]){n, n, leading});
    operand->triangle = true;
    return operand;
}

#define TRIANGLE_OF_VECTOR(R, L, N, name, compute)                                                         \
    BLAS_CALL(cublas##L##name##_v2, cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, \
              cublasDiagType_t diag, int n, const R *a, int lda, R *x, int incx)                           \
    BlasCall call = blas_begin(handle, __func__);                                                          \
    blas_expect_sizes(&call, 0, n, 0);                                                                     \
    expect_triangle(&call, uplo, trans, diag);                                                             \
    blas_expect(&call, incx, "an increment is 0");                                                         \
    half_matrix(&call, "A", a, N, n, lda);                                                                 \
    blas_written(blas_vector(&call, "x", x, N, n, incx), true, 0);                                         \
    return call.status || !n ? call.status : blas_submit(&call, compute);                                  \
    }

#define TRIANGLES(R, L, N)                                                                                                   \
    TRIANGLE_OF_VECTOR(R, L, N, trmv, triangle_times)                                                                        \
    TRIANGLE_OF_VECTOR(R, L, N, trsv, triangle_solve)                                                                        \
    BLAS_CALL(cublas##L##symv_v2, cublasHandle_t handle, cublasFillMode_t uplo, int n, const R *alpha, const R *a, int lda,  \
              const R *x, int incx, const R *beta, R *y, int incy)                                                           \
    BlasCall call = blas_begin(handle, __func__);                                                                            \
    blas_expect_sizes(&call, 0, n, 0);                                                                                       \
    expect_half(&call, uplo);                                                                                                \
    blas_expect(&call, incx &&incy, "an increment is 0");                                                                    \
    blas_scalar(&call, "alpha", alpha, N);                                                                                   \
    blas_scalar(&call, "beta", beta, N);                                                                                     \
    half_matrix(&call, "A", a, N, n, lda)->not_if_zero = OF_ALPHA;                                                           \
    blas_vector(&call, "x", x, N, n, incx)->not_if_zero = OF_ALPHA;                                                          \
    blas_written(blas_vector(&call, "y", y, N, n, incy), true, OF_BETA);                                                     \
    return call.status || !n ? call.status : blas_submit(&call, symmetric_times);                                            \
    }                                                                                                                        \
    BLAS_CALL(cublas##L##syrk_v2, cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k,       \
              const R *alpha, const R *a, int lda, const R *beta, R *c, int ldc)                                             \
    BlasCall call = blas_begin(handle, __func__);                                                                            \
    blas_expect_sizes(&call, 0, n, k);                                                                                       \
    expect_half(&call, uplo);                                                                                                \
    blas_expect_operations(&call, trans, CUBLAS_OP_N);                                                                       \
    blas_scalar(&call, "alpha", alpha, N);                                                                                   \
    blas_scalar(&call, "beta", beta, N);                                                                                     \
    blas_used_matrix(&call, "A", a, N, (const int[]){n, k, lda})->not_if_zero = OF_ALPHA;                                    \
    blas_written(half_matrix(&call, "C", c, N, n, ldc), true, 0);                                                            \
    return call.status || !n ? call.status : blas_submit(&call, square);                                                     \
    }                                                                                                                        \
    BLAS_CALL(cublas##L##symm_v2, cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int m, int n,         \
              const R *alpha, const R *a, int lda, const R *b, int ldb, const R *beta, R *c, int ldc)                        \
    BlasCall call = blas_begin(handle, __func__);                                                                            \
    blas_expect_sizes(&call, m, n, 0);                                                                                       \
    expect_side(&call, side);                                                                                                \
    expect_half(&call, uplo);                                                                                                \
    blas_scalar(&call, "alpha", alpha, N);                                                                                   \
    blas_scalar(&call, "beta", beta, N);                                                                                     \
    half_matrix(&call, "A", a, N, call.work.right ? n : m, lda)->not_if_zero = OF_ALPHA;                                     \
    blas_matrix(&call, "B", b, N, (const int[]){m, n, ldb})->not_if_zero = OF_ALPHA;                                         \
    blas_written(blas_matrix(&call, "C", c, N, (const int[]){m, n, ldc}), true, OF_BETA);                                    \
    return call.status || !m || !n ? call.status : blas_submit(&call, symmetric_product);                                    \
    }                                                                                                                        \
    BLAS_CALL(cublas##L##trmm_v2, cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                       \
              cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const R *alpha, const R *a, int lda, const R *b, \
              int ldb, R *c, int ldc)                                                                                        \
    BlasCall call = blas_begin(handle, __func__);                                                                            \
    blas_expect_sizes(&call, m, n, 0);                                                                                       \
    expect_side(&call, side);                                                                                                \
    expect_triangle(&call, uplo, trans, diag);                                                                               \
    blas_scalar(&call, "alpha", alpha, N);                                                                                   \
    half_matrix(&call, "A", a, N, call.work.right ? n : m, lda)->not_if_zero = OF_ALPHA;                                     \
    blas_matrix(&call, "B", b, N, (const int[]){m, n, ldb})->not_if_zero = OF_ALPHA;                                         \
    blas_written(blas_matrix(&call, "C", c, N, (const int[]){m, n, ldc}), false, 0);                                         \
    return call.status || !m || !n ? call.status : blas_submit(&call, triangle_product);                                     \
    }                                                                                                                        \
    BLAS_CALL(cublas##L##trsm_v2, cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                       \
              cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const R *alpha, const R *a, int lda, R *b,       \
              int ldb)                                                                                                       \
    BlasCall call = blas_begin(handle, __func__);                                                                            \
    blas_expect_sizes(&call, m, n, 0);                                                                                       \
    expect_side(&call, side);                                                                                                \
    expect_triangle(&call, uplo, trans, diag);                                                                               \
    blas_scalar(&call, "alpha", alpha, N);                                                                                   \
    half_matrix(&call, "A", a, N, call.work.right ? n : m, lda)->not_if_zero = OF_ALPHA;                                     \
    blas_written(blas_matrix(&call, "B", b, N, (const int[]){m, n, ldb}), true, OF_ALPHA);                                   \
    return call.status || !m || !n ? call.status : blas_submit(&call, triangle_systems);                                     \
    }
TRIANGLES(float, S, NUMBER_F32)
TRIANGLES(double, D, NUMBER_F64)
