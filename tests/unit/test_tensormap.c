/* Tensor maps: what cuTensorMapEncodeTiled's documentation allows, and where bytes go in shared memory. */
#include <string.h>

#include "machine/tensormap.h"
#include "suite.h"

/* 64 × 16 words, of which a box has 32 × 8. */
static TensorMap map_of(void) {
    return (TensorMap){.address = 0x700000,
                       .size = {64, 16},
                       .stride = {4, 256},
                       .box = {32, 8},
                       .step = {1, 1},
                       .rank = 2,
                       .element = ELEMENT_U32};
}

static void refuses(TensorMap map, const char *why) {
    Diag diag = {0};
    ck_assert(!tensormap_check(&map, &diag));
    ck_assert_msg(strstr(diag.message, why) != NULL, "'%s' in '%s'", why, diag.message);
}

#define REFUSES(change, why)      \
    do {                          \
        TensorMap map = map_of(); \
        change;                   \
        refuses(map, why);        \
    } while (0)

START_TEST(a_map_that_breaks_a_rule_is_refused_by_it)
{
    Diag diag = {0};
    TensorMap fine = map_of();
    ck_assert(tensormap_check(&fine, &diag));
    REFUSES(map.rank = 0, "1 to 5 dimensions, not 0");
    REFUSES(map.rank = 6, "1 to 5 dimensions, not 6");
    REFUSES(map.element = 13, "type 13");
    REFUSES(map.address += 8, "0x700008, which is not a multiple of 16");
    REFUSES(map.size[1] = 0, "dimension 1 has 0 elements");
    REFUSES(map.size[1] = (UINT64_C(1) << 32) + 1, "1 to 2^32");
    REFUSES(map.stride[1] = 264, "is 264 bytes; it must be a multiple of 16");
    REFUSES(map.stride[1] = UINT64_C(1) << 40, "less than 2^40");
    REFUSES(map.box[1] = 0, "spans 0 elements");
    REFUSES(map.box[1] = 257, "it must be 1 to 256");
    REFUSES(map.box[0] = 3, "has 12 bytes; it must be a multiple of 16");
    REFUSES(map.step[1] = 0, "is 0; it must be 1 to 8");
    REFUSES(map.step[1] = 9, "is 9; it must be 1 to 8");
    REFUSES(map.swizzle = 2, "has 128 bytes; with a swizzle of 64");
    REFUSES(map.swizzle = 4, "swizzle mode 4");
    REFUSES(map.interleave = 1, "interleaved");
    REFUSES(map.promotion = 4, "no CUtensorMapL2promotion");
    REFUSES(map.fill = 1, "only floating-point elements");
    REFUSES(map.fill = 2, "no CUtensorMapFloatOOBfill");
}
END_TEST

START_TEST(a_map_comes_back_from_its_bytes)
{
    TensorMap map = map_of(), back;
    uint8_t bytes[TENSORMAP_BYTES];
    map.size[1] = UINT64_C(1) << 32;
    map.box[0] = 16;
    map.swizzle = 2;
    tensormap_encode(&map, bytes);
    ck_assert(tensormap_decode(bytes, &back));
    ck_assert_mem_eq(&map, &back, sizeof map);
    bytes[0] ^= 1;
    ck_assert(!tensormap_decode(bytes, &back));
    map.stride[1] = 8;
    tensormap_encode(&map, bytes);
    ck_assert(!tensormap_decode(bytes, &back));
}
END_TEST

/* CUDA C++ Programming Guide, "Tensor Memory Access", "Swizzle": 16-byte units of 128-byte lines; of 64 bytes by pairs of lines. */
START_TEST(units_of_a_line_change_places_by_its_number)
{
    static const struct {
        uint32_t swizzle, line, unit, goes;
    } rows[] = {
        {0, 5, 3, 3}, {1, 0, 1, 1}, {1, 1, 0, 1}, {1, 1, 7, 6}, {1, 2, 7, 7}, {2, 1, 0, 1}, {2, 2, 1, 3},
        {2, 3, 4, 7}, {2, 4, 2, 2}, {3, 0, 6, 6}, {3, 1, 0, 1}, {3, 7, 0, 7}, {3, 5, 3, 6}, {3, 8, 5, 5},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const TensorMap map = {.swizzle = rows[i].swizzle};
        const uint64_t line = rows[i].line * 128u;
        ck_assert_uint_eq(tensormap_swizzled(&map, line + rows[i].unit * 16u), line + rows[i].goes * 16u);
    }
}
END_TEST

SUITE("tensor maps", a_map_that_breaks_a_rule_is_refused_by_it, a_map_comes_back_from_its_bytes,
      units_of_a_line_change_places_by_its_number)
