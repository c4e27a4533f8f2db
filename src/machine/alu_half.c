/* alu_half.c: arithmetic on f16, bf16 and pairs of them, in wider floats. A float keeps enough bits of a sum or product of
 * two f16 that rounding it to an f16 gives the correctly rounded result; bf16 has the exponents of a float and needs a
 * double for its products. */
#include "machine/alu_lanes.h"
#include "ptx/opcode.h"

#define INLINE static inline __attribute__((always_inline)) /* else the loops around would not vectorise */

/* What halves of format f are computed in: real, with its bits. f_limit: .sat and .relu act on the unrounded value; 0 and 1
 * are halves, so that the order does not matter. f_fma: the product is exact; the sum is rounded to odd: if inexact, to the
 * neighbour whose last bit is 1. Rounding that to a half is as good as rounding the exact sum. */
#define REAL(f, real, word, bits_of, from_bits)                                                      \
    typedef real Real_##f;                                                                           \
    INLINE real f##_magnitude(real x) { return from_bits(bits_of(x) & (word)-1 >> 1); }              \
    INLINE real f##_signed(real magnitude, real a, real b) {                                         \
        return from_bits(bits_of(magnitude) | ((bits_of(a) ^ bits_of(b)) & ~((word)-1 >> 1)));       \
    }                                                                                                \
    INLINE real f##_limit(real r, unsigned flags) {                                                  \
        return flags & INSN_SAT ? CLAMP01(r) : flags & INSN_RELU && r <= 0 ? 0 : r;                  \
    }                                                                                                \
    INLINE real f##_fma(real a, real b, real c) {                                                    \
        const real product = a * b, sum = product + c, part = sum - product;                         \
        const real error = (product - (sum - part)) + (c - part);                                    \
        const word bits = bits_of(sum), other = (error > 0) == (sum > 0) ? bits + 1 : bits - 1;      \
        return ((error < 0) | (error > 0)) && !(bits & 1) ? from_bits(other) : sum;                  \
    }                                                                                                \
    INLINE real f##_min(real a, real b) {                                                            \
        return a < b ? a : b < a ? b : a == b ? from_bits(bits_of(a) | bits_of(b)) : b != b ? a : b; \
    }                                                                                                \
    INLINE real f##_max(real a, real b) {                                                            \
        return a > b ? a : b > a ? b : a == b ? from_bits(bits_of(a) & bits_of(b)) : b != b ? a : b; \
    }
REAL(f16, float, uint32_t, f32_bits, f32_from_bits)
REAL(bf16, double, uint64_t, f64_bits, f64_from_bits)

INLINE float f16_in(uint32_t half, unsigned flags) { return f16_to_f32(flags & INSN_FTZ ? f16_flush(half) : half); }
INLINE double bf16_in(uint32_t half, unsigned flags) {
    (void)flags; /* bf16 has no .ftz that changes a value in range */
    return bf16_to_f32(half);
}
/* .ftz flushes what is below the normal numbers once it is rounded as if exponents had no end (alu_float.c): below 2^-14 - 2^-26. */
INLINE uint32_t f16_out(float r, unsigned flags) {
    const bool tiny = flags & INSN_FTZ && f16_magnitude(r) < 0x1.ffep-15f;
    return f16_round(f16_limit(tiny ? f32_from_bits(f32_bits(r) & 0x80000000u) : r, flags));
}
INLINE uint32_t bf16_out(double r, unsigned flags) { return bf16_round_f64(bf16_limit(r, flags)); }

