/* The calls that copy and fill. All become copies or fills of a box of bytes, submitted to a stream. */
#include "runtime/copy.h"

#include "runtime/array.h"
#include "runtime/submit.h"

static API_CALL(submit, (cudaStream_t handle, Work work), (handle, work));
static cudaError_t submit_locked(Context *context, cudaStream_t handle, Work work) {
    return submit_work(context, handle, &work);
}

static Side side(const void *pointer, size_t pitch) { return (Side){.address = (uintptr_t)pointer, .pitch = pitch}; }

/* --- one row --- */

static Work copy_plane(Side to, Side from, size_t width, size_t height, enum cudaMemcpyKind kind, bool async) {
    return (Work){.kind = WORK_COPY, .copy = {.to = to, .from = from, .box = {width, height, 1}, .kind = kind, .async = async}};
}

static Work copy_row(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, bool async) {
    return copy_plane(side(to, bytes), side(from, bytes), bytes, 1, kind, async);
}

PER_THREAD(cudaMemcpy, _ptds, (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind), (to, from, bytes, kind));
static cudaError_t cudaMemcpy_called(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
    if (!bytes) return cudaSuccess;
    return submit(NULL, copy_row(to, from, bytes, kind, false));
}

PER_THREAD(cudaMemcpyAsync, _ptsz, (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream),
           (to, from, bytes, kind, stream));
static cudaError_t cudaMemcpyAsync_called(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                                          cudaStream_t stream) {
    return submit(stream, copy_row(to, from, bytes, kind, true));
}

/* There is one device. */
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes) {
    CALLSITE_BEGIN();
    if (to_device || from_device) return api_end(NULL, cudaErrorInvalidDevice);
    return submit(NULL, copy_row(to, from, bytes, cudaMemcpyDeviceToDevice, true));
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes, cudaStream_t stream) {
    CALLSITE_BEGIN();
    if (to_device || from_device) return api_end(NULL, cudaErrorInvalidDevice);
    return submit(stream, copy_row(to, from, bytes, cudaMemcpyDeviceToDevice, true));
}

/* --- two and three dimensions --- */

PER_THREAD(cudaMemcpy2D, _ptds,
           (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
            enum cudaMemcpyKind kind),
           (to, to_pitch, from, from_pitch, width, height, kind));
static cudaError_t cudaMemcpy2D_called(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                       size_t height, enum cudaMemcpyKind kind) {
    return submit(NULL, copy_plane(side(to, to_pitch), side(from, from_pitch), width, height, kind, false));
}

PER_THREAD(cudaMemcpy2DAsync, _ptsz,
           (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
            enum cudaMemcpyKind kind, cudaStream_t stream),
           (to, to_pitch, from, from_pitch, width, height, kind, stream));
static cudaError_t cudaMemcpy2DAsync_called(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                            size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
    return submit(stream, copy_plane(side(to, to_pitch), side(from, from_pitch), width, height, kind, true));
}

/* Where a box begins in pitched memory; ysize is the number of rows from slice to slice. */
static Side side_3d(const struct cudaPitchedPtr *memory, const struct cudaPos *at) {
    size_t slice = memory->pitch * memory->ysize;
    return (Side){(uintptr_t)memory->ptr + at->z * slice + at->y * memory->pitch + at->x, memory->pitch, slice};
}

/* Whether the box begins where its rows end within the memory's, and those within a slice, as an H100 has it: the number of a slice's rows, 0, is not known
 * only where there is one slice. */
static bool begins_well(const struct cudaPitchedPtr *memory, const struct cudaPos *at, struct cudaExtent box) {
    return memory->pitch - box.width >= at->x && (!memory->ysize || memory->ysize - box.height >= at->y);
}

/* Of one slice the number of rows need not be known. */
static bool has_rows(const struct cudaPitchedPtr *memory, struct cudaExtent box) {
    return memory->ysize >= box.height || (box.depth == 1 && !memory->ysize);
}

static bool is_pitched(const struct cudaPitchedPtr *memory, struct cudaExtent box) {
    return memory->pitch >= box.width && (has_rows(memory, box) || box.depth == 1);
}

/* One end of a copy in three dimensions: an array, where positions count texels, or pitched memory. */
static cudaError_t end_3d(const Context *context, cudaArray_const_t handle, const struct cudaPitchedPtr *memory,
                          const struct cudaPos *at, struct cudaExtent box, Side *side) {
    if (handle) {
        const struct cudaArray *array = array_find(context, handle);
        if (!array) return cudaErrorInvalidResourceHandle;
        const size_t texel = format_bytes(&array->format);
        if (at->x > array->extent.width) return cudaErrorInvalidValue;
        const struct cudaPos from = {at->x * texel, at->y, at->z};
        *side = array_side(array, from.x, from.y, from.z);
        return array_holds(array, &from, (Box){box.width, box.height, box.depth}) ? cudaSuccess : cudaErrorInvalidValue;
    }
    *side = side_3d(memory, at);
    return has_rows(memory, box) && begins_well(memory, at, box) ? cudaSuccess : cudaErrorInvalidValue;
}

