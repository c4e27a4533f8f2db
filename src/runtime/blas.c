#include "runtime/blas.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "runtime/capture.h"

static bool is_handle(const Context *context, cublasHandle_t handle) {
    const struct cublasContext *known = context->blas;
    while (known && known != handle) known = known->next;
    return known;
}

static void note_no_handle(const char *call) {
    note("%s: the handle is none that cublasCreate has made and neither cublasDestroy nor cudaDeviceReset has ended", call);
}

/* --- putting a call together --- */

BlasCall blas_begin(cublasHandle_t handle, const char *function) {
    BlasCall call = {.handle = handle, .work.batch = 1};
    const size_t length = strlen(function), ending = length > 3 && strcmp(function + length - 3, "_v2") == 0 ? 3 : 0;
    snprintf(call.work.call, sizeof call.work.call, "%.*s", (int)(length - ending), function);
    Context *context = context_lock();
    if (!is_handle(context, handle)) {
        call.status = CUBLAS_STATUS_NOT_INITIALIZED;
        note_no_handle(call.work.call);
    }
    context_unlock(context);
    return call;
}

void blas_expect(BlasCall *call, bool condition, const char *why) {
    if (condition || call->status) return;
    call->status = CUBLAS_STATUS_INVALID_VALUE;
    Context *context = context_lock();
    note("%s: CUBLAS_STATUS_INVALID_VALUE: %s", call->work.call, why);
    context_unlock(context);
}

double *blas_as_used(const double *stored, size_t rows, size_t columns, bool transposed) {
    double *used = alloc_zeroed(rows * columns + 1, sizeof *used);
    for (size_t j = 0; j < columns; j++)
        for (size_t i = 0; i < rows; i++) used[j * rows + i] = transposed ? stored[i * columns + j] : stored[j * rows + i];
    return used;
}

double blas_combine(double alpha, double sum, double beta, double c) {
    return (alpha != 0 ? alpha * sum : 0) + (beta != 0 ? beta * c : 0);
}

void blas_expect_sizes(BlasCall *call, int m, int n, int k) {
    blas_expect(call, m >= 0 && n >= 0 && k >= 0, "a size is negative");
    call->work.m = m > 0 ? (size_t)m : 0;
    call->work.n = n > 0 ? (size_t)n : 0;
    call->work.k = k > 0 ? (size_t)k : 0;
}

void blas_expect_operations(BlasCall *call, cublasOperation_t a, cublasOperation_t b) {
    blas_expect(call, (unsigned)a <= CUBLAS_OP_C && (unsigned)b <= CUBLAS_OP_C,
                "an operation is none of CUBLAS_OP_N, _T and _C");
    call->work.transposes[0] = a != CUBLAS_OP_N;
    call->work.transposes[1] = b != CUBLAS_OP_N;
}

LibraryOperand *blas_written(LibraryOperand *operand, bool reads, unsigned not_if_zero) {
    operand->reads = reads;
    operand->writes = true;
    operand->not_if_zero = not_if_zero;
    return operand;
}

static LibraryOperand *add(BlasCall *call, LibraryOperand operand) {
    LibraryOperand *place = &call->work.operands[call->work.count++];
    *place = operand;
    return place;
}

LibraryOperand *blas_matrix(BlasCall *call, const char *name, const void *address, NumberType type, const int shape[3]) {
    const int rows = shape[0], columns = shape[1], pitch = shape[2];
    LOCAL_TEXT why = text_from("the leading dimension of %s is %d, and a column has %d numbers", name, pitch, rows);
    blas_expect(call, pitch >= (rows > 1 ? rows : 1), text_string(&why));
    if (call->status) return add(call, (LibraryOperand){.type = type});
    blas_expect(call, address || !rows || !columns, "a matrix is a null pointer");
    const size_t bytes = number_bytes(type);
    return add(call, (LibraryOperand){.name = name,
                                      .at = {(uintptr_t)address, (size_t)pitch * bytes, 0},
                                      .box = {(size_t)rows * bytes, (size_t)columns, 1},
                                      .type = type,
                                      .reads = true});
}

LibraryOperand *blas_used_matrix(BlasCall *call, const char *name, const void *address, NumberType type, const int shape[3]) {
    const bool transposed = call->work.transposes[name[0] == 'B'];
    return blas_matrix(call, name, address, type, transposed ? (const int[]){shape[1], shape[0], shape[2]} : shape);
}

