/* tensormap.h: the 128 bytes that tell a bulk tensor copy where a tensor stands in global memory and which box of it is copied, as cuTensorMapEncodeTiled
 * makes them. A device's are opaque; ours are laid out by ourselves, so that they are of use here alone, and are checked again when they are used.
 * What is allowed: CUDA driver API, "cuTensorMapEncodeTiled". Dimension 0 is the innermost: its elements stand side by side. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "machine/code.h"

enum { TENSORMAP_BYTES = 128, TENSORMAP_ALIGN = 64, TENSOR_PLACE_ALIGN = 128 };

/* The numbers of CUtensorMapDataType. */
typedef enum TensorElement {
    ELEMENT_U8,
    ELEMENT_U16,
    ELEMENT_U32,
    ELEMENT_S32,
    ELEMENT_U64,
    ELEMENT_S64,
    ELEMENT_F16,
    ELEMENT_F32,
    ELEMENT_F64,
    ELEMENT_BF16,
    ELEMENT_COUNT
} TensorElement;

/* As cuTensorMapEncodeTiled takes it. */
typedef struct TensorMap {
    uint64_t address;
    uint64_t size[TENSOR_DIMENSIONS];              /* elements */
    uint64_t stride[TENSOR_DIMENSIONS];            /* bytes from one to the next; [0] is an element's */
    uint32_t box[TENSOR_DIMENSIONS];               /* elements that it spans, of which every step-th is copied */
    uint32_t step[TENSOR_DIMENSIONS];              /* [0] has no effect */
    uint32_t rank, element;                        /* element: TensorElement */
    uint32_t interleave, swizzle, promotion, fill; /* the numbers of CUtensorMapInterleave …; fill: 1: NaN */
} TensorMap;

/* How an element is added up, or compared; its size is the type's. */
Type tensormap_type(uint32_t element);

/* False and what is wrong. */
bool tensormap_check(const TensorMap *map, Diag *diag);

/* The bytes of one that has been checked; false: these are none of those, or no longer right. */
void tensormap_encode(const TensorMap *map, uint8_t bytes[TENSORMAP_BYTES]);
bool tensormap_decode(const uint8_t bytes[TENSORMAP_BYTES], TensorMap *map);

/* Elements of the box in a dimension that are copied. */
static inline uint32_t tensormap_count(const TensorMap *map, unsigned dimension) {
    const uint32_t step = dimension ? map->step[dimension] : 1;
    return (map->box[dimension] + step - 1) / step;
}

/* Bytes after which the pattern of shared memory's 16-byte units repeats within a row: 0 without one, else 32, 64 or 128. */
static inline uint32_t tensormap_span(const TensorMap *map) { return map->swizzle ? 16u << map->swizzle : 0; }

/* Where a byte of shared memory's goes: the number of its unit of 16 within the span is combined with that of its line of 128, by exclusive or. */
static inline uint64_t tensormap_swizzled(const TensorMap *map, uint64_t place) {
    const uint64_t units = map->swizzle ? (UINT64_C(1) << map->swizzle) - 1 : 0;
    return place ^ ((place >> 7 & units) << 4);
}
