/* alu_int.c: integer arithmetic. Results wrap, so that most signed forms of 32 and 64 bits share the unsigned loop. */
#include "machine/alu_lanes.h"
#include "ptx/opcode.h"

/* TYPES(F): F(type, a type to compute in without overflow) for each width; narrow signed lanes need loops of their own
 * because results are sign-extended. */
#define WRAP_TYPES(F) F(u16, uint32_t) F(s16, uint32_t) F(u32, uint32_t) F(u64, uint64_t)
#define ALL_TYPES(F) F(u16, uint32_t) F(s16, uint32_t) F(u32, uint32_t) F(s32, uint32_t) F(u64, uint64_t) F(s64, uint64_t)

static inline uint64_t mulhi_u64(uint64_t a, uint64_t b) { return (uint64_t)((unsigned __int128)a * b >> 64); }
static inline int64_t mulhi_s64(int64_t a, int64_t b) { return (int64_t)((__int128)a * b >> 64); }
static inline int32_t clamp_s32(int64_t x) { return (int32_t)(x < INT32_MIN ? INT32_MIN : x > INT32_MAX ? INT32_MAX : x); }

#define MULHI_u16(a, b) ((uint32_t)(a) * (b) >> 16)
#define MULHI_s16(a, b) ((a) * (b) >> 16)
#define MULHI_u32(a, b) ((uint32_t)((uint64_t)(a) * (b) >> 32))
#define MULHI_s32(a, b) ((uint32_t)((int64_t)(a) * (b) >> 32))
#define MULHI_u64(a, b) mulhi_u64(a, b)
#define MULHI_s64(a, b) (uint64_t) mulhi_s64(a, b)

