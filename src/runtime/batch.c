/* Copies that one call describes many of, and copies of boxes from device to device, which are this one's own. */
#include "runtime/batch.h"

#include "runtime/array.h"
#include "runtime/copy.h"
#include "runtime/submit.h"

/* --- between devices --- */

static API_CALL(copy_peer, (const struct cudaMemcpy3DPeerParms *given, cudaStream_t stream), (given, stream));
static cudaError_t copy_peer_locked(Context *context, const struct cudaMemcpy3DPeerParms *given, cudaStream_t stream) {
    Work work;
    if (!given) return cudaErrorInvalidValue;
    if (given->srcDevice || given->dstDevice) return cudaErrorInvalidDevice;
    const struct cudaMemcpy3DParms same = {.srcArray = given->srcArray,
                                           .srcPos = given->srcPos,
                                           .srcPtr = given->srcPtr,
                                           .dstArray = given->dstArray,
                                           .dstPos = given->dstPos,
                                           .dstPtr = given->dstPtr,
                                           .extent = given->extent,
                                           .kind = cudaMemcpyDeviceToDevice};
    const cudaError_t error = copy_described(context, &same, true, &work);
    if (error || !work.copy.box.width) return error;
    return submit_work(context, stream, &work);
}

PER_THREAD(cudaMemcpy3DPeer, _ptds, (const struct cudaMemcpy3DPeerParms *parameters), (parameters));
static cudaError_t cudaMemcpy3DPeer_called(const struct cudaMemcpy3DPeerParms *parameters) {
    return copy_peer(parameters, NULL);
}

PER_THREAD(cudaMemcpy3DPeerAsync, _ptsz, (const struct cudaMemcpy3DPeerParms *parameters, cudaStream_t stream),
           (parameters, stream));
static cudaError_t cudaMemcpy3DPeerAsync_called(const struct cudaMemcpy3DPeerParms *parameters, cudaStream_t stream) {
    return copy_peer(parameters, stream);
}

/* --- rows --- */

/* The stream of a batch: no default stream. NULL, and the error, where it may not have one. */
static Stream *batch_stream(Context *context, cudaStream_t handle, cudaError_t *error) {
    Stream *stream = stream_find(context, handle);
    *error = !stream ? cudaErrorInvalidResourceHandle : stream->legacy ? cudaErrorInvalidValue : cudaSuccess;
    if (!*error && stream->capture) *error = cudaErrorStreamCaptureUnsupported;
    return *error ? NULL : stream;
}

static bool is_order(enum cudaMemcpySrcAccessOrder order) {
    return order >= cudaMemcpySrcAccessOrderStream && order <= cudaMemcpySrcAccessOrderAny;
}

/* Hints of where memory is, which nothing looks at. */
static bool is_hint(struct cudaMemLocation place) { return place.type != cudaMemLocationTypeDevice || place.id == 0; }

static bool is_attribute(const struct cudaMemcpyAttributes *attribute) {
    return is_order(attribute->srcAccessOrder) && is_hint(attribute->srcLocHint) && is_hint(attribute->dstLocHint) &&
           !(attribute->flags & ~(unsigned)cudaMemcpyFlagPreferOverlapWithCompute);
}

bool batch_are_indices(const size_t *indices, size_t count, size_t described) {
    bool good = indices && count && count <= described && indices[0] == 0;
    for (size_t i = 1; good && i < count; i++) good = indices[i] > indices[i - 1] && indices[i] < described;
    return good;
}

typedef struct RowBatch {
    void *const *to;
    const void *const *from;
    const size_t *bytes;
    size_t count;
    const struct cudaMemcpyAttributes *attributes;
    const size_t *indices;
    size_t n_attributes;
} RowBatch;

static bool is_batch(const RowBatch *batch) {
    bool good = batch->to && batch->from && batch->bytes && batch->count && batch->attributes &&
                batch_are_indices(batch->indices, batch->n_attributes, batch->count);
    for (size_t i = 0; good && i < batch->n_attributes; i++) good = is_attribute(&batch->attributes[i]);
    for (size_t i = 0; good && i < batch->count; i++) good = batch->to[i] && batch->from[i] && batch->bytes[i];
    return good;
}

static Work row_of(const RowBatch *batch, size_t i) {
    const size_t bytes = batch->bytes[i];
    return (Work){.kind = WORK_COPY,
                  .copy = {.to = {.address = (uintptr_t)batch->to[i], .pitch = bytes},
                           .from = {.address = (uintptr_t)batch->from[i], .pitch = bytes},
                           .box = {bytes, 1, 1},
                           .kind = cudaMemcpyDefault,
                           .async = true}};
}

