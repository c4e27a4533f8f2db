/* alu_compare.c: setp, set, selp, slct and testp. Comparisons become bit sets, a bit for each lane. */
#include "machine/alu_lanes.h"
#include "ptx/opcode.h"

#define PREDICATE(name, t, SOURCES, VALUES, condition)                           \
    static void name(ALU_PARAMETERS) {                                           \
        SOURCES Word_##t flags[WARP_LANES] __attribute__((aligned(SLOT_BYTES))); \
        EACH_LANE { VALUES flags[i] = (condition) ? (Word_##t) - 1 : 0; }        \
        bits_merge(to, LANES_PACK(flags), mask);                                 \
    }
#define SETP(name, t, condition) PREDICATE(setp_##name, t, SOURCE(t, a) SOURCE(t, b), VALUE(t, A, a) VALUE(t, B, b), condition)
#define SETP_FTZ(name, condition)                                                               \
    PREDICATE(setp_##name, f32, SOURCE(f32, a) SOURCE(f32, b), const float A = f32_flush(a[i]); \
              const float B = f32_flush(b[i]);, condition)

/* INT_COMPARISONS(F, …), FLOAT_COMPARISONS(F, …): F(name, Compare, condition, …). NaN makes the ordered ones false and the
 * others true. */
#define EQUALITIES(F, ...) F(eq, CMP_EQ, A == B, __VA_ARGS__) F(ne, CMP_NE, A != B, __VA_ARGS__)
#define INT_COMPARISONS(F, ...)        \
    EQUALITIES(F, __VA_ARGS__)         \
    F(lt, CMP_LT, A < B, __VA_ARGS__)  \
    F(le, CMP_LE, A <= B, __VA_ARGS__) \
    F(gt, CMP_GT, A > B, __VA_ARGS__)  \
    F(ge, CMP_GE, A >= B, __VA_ARGS__)
#define FLOAT_COMPARISONS(F, ...)                      \
    F(eq, CMP_EQ, A == B, __VA_ARGS__)                 \
    F(ne, CMP_NE, (A < B) | (A > B), __VA_ARGS__)      \
    F(lt, CMP_LT, A < B, __VA_ARGS__)                  \
    F(le, CMP_LE, A <= B, __VA_ARGS__)                 \
    F(gt, CMP_GT, A > B, __VA_ARGS__)                  \
    F(ge, CMP_GE, A >= B, __VA_ARGS__)                 \
    F(equ, CMP_EQU, !((A < B) | (A > B)), __VA_ARGS__) \
    F(neu, CMP_NEU, A != B, __VA_ARGS__)               \
    F(ltu, CMP_LTU, !(A >= B), __VA_ARGS__)            \
    F(leu, CMP_LEU, !(A > B), __VA_ARGS__)             \
    F(gtu, CMP_GTU, !(A <= B), __VA_ARGS__)            \
    F(geu, CMP_GEU, !(A < B), __VA_ARGS__)             \
    F(num, CMP_NUM, (A == A) & (B == B), __VA_ARGS__)  \
    F(nan, CMP_NAN, (A != A) | (B != B), __VA_ARGS__)

/* Halves compare as the floats that they are exactly. */
#define SETP_HALF(name, t, widen, condition) \
    PREDICATE(setp_##name, t, SOURCE(t, a) SOURCE(t, b), const float A = widen(a[i]); const float B = widen(b[i]);, condition)
#define F16(half) f16_to_f32((Value_f16)(half))
#define F16_FTZ(half) f16_to_f32(f16_flush((Value_f16)(half)))
#define BF16(half) bf16_to_f32(half)

#define DEFINE_SETP(name, cmp, condition, t) SETP(name##_##t, t, condition)
#define DEFINE_SETP_FTZ(name, cmp, condition, t) SETP_FTZ(name##_f32_ftz, condition)
INT_COMPARISONS(DEFINE_SETP, u16)
INT_COMPARISONS(DEFINE_SETP, s16)
INT_COMPARISONS(DEFINE_SETP, u32)
INT_COMPARISONS(DEFINE_SETP, s32)
INT_COMPARISONS(DEFINE_SETP, u64)
INT_COMPARISONS(DEFINE_SETP, s64)
FLOAT_COMPARISONS(DEFINE_SETP, f32)
FLOAT_COMPARISONS(DEFINE_SETP_FTZ, f32)
FLOAT_COMPARISONS(DEFINE_SETP, f64)
#define DEFINE_SETP_HALF(name, cmp, condition, t, suffix, widen) SETP_HALF(name##_##suffix, t, widen, condition)
FLOAT_COMPARISONS(DEFINE_SETP_HALF, f16, f16, F16)
FLOAT_COMPARISONS(DEFINE_SETP_HALF, f16, f16_ftz, F16_FTZ)
FLOAT_COMPARISONS(DEFINE_SETP_HALF, bf16, bf16, BF16)

/* set: one where the comparison, combined with c where there is one, holds, and zero elsewhere. */
__attribute__((noinline)) static void set_lanes(Alu *compare, BoolOp boolop, uint32_t one, ALU_PARAMETERS) {
    uint32_t bits = 0;
    compare(&bits, from_a, from_b, LANES_ALL, NULL);
    const uint32_t combined = more->c ? *(const Bits *)more->c : 0;
    switch (boolop) {
    case BOOL_NONE: break;
    case BOOL_AND: bits &= combined; break;
    case BOOL_OR: bits |= combined; break;
    case BOOL_XOR: bits ^= combined; break;
    }
    Lane_u32 *const d = ALIGNED(to);
    EACH_LANE {
        const uint32_t result = LANE_ON(bits) ? one : 0;
        d[i] = LANE_ON(mask) ? result : d[i];
    }
}
#define ONE_u32 UINT32_MAX
#define ONE_u16 0xffffu
#define ONE_f32 0x3f800000u
#define ONE_f16 0x3c00u
#define ONE_bf16 0x3f80u
#define DEFINE_SET_AS(name, from, to, boolop)                                    \
    static void set_##name##_##from##_##to##_##boolop(ALU_PARAMETERS) {          \
        set_lanes(setp_##name##_##from, BOOL_##boolop, ONE_##to, ALU_ARGUMENTS); \
    }
#define DEFINE_SET_TO(name, from, to)   \
    DEFINE_SET_AS(name, from, to, NONE) \
    DEFINE_SET_AS(name, from, to, AND)  \
    DEFINE_SET_AS(name, from, to, OR)   \
    DEFINE_SET_AS(name, from, to, XOR)
#define DEFINE_SET(name, cmp, condition, t) DEFINE_SET_TO(name, t, u32) DEFINE_SET_TO(name, t, f32)
#define DEFINE_SET_HALF(name, cmp, condition, t, half) \
    DEFINE_SET_TO(name, t, u32) DEFINE_SET_AS(name, t, u16, NONE) DEFINE_SET_AS(name, t, half, NONE)
INT_COMPARISONS(DEFINE_SET, u16)
INT_COMPARISONS(DEFINE_SET, s16)
INT_COMPARISONS(DEFINE_SET, u32)
INT_COMPARISONS(DEFINE_SET, s32)
INT_COMPARISONS(DEFINE_SET, u64)
INT_COMPARISONS(DEFINE_SET, s64)
FLOAT_COMPARISONS(DEFINE_SET, f32)
FLOAT_COMPARISONS(DEFINE_SET, f32_ftz)
FLOAT_COMPARISONS(DEFINE_SET, f64)
FLOAT_COMPARISONS(DEFINE_SET_HALF, f16, f16)
FLOAT_COMPARISONS(DEFINE_SET_HALF, f16_ftz, f16)
FLOAT_COMPARISONS(DEFINE_SET_HALF, bf16, bf16)

/* Pairs of halves give a pair of results. */
#define DEFINE_SET_PAIR(name, cmp, condition, _)                             \
    static inline bool name##_floats(float A, float B) { return condition; } \
    SET_PAIR_OF(name, f16x2, f16x2, F16, ONE_f16)                            \
    SET_PAIR_OF(name, f16x2_ftz, f16x2, F16_FTZ, ONE_f16)                    \
    SET_PAIR_OF(name, bf16x2, bf16x2, BF16, ONE_bf16)                        \
    SET_PAIR_OF(name, f16x2_u32, f16x2, F16, ONE_u16)                        \
    SET_PAIR_OF(name, f16x2_ftz_u32, f16x2, F16_FTZ, ONE_u16)                \
    SET_PAIR_OF(name, bf16x2_u32, bf16x2, BF16, ONE_u16)
#define SET_PAIR_OF(name, suffix, t, widen, one)                            \
    SLOW2(set_##name##_##suffix, t, t, t,                                   \
          (name##_floats(widen(A & 0xffff), widen(B & 0xffff)) ? one : 0) | \
              (name##_floats(widen(A >> 16), widen(B >> 16)) ? one << 16 : 0))
FLOAT_COMPARISONS(DEFINE_SET_PAIR, )

#define TESTP(t, bits, least, infinity)                                                                                   \
    TESTP_FORM(finite, t, fabs##bits(A) < infinity)                                                                       \
    TESTP_FORM(infinite, t, fabs##bits(A) == infinity)                                                                    \
    TESTP_FORM(number, t, A == A)                                                                                         \
    TESTP_FORM(notanumber, t, A != A)                                                                                     \
    TESTP_FORM(normal, t, ((fabs##bits(A) >= least) & (fabs##bits(A) < infinity)) | (A == 0)) /* zero counts as normal */ \
    TESTP_FORM(subnormal, t, (fabs##bits(A) < least) & (A != 0))
#define TESTP_FORM(name, t, condition) PREDICATE(testp_##name##_##t, t, SOURCE(t, a), VALUE(t, A, a), condition)
TESTP(f32, f, 0x1p-126f, INFINITY)
TESTP(f64, , 0x1p-1022, (double)INFINITY)

/* selp: c is a bit set. */
#define SELP(name, t)                                                        \
    static void name(ALU_PARAMETERS) {                                       \
        SOURCE(t, a) SOURCE(t, b) const uint32_t c = *(const Bits *)more->c; \
        ALU_LOOP(t, VALUE(t, A, a) VALUE(t, B, b), LANE_ON(c) ? A : B)       \
    }
SELP(selp_u16, u16)
SELP(selp_s16, s16)
SELP(selp_u32, u32)
SELP(selp_u64, u64)

#define SLCT(t)                                        \
    ALU3(slct_##t##_s32, t, t, t, s32, C >= 0 ? A : B) \
    ALU3(slct_##t##_f32, t, t, t, f32, C >= 0 ? A : B) \
    ALU3(slct_##t##_f32_ftz, t, t, t, f32, f32_flush(C) >= 0 ? A : B)
SLCT(u16)
SLCT(s16)
SLCT(u32)
SLCT(u64)

/* clang-format off */
#define SETP_ROW(name, cmp, condition, t, f) ROW(setp, t, setp_##name##_##f, .compare = cmp)
#define SETP_FTZ_ROW(name, cmp, condition, t, f) ROW(setp, t, setp_##name##_##f, .compare = cmp, .flags = INSN_FTZ)
#define UNSIGNED_ROWS(t)                                                                                                       \
    ROW(setp, t, setp_lt_##t, .compare = CMP_LO) ROW(setp, t, setp_le_##t, .compare = CMP_LS)                                  \
    ROW(setp, t, setp_gt_##t, .compare = CMP_HI) ROW(setp, t, setp_ge_##t, .compare = CMP_HS)
#define TESTP_ROWS(t)                                                                                                          \
    ROW(testp, t, testp_finite_##t, .variant = TESTP_FINITE) ROW(testp, t, testp_infinite_##t, .variant = TESTP_INFINITE)      \
    ROW(testp, t, testp_number_##t, .variant = TESTP_NUMBER)                                                                   \
    ROW(testp, t, testp_notanumber_##t, .variant = TESTP_NOTANUMBER)                                                           \
    ROW(testp, t, testp_normal_##t, .variant = TESTP_NORMAL) ROW(testp, t, testp_subnormal_##t, .variant = TESTP_SUBNORMAL)
#define SELECT_ROWS(t, f)                                                                                                      \
    ROW(selp, t, selp_##f)                                                                                                     \
    ROW(slct, t, slct_##f##_s32, .type2 = TYPE_s32) ROW(slct, t, slct_##f##_f32, .type2 = TYPE_f32)                            \
    ROW(slct, t, slct_##f##_f32_ftz, .type2 = TYPE_f32, .flags = INSN_FTZ)

#define SET_BOOLS(to, from, function, comparison, extra)                                                                       \
    ROW(set, to, function##_NONE, .type2 = TYPE_##from, .compare = comparison, .flags = extra)                           \
    ROW(set, to, function##_AND, .type2 = TYPE_##from, .compare = comparison, .flags = extra, .boolop = BOOL_AND)        \
    ROW(set, to, function##_OR, .type2 = TYPE_##from, .compare = comparison, .flags = extra, .boolop = BOOL_OR)          \
    ROW(set, to, function##_XOR, .type2 = TYPE_##from, .compare = comparison, .flags = extra, .boolop = BOOL_XOR)
#define SET_WORD_ROW(name, comparison, condition, t, f, flags) \
    SET_BOOLS(u32, t, set_##name##_##f##_u32, comparison, flags) SET_BOOLS(s32, t, set_##name##_##f##_u32, comparison, flags)
#define SET_ROW(name, comparison, condition, t, f, flags) \
    SET_WORD_ROW(name, comparison, condition, t, f, flags) SET_BOOLS(f32, t, set_##name##_##f##_f32, comparison, flags)
#define SET_PLAIN(to, from, function, comparison, extra)                                                                       \
    ROW(set, to, function, .type2 = TYPE_##from, .compare = comparison, .flags = extra)
#define SET_HALF_ROW(name, comparison, condition, t, f, flags)                                                                 \
    SET_WORD_ROW(name, comparison, condition, t, f, flags)                                                                     \
    SET_PLAIN(t, t, set_##name##_##f##_##t##_NONE, comparison, flags)                                                          \
    SET_PLAIN(u16, t, set_##name##_##f##_u16_NONE, comparison, flags)                                                          \
    SET_PLAIN(s16, t, set_##name##_##f##_u32_NONE, comparison, flags)
#define SET_PAIR_ROW(name, comparison, condition, t, f, flags)                                                                 \
    SET_PLAIN(t, t, set_##name##_##f, comparison, flags) SET_PLAIN(u32, t, set_##name##_##f##_u32, comparison, flags)          \
    SET_PLAIN(s32, t, set_##name##_##f##_u32, comparison, flags)
#define SET_LOHI(t)                                                                                                            \
    SET_ROW(lt, CMP_LO, , t, t, 0) SET_ROW(le, CMP_LS, , t, t, 0) SET_ROW(gt, CMP_HI, , t, t, 0) SET_ROW(ge, CMP_HS, , t, t, 0)

static const AluRow rows[] = {
    EQUALITIES(SETP_ROW, b16, u16) EQUALITIES(SETP_ROW, b32, u32) EQUALITIES(SETP_ROW, b64, u64)
    INT_COMPARISONS(SETP_ROW, u16, u16) INT_COMPARISONS(SETP_ROW, u32, u32) INT_COMPARISONS(SETP_ROW, u64, u64)
    INT_COMPARISONS(SETP_ROW, s16, s16) INT_COMPARISONS(SETP_ROW, s32, s32) INT_COMPARISONS(SETP_ROW, s64, s64)
    FLOAT_COMPARISONS(SETP_ROW, f32, f32) FLOAT_COMPARISONS(SETP_FTZ_ROW, f32, f32_ftz) FLOAT_COMPARISONS(SETP_ROW, f64, f64)
    FLOAT_COMPARISONS(SETP_ROW, f16, f16) FLOAT_COMPARISONS(SETP_FTZ_ROW, f16, f16_ftz) FLOAT_COMPARISONS(SETP_ROW, bf16, bf16)
    UNSIGNED_ROWS(u16) UNSIGNED_ROWS(u32) UNSIGNED_ROWS(u64)
    TESTP_ROWS(f32) TESTP_ROWS(f64)
    SELECT_ROWS(b16, u16) SELECT_ROWS(u16, u16) SELECT_ROWS(s16, s16)
    SELECT_ROWS(b32, u32) SELECT_ROWS(u32, u32) SELECT_ROWS(s32, u32) SELECT_ROWS(f32, u32)
    SELECT_ROWS(b64, u64) SELECT_ROWS(u64, u64) SELECT_ROWS(s64, u64) SELECT_ROWS(f64, u64)
    EQUALITIES(SET_ROW, b16, u16, 0) EQUALITIES(SET_ROW, b32, u32, 0) EQUALITIES(SET_ROW, b64, u64, 0)
    INT_COMPARISONS(SET_ROW, u16, u16, 0) INT_COMPARISONS(SET_ROW, u32, u32, 0) INT_COMPARISONS(SET_ROW, u64, u64, 0)
    INT_COMPARISONS(SET_ROW, s16, s16, 0) INT_COMPARISONS(SET_ROW, s32, s32, 0) INT_COMPARISONS(SET_ROW, s64, s64, 0)
    SET_LOHI(u16) SET_LOHI(u32) SET_LOHI(u64)
    FLOAT_COMPARISONS(SET_ROW, f32, f32, 0) FLOAT_COMPARISONS(SET_ROW, f32, f32_ftz, INSN_FTZ)
    FLOAT_COMPARISONS(SET_ROW, f64, f64, 0)
    FLOAT_COMPARISONS(SET_HALF_ROW, f16, f16, 0) FLOAT_COMPARISONS(SET_HALF_ROW, f16, f16_ftz, INSN_FTZ)
    FLOAT_COMPARISONS(SET_HALF_ROW, bf16, bf16, 0)
    FLOAT_COMPARISONS(SET_PAIR_ROW, f16x2, f16x2, 0) FLOAT_COMPARISONS(SET_PAIR_ROW, f16x2, f16x2_ftz, INSN_FTZ)
    FLOAT_COMPARISONS(SET_PAIR_ROW, bf16x2, bf16x2, 0)
};
/* clang-format on */
ALU_TABLE(alu_compare_table, rows);
