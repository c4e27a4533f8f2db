/* cuBLAS's products of matrices, one or many, of all types that it multiplies here. Computed in double and rounded once; of integers nothing is rounded. */
#include <stdlib.h>

#include "base/alloc.h"
#include "runtime/blas.h"
#include "runtime/libraries.h"

/* alpha * sum + beta * c of whole numbers, which wraps in 32 bits. */
static double combine_whole(double alpha, double sum, double beta, double c) {
    const uint64_t all = (uint64_t)(int64_t)alpha * (uint64_t)(int64_t)sum + (uint64_t)(int64_t)beta * (uint64_t)(int64_t)c;
    return (int32_t)(uint32_t)all;
}

void blas_multiply(const LibraryWork *work, double *const values[]) { /* alpha, beta, a, b, c */
    const size_t m = work->m, n = work->n, k = work->k;
    FREED double *a = blas_as_used(values[2], m, k, work->transposes[0]);
    FREED double *b = blas_as_used(values[3], k, n, work->transposes[1]);
    FREED double *sums = alloc_zeroed(m + 1, sizeof *sums);
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < m; i++) sums[i] = 0;
        for (size_t l = 0; l < k; l++)
            for (size_t i = 0; i < m; i++) sums[i] += a[l * m + i] * b[j * k + l];
        double *c = values[4] + j * m;
        for (size_t i = 0; i < m; i++)
            c[i] = (work->whole ? combine_whole : blas_combine)(values[0][0], sums[i], values[1][0], c[i]);
    }
}

/* C = alpha A B + beta C, once or for each of a batch: matrices, leading dimensions and strides of A, B and C, the last two in numbers. */
typedef struct BlasProduct {
    cublasOperation_t operations[2];
    int m, n, k;
    const void *alpha, *beta, *matrices[3]; /* listed: lists of as many matrices as the batch has */
    int leading[3];
    long long strides[3];
    int batch;
    bool listed;
} BlasProduct;

/* Of A, B and C, and of what they are multiplied by. */
typedef struct ProductTypes {
    NumberType matrices[3], scalars;
} ProductTypes;
#define ALL_OF(type) (&(ProductTypes){{type, type, type}, type})

static cublasStatus_t submit_product(BlasCall *call, const ProductTypes *types, const BlasProduct *product) {
    const int m = product->m, n = product->n, k = product->k, *leading = product->leading;
    const NumberType *type = types->matrices;
    blas_expect_sizes(call, m, n, k);
    blas_expect_operations(call, product->operations[0], product->operations[1]);
    blas_scalar(call, "alpha", product->alpha, types->scalars);
    blas_scalar(call, "beta", product->beta, types->scalars);
    LibraryOperand *const matrices[] = {
        blas_used_matrix(call, "A", product->matrices[0], type[0], (const int[]){m, k, leading[0]}),
        blas_used_matrix(call, "B", product->matrices[1], type[1], (const int[]){k, n, leading[1]}),
        blas_written(blas_matrix(call, "C", product->matrices[2], type[2], (const int[]){m, n, leading[2]}), true, OF_BETA)};
    blas_expect(call, product->batch >= 0, "the batch's count is negative");
    for (int i = 0; i < 3; i++) {
        blas_expect(call, product->strides[i] >= 0, "a stride is negative");
        matrices[i]->at.slice = (size_t)product->strides[i] * number_bytes(type[i]);
        matrices[i]->box.depth = product->listed ? 1 : (size_t)product->batch;
        matrices[i]->listed = product->listed;
    }
    matrices[0]->not_if_zero = matrices[1]->not_if_zero = OF_ALPHA;
    call->work.batch = (size_t)product->batch;
    call->work.whole = types->scalars == NUMBER_I32;
    return call->status || !m || !n || !product->batch ? call->status : blas_submit(call, blas_multiply);
}

/* --- all of one type --- */