#define WRAPPING(t, u)                    \
    ALU2(add_##t, t, t, t, (u)A + (u)B)   \
    ALU2(sub_##t, t, t, t, (u)A - (u)B)   \
    ALU2(mul_lo_##t, t, t, t, (u)A *(u)B) \
    ALU3(mad_lo_##t, t, t, t, t, (u)A *(u)B + (u)C)
WRAP_TYPES(WRAPPING)

#define SIGN_MATTERS(t, u)                               \
    ALU2(mul_hi_##t, t, t, t, MULHI_##t(A, B))           \
    ALU3(mad_hi_##t, t, t, t, t, MULHI_##t(A, B) + (u)C) \
    ALU2(min_##t, t, t, t, A < B ? A : B)                \
    ALU2(max_##t, t, t, t, A > B ? A : B)                \
    ALU3(sad_##t, t, t, t, t, (u)C + (A < B ? (u)B - (u)A : (u)A - (u)B))
ALL_TYPES(SIGN_MATTERS)

#define WIDE(t, wide, u, w)                    \
    ALU2(mul_wide_##t, wide, t, t, (w)A *(w)B) \
    ALU3(mad_wide_##t, wide, t, t, wide, (u)((w)A * (w)B) + (u)C)
WIDE(u16, u32, uint32_t, uint32_t)
WIDE(s16, s32, uint32_t, int32_t)
WIDE(u32, u64, uint64_t, uint64_t)
WIDE(s32, s64, uint64_t, int64_t)

#define NEGATION(t, u)            \
    ALU1(neg_##t, t, t, 0 - (u)A) \
    ALU1(abs_##t, t, t, A < 0 ? 0 - (u)A : (u)A)
NEGATION(s16, uint32_t)
NEGATION(s32, uint32_t)
NEGATION(s64, uint64_t)

ALU2(add_sat_s32, s32, s32, s32, clamp_s32((int64_t)A + B))
ALU2(sub_sat_s32, s32, s32, s32, clamp_s32((int64_t)A - B))
ALU3(mad_hi_sat_s32, s32, s32, s32, s32, clamp_s32(((int64_t)A * B >> 32) + C))
ALU2(min_relu_s32, s32, s32, s32, (A < B ? A : B) < 0 ? 0 : A < B ? A : B)
ALU2(max_relu_s32, s32, s32, s32, (A > B ? A : B) < 0 ? 0 : A > B ? A : B)

/* 24-bit operands: the low 24 bits of the sources; .lo are bits 31..0 of the 48-bit product, .hi bits 47..16. */
#define LOW24_u32(x) ((uint64_t)((x)&0xffffffu))
#define LOW24_s32(x) ((int64_t)((int32_t)((uint32_t)(x) << 8) >> 8))
#define MUL24(t)                                                                          \
    ALU2(mul24_lo_##t, t, t, t, (uint32_t)(LOW24_##t(A) * LOW24_##t(B)))                  \
    ALU2(mul24_hi_##t, t, t, t, (uint32_t)(LOW24_##t(A) * LOW24_##t(B) >> 16))            \
    ALU3(mad24_lo_##t, t, t, t, t, (uint32_t)(LOW24_##t(A) * LOW24_##t(B)) + (uint32_t)C) \
    ALU3(mad24_hi_##t, t, t, t, t, (uint32_t)(LOW24_##t(A) * LOW24_##t(B) >> 16) + (uint32_t)C)
MUL24(u32)
MUL24(s32)
ALU3(mad24_hi_sat_s32, s32, s32, s32, s32, clamp_s32((int64_t)(int32_t)(LOW24_s32(A) * LOW24_s32(B) >> 16) + C))

/* Quotients of 32-bit integers are exact through doubles: a/b differs from the next integer by at least 1/b, more than 2^20
 * times the error of a double. Quotient and remainder of a division by zero are all ones, as on hardware. */
#define QUOTIENT32(a, b) ((int64_t)((double)(a) / (double)((b) ? (b) : 1)))
ALU2(div_u32, u32, u32, u32, B ? (uint32_t)QUOTIENT32(A, B) : UINT32_MAX)
ALU2(div_s32, s32, s32, s32, B ? (uint32_t)QUOTIENT32(A, B) : UINT32_MAX)
ALU2(rem_u32, u32, u32, u32, B ? A - (uint32_t)QUOTIENT32(A, B) * B : UINT32_MAX)
ALU2(rem_s32, s32, s32, s32, B ? (uint32_t)A - (uint32_t)QUOTIENT32(A, B) * (uint32_t)B : UINT32_MAX)
SLOW2(div_u16, u16, u16, u16, B ? A / B : 0xffff)
SLOW2(div_s16, s16, s16, s16, B ? A / B : -1)
SLOW2(rem_u16, u16, u16, u16, B ? A % B : 0xffff)
SLOW2(rem_s16, s16, s16, s16, B ? A % B : -1)
SLOW2(div_u64, u64, u64, u64, B ? A / B : UINT64_MAX)
SLOW2(div_s64, s64, s64, s64, B == 0 ? UINT64_MAX : B == -1 ? 0 - (uint64_t)A : (uint64_t)(A / B))
SLOW2(rem_u64, u64, u64, u64, B ? A % B : UINT64_MAX)
SLOW2(rem_s64, s64, s64, s64, B == 0 ? -1 : B == -1 ? 0 : A % B)

/* Carry chains. cin: whether CC is added; sets: whether CC is written. A subtraction adds b's complement and 1, on the hardware: its carry,
 * and what subc expects, is the opposite of a borrow. (PTX calls it a borrow, and only addc after sub.cc shows the difference: ptxas makes
 * IADD3.X of it, and nvcc's division of 128-bit integers depends on it.) */
#define CARRY(name, t, VALUES, cin, sets, P, sign, Q, OUT)                                                       \
    static void name(ALU_PARAMETERS) {                                                                           \
        SOURCE(t, a) SOURCE(t, b) VALUES##_SOURCE(t) Lane_##t *const d = ALIGNED(to);                            \
        const uint32_t carry = (cin) ? *more->carry ^ BORROWS(sign) : 0;                                         \
        Word_##t out[WARP_LANES] __attribute__((aligned(SLOT_BYTES)));                                           \
        EACH_LANE {                                                                                              \
            VALUE(t, A, a) VALUE(t, B, b) VALUES##_VALUE(t) const Word_##t p = (Word_##t)(P), q = (Word_##t)(Q); \
            const Word_##t in = LANE_ON(carry), partial = p sign q, result = partial sign in;                    \
            out[i] = -(Word_##t)(OUT);                                                                           \
            d[i] = LANE_ON(mask) ? (Value_##t)result : d[i];                                                     \
        }                                                                                                        \
        if (sets) bits_merge(more->carry, LANES_PACK(out), mask);                                                \
    }
#define PLAIN_SOURCE(t)
#define PLAIN_VALUE(t)
#define FUSED_SOURCE(t) SOURCE(t, c)
#define FUSED_VALUE(t) VALUE(t, C, c)
#define BORROWS(sign) (0 sign 1 < 0 ? LANES_ALL : 0)
#define OVERFLOW ((partial < p) | (result < partial))
#define NO_BORROW !((p < q) | (partial < in))

#define CARRY_ADD(t)                                                               \
    CARRY(add_cc_##t, t, PLAIN, 0, 1, A, +, B, OVERFLOW)                           \
    CARRY(addc_##t, t, PLAIN, 1, 0, A, +, B, OVERFLOW)                             \
    CARRY(addc_cc_##t, t, PLAIN, 1, 1, A, +, B, OVERFLOW)                          \
    CARRY(sub_cc_##t, t, PLAIN, 0, 1, A, -, B, NO_BORROW)                          \
    CARRY(subc_##t, t, PLAIN, 1, 0, A, -, B, NO_BORROW)                            \
    CARRY(subc_cc_##t, t, PLAIN, 1, 1, A, -, B, NO_BORROW)                         \
    CARRY(mad_lo_cc_##t, t, FUSED, 0, 1, (Word_##t)A *(Word_##t)B, +, C, OVERFLOW) \
    CARRY(madc_lo_##t, t, FUSED, 1, 0, (Word_##t)A *(Word_##t)B, +, C, OVERFLOW)   \
    CARRY(madc_lo_cc_##t, t, FUSED, 1, 1, (Word_##t)A *(Word_##t)B, +, C, OVERFLOW)
CARRY_ADD(u32)
CARRY_ADD(u64)

#define CARRY_HI(t)                                                       \
    CARRY(mad_hi_cc_##t, t, FUSED, 0, 1, MULHI_##t(A, B), +, C, OVERFLOW) \
    CARRY(madc_hi_##t, t, FUSED, 1, 0, MULHI_##t(A, B), +, C, OVERFLOW)   \
    CARRY(madc_hi_cc_##t, t, FUSED, 1, 1, MULHI_##t(A, B), +, C, OVERFLOW)
CARRY_HI(u32)
CARRY_HI(s32)
CARRY_HI(u64)
CARRY_HI(s64)

/* clang-format off */
#define LO .mode = MODE_LO
#define HI .mode = MODE_HI
#define WIDENS .mode = MODE_WIDE
#define CC .flags = INSN_CC
#define SAT .flags = INSN_SAT

/* A row for each width; f_s32 is the loop of f_u32. */
#define SHARED(op, f, ...)                                                                                                     \
    ROW(op, u16, f##_u16, ##__VA_ARGS__) ROW(op, s16, f##_s16, ##__VA_ARGS__)                                                  \
    ROW(op, u32, f##_u32, ##__VA_ARGS__) ROW(op, s32, f##_u32, ##__VA_ARGS__)                                                  \
    ROW(op, u64, f##_u64, ##__VA_ARGS__) ROW(op, s64, f##_u64, ##__VA_ARGS__)
#define SHARED_CC(op, f, ...)                                                                                                  \
    ROW(op, u32, f##_u32, ##__VA_ARGS__) ROW(op, s32, f##_u32, ##__VA_ARGS__)                                                  \
    ROW(op, u64, f##_u64, ##__VA_ARGS__) ROW(op, s64, f##_u64, ##__VA_ARGS__)
#define EACH(op, f, ...)                                                                                                       \
    ROW(op, u16, f##_u16, ##__VA_ARGS__) ROW(op, s16, f##_s16, ##__VA_ARGS__) EACH_CC(op, f, ##__VA_ARGS__)
#define EACH_CC(op, f, ...)                                                                                                    \
    ROW(op, u32, f##_u32, ##__VA_ARGS__) ROW(op, s32, f##_s32, ##__VA_ARGS__)                                                  \
    ROW(op, u64, f##_u64, ##__VA_ARGS__) ROW(op, s64, f##_s64, ##__VA_ARGS__)
#define EACH_WIDE(op, f)                                                                                                       \
    ROW(op, u16, f##_u16, WIDENS) ROW(op, s16, f##_s16, WIDENS) ROW(op, u32, f##_u32, WIDENS) ROW(op, s32, f##_s32, WIDENS)

static const AluRow rows[] = {
    SHARED(add, add) SHARED(sub, sub) SHARED(mul, mul_lo, LO) SHARED(mad, mad_lo, LO)
    EACH(mul, mul_hi, HI) EACH(mad, mad_hi, HI) EACH(min, min) EACH(max, max) EACH(sad, sad)
    EACH_WIDE(mul, mul_wide) EACH_WIDE(mad, mad_wide)
    EACH(div, div) EACH(rem, rem)
    ROW(neg, s16, neg_s16) ROW(neg, s32, neg_s32) ROW(neg, s64, neg_s64)
    ROW(abs, s16, abs_s16) ROW(abs, s32, abs_s32) ROW(abs, s64, abs_s64)
    ROW(add, s32, add_sat_s32, SAT) ROW(sub, s32, sub_sat_s32, SAT) ROW(mad, s32, mad_hi_sat_s32, HI, SAT)
    ROW(min, s32, min_relu_s32, .flags = INSN_RELU) ROW(max, s32, max_relu_s32, .flags = INSN_RELU)
    ROW(mul24, u32, mul24_lo_u32, LO) ROW(mul24, s32, mul24_lo_s32, LO)
    ROW(mul24, u32, mul24_hi_u32, HI) ROW(mul24, s32, mul24_hi_s32, HI)
    ROW(mad24, u32, mad24_lo_u32, LO) ROW(mad24, s32, mad24_lo_s32, LO)
    ROW(mad24, u32, mad24_hi_u32, HI) ROW(mad24, s32, mad24_hi_s32, HI) ROW(mad24, s32, mad24_hi_sat_s32, HI, SAT)
    SHARED_CC(add, add_cc, CC) SHARED_CC(addc, addc) SHARED_CC(addc, addc_cc, CC)
    SHARED_CC(sub, sub_cc, CC) SHARED_CC(subc, subc) SHARED_CC(subc, subc_cc, CC)
    SHARED_CC(mad, mad_lo_cc, LO, CC) SHARED_CC(madc, madc_lo, LO) SHARED_CC(madc, madc_lo_cc, LO, CC)
    EACH_CC(mad, mad_hi_cc, HI, CC) EACH_CC(madc, madc_hi, HI) EACH_CC(madc, madc_hi_cc, HI, CC)
};
/* clang-format on */
ALU_TABLE(alu_int_table, rows);
