/* blas.h: handles of cuBLAS's, and how its calls become work of streams. Internal to src/runtime. */
#pragma once

#include "include/cublas_v2.h"
#include "runtime/submit.h"

struct cublasContext {
    struct cublasContext *next;
    cudaStream_t stream;
    cublasPointerMode_t pointers;
    cublasMath_t math;
};

/* A program that has a library itself linked into it keeps that one's calls; a shared library's are overridden. */
#define BLAS_WEAK __attribute__((weak))

/* A call that is being put together: its first complaint is its answer. */
typedef struct BlasCall {
    cublasHandle_t handle;
    cublasStatus_t status;
    bool waits; /* for a result on the host */
    LibraryWork work;
} BlasCall;

/* function: __func__ of the call. Refuses what is no handle. */
BlasCall blas_begin(cublasHandle_t handle, const char *function);

/* The call is refused, and why is told, unless the condition holds. */
void blas_expect(BlasCall *call, bool condition, const char *why);

/* The next operand. Sizes are of the matrix as it is stored, in numbers; pitch from column to column. */
LibraryOperand *blas_matrix(BlasCall *call, const char *name, const void *address, NumberType type, const int shape[3]);
/* A or B, which is transposed if the call says so: sizes are as it is used. */
LibraryOperand *blas_used_matrix(BlasCall *call, const char *name, const void *address, NumberType type, const int shape[3]);
LibraryOperand *blas_vector(BlasCall *call, const char *name, const void *address, NumberType type, int count, int increment);

/* A scalar where the handle's pointers are: read now, from the host's memory, or in the stream's order. */
LibraryOperand *blas_scalar(BlasCall *call, const char *name, const void *address, NumberType type);
/* A result of the kind, for which the call waits where it is the host's. */
LibraryOperand *blas_result(BlasCall *call, const void *address, NumberType type);

enum { OF_ALPHA = 1, OF_BETA = 2 }; /* the first two operands, by their numbers from 1 */

/* What was added to a call is written, and read where it reads. */
LibraryOperand *blas_written(LibraryOperand *operand, bool reads, unsigned not_if_zero);

/* m, n and k of the call, none of which may be negative. */
void blas_expect_sizes(BlasCall *call, int m, int n, int k);
/* Whether A and B are transposed. */
void blas_expect_operations(BlasCall *call, cublasOperation_t a, cublasOperation_t b);

/* Gives it to the stream. */
cublasStatus_t blas_submit(BlasCall *call, LibraryCompute *compute);

/* Ends all handles, as the device's reset does. */
void blas_reset(Context *context);

/* Begins the definition of a call that programs make. */
#define BLAS_CALL(name, ...)                     \
    BLAS_WEAK cublasStatus_t name(__VA_ARGS__) { \
        CALLSITE_BEGIN();

/* rows x columns, of a matrix that is stored as it is or transposed. On the heap. */
double *blas_as_used(const double *stored, size_t rows, size_t columns, bool transposed);

/* alpha * sum + beta * c, of which c is not looked at where beta is 0, nor the sum where alpha is. */
double blas_combine(double alpha, double sum, double beta, double c);

/* A LibraryCompute of alpha, beta, A, B and C. */
void blas_multiply(const LibraryWork *work, double *const values[]);
