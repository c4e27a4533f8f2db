/* cuBLAS's calls of levels 1 to 3, for float and double. All is computed in double and rounded once, so that results agree with NVIDIA's within rounding. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "runtime/blas.h"

/* Operands come in the order in which a call adds them; values[i] is that one's. */

/* --- level 1 --- */

static void axpy(const LibraryWork *work, double *const values[]) { /* alpha, x, y */
    for (size_t i = 0; i < work->n; i++) values[2][i] += values[0][0] * values[1][i];
}

static void scale(const LibraryWork *work, double *const values[]) { /* alpha, x */
    for (size_t i = 0; i < work->n; i++) values[1][i] *= values[0][0];
}

static void take_over(const LibraryWork *work, double *const values[]) { /* x, y */
    for (size_t i = 0; i < work->n; i++) values[1][i] = values[0][i];
}

static void exchange(const LibraryWork *work, double *const values[]) { /* x, y */
    for (size_t i = 0; i < work->n; i++) {
        const double x = values[0][i];
        values[0][i] = values[1][i];
        values[1][i] = x;
    }
}

static void dot(const LibraryWork *work, double *const values[]) { /* x, y, result */
    double sum = 0;
    for (size_t i = 0; i < work->n; i++) sum += values[0][i] * values[1][i];
    values[2][0] = sum;
}

/* Scaled by the largest, so that no square leaves a double's range. */
static void norm(const LibraryWork *work, double *const values[]) { /* x, result */
    double most = 0, sum = 0;
    for (size_t i = 0; i < work->n; i++) most = isnan(values[0][i]) ? values[0][i] : fmax(most, fabs(values[0][i]));
    for (size_t i = 0; most > 0 && isfinite(most) && i < work->n; i++) sum += values[0][i] / most * (values[0][i] / most);
    values[1][0] = isfinite(most) ? most * sqrt(sum) : most;
    for (size_t i = 0; i < work->n; i++)
        if (isnan(values[0][i])) values[1][0] = values[0][i];
}

static void sum_sizes(const LibraryWork *work, double *const values[]) { /* x, result */
    double sum = 0;
    for (size_t i = 0; i < work->n; i++) sum += fabs(values[0][i]);
    values[1][0] = sum;
}

/* The first of the largest or the smallest, counted from 1 as in Fortran; 0: there is none. */
static void find_largest(const LibraryWork *work, double *const values[]) { /* x, result */
    size_t found = 0;
    for (size_t i = 1; i < work->n; i++)
        if (fabs(values[0][i]) > fabs(values[0][found])) found = i;
    values[1][0] = work->n ? (double)(found + 1) : 0;
}

static void find_smallest(const LibraryWork *work, double *const values[]) { /* x, result */
    size_t found = 0;
    for (size_t i = 1; i < work->n; i++)
        if (fabs(values[0][i]) < fabs(values[0][found])) found = i;
    values[1][0] = work->n ? (double)(found + 1) : 0;
}

/* --- levels 2 and 3 --- */

static void add_product(const LibraryWork *work, double *const values[]) { /* alpha, x, y, a */
    for (size_t j = 0; j < work->n; j++)
        for (size_t i = 0; i < work->m; i++) values[3][j * work->m + i] += values[0][0] * values[1][i] * values[2][j];
}

static void add_matrices(const LibraryWork *work, double *const values[]) { /* alpha, beta, a, b, c */
    FREED double *a = blas_as_used(values[2], work->m, work->n, work->transposes[0]);
    FREED double *b = blas_as_used(values[3], work->m, work->n, work->transposes[1]);
    for (size_t i = 0; i < work->m * work->n; i++) values[4][i] = blas_combine(values[0][0], a[i], values[1][0], b[i]);
}

/* --- the calls --- */

/* A vector's call with no number in it does nothing; what has a result says 0. */
static BlasCall begin_vectors(cublasHandle_t handle, const char *function, int n) {
    BlasCall call = blas_begin(handle, function);
    call.work.n = n > 0 ? (size_t)n : 0;
    return call;
}

