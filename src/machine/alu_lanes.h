/* alu_lanes.h: how the ALU's files write one instruction as a loop over 32 lanes, and list what they have written. Internal
 * to machine/alu*.c.
 *
 *     ALU2(add_u32, u32, u32, u32, A + B)    defines add_u32: d, a and b are slots of u32 lanes
 *     ROW(add, u32, add_u32)                 the row of a table that says so
 *
 * Expressions see the sources as A, B, C (and E), already cut to the type. They may be evaluated in lanes that are off. */
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "machine/access.h"
#include "machine/alu.h"
#include "machine/halves.h"
#include "machine/lanes.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

/* Lane_T: what a slot holds for a value of type T. Value_T: the value. Word_T: unsigned bits as wide as the lane. */
#define LANE_TYPE(t, lane, value, word)               \
    typedef lane __attribute__((may_alias)) Lane_##t; \
    typedef value Value_##t;                          \
    typedef word Word_##t;

LANE_TYPE(u8, uint32_t, uint8_t, uint32_t)
LANE_TYPE(u16, uint32_t, uint16_t, uint32_t)
LANE_TYPE(u32, uint32_t, uint32_t, uint32_t)
LANE_TYPE(u64, uint64_t, uint64_t, uint64_t)
LANE_TYPE(s8, int32_t, int8_t, uint32_t)
LANE_TYPE(s16, int32_t, int16_t, uint32_t)
LANE_TYPE(s32, int32_t, int32_t, uint32_t)
LANE_TYPE(s64, int64_t, int64_t, uint64_t)
LANE_TYPE(f16, uint32_t, uint16_t, uint32_t) /* halves are computed from their bits */
LANE_TYPE(bf16, uint32_t, uint16_t, uint32_t)
LANE_TYPE(f16x2, uint32_t, uint32_t, uint32_t)
LANE_TYPE(bf16x2, uint32_t, uint32_t, uint32_t)
LANE_TYPE(u16x2, uint32_t, uint32_t, uint32_t)
LANE_TYPE(s16x2, uint32_t, uint32_t, uint32_t)
LANE_TYPE(f32, float, float, uint32_t)
LANE_TYPE(f64, double, double, uint64_t)

/* EACH_LANE is an offer; where it is no use (no optimisation, a call in the loop) the loop is still right. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

/* Whether bit i is set, written so that compilers make one vector shift and compare of it for lanes of any width. */
#define LANE_ON(bits) ((int32_t)((uint32_t)(bits) << (31 - i)) < 0)

#define SLOT_BYTES 64 /* alignment of a slot */
#define ALIGNED(pointer) __builtin_assume_aligned((pointer), SLOT_BYTES)
#define UNUSED __attribute__((unused))
#define ALU_PARAMETERS void *to, const void *from_a, UNUSED const void *from_b, uint32_t mask, UNUSED const AluMore *more
#define ALU_ARGUMENTS to, from_a, from_b, mask, more
#define FROM_a from_a
#define FROM_b from_b
#define FROM_c more->c
#define FROM_e more->e
#define SOURCE(t, s) const Lane_##t *const s = ALIGNED(FROM_##s);
#define VALUE(t, S, s) const Value_##t S = (Value_##t)s[i];

