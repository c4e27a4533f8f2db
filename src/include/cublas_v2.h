/* cublas_v2.h: the calls of cuBLAS that the emulated device has, for programs that are compiled without NVIDIA's toolkit. */
#pragma once
#define CUBLAS_API_H_ /* programs ask for it */
#define CUBLAS_V2_H_

#include "cuda_runtime_api.h"
#include "library_types.h"

typedef enum cublasStatus_t {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

typedef enum cublasOperation_t {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2,
    CUBLAS_OP_HERMITAN = 2,
    CUBLAS_OP_CONJG = 3
} cublasOperation_t;
typedef enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum cublasMath_t {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum cublasFillMode_t {
    CUBLAS_FILL_MODE_LOWER = 0,
    CUBLAS_FILL_MODE_UPPER = 1,
    CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;
typedef enum cublasSideMode_t { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum cublasComputeType_t {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
    CUBLAS_COMPUTE_32F_EMULATED_16BFX9 = 78,
    CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT = 79
} cublasComputeType_t;
typedef enum cublasGemmAlgo_t {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_ALGO0 = 0,
    CUBLAS_GEMM_ALGO1 = 1,
    CUBLAS_GEMM_ALGO2 = 2,
    CUBLAS_GEMM_ALGO3 = 3,
    CUBLAS_GEMM_ALGO4 = 4,
    CUBLAS_GEMM_ALGO5 = 5,
    CUBLAS_GEMM_ALGO6 = 6,
    CUBLAS_GEMM_ALGO7 = 7,
    CUBLAS_GEMM_ALGO8 = 8,
    CUBLAS_GEMM_ALGO9 = 9,
    CUBLAS_GEMM_ALGO10 = 10,
    CUBLAS_GEMM_ALGO11 = 11,
    CUBLAS_GEMM_ALGO12 = 12,
    CUBLAS_GEMM_ALGO13 = 13,
    CUBLAS_GEMM_ALGO14 = 14,
    CUBLAS_GEMM_ALGO15 = 15,
    CUBLAS_GEMM_ALGO16 = 16,
    CUBLAS_GEMM_ALGO17 = 17,
    CUBLAS_GEMM_ALGO18 = 18,
    CUBLAS_GEMM_ALGO19 = 19,
    CUBLAS_GEMM_ALGO20 = 20,
    CUBLAS_GEMM_ALGO21 = 21,
    CUBLAS_GEMM_ALGO22 = 22,
    CUBLAS_GEMM_ALGO23 = 23,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
    CUBLAS_GEMM_ALGO1_TENSOR_OP = 101,
    CUBLAS_GEMM_ALGO2_TENSOR_OP = 102,
    CUBLAS_GEMM_ALGO3_TENSOR_OP = 103,
    CUBLAS_GEMM_ALGO4_TENSOR_OP = 104,
    CUBLAS_GEMM_ALGO5_TENSOR_OP = 105,
    CUBLAS_GEMM_ALGO6_TENSOR_OP = 106,
    CUBLAS_GEMM_ALGO7_TENSOR_OP = 107,
    CUBLAS_GEMM_ALGO8_TENSOR_OP = 108,
    CUBLAS_GEMM_ALGO9_TENSOR_OP = 109,
    CUBLAS_GEMM_ALGO10_TENSOR_OP = 110,
    CUBLAS_GEMM_ALGO11_TENSOR_OP = 111,
    CUBLAS_GEMM_ALGO12_TENSOR_OP = 112,
    CUBLAS_GEMM_ALGO13_TENSOR_OP = 113,
    CUBLAS_GEMM_ALGO14_TENSOR_OP = 114,
    CUBLAS_GEMM_ALGO15_TENSOR_OP = 115,
    CUBLAS_GEMM_AUTOTUNE = 999
} cublasGemmAlgo_t;
typedef struct cublasContext *cublasHandle_t;

#ifdef __cplusplus
struct __half;

extern "C" {
#endif

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version);
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t bytes);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);
cublasStatus_t cublasSetVector(int n, int bytes, const void *from, int from_step, void *to, int to_step);
cublasStatus_t cublasGetVector(int n, int bytes, const void *from, int from_step, void *to, int to_step);
cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void *from, int from_pitch, void *to, int to_pitch);
cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void *from, int from_pitch, void *to, int to_pitch);