#define SIZES cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k
#define PRODUCTS(R, L, gemm, N)                                                                                               \
    BLAS_CALL(cublas##L##gemm, SIZES, const R *alpha, const R *a, int lda, const R *b, int ldb, const R *beta, R *c, int ldc) \
    BlasCall call = blas_begin(handle, __func__);                                                                             \
    return submit_product(&call, ALL_OF(N),                                                                                   \
                          &(BlasProduct){{transa, transb}, m, n, k, alpha, beta, {a, b, c}, {lda, ldb, ldc}, {0}, 1, false}); \
    }                                                                                                                         \
    BLAS_CALL(cublas##L##gemmStridedBatched, SIZES, const R *alpha, const R *a, int lda, long long stride_a, const R *b,      \
              int ldb, long long stride_b, const R *beta, R *c, int ldc, long long stride_c, int batch)                       \
    BlasCall call = blas_begin(handle, __func__);                                                                             \
    return submit_product(&call, ALL_OF(N),                                                                                   \
                          &(BlasProduct){{transa, transb},                                                                    \
                                         m,                                                                                   \
                                         n,                                                                                   \
                                         k,                                                                                   \
                                         alpha,                                                                               \
                                         beta,                                                                                \
                                         {a, b, c},                                                                           \
                                         {lda, ldb, ldc},                                                                     \
                                         {stride_a, stride_b, stride_c},                                                      \
                                         batch,                                                                               \
                                         false});                                                                             \
    }                                                                                                                         \
    BLAS_CALL(cublas##L##gemmBatched, SIZES, const R *alpha, const R *const a[], int lda, const R *const b[], int ldb,        \
              const R *beta, R *const c[], int ldc, int batch)                                                                \
    BlasCall call = blas_begin(handle, __func__);                                                                             \
    return submit_product(                                                                                                    \
        &call, ALL_OF(N),                                                                                                     \
        &(BlasProduct){{transa, transb}, m, n, k, alpha, beta, {a, b, c}, {lda, ldb, ldc}, {0}, batch, true});                \
    }

PRODUCTS(float, S, gemm_v2, NUMBER_F32)
PRODUCTS(double, D, gemm_v2, NUMBER_F64)
PRODUCTS(void, H, gemm, NUMBER_F16)

/* --- of types that the call says --- */

typedef struct GivenTypes {
    cudaDataType_t matrices[3];
    cublasComputeType_t compute;
} GivenTypes;

/* cuBLAS Library, cublasGemmEx: which types go together. */
static const struct {
    cudaDataType_t factors, product, scalars;
    bool fast; /* also where factors may be rounded first, which they are not here */
} together[] = {{CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, false},   {CUDA_R_8I, CUDA_R_32I, CUDA_R_32I, false},
                {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, false}, {CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, false},
                {CUDA_R_8I, CUDA_R_32F, CUDA_R_32F, false},    {CUDA_R_16BF, CUDA_R_32F, CUDA_R_32F, false},
                {CUDA_R_16F, CUDA_R_32F, CUDA_R_32F, false},   {CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, true},
                {CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, false}};

/* False: no such way to compute. */
static bool scalars_of(cublasComputeType_t compute, cudaDataType_t *scalars, bool *fast) {
    *fast = false;
    switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC: *scalars = CUDA_R_16F; return true;
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_EMULATED_16BFX9:
    case CUBLAS_COMPUTE_32F_FAST_TF32: *fast = true; /* fall through */
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC: *scalars = CUDA_R_32F; return true;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
    case CUBLAS_COMPUTE_64F_PEDANTIC: *scalars = CUDA_R_64F; return true;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC: *scalars = CUDA_R_32I; return true;
    }
    return false;
}

static NumberType number_of(cudaDataType_t type) {
    static const unsigned char types[] = {[CUDA_R_32F] = NUMBER_F32, [CUDA_R_64F] = NUMBER_F64, [CUDA_R_16F] = NUMBER_F16,
                                          [CUDA_R_8I] = NUMBER_I8,   [CUDA_R_32I] = NUMBER_I32, [CUDA_R_16BF] = NUMBER_BF16};
    return types[type];
}