LibraryOperand *blas_vector(BlasCall *call, const char *name, const void *address, NumberType type, int count, int increment) {
    const size_t bytes = number_bytes(type), step = (size_t)(increment < 0 ? -(int64_t)increment : increment);
    blas_expect(call, address || count <= 0, "a vector is a null pointer");
    LibraryOperand operand = {.name = name,
                              .at = {(uintptr_t)address, step * bytes, 0},
                              .box = {bytes, count > 0 ? (size_t)count : 0, 1},
                              .type = type,
                              .reads = true,
                              .backwards = increment < 0};
    if (step == 1) operand.box = (Box){bytes * operand.box.height, count > 0, 1};
    return add(call, operand);
}

LibraryOperand *blas_scalar(BlasCall *call, const char *name, const void *address, NumberType type) {
    blas_expect(call, address, "a scalar is a null pointer");
    if (call->status) return add(call, (LibraryOperand){.type = type});
    LibraryOperand operand = {.name = name, .box = {number_bytes(type), 1, 1}, .type = type};
    if (call->handle->pointers == CUBLAS_POINTER_MODE_HOST)
        operand.value = number_load(type, address);
    else
        operand.at = (Side){(uintptr_t)address, operand.box.width, 0}, operand.reads = true;
    return add(call, operand);
}

LibraryOperand *blas_result(BlasCall *call, const void *address, NumberType type) {
    blas_expect(call, address, "the result is a null pointer");
    if (call->status) return add(call, (LibraryOperand){.type = type});
    call->waits = call->handle->pointers == CUBLAS_POINTER_MODE_HOST;
    const size_t bytes = number_bytes(type);
    return add(call, (LibraryOperand){.name = "the result",
                                      .at = {(uintptr_t)address, bytes, 0},
                                      .box = {bytes, 1, 1},
                                      .type = type,
                                      .writes = true,
                                      .on_host = call->waits});
}

static cudaError_t submit_to(Context *context, Stream *stream, const BlasCall *call) {
    if (call->waits && stream->capture) { /* nobody can wait for what is only being captured */
        capture_invalidate(stream->capture);
        return cudaErrorStreamCaptureUnsupported;
    }
    LibraryWork *work = alloc_bytes(sizeof *work);
    *work = call->work;
    stream_hold(stream);
    cudaError_t error = stream_submit(context, stream, &(Work){.kind = WORK_LIBRARY, .library = work});
    if (!error && call->waits) error = stream_host_waits(context, order_ready(context, stream));
    stream_release(context, stream);
    return error;
}

cublasStatus_t blas_submit(BlasCall *call, LibraryCompute *compute) {
    if (call->status) return call->status;
    cudaError_t error;
    Context *context = api_begin(&error);
    call->work.compute = compute;
    if (context) {
        Stream *stream = stream_find(context, call->handle->stream);
        error = stream ? submit_to(context, stream, call) : cudaErrorInvalidResourceHandle;
    }
    return api_end(context, error) ? CUBLAS_STATUS_EXECUTION_FAILED : CUBLAS_STATUS_SUCCESS;
}

/* --- handles --- */

BLAS_WEAK cublasStatus_t cublasCreate_v2(cublasHandle_t *handle) {
    CALLSITE_BEGIN();
    if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
    cudaError_t error;
    Context *context = api_begin(&error);
    *handle = NULL;
    if (context) {
        *handle = alloc_zeroed(1, sizeof **handle);
        (*handle)->next = context->blas;
        context->blas = *handle;
    }
    return api_end(context, error) ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS;
}

BLAS_WEAK cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
    CALLSITE_BEGIN();
    Context *context = context_lock(); /* of two threads that destroy it, one finds it */
    struct cublasContext **at = &context->blas;
    while (*at && *at != handle) at = &(*at)->next;
    const bool found = *at;
    if (found)
        *at = handle->next;
    else
        note_no_handle("cublasDestroy");
    context_unlock(context);
    if (found) free(handle);
    return found ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

void blas_reset(Context *context) {
    while (context->blas) {
        struct cublasContext *gone = context->blas;
        context->blas = gone->next;
        free(gone);
    }
}