/* Where an array takes part the extent counts its texels. */
static cudaError_t texels_to_bytes(const Context *context, const struct cudaMemcpy3DParms *given, struct cudaExtent *box) {
    const cudaArray_const_t handles[] = {given->dstArray, given->srcArray};
    size_t bytes = 0;
    for (unsigned i = 0; i < 2; i++) {
        if (!handles[i]) continue;
        const struct cudaArray *array = array_find(context, handles[i]);
        if (!array) return cudaErrorInvalidResourceHandle;
        const size_t texel = format_bytes(&array->format);
        if ((bytes && bytes != texel) || box->width > array->extent.width) return cudaErrorInvalidValue;
        bytes = texel;
    }
    if (bytes) box->width *= bytes;
    return cudaSuccess;
}

cudaError_t copy_described(const Context *context, const struct cudaMemcpy3DParms *given, bool async, Work *work) {
    *work = (Work){.kind = WORK_COPY};
    if (!given) return cudaErrorInvalidValue;
    if ((given->srcArray && given->srcPtr.ptr) || (given->dstArray && given->dstPtr.ptr)) return cudaErrorInvalidValue;
    struct cudaExtent box = given->extent;
    if (!box.width || !box.height || !box.depth) return cudaSuccess;
    work->copy = (CopyWork){.kind = given->kind, .async = async};
    cudaError_t error = texels_to_bytes(context, given, &box);
    const bool from = !given->srcArray, to = !given->dstArray; /* memory */
    if (!error && ((from && !given->srcPtr.ptr) || (to && !given->dstPtr.ptr))) return cudaErrorInvalidValue;
    if (!error && ((from && !is_pitched(&given->srcPtr, box)) || (to && !is_pitched(&given->dstPtr, box))))
        return cudaErrorInvalidPitchValue;
    if (!error) error = end_3d(context, given->srcArray, &given->srcPtr, &given->srcPos, box, &work->copy.from);
    if (!error) error = end_3d(context, given->dstArray, &given->dstPtr, &given->dstPos, box, &work->copy.to);
    if (!error) work->copy.box = (Box){box.width, box.height, box.depth};
    return error;
}

static API_CALL(copy_3d, (const struct cudaMemcpy3DParms *given, cudaStream_t stream, bool async), (given, stream, async));
static cudaError_t copy_3d_locked(Context *context, const struct cudaMemcpy3DParms *given, cudaStream_t stream, bool async) {
    Work work;
    const cudaError_t error = copy_described(context, given, async, &work);
    if (error || !work.copy.box.width) return error;
    return submit_work(context, stream, &work);
}

PER_THREAD(cudaMemcpy3D, _ptds, (const struct cudaMemcpy3DParms *parameters), (parameters));
static cudaError_t cudaMemcpy3D_called(const struct cudaMemcpy3DParms *parameters) { return copy_3d(parameters, NULL, false); }

PER_THREAD(cudaMemcpy3DAsync, _ptsz, (const struct cudaMemcpy3DParms *parameters, cudaStream_t stream), (parameters, stream));
static cudaError_t cudaMemcpy3DAsync_called(const struct cudaMemcpy3DParms *parameters, cudaStream_t stream) {
    return copy_3d(parameters, stream, true);
}

/* --- fills. Those of memory that the host has as well wait for the device (work_holds_host). --- */

static cudaError_t fill(Side to, Box box, int value, cudaStream_t stream, bool async) {
    return submit(stream, (Work){.kind = WORK_FILL, .fill = {.to = to, .box = box, .value = value, .async = async}});
}

PER_THREAD(cudaMemset, _ptds, (void *to, int value, size_t bytes), (to, value, bytes));
static cudaError_t cudaMemset_called(void *to, int value, size_t bytes) {
    return fill(side(to, bytes), (Box){bytes, 1, 1}, value, NULL, false);
}

PER_THREAD(cudaMemsetAsync, _ptsz, (void *to, int value, size_t bytes, cudaStream_t stream), (to, value, bytes, stream));
static cudaError_t cudaMemsetAsync_called(void *to, int value, size_t bytes, cudaStream_t stream) {
    return fill(side(to, bytes), (Box){bytes, 1, 1}, value, stream, true);
}

PER_THREAD(cudaMemset2D, _ptds, (void *to, size_t pitch, int value, size_t width, size_t height),
           (to, pitch, value, width, height));
static cudaError_t cudaMemset2D_called(void *to, size_t pitch, int value, size_t width, size_t height) {
    return fill(side(to, pitch), (Box){width, height, 1}, value, NULL, false);
}

PER_THREAD(cudaMemset2DAsync, _ptsz, (void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream),
           (to, pitch, value, width, height, stream));
static cudaError_t cudaMemset2DAsync_called(void *to, size_t pitch, int value, size_t width, size_t height,
                                            cudaStream_t stream) {
    return fill(side(to, pitch), (Box){width, height, 1}, value, stream, true);
}

