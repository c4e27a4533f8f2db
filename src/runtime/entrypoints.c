/* Entry points of the driver API by their names, and tensor maps, whose function most programs get so. */
#include <string.h>

#include "machine/tensormap.h"
#include "runtime/driver_calls.h"
#include "runtime/note.h"

/* Needs no context, and no cuInit where the runtime has given it out. */
DRIVER_CALL(DRIVER_ANYTIME, cuTensorMapEncodeTiled,
            (CUtensorMap * map, CUtensorMapDataType element, cuuint32_t rank, void *address, const cuuint64_t *size,
             const cuuint64_t *strides, const cuuint32_t *box, const cuuint32_t *steps, CUtensorMapInterleave interleave,
             CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill),
            (map, element, rank, address, size, strides, box, steps, interleave, swizzle, promotion, fill)) {
    TensorMap made = {.address = (uintptr_t)address,
                      .rank = rank,
                      .element = element,
                      .interleave = interleave,
                      .swizzle = swizzle,
                      .promotion = promotion,
                      .fill = fill};
    Diag diag = {0};
    if (!map || (uintptr_t)map % TENSORMAP_ALIGN)
        diag_say(&diag, "the map is at %p, which is not a multiple of %d", (void *)map, TENSORMAP_ALIGN);
    else if (!size || !box || !steps || (!strides && rank > 1))
        diag_say(&diag, "sizes, strides, box and element strides are pointers to arrays, and one is null");
    made.stride[0] = type_bytes[tensormap_type(element)];
    for (unsigned d = 0; !diag.set && d < rank && d < TENSOR_DIMENSIONS; d++) {
        made.size[d] = size[d];
        made.box[d] = box[d];
        made.step[d] = steps[d];
        if (d) made.stride[d] = strides[d - 1];
    }
    if (diag.set || !tensormap_check(&made, &diag)) {
        note_diag("cuTensorMapEncodeTiled", &diag);
        return cudaErrorInvalidValue;
    }
    tensormap_encode(&made, (uint8_t *)map);
    return cudaSuccess;
}

/* What programs find by a name: the functions that are covered, and those that say that they are refused when they are called. */
typedef void EntryPoint(void);

#define COVERED(name)                                            \
    __attribute__((weak)) EntryPoint DRIVER_JOINED(name, _ptsz); \
    __attribute__((weak)) EntryPoint DRIVER_JOINED(name, _ptds);
#define REFUSED(name) int name(void);
#define REFUSED_STREAM(name, ending) REFUSED(name) REFUSED(name##ending)
#include "runtime/driver_functions.def"
#undef COVERED
#undef REFUSED
#undef REFUSED_STREAM

static const struct {
    const char *name;                          /* that of a refused function may end in its version */
    EntryPoint *function, *of_queue, *of_copy; /* the latter where the default stream is each thread's own, or NULL */
} entries[] = {
#define COVERED(name) {#name, (EntryPoint *)name, DRIVER_JOINED(name, _ptsz), DRIVER_JOINED(name, _ptds)},
#define REFUSED(name) {#name, (EntryPoint *)name, NULL, NULL},
#define REFUSED_STREAM(name, ending) {#name, (EntryPoint *)name, (EntryPoint *)name##ending, NULL},
#include "runtime/driver_functions.def"
#undef COVERED
#undef REFUSED
#undef REFUSED_STREAM
};

/* Those that earlier versions of CUDA have not, or have with other parameters, which are not emulated. */
static const struct {
    const char *name;
    unsigned since;
} versions[] = {
    {"cuTensorMapEncodeTiled", 12000}, {"cuGetProcAddress", 12000},  {"cuCtxCreate", 12050},        {"cuMemAdvise", 12020},
    {"cuMemPrefetchAsync", 12020},     {"cuLibraryLoadData", 12000}, {"cuLibraryGetKernel", 12000}, {"cuLaunchKernelEx", 11060},
    {"cuLaunchKernel", 4000},          {"cuStreamGetCtx", 9020},     {"cuGetErrorString", 6000},    {"cuGetErrorName", 6000},
    {"cuStreamBeginCapture", 10010}};

static unsigned since(const char *name) {
    enum { FIRST_VERSION = 2000 };
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        if (strcmp(versions[i].name, name) == 0) return versions[i].since;
    return FIRST_VERSION;
}

static bool is_named(const char *entry, const char *name) {
    const size_t length = strlen(name);
    if (strncmp(entry, name, length) != 0) return false;
    return !entry[length] || (entry[length] == '_' && entry[length + 1] == 'v' && !entry[length + 3]);
}

static CUdriverProcAddressQueryResult find(const char *name, unsigned version, bool own_stream, void **function) {
    *function = NULL;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (!is_named(entries[i].name, name)) continue;
        EntryPoint *of_stream = entries[i].of_queue ? entries[i].of_queue : entries[i].of_copy;
        EntryPoint *found = own_stream && of_stream ? of_stream : entries[i].function;
        if (version < 11040 && strcmp(name, "cuCtxCreate") == 0)
            found = (EntryPoint *)cuCtxCreate_v2;
        else if (version < since(name))
            return CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
        memcpy(function, &found, sizeof found);
        return CU_GET_PROC_ADDRESS_SUCCESS;
    }
    return CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
}

/* What is asked for its result need not be there. */
DRIVER_CALL(DRIVER_ANYTIME, cuGetProcAddress,
            (const char *name, void **function, int version, cuuint64_t flags, CUdriverProcAddressQueryResult *result),
            (name, function, version, flags, result)) {
    const cuuint64_t known = CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
    if (!name || !*name || !function || flags & ~known || flags == known || version < 0 || version > CUDART_VERSION)
        return cudaErrorInvalidValue;
    const CUdriverProcAddressQueryResult found =
        find(name, (unsigned)version, flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, function);
    if (result) *result = found;
    return cudaSuccess; /* as an H200 has it: *function is NULL where there is none */
}

static API_CALL_ALWAYS(find_entry,
                       (const char *symbol, void **function, unsigned version, unsigned long long flags,
                        enum cudaDriverEntryPointQueryResult *result),
                       (symbol, function, version, flags, result));
static cudaError_t find_entry_locked(Context *context, const char *symbol, void **function, unsigned version,
                                     unsigned long long flags, enum cudaDriverEntryPointQueryResult *result) {
    (void)context;
    if (!symbol || !*symbol || !function || flags > cudaEnablePerThreadDefaultStream) return cudaErrorInvalidValue;
    const CUdriverProcAddressQueryResult found = find(symbol, version, flags == cudaEnablePerThreadDefaultStream, function);
    if (found == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND)
        note("cudaGetDriverEntryPoint: the driver API has no '%.80s' here; `warpscope doctor` says what it has", symbol);
    if (result) *result = (enum cudaDriverEntryPointQueryResult)found;
    return result || *function ? cudaSuccess : cudaErrorSymbolNotFound;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned int version,
                                             unsigned long long flags, enum cudaDriverEntryPointQueryResult *result) {
    CALLSITE_BEGIN();
    return find_entry(symbol, function, version, flags, result);
}

cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *result) {
    CALLSITE_BEGIN();
    return find_entry(symbol, function, CUDART_VERSION, flags, result);
}
