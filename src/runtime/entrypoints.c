/* Tensor maps, and the driver's function that makes them: programs call it by its name, or ask the runtime for it. */
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

static const struct {
    const char *name;
    unsigned since; /* version of CUDA */
    void (*function)(void);
} entries[] = {{"cuTensorMapEncodeTiled", 12000, (void (*)(void))cuTensorMapEncodeTiled}};

static API_CALL_ALWAYS(find_entry,
                       (const char *symbol, void **function, unsigned version, unsigned long long flags,
                        enum cudaDriverEntryPointQueryResult *result),
                       (symbol, function, version, flags, result));
static cudaError_t find_entry_locked(Context *context, const char *symbol, void **function, unsigned version,
                                     unsigned long long flags, enum cudaDriverEntryPointQueryResult *result) {
    (void)context;
    if (!symbol || !*symbol || !function || flags > cudaEnablePerThreadDefaultStream) return cudaErrorInvalidValue;
    enum cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
    *function = NULL;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (strcmp(entries[i].name, symbol) != 0) continue;
        found = version < entries[i].since ? cudaDriverEntryPointVersionNotSufficent : cudaDriverEntryPointSuccess;
        if (found == cudaDriverEntryPointSuccess) memcpy(function, &entries[i].function, sizeof *function);
    }
    if (found == cudaDriverEntryPointSymbolNotFound)
        note("cudaGetDriverEntryPoint: '%.80s' is not given out here, cuTensorMapEncodeTiled alone is; "
             "call it by its name, with cuda.h",
             symbol);
    if (result) *result = found;
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
