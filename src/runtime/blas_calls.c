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

/* rows x columns, of a matrix that is stored as it is or transposed. On the heap. */
static double *as_used(const double *stored, size_t rows, size_t columns, bool transposed) {
    double *used = alloc_zeroed(rows * columns + 1, sizeof *used);
    for (size_t j = 0; j < columns; j++)
        for (size_t i = 0; i < rows; i++) used[j * rows + i] = transposed ? stored[i * columns + j] : stored[j * rows + i];
    return used;
}

/* alpha * sum + beta * c, of which c is not looked at where beta is 0, nor the sum where alpha is. */
static double combine(double alpha, double sum, double beta, double c) {
    return (alpha != 0 ? alpha * sum : 0) + (beta != 0 ? beta * c : 0);
}

static void multiply(const LibraryWork *work, double *const values[]) { /* alpha, beta, a, b, c */
    const size_t m = work->m, n = work->n, k = work->k;
    FREED double *a = as_used(values[2], m, k, work->transposes[0]);
    FREED double *b = as_used(values[3], k, n, work->transposes[1]);
    FREED double *sums = alloc_zeroed(m + 1, sizeof *sums);
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < m; i++) sums[i] = 0;
        for (size_t l = 0; l < k; l++)
            for (size_t i = 0; i < m; i++) sums[i] += a[l * m + i] * b[j * k + l];
        double *c = values[4] + j * m;
        for (size_t i = 0; i < m; i++) c[i] = combine(values[0][0], sums[i], values[1][0], c[i]);
    }
}

static void add_product(const LibraryWork *work, double *const values[]) { /* alpha, x, y, a */
    for (size_t j = 0; j < work->n; j++)
        for (size_t i = 0; i < work->m; i++) values[3][j * work->m + i] += values[0][0] * values[1][i] * values[2][j];
}

static void add_matrices(const LibraryWork *work, double *const values[]) { /* alpha, beta, a, b, c */
    FREED double *a = as_used(values[2], work->m, work->n, work->transposes[0]);
    FREED double *b = as_used(values[3], work->m, work->n, work->transposes[1]);
    for (size_t i = 0; i < work->m * work->n; i++) values[4][i] = combine(values[0][0], a[i], values[1][0], b[i]);
}

/* --- the calls --- */

enum { OF_ALPHA = 1, OF_BETA = 2 }; /* the first two operands, by their numbers from 1 */

static void expect_sizes(BlasCall *call, int m, int n, int k) {
    blas_expect(call, m >= 0 && n >= 0 && k >= 0, "a size is negative");
    call->work.m = m > 0 ? (size_t)m : 0;
    call->work.n = n > 0 ? (size_t)n : 0;
    call->work.k = k > 0 ? (size_t)k : 0;
}

static void expect_operations(BlasCall *call, cublasOperation_t a, cublasOperation_t b) {
    blas_expect(call, (unsigned)a <= CUBLAS_OP_C && (unsigned)b <= CUBLAS_OP_C,
                "an operation is none of CUBLAS_OP_N, _T and _C");
    call->work.transposes[0] = a != CUBLAS_OP_N;
    call->work.transposes[1] = b != CUBLAS_OP_N;
}

/* A matrix that is rows x columns as it is used. */
static LibraryOperand *used_matrix(BlasCall *call, const char *name, const void *address, NumberType type, const int shape[3]) {
    const bool transposed = call->work.transposes[name[0] == 'B'];
    return blas_matrix(call, name, address, type, transposed ? (const int[]){shape[1], shape[0], shape[2]} : shape);
}

static LibraryOperand *written(LibraryOperand *operand, bool reads, unsigned not_if_zero) {
    operand->reads = reads;
    operand->writes = true;
    operand->not_if_zero = not_if_zero;
    return operand;
}

/* A vector's call with no number in it does nothing; what has a result says 0. */
static BlasCall begin_vectors(cublasHandle_t handle, const char *function, int n) {
    BlasCall call = blas_begin(handle, function);
    call.work.n = n > 0 ? (size_t)n : 0;
    return call;
}

/* C = alpha A B + beta C, once or for each of a batch: matrices, leading dimensions and strides of A, B and C, the last two in numbers. */
typedef struct BlasProduct {
    cublasOperation_t operations[2];
    int m, n, k;
    const void *alpha, *beta, *matrices[3];
    int leading[3];
    long long strides[3];
    int batch;
} BlasProduct;