static API_CALL(copy_rows, (const RowBatch *batch, cudaStream_t handle), (batch, handle));
static cudaError_t copy_rows_locked(Context *context, const RowBatch *batch, cudaStream_t handle) {
    cudaError_t error = is_batch(batch) ? cudaSuccess : cudaErrorInvalidValue;
    Stream *stream = error ? NULL : batch_stream(context, handle, &error);
    for (size_t i = 0; !error && i < batch->count; i++) { /* none is done where one is wrong */
        const Work work = row_of(batch, i);
        error = stream_check(context, stream, &work);
    }
    if (error) return error;
    stream_hold(stream);
    for (size_t i = 0; !error && i < batch->count; i++) {
        Work work = row_of(batch, i);
        error = stream_submit(context, stream, &work);
    }
    stream_release(context, stream);
    return error;
}

PER_THREAD(cudaMemcpyBatchAsync, _ptsz,
           (void *const *to, const void *const *from, const size_t *bytes, size_t count,
            struct cudaMemcpyAttributes *attributes, size_t *indices, size_t n_attributes, cudaStream_t stream),
           (to, from, bytes, count, attributes, indices, n_attributes, stream));
static cudaError_t cudaMemcpyBatchAsync_called(void *const *to, const void *const *from, const size_t *bytes, size_t count,
                                               struct cudaMemcpyAttributes *attributes, size_t *indices, size_t n_attributes,
                                               cudaStream_t stream) {
    return copy_rows(&(RowBatch){to, from, bytes, count, attributes, indices, n_attributes}, stream);
}

/* --- boxes --- */

/* One end of a copy: rows of memory, as long as the box's where no length is given, or an array. */
static bool end_of(const struct cudaMemcpy3DOperand *operand, const struct cudaExtent *box, size_t texel,
                   struct cudaPitchedPtr *memory, cudaArray_t *array, struct cudaPos *at) {
    const size_t row = operand->op.ptr.rowLength ? operand->op.ptr.rowLength : box->width;
    const size_t rows = operand->op.ptr.layerHeight ? operand->op.ptr.layerHeight : box->height;
    switch ((int)operand->type) {
    case cudaMemcpyOperandTypePointer:
        *memory = (struct cudaPitchedPtr){operand->op.ptr.ptr, row * texel, row * texel, rows};
        return operand->op.ptr.ptr && row >= box->width && rows >= box->height && row <= SIZE_MAX / texel;
    case cudaMemcpyOperandTypeArray:
        *array = operand->op.array.array;
        *at = (struct cudaPos){operand->op.array.offset.x, operand->op.array.offset.y, operand->op.array.offset.z};
        return *array;
    }
    return false;
}

/* Bytes of a texel of the array that takes part; 1 where none does. */
static size_t texel_of(const Context *context, const struct cudaMemcpy3DOperand *operand) {
    const bool is_array = operand->type == cudaMemcpyOperandTypeArray;
    const struct cudaArray *array = is_array ? array_find(context, operand->op.array.array) : NULL;
    return array ? format_bytes(&array->format) : 1;
}

static cudaError_t describe_box(const Context *context, const struct cudaMemcpy3DBatchOp *given, Work *work) {
    struct cudaMemcpy3DParms copy = {.extent = given->extent, .kind = cudaMemcpyDefault};
    const size_t of_source = texel_of(context, &given->src), of_target = texel_of(context, &given->dst);
    const size_t texel = of_source > of_target ? of_source : of_target;
    const bool known = !(given->flags & ~(unsigned)cudaMemcpyFlagPreferOverlapWithCompute) && is_order(given->srcAccessOrder);
    if (!known || !given->extent.width || !given->extent.height || !given->extent.depth ||
        !end_of(&given->src, &given->extent, texel, &copy.srcPtr, &copy.srcArray, &copy.srcPos) ||
        !end_of(&given->dst, &given->extent, texel, &copy.dstPtr, &copy.dstArray, &copy.dstPos))
        return cudaErrorInvalidValue;
    return copy_described(context, &copy, true, work) ? cudaErrorInvalidValue : cudaSuccess;
}

PER_THREAD_CALL(cudaMemcpy3DBatchAsync, _ptsz,
                (size_t count, struct cudaMemcpy3DBatchOp *copies, unsigned long long flags, cudaStream_t handle),
                (count, copies, flags, handle));
static cudaError_t cudaMemcpy3DBatchAsync_locked(Context *context, size_t count, struct cudaMemcpy3DBatchOp *copies,
                                                 unsigned long long flags, cudaStream_t handle) {
    Work work;
    cudaError_t error = count && copies && !flags ? cudaSuccess : cudaErrorInvalidValue;
    Stream *stream = error ? NULL : batch_stream(context, handle, &error);
    for (size_t i = 0; !error && i < count; i++) {
        error = describe_box(context, &copies[i], &work);
        if (!error) error = stream_check(context, stream, &work);
    }
    if (error) return error;
    stream_hold(stream);
    for (size_t i = 0; !error && i < count; i++) {
        error = describe_box(context, &copies[i], &work);
        if (!error) error = stream_submit(context, stream, &work);
    }
    stream_release(context, stream);
    return error;
}