static cublasStatus_t refuse_types(const BlasCall *call) {
    LOCAL_TEXT what = text_from("%s of these types", call->work.call);
    Context *context = context_lock();
    library_refuse(context, text_string(&what), "CUBLAS_STATUS_NOT_SUPPORTED");
    context_unlock(context);
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

static cublasStatus_t submit_given(BlasCall *call, const GivenTypes *given, const BlasProduct *product) {
    const cudaDataType_t *type = given->matrices;
    cudaDataType_t scalars = CUDA_R_32F;
    bool fast = false, known = false;
    if (call->status) return call->status;
    blas_expect(call, scalars_of(given->compute, &scalars, &fast), "there is no such cublasComputeType_t");
    if (call->status) return call->status;
    for (size_t i = 0; i < sizeof together / sizeof *together && !known; i++)
        known = together[i].factors == type[0] && type[1] == type[0] && together[i].product == type[2] &&
                together[i].scalars == scalars && (together[i].fast || !fast);
    if (!known) return refuse_types(call);
    const ProductTypes types = {{number_of(type[0]), number_of(type[1]), number_of(type[2])}, number_of(scalars)};
    return submit_product(call, &types, product);
}

BLAS_WEAK cublasStatus_t cublasGemmEx(SIZES, const void *alpha, const void *a, cudaDataType_t a_type, int lda, const void *b,
                                      cudaDataType_t b_type, int ldb, const void *beta, void *c, cudaDataType_t c_type, int ldc,
                                      cublasComputeType_t compute, cublasGemmAlgo_t algorithm) {
    CALLSITE_BEGIN();
    (void)algorithm; /* one for all */
    BlasCall call = blas_begin(handle, __func__);
    return submit_given(&call, &(GivenTypes){{a_type, b_type, c_type}, compute},
                        &(BlasProduct){{transa, transb}, m, n, k, alpha, beta, {a, b, c}, {lda, ldb, ldc}, {0}, 1, false});
}

BLAS_WEAK cublasStatus_t cublasSgemmEx(SIZES, const float *alpha, const void *a, cudaDataType_t a_type, int lda, const void *b,
                                       cudaDataType_t b_type, int ldb, const float *beta, void *c, cudaDataType_t c_type,
                                       int ldc) {
    CALLSITE_BEGIN();
    BlasCall call = blas_begin(handle, __func__);
    return submit_given(&call, &(GivenTypes){{a_type, b_type, c_type}, CUBLAS_COMPUTE_32F},
                        &(BlasProduct){{transa, transb}, m, n, k, alpha, beta, {a, b, c}, {lda, ldb, ldc}, {0}, 1, false});
}

BLAS_WEAK cublasStatus_t cublasGemmStridedBatchedEx(SIZES, const void *alpha, const void *a, cudaDataType_t a_type, int lda,
                                                    long long stride_a, const void *b, cudaDataType_t b_type, int ldb,
                                                    long long stride_b, const void *beta, void *c, cudaDataType_t c_type,
                                                    int ldc, long long stride_c, int batch, cublasComputeType_t compute,
                                                    cublasGemmAlgo_t algorithm) {
    CALLSITE_BEGIN();
    (void)algorithm;
    BlasCall call = blas_begin(handle, __func__);
    const BlasProduct product = {
        {transa, transb}, m, n, k, alpha, beta, {a, b, c}, {lda, ldb, ldc}, {stride_a, stride_b, stride_c}, batch, false};
    return submit_given(&call, &(GivenTypes){{a_type, b_type, c_type}, compute}, &product);
}

BLAS_WEAK cublasStatus_t cublasGemmBatchedEx(SIZES, const void *alpha, const void *const a[], cudaDataType_t a_type, int lda,
                                             const void *const b[], cudaDataType_t b_type, int ldb, const void *beta,
                                             void *const c[], cudaDataType_t c_type, int ldc, int batch,
                                             cublasComputeType_t compute, cublasGemmAlgo_t algorithm) {
    CALLSITE_BEGIN();
    (void)algorithm;
    BlasCall call = blas_begin(handle, __func__);
    return submit_given(&call, &(GivenTypes){{a_type, b_type, c_type}, compute},
                        &(BlasProduct){{transa, transb}, m, n, k, alpha, beta, {a, b, c}, {lda, ldb, ldc}, {0}, batch, true});
}