static cublasStatus_t submit_product(BlasCall *call, NumberType type, const BlasProduct *product) {
    const int m = product->m, n = product->n, k = product->k, *leading = product->leading;
    expect_sizes(call, m, n, k);
    expect_operations(call, product->operations[0], product->operations[1]);
    blas_scalar(call, "alpha", product->alpha, type);
    blas_scalar(call, "beta", product->beta, type);
    LibraryOperand *const matrices[] = {
        used_matrix(call, "A", product->matrices[0], type, (const int[]){m, k, leading[0]}),
        used_matrix(call, "B", product->matrices[1], type, (const int[]){k, n, leading[1]}),
        written(blas_matrix(call, "C", product->matrices[2], type, (const int[]){m, n, leading[2]}), true, OF_BETA)};
    blas_expect(call, product->batch >= 0, "the batch's count is negative");
    for (int i = 0; i < 3; i++) {
        blas_expect(call, product->strides[i] >= 0, "a stride is negative");
        matrices[i]->at.slice = (size_t)product->strides[i] * (type == NUMBER_F64 ? 8 : 4);
        matrices[i]->box.depth = (size_t)product->batch;
    }
    matrices[0]->not_if_zero = matrices[1]->not_if_zero = OF_ALPHA;
    call->work.batch = (size_t)product->batch;
    return call->status || !m || !n || !product->batch ? call->status : blas_submit(call, multiply);
}