#define ADD(f, a, b) ((a) + (b))
#define SUB(f, a, b) ((a) - (b))
#define MUL(f, a, b) ((a) * (b))
#define NAN_OR(a, b, r) ((((a) != (a)) | ((b) != (b))) ? NAN : (r))
#define MIN(f, a, b) f##_min(a, b)
#define MAX(f, a, b) f##_max(a, b)
#define MIN_nan(f, a, b) NAN_OR(a, b, f##_min(a, b))
#define MAX_nan(f, a, b) NAN_OR(a, b, f##_max(a, b))
#define MIN_xor(f, a, b) f##_signed(f##_min(f##_magnitude(a), f##_magnitude(b)), a, b)
#define MAX_xor(f, a, b) f##_signed(f##_max(f##_magnitude(a), f##_magnitude(b)), a, b)
#define MIN_nan_xor(f, a, b) NAN_OR(a, b, MIN_xor(f, a, b))
#define MAX_nan_xor(f, a, b) NAN_OR(a, b, MAX_xor(f, a, b))

/* f: f16 or bf16. name is defined for f and for the pair fx2. */
#define LOW(v) ((v)&0xffff)
#define HIGH(v) ((v) >> 16)
#define HALF1(LOOP, name, f, op)                                    \
    LOOP(name##_##f, f, f, f##_round_f64(op((double)f##_in(A, 0)))) \
    LOOP(name##_##f##x2, f##x2, f##x2,                              \
         f##_round_f64(op((double)f##_in(LOW(A), 0))) | f##_round_f64(op((double)f##_in(HIGH(A), 0))) << 16)
#define HALF2(name, f, flags, op)                                  \
    INLINE uint32_t name##_##f##_value(uint32_t a, uint32_t b) {   \
        const Real_##f p = f##_in(a, flags), q = f##_in(b, flags); \
        return f##_out(op(f, p, q), flags);                        \
    }                                                              \
    ALU2(name##_##f, f, f, f, name##_##f##_value(A, B))            \
    ALU2(name##_##f##x2, f##x2, f##x2, f##x2, name##_##f##_value(LOW(A), LOW(B)) | name##_##f##_value(HIGH(A), HIGH(B)) << 16)
#define HALF_FMA(name, f, flags)                                                              \
    INLINE uint32_t name##_##f##_value(uint32_t a, uint32_t b, uint32_t c) {                  \
        return f##_out(f##_fma(f##_in(a, flags), f##_in(b, flags), f##_in(c, flags)), flags); \
    }                                                                                         \
    ALU3(name##_##f, f, f, f, f, name##_##f##_value(A, B, C))                                 \
    ALU3(name##_##f##x2, f##x2, f##x2, f##x2, f##x2,                                          \
         name##_##f##_value(LOW(A), LOW(B), LOW(C)) | name##_##f##_value(HIGH(A), HIGH(B), HIGH(C)) << 16)

#define ARITHMETIC(name, op)                            \
    HALF2(name, f16, 0, op)                             \
    HALF2(name##_ftz, f16, INSN_FTZ, op)                \
    HALF2(name##_sat, f16, INSN_SAT, op)                \
    HALF2(name##_ftz_sat, f16, INSN_FTZ | INSN_SAT, op) \
    HALF2(name, bf16, 0, op)
ARITHMETIC(add, ADD)
ARITHMETIC(sub, SUB)
ARITHMETIC(mul, MUL)
HALF_FMA(fma, f16, 0)
HALF_FMA(fma_ftz, f16, INSN_FTZ)
HALF_FMA(fma_sat, f16, INSN_SAT)
HALF_FMA(fma_ftz_sat, f16, INSN_FTZ | INSN_SAT)
HALF_FMA(fma_relu, f16, INSN_RELU)
HALF_FMA(fma_ftz_relu, f16, INSN_FTZ | INSN_RELU)
HALF_FMA(fma, bf16, 0)
HALF_FMA(fma_relu, bf16, INSN_RELU)

#define EXTREME(name, op)                \
    HALF2(name, f16, 0, op)              \
    HALF2(name##_ftz, f16, INSN_FTZ, op) \
    HALF2(name, bf16, 0, op)
EXTREME(min, MIN)
EXTREME(max, MAX)
EXTREME(min_nan, MIN_nan)
EXTREME(max_nan, MAX_nan)
EXTREME(min_xor, MIN_xor)
EXTREME(max_xor, MAX_xor)
EXTREME(min_nan_xor, MIN_nan_xor)
EXTREME(max_nan_xor, MAX_nan_xor)

HALF1(SLOW1, ex2, f16, exp2)
HALF1(SLOW1, ex2, bf16, exp2)
HALF1(SLOW1, tanh, f16, tanh)
HALF1(SLOW1, tanh, bf16, tanh)

/* Signs alone; NaN is canonical here too. */
#define NEG(h) ((h) ^ 0x8000u)
#define ABS(h) ((h)&0x7fffu)
#define SIGN_f16(h, op, in) (((h)&0x7fffu) > 0x7c00u ? 0x7fffu : op(in(h)))
#define SIGN_bf16(h, op, in) (((h)&0x7fffu) > 0x7f80u ? 0x7fffu : op(in(h)))
#define SIGN(name, f, op, in)                             \
    ALU1(name##_##f, f, f, SIGN_##f((uint32_t)A, op, in)) \
    ALU1(name##_##f##x2, f##x2, f##x2, SIGN_##f(LOW(A), op, in) | SIGN_##f(HIGH(A), op, in) << 16)
SIGN(neg, f16, NEG, )
SIGN(neg_ftz, f16, NEG, f16_flush)
SIGN(abs, f16, ABS, )
SIGN(abs_ftz, f16, ABS, f16_flush)
SIGN(neg, bf16, NEG, )
SIGN(abs, bf16, ABS, )

/* clang-format off */
#define FORMS(op, name, f, ...)                                                                                                \
    ROW(op, f, name##_##f, ##__VA_ARGS__) ROW(op, f##x2, name##_##f##x2, ##__VA_ARGS__)
#define RN .rounding = ROUND_RN
#define ARITHMETIC_ROWS(op)                                                                                                    \
    FORMS(op, op, f16, RN) FORMS(op, op##_ftz, f16, RN, .flags = INSN_FTZ) FORMS(op, op##_sat, f16, RN, .flags = INSN_SAT)     \
    FORMS(op, op##_ftz_sat, f16, RN, .flags = INSN_FTZ | INSN_SAT) FORMS(op, op, bf16, RN)
#define EXTREME_ROWS(op, name, f)                                                                                              \
    FORMS(op, name, f16, .flags = (f)) FORMS(op, name##_ftz, f16, .flags = (f) | INSN_FTZ) FORMS(op, name, bf16, .flags = (f))
#define EXTREMES(op)                                                                                                           \
    EXTREME_ROWS(op, op, 0) EXTREME_ROWS(op, op##_nan, INSN_NAN) EXTREME_ROWS(op, op##_xor, INSN_XORSIGN_ABS)                  \
    EXTREME_ROWS(op, op##_nan_xor, INSN_NAN | INSN_XORSIGN_ABS)
#define SIGN_ROWS(op)                                                                                                          \
    FORMS(op, op, f16) FORMS(op, op##_ftz, f16, .flags = INSN_FTZ) FORMS(op, op, bf16)

static const AluRow rows[] = {
    ARITHMETIC_ROWS(add) ARITHMETIC_ROWS(sub) ARITHMETIC_ROWS(mul) ARITHMETIC_ROWS(fma)
    FORMS(fma, fma_relu, f16, RN, .flags = INSN_RELU) FORMS(fma, fma_ftz_relu, f16, RN, .flags = INSN_FTZ | INSN_RELU)
    FORMS(fma, fma_relu, bf16, RN, .flags = INSN_RELU)
    EXTREMES(min) EXTREMES(max) SIGN_ROWS(neg) SIGN_ROWS(abs)
    FORMS(ex2, ex2, f16, .flags = INSN_APPROX)
    FORMS(ex2, ex2, bf16, .flags = INSN_APPROX | INSN_FTZ)
    FORMS(tanh, tanh, f16, .flags = INSN_APPROX) FORMS(tanh, tanh, bf16, .flags = INSN_APPROX)
};
/* clang-format on */
ALU_TABLE(alu_half_table, rows);