#define WARPSCOPE_BLAS(R, L, I)                                                                                                \
    cublasStatus_t cublas##L##axpy_v2(cublasHandle_t, int n, const R *alpha, const R *x, int incx, R *y, int incy);            \
    cublasStatus_t cublas##L##scal_v2(cublasHandle_t, int n, const R *alpha, R *x, int incx);                                  \
    cublasStatus_t cublas##L##copy_v2(cublasHandle_t, int n, const R *x, int incx, R *y, int incy);                            \
    cublasStatus_t cublas##L##swap_v2(cublasHandle_t, int n, R *x, int incx, R *y, int incy);                                  \
    cublasStatus_t cublas##L##dot_v2(cublasHandle_t, int n, const R *x, int incx, const R *y, int incy, R *result);            \
    cublasStatus_t cublas##L##nrm2_v2(cublasHandle_t, int n, const R *x, int incx, R *result);                                 \
    cublasStatus_t cublas##L##asum_v2(cublasHandle_t, int n, const R *x, int incx, R *result);                                 \
    cublasStatus_t cublas##I##amax_v2(cublasHandle_t, int n, const R *x, int incx, int *result);                               \
    cublasStatus_t cublas##I##amin_v2(cublasHandle_t, int n, const R *x, int incx, int *result);                               \
    cublasStatus_t cublas##L##gemv_v2(cublasHandle_t, cublasOperation_t trans, int m, int n, const R *alpha, const R *a,       \
                                      int lda, const R *x, int incx, const R *beta, R *y, int incy);                           \
    cublasStatus_t cublas##L##ger_v2(cublasHandle_t, int m, int n, const R *alpha, const R *x, int incx, const R *y, int incy, \
                                     R *a, int lda);                                                                           \
    cublasStatus_t cublas##L##geam(cublasHandle_t, cublasOperation_t transa, cublasOperation_t transb, int m, int n,           \
                                   const R *alpha, const R *a, int lda, const R *beta, const R *b, int ldb, R *c, int ldc);    \
    cublasStatus_t cublas##L##symv_v2(cublasHandle_t, cublasFillMode_t uplo, int n, const R *alpha, const R *a, int lda,       \
                                      const R *x, int incx, const R *beta, R *y, int incy);                                    \
    cublasStatus_t cublas##L##trmv_v2(cublasHandle_t, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,   \
                                      int n, const R *a, int lda, R *x, int incx);                                             \
    cublasStatus_t cublas##L##trsv_v2(cublasHandle_t, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,   \
                                      int n, const R *a, int lda, R *x, int incx);                                             \
    cublasStatus_t cublas##L##syrk_v2(cublasHandle_t, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k,            \
                                      const R *alpha, const R *a, int lda, const R *beta, R *c, int ldc);                      \
    cublasStatus_t cublas##L##symm_v2(cublasHandle_t, cublasSideMode_t side, cublasFillMode_t uplo, int m, int n,              \
                                      const R *alpha, const R *a, int lda, const R *b, int ldb, const R *beta, R *c, int ldc); \
    cublasStatus_t cublas##L##trmm_v2(cublasHandle_t, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,   \
                                      cublasDiagType_t diag, int m, int n, const R *alpha, const R *a, int lda, const R *b,    \
                                      int ldb, R *c, int ldc);                                                                 \
    cublasStatus_t cublas##L##trsm_v2(cublasHandle_t, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,   \
                                      cublasDiagType_t diag, int m, int n, const R *alpha, const R *a, int lda, R *b,          \
                                      int ldb);
#define WARPSCOPE_SIZES cublasHandle_t, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k
#define WARPSCOPE_PRODUCTS(R, L, gemm)                                                                                       \
    cublasStatus_t cublas##L##gemm(WARPSCOPE_SIZES, const R *alpha, const R *a, int lda, const R *b, int ldb, const R *beta, \
                                   R *c, int ldc);                                                                           \
    cublasStatus_t cublas##L##gemmStridedBatched(WARPSCOPE_SIZES, const R *alpha, const R *a, int lda, long long stride_a,   \
                                                 const R *b, int ldb, long long stride_b, const R *beta, R *c, int ldc,      \
                                                 long long stride_c, int batch);                                             \
    cublasStatus_t cublas##L##gemmBatched(WARPSCOPE_SIZES, const R *alpha, const R *const a[], int lda, const R *const b[],  \
                                          int ldb, const R *beta, R *const c[], int ldc, int batch);
WARPSCOPE_BLAS(float, S, Is)
WARPSCOPE_BLAS(double, D, Id)
#undef WARPSCOPE_BLAS
WARPSCOPE_PRODUCTS(float, S, gemm_v2)
WARPSCOPE_PRODUCTS(double, D, gemm_v2)
#ifdef __cplusplus
WARPSCOPE_PRODUCTS(struct __half, H, gemm)
#else
WARPSCOPE_PRODUCTS(void, H, gemm)
#endif
#undef WARPSCOPE_PRODUCTS