static cudaError_t fill_3d(const struct cudaPitchedPtr *to, int value, struct cudaExtent extent, cudaStream_t stream,
                           bool async) {
    if (extent.width && extent.depth && extent.height > to->ysize) return api_end(NULL, cudaErrorInvalidValue);
    const Side at = {(uintptr_t)to->ptr, to->pitch, to->pitch * to->ysize};
    return fill(at, (Box){extent.width, extent.height, extent.depth}, value, stream, async);
}

PER_THREAD(cudaMemset3DAsync, _ptsz, (struct cudaPitchedPtr to, int value, struct cudaExtent extent, cudaStream_t stream),
           (to, value, extent, stream));
static cudaError_t cudaMemset3DAsync_called(struct cudaPitchedPtr to, int value, struct cudaExtent extent,
                                            cudaStream_t stream) {
    return fill_3d(&to, value, extent, stream, true);
}

PER_THREAD(cudaMemset3D, _ptds, (struct cudaPitchedPtr to, int value, struct cudaExtent extent), (to, value, extent));
static cudaError_t cudaMemset3D_called(struct cudaPitchedPtr to, int value, struct cudaExtent extent) {
    return fill_3d(&to, value, extent, NULL, false);
}

/* --- the program's device variables, named by the host's addresses for them --- */

static API_CALL(find_symbol, (const void *host, void **address, size_t *bytes), (host, address, bytes));
static cudaError_t find_symbol_locked(Context *context, const void *host, void **address, size_t *bytes) {
    cudaError_t error;
    const DeviceVariable *symbol = image_variable(context, host, &error);
    if (!symbol && (symbol = image_variable_named(context, host)) != NULL) {
        note("%s: a variable is wanted, and not its name in quotes: %s", callsite_name(), symbol->name);
        return error;
    }
    if (!symbol) return error;
    *address = (void *)symbol->allocation->address;
    *bytes = symbol->bytes;
    return cudaSuccess;
}

cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol) {
    CALLSITE_BEGIN();
    size_t bytes;
    return pointer ? find_symbol(symbol, pointer, &bytes) : api_end(NULL, cudaErrorInvalidValue);
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
    CALLSITE_BEGIN();
    void *address;
    return bytes ? find_symbol(symbol, &address, bytes) : api_end(NULL, cudaErrorInvalidValue);
}

/* A copy within the device, or one that crosses to the variable or from it, whose side of the copy is still empty. */
static cudaError_t copy_symbol(const void *symbol, size_t offset, enum cudaMemcpyKind crossing, Work work,
                               cudaStream_t stream) {
    Side *of_symbol = crossing == cudaMemcpyHostToDevice ? &work.copy.to : &work.copy.from;
    const enum cudaMemcpyKind kind = work.copy.kind;
    void *start = NULL;
    size_t size = 0;
    cudaError_t error = find_symbol(symbol, &start, &size);
    if (error || !work.copy.box.width) return error;
    if (kind != crossing && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return api_end(NULL, cudaErrorInvalidMemcpyDirection);
    if (offset > size || work.copy.box.width > size - offset) {
        note("%s: %zu byte%s from byte %zu of a variable of %zu", callsite_name(), work.copy.box.width,
             plural_s(work.copy.box.width), offset, size);
        return api_end(NULL, cudaErrorInvalidValue);
    }
    of_symbol->address = (uintptr_t)start + offset;
    return submit(stream, work);
}

PER_THREAD(cudaMemcpyToSymbol, _ptds,
           (const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind),
           (symbol, from, bytes, offset, kind));
static cudaError_t cudaMemcpyToSymbol_called(const void *symbol, const void *from, size_t bytes, size_t offset,
                                             enum cudaMemcpyKind kind) {
    return copy_symbol(symbol, offset, cudaMemcpyHostToDevice, copy_row(NULL, from, bytes, kind, false), NULL);
}

PER_THREAD(cudaMemcpyToSymbolAsync, _ptsz,
           (const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream),
           (symbol, from, bytes, offset, kind, stream));
static cudaError_t cudaMemcpyToSymbolAsync_called(const void *symbol, const void *from, size_t bytes, size_t offset,
                                                  enum cudaMemcpyKind kind, cudaStream_t stream) {
    return copy_symbol(symbol, offset, cudaMemcpyHostToDevice, copy_row(NULL, from, bytes, kind, true), stream);
}

PER_THREAD(cudaMemcpyFromSymbol, _ptds, (void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind),
           (to, symbol, bytes, offset, kind));
static cudaError_t cudaMemcpyFromSymbol_called(void *to, const void *symbol, size_t bytes, size_t offset,
                                               enum cudaMemcpyKind kind) {
    return copy_symbol(symbol, offset, cudaMemcpyDeviceToHost, copy_row(to, NULL, bytes, kind, false), NULL);
}

PER_THREAD(cudaMemcpyFromSymbolAsync, _ptsz,
           (void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream),
           (to, symbol, bytes, offset, kind, stream));
static cudaError_t cudaMemcpyFromSymbolAsync_called(void *to, const void *symbol, size_t bytes, size_t offset,
                                                    enum cudaMemcpyKind kind, cudaStream_t stream) {
    return copy_symbol(symbol, offset, cudaMemcpyDeviceToHost, copy_row(to, NULL, bytes, kind, true), stream);
}