#define CALL(name, ...)                          \
    BLAS_WEAK cublasStatus_t name(__VA_ARGS__) { \
        CALLSITE_BEGIN();

#define VECTORS(R, L, I, N)                                                                                      \
    CALL(cublas##L##axpy_v2, cublasHandle_t handle, int n, const R *alpha, const R *x, int incx, R *y, int incy) \
    BlasCall call = begin_vectors(handle, __func__, n);                                                          \
    blas_scalar(&call, "alpha", alpha, N);                                                                       \
    blas_vector(&call, "x", x, N, n, incx)->not_if_zero = OF_ALPHA;                                              \
    written(blas_vector(&call, "y", y, N, n, incy), true, 0);                                                    \
    return n <= 0 ? call.status : blas_submit(&call, axpy);                                                      \
    }                                                                                                            \
    CALL(cublas##L##scal_v2, cublasHandle_t handle, int n, const R *alpha, R *x, int incx)                       \
    BlasCall call = begin_vectors(handle, __func__, n);                                                          \
    blas_scalar(&call, "alpha", alpha, N);                                                                       \
    written(blas_vector(&call, "x", x, N, n, incx), true, 0);                                                    \
    return n <= 0 || incx <= 0 ? call.status : blas_submit(&call, scale);                                        \
    }                                                                                                            \
    CALL(cublas##L##copy_v2, cublasHandle_t handle, int n, const R *x, int incx, R *y, int incy)                 \
    BlasCall call = begin_vectors(handle, __func__, n);                                                          \
    blas_vector(&call, "x", x, N, n, incx);                                                                      \
    written(blas_vector(&call, "y", y, N, n, incy), false, 0);                                                   \
    return n <= 0 ? call.status : blas_submit(&call, take_over);                                                 \
    }                                                                                                            \
    CALL(cublas##L##swap_v2, cublasHandle_t handle, int n, R *x, int incx, R *y, int incy)                       \
    BlasCall call = begin_vectors(handle, __func__, n);                                                          \
    written(blas_vector(&call, "x", x, N, n, incx), true, 0);                                                    \
    written(blas_vector(&call, "y", y, N, n, incy), true, 0);                                                    \
    return n <= 0 ? call.status : blas_submit(&call, exchange);                                                  \
    }                                                                                                            \
    CALL(cublas##L##dot_v2, cublasHandle_t handle, int n, const R *x, int incx, const R *y, int incy, R *result) \
    BlasCall call = begin_vectors(handle, __func__, n);                                                          \
    blas_vector(&call, "x", x, N, n, incx);                                                                      \
    blas_vector(&call, "y", y, N, n, incy);                                                                      \
    blas_result(&call, result, N);                                                                               \
    return blas_submit(&call, dot);                                                                              \
    }                                                                                                            \
    REDUCTION(cublas##L##nrm2_v2, R, R, N, N, norm)                                                              \
    REDUCTION(cublas##L##asum_v2, R, R, N, N, sum_sizes)                                                         \
    REDUCTION(cublas##I##amax_v2, R, int, N, NUMBER_I32, find_largest)                                           \
    REDUCTION(cublas##I##amin_v2, R, int, N, NUMBER_I32, find_smallest)

/* Of a vector whose increment is not positive there is nothing. */
#define REDUCTION(name, R, Result, N, of_result, compute)                          \
    CALL(name, cublasHandle_t handle, int n, const R *x, int incx, Result *result) \
    BlasCall call = begin_vectors(handle, __func__, incx > 0 ? n : 0);             \
    blas_vector(&call, "x", x, N, incx > 0 ? n : 0, incx);                         \
    blas_result(&call, result, of_result);                                         \
    return blas_submit(&call, compute);                                            \
    }

#define MATRICES(R, L, N)                                                                                                    \
    CALL(cublas##L##gemv_v2, cublasHandle_t handle, cublasOperation_t trans, int m, int n, const R *alpha, const R *a,       \
         int lda, const R *x, int incx, const R *beta, R *y, int incy)                                                       \
    BlasCall call = blas_begin(handle, __func__);                                                                            \
    const int rows = trans == CUBLAS_OP_N ? m : n, columns = trans == CUBLAS_OP_N ? n : m;                                   \
    expect_sizes(&call, rows, 1, columns);                                                                                   \
    expect_operations(&call, trans, CUBLAS_OP_N);                                                                            \
    blas_expect(&call, incx &&incy, "an increment is 0");                                                                    \
    blas_scalar(&call, "alpha", alpha, N);                                                                                   \
    blas_scalar(&call, "beta", beta, N);                                                                                     \
    blas_matrix(&call, "A", a, N, (const int[]){m, n, lda})->not_if_zero = OF_ALPHA;                                         \
    blas_vector(&call, "x", x, N, columns, incx)->not_if_zero = OF_ALPHA;                                                    \
    written(blas_vector(&call, "y", y, N, rows, incy), true, OF_BETA);                                                       \
    return call.status || !m || !n ? call.status : blas_submit(&call, multiply);                                             \
    }                                                                                                                        \
    CALL(cublas##L##ger_v2, cublasHandle_t handle, int m, int n, const R *alpha, const R *x, int incx, const R *y, int incy, \
         R *a, int lda)                                                                                                      \
    BlasCall call = blas_begin(handle, __func__);                                                                            \
    expect_sizes(&call, m, n, 0);                                                                                            \
    blas_expect(&call, incx &&incy, "an increment is 0");                                                                    \
    blas_scalar(&call, "alpha", alpha, N);                                                                                   \
    blas_vector(&call, "x", x, N, m, incx)->not_if_zero = OF_ALPHA;                                                          \
    blas_vector(&call, "y", y, N, n, incy)->not_if_zero = OF_ALPHA;                                                          \
    written(blas_matrix(&call, "A", a, N, (const int[]){m, n, lda}), true, 0);                                               \
    return call.status || !m || !n ? call.status : blas_submit(&call, add_product);                                          \
    }                                                                                                                        \
    CALL(cublas##L##gemmStridedBatched, cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,    \
         int n, int k, const R *alpha, const R *a, int lda, long long stride_a, const R *b, int ldb, long long stride_b,     \
         const R *beta, R *c, int ldc, long long stride_c, int batch)                                                        \
    BlasCall call = blas_begin(handle, __func__);                                                                            \
    return submit_product(                                                                                                   \
        &call, N,                                                                                                            \
        &(BlasProduct){                                                                                                      \
            {transa, transb}, m, n, k, alpha, beta, {a, b, c}, {lda, ldb, ldc}, {stride_a, stride_b, stride_c}, batch});     \
    }                                                                                                                        \
    CALL(cublas##L##gemm_v2, cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, \
         const R *alpha, const R *a, int lda, const R *b, int ldb, const R *beta, R *c, int ldc)                             \
    BlasCall call = blas_begin(handle, __func__);                                                                            \
    return submit_product(&call, N,                                                                                          \
                          &(BlasProduct){{transa, transb}, m, n, k, alpha, beta, {a, b, c}, {lda, ldb, ldc}, {0}, 1});       \
    }                                                                                                                        \
    CALL(cublas##L##geam, cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,           \
         const R *alpha, const R *a, int lda, const R *beta, const R *b, int ldb, R *c, int ldc)                             \
    BlasCall call = blas_begin(handle, __func__);                                                                            \
    expect_sizes(&call, m, n, 0);                                                                                            \
    expect_operations(&call, transa, transb);                                                                                \
    blas_scalar(&call, "alpha", alpha, N);                                                                                   \
    blas_scalar(&call, "beta", beta, N);                                                                                     \
    used_matrix(&call, "A", a, N, (const int[]){m, n, lda})->not_if_zero = OF_ALPHA;                                         \
    used_matrix(&call, "B", b, N, (const int[]){m, n, ldb})->not_if_zero = OF_BETA;                                          \
    written(blas_matrix(&call, "C", c, N, (const int[]){m, n, ldc}), false, 0);                                              \
    return call.status || !m || !n ? call.status : blas_submit(&call, add_matrices);                                         \
    }

VECTORS(float, S, Is, NUMBER_F32)
VECTORS(double, D, Id, NUMBER_F64)
MATRICES(float, S, NUMBER_F32)
MATRICES(double, D, NUMBER_F64)