BLAS_WEAK cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version) {
    CALLSITE_BEGIN();
    enum { VERSION = 130000 }; /* of CUDA 13.0's */
    BlasCall call = blas_begin(handle, __func__);
    blas_expect(&call, version, "there is no place for the version");
    if (!call.status) *version = VERSION;
    return call.status;
}

/* What a handle has, and what it is to have: a call of a handle and of a value or a place for one. */
#define OF_HANDLE(name, parameter, condition, action)                          \
    BLAS_WEAK cublasStatus_t name(cublasHandle_t handle, parameter) {          \
        CALLSITE_BEGIN();                                                      \
        BlasCall call = blas_begin(handle, __func__);                          \
        blas_expect(&call, condition, "the second argument is no such value"); \
        if (!call.status) action;                                              \
        return call.status;                                                    \
    }
OF_HANDLE(cublasSetStream_v2, cudaStream_t stream, true, handle->stream = stream)
OF_HANDLE(cublasGetStream_v2, cudaStream_t *stream, stream, *stream = handle->stream)
OF_HANDLE(cublasSetPointerMode_v2, cublasPointerMode_t mode, (unsigned)mode <= CUBLAS_POINTER_MODE_DEVICE,
          handle->pointers = mode)
OF_HANDLE(cublasGetPointerMode_v2, cublasPointerMode_t *mode, mode, *mode = handle->pointers)
OF_HANDLE(cublasSetMathMode, cublasMath_t mode, (unsigned)mode < 32, handle->math = mode)
OF_HANDLE(cublasGetMathMode, cublasMath_t *mode, mode, *mode = handle->math)

/* Nothing here needs one. */
BLAS_WEAK cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t bytes) {
    CALLSITE_BEGIN();
    BlasCall call = blas_begin(handle, __func__);
    blas_expect(&call, workspace || !bytes, "the workspace is a null pointer");
    return call.status;
}

static const struct {
    cublasStatus_t status;
    const char *name, *text;
} statuses[] = {{CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
                {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized"},
                {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
                {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE", "an invalid value was given"},
                {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED", "the execution failed"},
                {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED", "the call is not supported"}};

BLAS_WEAK const char *cublasGetStatusName(cublasStatus_t status) {
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].status == status) return statuses[i].name;
    return "unknown status";
}

BLAS_WEAK const char *cublasGetStatusString(cublasStatus_t status) {
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].status == status) return statuses[i].text;
    return "unknown status";
}

/* --- copies --- */

static cublasStatus_t copied(cudaError_t error) { return error ? CUBLAS_STATUS_MAPPING_ERROR : CUBLAS_STATUS_SUCCESS; }

static cublasStatus_t copy(const int shape[3], const void *from, const int steps[2], void *to, enum cudaMemcpyKind kind) {
    const int rows = shape[0], columns = shape[1], bytes = shape[2];
    if (rows < 0 || columns < 0 || bytes <= 0 || steps[0] < (rows > 1 ? rows : 1) || steps[1] < (rows > 1 ? rows : 1))
        return CUBLAS_STATUS_INVALID_VALUE;
    const size_t size = (size_t)bytes;
    if (!rows || !columns) return CUBLAS_STATUS_SUCCESS;
    return copied(
        cudaMemcpy2D(to, (size_t)steps[1] * size, from, (size_t)steps[0] * size, (size_t)rows * size, (size_t)columns, kind));
}

#define COPIES(direction, kind)                                                                                            \
    BLAS_WEAK cublasStatus_t cublas##direction##Vector(int n, int bytes, const void *from, int from_step, void *to,        \
                                                       int to_step) {                                                      \
        CALLSITE_BEGIN();                                                                                                  \
        return copy((const int[]){1, n, bytes}, from, (const int[]){from_step, to_step}, to, kind);                        \
    }                                                                                                                      \
    BLAS_WEAK cublasStatus_t cublas##direction##Matrix(int rows, int columns, int bytes, const void *from, int from_pitch, \
                                                       void *to, int to_pitch) {                                           \
        CALLSITE_BEGIN();                                                                                                  \
        return copy((const int[]){rows, columns, bytes}, from, (const int[]){from_pitch, to_pitch}, to, kind);             \
    }
COPIES(Set, cudaMemcpyHostToDevice)
COPIES(Get, cudaMemcpyDeviceToHost)
