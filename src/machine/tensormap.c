#include "machine/tensormap.h"

#include <string.h>

enum { UNIT = 16, BOX_MOST = 256, STEP_MOST = 8, SWIZZLE_MOST = 3, PROMOTION_MOST = 3 };
#define SIZE_MOST (UINT64_C(1) << 32)
#define STRIDE_LIMIT (UINT64_C(1) << 40)

static const uint8_t element_types[ELEMENT_COUNT] = {
    [ELEMENT_U8] = TYPE_u8,   [ELEMENT_U16] = TYPE_u16,   [ELEMENT_U32] = TYPE_u32, [ELEMENT_S32] = TYPE_s32,
    [ELEMENT_U64] = TYPE_u64, [ELEMENT_S64] = TYPE_s64,   [ELEMENT_F16] = TYPE_f16, [ELEMENT_F32] = TYPE_f32,
    [ELEMENT_F64] = TYPE_f64, [ELEMENT_BF16] = TYPE_bf16,
};

Type tensormap_type(uint32_t element) { return element < ELEMENT_COUNT ? (Type)element_types[element] : TYPE_none; }

/* --- what is allowed --- */

static bool check_words(const TensorMap *map, Diag *diag) {
    if (!map->rank || map->rank > TENSOR_DIMENSIONS)
        return diag_say(diag, "a tensor has 1 to %d dimensions, not %u", TENSOR_DIMENSIONS, map->rank);
    if (map->element >= ELEMENT_COUNT)
        return diag_say(diag,
                        "elements of type %u of CUtensorMapDataType are not emulated: integers, f16, bf16, f32 and f64 are",
                        map->element);
    if (map->interleave) return diag_say(diag, "interleaved tensors are not emulated: CU_TENSOR_MAP_INTERLEAVE_NONE is");
    if (map->swizzle > SWIZZLE_MOST)
        return diag_say(diag, "swizzle mode %u is not emulated: none, 32, 64 and 128 bytes are (sm_90)", map->swizzle);
    if (map->promotion > PROMOTION_MOST) return diag_say(diag, "%u is no CUtensorMapL2promotion", map->promotion);
    if (map->fill > 1) return diag_say(diag, "%u is no CUtensorMapFloatOOBfill", map->fill);
    const bool is_float = type_kinds[tensormap_type(map->element)] == KIND_FLOAT;
    return !map->fill || is_float || diag_say(diag, "only floating-point elements are filled with NaN");
}

static bool check_dimension(const TensorMap *map, unsigned d, Diag *diag) {
    if (!map->size[d] || map->size[d] > SIZE_MOST)
        return diag_say(diag, "dimension %u has %llu elements; it must have 1 to 2^32", d, (unsigned long long)map->size[d]);
    if (!map->box[d] || map->box[d] > BOX_MOST)
        return diag_say(diag, "the box spans %u elements of dimension %u; it must be 1 to %d", map->box[d], d, BOX_MOST);
    if (!map->step[d] || map->step[d] > STEP_MOST)
        return diag_say(diag, "the element stride of dimension %u is %u; it must be 1 to %d", d, map->step[d], STEP_MOST);
    if (d && (map->stride[d] % UNIT || map->stride[d] >= STRIDE_LIMIT))
        return diag_say(diag, "the stride of dimension %u is %llu bytes; it must be a multiple of %d, and less than 2^40", d,
                        (unsigned long long)map->stride[d], UNIT);
    return true;
}

bool tensormap_check(const TensorMap *map, Diag *diag) {
    if (!check_words(map, diag)) return false;
    if (map->address % UNIT)
        return diag_say(diag, "the tensor begins at 0x%llx, which is not a multiple of %d", (unsigned long long)map->address,
                        UNIT);
    for (unsigned d = 0; d < map->rank; d++)
        if (!check_dimension(map, d, diag)) return false;
    const uint32_t row = map->box[0] * type_bytes[tensormap_type(map->element)], span = tensormap_span(map);
    if (row % UNIT) return diag_say(diag, "a row of the box has %u bytes; it must be a multiple of %d", row, UNIT);
    if (span && row > span)
        return diag_say(diag, "a row of the box has %u bytes; with a swizzle of %u it must have that many at most", row, span);
    return true;
}

/* --- the bytes --- */

/* What its bytes begin with. */
#define MARK UINT64_C(0x50414d2d32332d54)

typedef struct PackedMap {
    uint64_t mark, address, stride[TENSOR_DIMENSIONS - 1];
    uint32_t last[TENSOR_DIMENSIONS]; /* element of each dimension */
    uint16_t box[TENSOR_DIMENSIONS];
    uint8_t step[TENSOR_DIMENSIONS], rank, element, swizzle, promotion, fill;
    uint8_t unused[TENSORMAP_BYTES - 88];
} PackedMap;
_Static_assert(sizeof(PackedMap) == TENSORMAP_BYTES, "a map has 128 bytes");

void tensormap_encode(const TensorMap *map, uint8_t bytes[TENSORMAP_BYTES]) {
    PackedMap packed = {.mark = MARK,
                        .address = map->address,
                        .rank = (uint8_t)map->rank,
                        .element = (uint8_t)map->element,
                        .swizzle = (uint8_t)map->swizzle,
                        .promotion = (uint8_t)map->promotion,
                        .fill = (uint8_t)map->fill};
    for (unsigned d = 0; d < map->rank; d++) {
        if (d) packed.stride[d - 1] = map->stride[d];
        packed.last[d] = (uint32_t)(map->size[d] - 1);
        packed.box[d] = (uint16_t)map->box[d];
        packed.step[d] = (uint8_t)map->step[d];
    }
    memcpy(bytes, &packed, sizeof packed);
}

bool tensormap_decode(const uint8_t bytes[TENSORMAP_BYTES], TensorMap *map) {
    PackedMap packed;
    Diag ignored = {0};
    memcpy(&packed, bytes, sizeof packed);
    *map = (TensorMap){.address = packed.address,
                       .rank = packed.rank,
                       .element = packed.element,
                       .swizzle = packed.swizzle,
                       .promotion = packed.promotion,
                       .fill = packed.fill};
    if (packed.mark != MARK || map->rank > TENSOR_DIMENSIONS || map->element >= ELEMENT_COUNT) return false;
    map->stride[0] = type_bytes[tensormap_type(map->element)];
    for (unsigned d = 0; d < map->rank; d++) {
        if (d) map->stride[d] = packed.stride[d - 1];
        map->size[d] = (uint64_t)packed.last[d] + 1;
        map->box[d] = packed.box[d];
        map->step[d] = packed.step[d];
    }
    return tensormap_check(map, &ignored);
}