cublasStatus_t cublasGemmEx(WARPSCOPE_SIZES, const void *alpha, const void *a, cudaDataType_t a_type, int lda, const void *b,
                            cudaDataType_t b_type, int ldb, const void *beta, void *c, cudaDataType_t c_type, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
cublasStatus_t cublasSgemmEx(WARPSCOPE_SIZES, const float *alpha, const void *a, cudaDataType_t a_type, int lda, const void *b,
                             cudaDataType_t b_type, int ldb, const float *beta, void *c, cudaDataType_t c_type, int ldc);
cublasStatus_t cublasGemmStridedBatchedEx(WARPSCOPE_SIZES, const void *alpha, const void *a, cudaDataType_t a_type, int lda,
                                          long long stride_a, const void *b, cudaDataType_t b_type, int ldb, long long stride_b,
                                          const void *beta, void *c, cudaDataType_t c_type, int ldc, long long stride_c,
                                          int batch, cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmBatchedEx(WARPSCOPE_SIZES, const void *alpha, const void *const a[], cudaDataType_t a_type, int lda,
                                   const void *const b[], cudaDataType_t b_type, int ldb, const void *beta, void *const c[],
                                   cudaDataType_t c_type, int ldc, int batch, cublasComputeType_t compute,
                                   cublasGemmAlgo_t algorithm);
#undef WARPSCOPE_SIZES

#ifdef __cplusplus
}

/* Older programs say how to compute by a type of numbers. */
static inline cublasComputeType_t warpscope_compute(cudaDataType_t type) {
    switch (type) {
    case CUDA_R_16F: return CUBLAS_COMPUTE_16F;
    case CUDA_R_64F: return CUBLAS_COMPUTE_64F;
    case CUDA_R_32I: return CUBLAS_COMPUTE_32I;
    default: return CUBLAS_COMPUTE_32F;
    }
}
#define WARPSCOPE_SIZES cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k
static inline cublasStatus_t cublasGemmEx(WARPSCOPE_SIZES, const void *alpha, const void *a, cudaDataType_t a_type, int lda,
                                          const void *b, cudaDataType_t b_type, int ldb, const void *beta, void *c,
                                          cudaDataType_t c_type, int ldc, cudaDataType_t compute, cublasGemmAlgo_t algorithm) {
    return cublasGemmEx(handle, transa, transb, m, n, k, alpha, a, a_type, lda, b, b_type, ldb, beta, c, c_type, ldc,
                        warpscope_compute(compute), algorithm);
}
static inline cublasStatus_t cublasGemmStridedBatchedEx(WARPSCOPE_SIZES, const void *alpha, const void *a,
                                                        cudaDataType_t a_type, int lda, long long stride_a, const void *b,
                                                        cudaDataType_t b_type, int ldb, long long stride_b, const void *beta,
                                                        void *c, cudaDataType_t c_type, int ldc, long long stride_c, int batch,
                                                        cudaDataType_t compute, cublasGemmAlgo_t algorithm) {
    return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, a, a_type, lda, stride_a, b, b_type, ldb,
                                      stride_b, beta, c, c_type, ldc, stride_c, batch, warpscope_compute(compute), algorithm);
}
static inline cublasStatus_t cublasGemmBatchedEx(WARPSCOPE_SIZES, const void *alpha, const void *const a[],
                                                 cudaDataType_t a_type, int lda, const void *const b[], cudaDataType_t b_type,
                                                 int ldb, const void *beta, void *const c[], cudaDataType_t c_type, int ldc,
                                                 int batch, cudaDataType_t compute, cublasGemmAlgo_t algorithm) {
    return cublasGemmBatchedEx(handle, transa, transb, m, n, k, alpha, a, a_type, lda, b, b_type, ldb, beta, c, c_type, ldc,
                               batch, warpscope_compute(compute), algorithm);
}
#undef WARPSCOPE_SIZES
#endif
#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasGetVersion cublasGetVersion_v2
#define cublasSetStream cublasSetStream_v2
#define cublasGetStream cublasGetStream_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasGetPointerMode cublasGetPointerMode_v2
#define cublasSetWorkspace cublasSetWorkspace_v2
#define cublasSaxpy cublasSaxpy_v2
#define cublasDaxpy cublasDaxpy_v2
#define cublasSscal cublasSscal_v2
#define cublasDscal cublasDscal_v2
#define cublasScopy cublasScopy_v2
#define cublasDcopy cublasDcopy_v2
#define cublasSswap cublasSswap_v2
#define cublasDswap cublasDswap_v2
#define cublasSdot cublasSdot_v2
#define cublasDdot cublasDdot_v2
#define cublasSnrm2 cublasSnrm2_v2
#define cublasDnrm2 cublasDnrm2_v2
#define cublasSasum cublasSasum_v2
#define cublasDasum cublasDasum_v2
#define cublasIsamax cublasIsamax_v2
#define cublasIdamax cublasIdamax_v2
#define cublasIsamin cublasIsamin_v2
#define cublasIdamin cublasIdamin_v2
#define cublasSgemv cublasSgemv_v2
#define cublasDgemv cublasDgemv_v2
#define cublasSger cublasSger_v2
#define cublasDger cublasDger_v2
#define cublasSgemm cublasSgemm_v2
#define cublasDgemm cublasDgemm_v2
#define cublasSsymv cublasSsymv_v2
#define cublasDsymv cublasDsymv_v2
#define cublasStrmv cublasStrmv_v2
#define cublasDtrmv cublasDtrmv_v2
#define cublasStrsv cublasStrsv_v2
#define cublasDtrsv cublasDtrsv_v2
#define cublasSsyrk cublasSsyrk_v2
#define cublasDsyrk cublasDsyrk_v2
#define cublasSsymm cublasSsymm_v2
#define cublasDsymm cublasDsymm_v2
#define cublasStrmm cublasStrmm_v2
#define cublasDtrmm cublasDtrmm_v2
#define cublasStrsm cublasStrsm_v2
#define cublasDtrsm cublasDtrsm_v2
