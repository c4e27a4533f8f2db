/* The calls that copy to arrays and from them, but cudaMemcpy3D: an array's side is its rows in the device's memory. */
#include "runtime/array.h"
#include "runtime/submit.h"

/* One side: an array where there is one, else memory. Offsets in an array are bytes and rows. */
typedef struct ArrayEnd {
    cudaArray_const_t array;
    size_t x, y;
    uintptr_t address;
    size_t pitch;
} ArrayEnd;

static ArrayEnd of_array(cudaArray_const_t array, size_t x, size_t y) { return (ArrayEnd){.array = array, .x = x, .y = y}; }
static ArrayEnd of_memory(const void *address, size_t pitch) {
    return (ArrayEnd){.address = (uintptr_t)address, .pitch = pitch};
}

/* rows: a box of rows; else bytes that go on from row to row, as an array has them. */
typedef struct ArrayCopy {
    ArrayEnd to, from;
    size_t width, height;
    bool rows;
    enum cudaMemcpyKind kind;
    bool async;
} ArrayCopy;

static cudaError_t find_side(const Context *context, const ArrayCopy *copy, const ArrayEnd *end, Side *side) {
    *side = (Side){.address = end->address, .pitch = end->pitch};
    if (!end->array) return end->address ? cudaSuccess : cudaErrorInvalidValue;
    const struct cudaArray *array = array_find(context, end->array);
    if (!array) return cudaErrorInvalidResourceHandle;
    const struct cudaPos at = {end->x, end->y, 0};
    *side = array_side(array, end->x, end->y, 0);
    if (copy->rows) return array_holds(array, &at, (Box){copy->width, copy->height, 1}) ? cudaSuccess : cudaErrorInvalidValue;
    side->pitch = copy->width;
    if (!array_holds(array, &at, (Box){0, 1, 1})) return cudaErrorInvalidValue;
    const size_t left = array->allocation->bytes - (side->address - array->allocation->address);
    return copy->width <= left ? cudaSuccess : cudaErrorInvalidValue;
}

static API_CALL(copy_array, (cudaStream_t handle, ArrayCopy copy), (handle, copy));
static cudaError_t copy_array_locked(Context *context, cudaStream_t handle, ArrayCopy copy) {
    Work work = {.kind = WORK_COPY, .copy = {.box = {copy.width, copy.height, 1}, .kind = copy.kind, .async = copy.async}};
    if (!copy.width || !copy.height) return cudaSuccess;
    cudaError_t error = find_side(context, &copy, &copy.to, &work.copy.to);
    if (!error) error = find_side(context, &copy, &copy.from, &work.copy.from);
    return error ? error : submit_work(context, handle, &work);
}

/* --- boxes of rows --- */

PER_THREAD(cudaMemcpy2DToArray, _ptds,
           (cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height,
            enum cudaMemcpyKind kind),
           (to, x, y, from, pitch, width, height, kind));
static cudaError_t cudaMemcpy2DToArray_called(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                              size_t height, enum cudaMemcpyKind kind) {
    return copy_array(NULL, (ArrayCopy){of_array(to, x, y), of_memory(from, pitch), width, height, true, kind, false});
}

PER_THREAD(cudaMemcpy2DToArrayAsync, _ptsz,
           (cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height,
            enum cudaMemcpyKind kind, cudaStream_t stream),
           (to, x, y, from, pitch, width, height, kind, stream));
static cudaError_t cudaMemcpy2DToArrayAsync_called(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                                   size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
    return copy_array(stream, (ArrayCopy){of_array(to, x, y), of_memory(from, pitch), width, height, true, kind, true});
}

PER_THREAD(cudaMemcpy2DFromArray, _ptds,
           (void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width, size_t height,
            enum cudaMemcpyKind kind),
           (to, pitch, from, x, y, width, height, kind));
static cudaError_t cudaMemcpy2DFromArray_called(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                                size_t width, size_t height, enum cudaMemcpyKind kind) {
    return copy_array(NULL, (ArrayCopy){of_memory(to, pitch), of_array(from, x, y), width, height, true, kind, false});
}

PER_THREAD(cudaMemcpy2DFromArrayAsync, _ptsz,
           (void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width, size_t height,
            enum cudaMemcpyKind kind, cudaStream_t stream),
           (to, pitch, from, x, y, width, height, kind, stream));
static cudaError_t cudaMemcpy2DFromArrayAsync_called(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                                     size_t width, size_t height, enum cudaMemcpyKind kind,
                                                     cudaStream_t stream) {
    return copy_array(stream, (ArrayCopy){of_memory(to, pitch), of_array(from, x, y), width, height, true, kind, true});
}

PER_THREAD(cudaMemcpy2DArrayToArray, _ptds,
           (cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x, size_t from_y, size_t width,
            size_t height, enum cudaMemcpyKind kind),
           (to, to_x, to_y, from, from_x, from_y, width, height, kind));
static cudaError_t cudaMemcpy2DArrayToArray_called(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                                   size_t from_x, size_t from_y, size_t width, size_t height,
                                                   enum cudaMemcpyKind kind) {
    const ArrayEnd source = of_array(from, from_x, from_y);
    return copy_array(NULL, (ArrayCopy){of_array(to, to_x, to_y), source, width, height, true, kind, true});
}

/* --- bytes that go on from row to row --- */

PER_THREAD(cudaMemcpyToArray, _ptds,
           (cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, enum cudaMemcpyKind kind),
           (to, x, y, from, bytes, kind));
static cudaError_t cudaMemcpyToArray_called(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                                            enum cudaMemcpyKind kind) {
    return copy_array(NULL, (ArrayCopy){of_array(to, x, y), of_memory(from, bytes), bytes, 1, false, kind, false});
}

PER_THREAD(cudaMemcpyToArrayAsync, _ptsz,
           (cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream),
           (to, x, y, from, bytes, kind, stream));
static cudaError_t cudaMemcpyToArrayAsync_called(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                                                 enum cudaMemcpyKind kind, cudaStream_t stream) {
    return copy_array(stream, (ArrayCopy){of_array(to, x, y), of_memory(from, bytes), bytes, 1, false, kind, true});
}

PER_THREAD(cudaMemcpyFromArray, _ptds,
           (void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind),
           (to, from, x, y, bytes, kind));
static cudaError_t cudaMemcpyFromArray_called(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                              enum cudaMemcpyKind kind) {
    return copy_array(NULL, (ArrayCopy){of_memory(to, bytes), of_array(from, x, y), bytes, 1, false, kind, false});
}

PER_THREAD(cudaMemcpyFromArrayAsync, _ptsz,
           (void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream),
           (to, from, x, y, bytes, kind, stream));
static cudaError_t cudaMemcpyFromArrayAsync_called(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                                   enum cudaMemcpyKind kind, cudaStream_t stream) {
    return copy_array(stream, (ArrayCopy){of_memory(to, bytes), of_array(from, x, y), bytes, 1, false, kind, true});
}

PER_THREAD(cudaMemcpyArrayToArray, _ptds,
           (cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x, size_t from_y, size_t bytes,
            enum cudaMemcpyKind kind),
           (to, to_x, to_y, from, from_x, from_y, bytes, kind));
static cudaError_t cudaMemcpyArrayToArray_called(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                                 size_t from_x, size_t from_y, size_t bytes, enum cudaMemcpyKind kind) {
    const ArrayEnd source = of_array(from, from_x, from_y);
    return copy_array(NULL, (ArrayCopy){of_array(to, to_x, to_y), source, bytes, 1, false, kind, true});
}