#define VECTORS(R, L, I, N)                                                                                           \
    BLAS_CALL(cublas##L##axpy_v2, cublasHandle_t handle, int n, const R *alpha, const R *x, int incx, R *y, int incy) \
    BlasCall call = begin_vectors(handle, __func__, n);                                                               \
    blas_scalar(&call, "alpha", alpha, N);                                                                            \
    blas_vector(&call, "x", x, N, n, incx)->not_if_zero = OF_ALPHA;                                                   \
    blas_written(blas_vector(&call, "y", y, N, n, incy), true, 0);                                                    \
    return n <= 0 ? call.status : blas_submit(&call, axpy);                                                           \
    }                                                                                                                 \
    BLAS_CALL(cublas##L##scal_v2, cublasHandle_t handle, int n, const R *alpha, R *x, int incx)                       \
    BlasCall call = begin_vectors(handle, __func__, n);                                                               \
    blas_scalar(&call, "alpha", alpha, N);                                                                            \
    blas_written(blas_vector(&call, "x", x, N, n, incx), true, 0);                                                    \
    return n <= 0 || incx <= 0 ? call.status : blas_submit(&call, scale);                                             \
    }                                                                                                                 \
    BLAS_CALL(cublas##L##copy_v2, cublasHandle_t handle, int n, const R *x, int incx, R *y, int incy)                 \
    BlasCall call = begin_vectors(handle, __func__, n);                                                               \
    blas_vector(&call, "x", x, N, n, incx);                                                                           \
    blas_written(blas_vector(&call, "y", y, N, n, incy), false, 0);                                                   \
    return n <= 0 ? call.status : blas_submit(&call, take_over);                                                      \
    }                                                                                                                 \
    BLAS_CALL(cublas##L##swap_v2, cublasHandle_t handle, int n, R *x, int incx, R *y, int incy)                       \
    BlasCall call = begin_vectors(handle, __func__, n);                                                               \
    blas_written(blas_vector(&call, "x", x, N, n, incx), true, 0);                                                    \
    blas_written(blas_vector(&call, "y", y, N, n, incy), true, 0);                                                    \
    return n <= 0 ? call.status : blas_submit(&call, exchange);                                                       \
    }                                                                                                                 \
    BLAS_CALL(cublas##L##dot_v2, cublasHandle_t handle, int n, const R *x, int incx, const R *y, int incy, R *result) \
    BlasCall call = begin_vectors(handle, __func__, n);                                                               \
    blas_vector(&call, "x", x, N, n, incx);                                                                           \
    blas_vector(&call, "y", y, N, n, incy);                                                                           \
    blas_result(&call, result, N);                                                                                    \
    return blas_submit(&call, dot);                                                                                   \
    }                                                                                                                 \
    REDUCTION(cublas##L##nrm2_v2, R, R, N, N, norm)                                                                   \
    REDUCTION(cublas##L##asum_v2, R, R, N, N, sum_sizes)                                                              \
    REDUCTION(cublas##I##amax_v2, R, int, N, NUMBER_I32, find_largest)                                                \
    REDUCTION(cublas##I##amin_v2, R, int, N, NUMBER_I32, find_smallest)

/* Of a vector whose increment is not positive there is nothing. */
#define REDUCTION(name, R, Result, N, of_result, compute)                               \
    BLAS_CALL(name, cublasHandle_t handle, int n, const R *x, int incx, Result *result) \
    BlasCall call = begin_vectors(handle, __func__, incx > 0 ? n : 0);                  \
    blas_vector(&call, "x", x, N, incx > 0 ? n : 0, incx);                              \
    blas_result(&call, result, of_result);                                              \
    return blas_submit(&call, compute);                                                 \
    }

#define MATRICES(R, L, N)                                                                                                   \
    BLAS_CALL(cublas##L##gemv_v2, cublasHandle_t handle, cublasOperation_t trans, int m, int n, const R *alpha, const R *a, \
              int lda, const R *x, int incx, const R *beta, R *y, int incy)                                                 \
    BlasCall call = blas_begin(handle, __func__);                                                                           \
    const int rows = trans == CUBLAS_OP_N ? m : n, columns = trans == CUBLAS_OP_N ? n : m;                                  \
    blas_expect_sizes(&call, rows, 1, columns);                                                                             \
    blas_expect_operations(&call, trans, CUBLAS_OP_N);                                                                      \
    blas_expect(&call, incx &&incy, "an increment is 0");                                                                   \
    blas_scalar(&call, "alpha", alpha, N);                                                                                  \
    blas_scalar(&call, "beta", beta, N);                                                                                    \
    blas_matrix(&call, "A", a, N, (const int[]){m, n, lda})->not_if_zero = OF_ALPHA;                                        \
    blas_vector(&call, "x", x, N, columns, incx)->not_if_zero = OF_ALPHA;                                                   \
    blas_written(blas_vector(&call, "y", y, N, rows, incy), true, OF_BETA);                                                 \
    return call.status || !m || !n ? call.status : blas_submit(&call, blas_multiply);                                       \
    }                                                                                                                       \
    BLAS_CALL(cublas##L##ger_v2, cublasHandle_t handle, int m, int n, const R *alpha, const R *x, int incx, const R *y,     \
              int incy, R *a, int lda)                                                                                      \
    BlasCall call = blas_begin(handle, __func__);                                                                           \
    blas_expect_sizes(&call, m, n, 0);                                                                                      \
    blas_expect(&call, incx &&incy, "an increment is 0");                                                                   \
    blas_scalar(&call, "alpha", alpha, N);                                                                                  \
    blas_vector(&call, "x", x, N, m, incx)->not_if_zero = OF_ALPHA;                                                         \
    blas_vector(&call, "y", y, N, n, incy)->not_if_zero = OF_ALPHA;                                                         \
    blas_written(blas_matrix(&call, "A", a, N, (const int[]){m, n, lda}), true, 0);                                         \
    return call.status || !m || !n ? call.status : blas_submit(&call, add_product);                                         \
    }                                                                                                                       \
    BLAS_CALL(cublas##L##geam, cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,     \
              const R *alpha, const R *a, int lda, const R *beta, const R *b, int ldb, R *c, int ldc)                       \
    BlasCall call = blas_begin(handle, __func__);                                                                           \
    blas_expect_sizes(&call, m, n, 0);                                                                                      \
    blas_expect_operations(&call, transa, transb);                                                                          \
    blas_scalar(&call, "alpha", alpha, N);                                                                                  \
    blas_scalar(&call, "beta", beta, N);                                                                                    \
    blas_used_matrix(&call, "A", a, N, (const int[]){m, n, lda})->not_if_zero = OF_ALPHA;                                   \
    blas_used_matrix(&call, "B", b, N, (const int[]){m, n, ldb})->not_if_zero = OF_BETA;                                    \
    blas_written(blas_matrix(&call, "C", c, N, (const int[]){m, n, ldc}), false, 0);                                        \
    return call.status || !m || !n ? call.status : blas_submit(&call, add_matrices);                                        \
    }

VECTORS(float, S, Is, NUMBER_F32)
VECTORS(double, D, Id, NUMBER_F64)
MATRICES(float, S, NUMBER_F32)
MATRICES(double, D, NUMBER_F64)