#define ALU_LOOP(D, VALUES, expr)                              \
    Lane_##D *const d = ALIGNED(to);                           \
    if (mask == LANES_ALL) {                                   \
        EACH_LANE { VALUES d[i] = (Value_##D)(expr); }         \
    } else {                                                   \
        EACH_LANE {                                            \
            VALUES const Value_##D result = (Value_##D)(expr); \
            d[i] = LANE_ON(mask) ? result : d[i];              \
        }                                                      \
    }
#define ALU_ACTIVE(D, VALUES, expr)  \
    Lane_##D *const d = ALIGNED(to); \
    EACH_ACTIVE_LANE(i, mask) { VALUES d[i] = (Value_##D)(expr); }

#define ALU_1(LOOP, name, D, TA, expr) \
    static void name(ALU_PARAMETERS) { SOURCE(TA, a) LOOP(D, VALUE(TA, A, a), expr) }
#define ALU_2(LOOP, name, D, TA, TB, expr) \
    static void name(ALU_PARAMETERS) { SOURCE(TA, a) SOURCE(TB, b) LOOP(D, VALUE(TA, A, a) VALUE(TB, B, b), expr) }
#define ALU_3(LOOP, name, D, TA, TB, TC, expr)                                                                   \
    static void name(ALU_PARAMETERS) {                                                                           \
        SOURCE(TA, a) SOURCE(TB, b) SOURCE(TC, c) LOOP(D, VALUE(TA, A, a) VALUE(TB, B, b) VALUE(TC, C, c), expr) \
    }

#define ALU1(name, D, TA, expr) ALU_1(ALU_LOOP, name, D, TA, expr)
#define ALU2(name, D, TA, TB, expr) ALU_2(ALU_LOOP, name, D, TA, TB, expr)
#define ALU3(name, D, TA, TB, TC, expr) ALU_3(ALU_LOOP, name, D, TA, TB, TC, expr)
/* The same for what the compiler cannot vectorise. */
#define SLOW1(name, D, TA, expr) ALU_1(ALU_ACTIVE, name, D, TA, expr)
#define SLOW2(name, D, TA, TB, expr) ALU_2(ALU_ACTIVE, name, D, TA, TB, expr)
#define SLOW3(name, D, TA, TB, TC, expr) ALU_3(ALU_ACTIVE, name, D, TA, TB, TC, expr)

/* 32 flags, each 0 or all ones and 64-byte aligned as a whole, as a bit set. */
static inline uint32_t lanes_pack32(const uint32_t *flags) {
#ifdef __AVX512F__
    const __m512i low = _mm512_load_si512(flags), high = _mm512_load_si512(flags + 16);
    return (uint32_t)_mm512_test_epi32_mask(low, low) | (uint32_t)_mm512_test_epi32_mask(high, high) << 16;
#else
    uint32_t bits = 0;
    for (unsigned i = 0; i < WARP_LANES; i++) bits |= flags[i] & UINT32_C(1) << i;
    return bits;
#endif
}
static inline uint32_t lanes_pack64(const uint64_t *flags) {
#ifdef __AVX512F__
    uint32_t bits = 0;
    for (unsigned i = 0; i < WARP_LANES; i += 8) {
        const __m512i part = _mm512_load_si512(flags + i);
        bits |= (uint32_t)_mm512_test_epi64_mask(part, part) << i;
    }
    return bits;
#else
    uint64_t bits = 0;
    for (unsigned i = 0; i < WARP_LANES; i++) bits |= flags[i] & UINT64_C(1) << i;
    return (uint32_t)bits;
#endif
}
#define LANES_PACK(flags) \
    _Generic((flags)[0], uint32_t : lanes_pack32((const void *)(flags)), uint64_t : lanes_pack64((const void *)(flags)))

/* Each lane takes the value of its source, a lane. `to` is none of the others; all are 64-byte aligned. */
static inline void lanes_take32(uint32_t *to, const uint32_t *from, const uint32_t *sources) {
#ifdef __AVX512F__ /* compilers make gathers from memory of it */
    const __m512i low = _mm512_load_si512(from), high = _mm512_load_si512(from + 16);
    for (unsigned i = 0; i < WARP_LANES; i += 16)
        _mm512_store_si512(to + i, _mm512_permutex2var_epi32(low, _mm512_load_si512(sources + i), high));
#else
    for (unsigned i = 0; i < WARP_LANES; i++) to[i] = from[sources[i]];
#endif
}

/* A predicate: takes over the bits of the lanes that are on. */
typedef uint32_t __attribute__((may_alias)) Bits;
static inline void bits_merge(Bits *d, uint32_t bits, uint32_t mask) { *d = (*d & ~mask) | (bits & mask); }

/* What .ftz does to operands and results: subnormals become zero, the sign stays. */
static inline float f32_flush(float x) {
    const uint32_t bits = f32_bits(x);
    return bits & 0x7f800000u ? x : f32_from_bits(bits & 0x80000000u);
}

#define F32_NAN 0x7fffffffu /* the NaN that f32 arithmetic gives */
static inline float f32_canonical(float x) { return x != x ? f32_from_bits(F32_NAN) : x; }
/* f64 keeps the bits of a NaN but for one: arithmetic gives no signalling NaN. */
static inline double f64_quiet(double nan) { return f64_from_bits(f64_bits(nan) | UINT64_C(1) << 51); }

#define CLAMP01(x) ((x) > 0 ? (x) < 1 ? (x) : 1 : 0) /* .sat; NaN gives 0 */

static inline uint32_t f16_flush(uint32_t half) { return half & 0x7c00u ? half : half & 0x8000u; }

/* One form of an instruction. Fields as in Insn; alu_select brings synonyms to one spelling first. */
typedef struct AluRow {
    uint8_t op, type, type2, mode, rounding, compare, boolop, variant;
    uint16_t flags;
    Alu *alu;
} AluRow;

#define ROW(name, t, function, ...) {.op = OP_##name, .type = TYPE_##t, .alu = function, ##__VA_ARGS__},

typedef struct AluTable {
    const AluRow *rows;
    unsigned count;
} AluTable;
#define ALU_TABLE(name, rows) const AluTable name = {rows, sizeof(rows) / sizeof((rows)[0])}

extern const AluTable alu_int_table, alu_bits_table, alu_compare_table, alu_float_table, alu_approx_table, alu_half_table,
    alu_packed_table, alu_cvt_table, alu_convert_table;

/* Runs alu with the host's rounding as given: ROUND_RZ, ROUND_RM or ROUND_RP. */
void alu_round(Alu *alu, Rounding rounding, ALU_PARAMETERS);
