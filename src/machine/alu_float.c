/* alu_float.c: arithmetic on f32 and f64. Results are rounded once. What PTX calls approximate is computed in double and
 * rounded once too: at least as good as the hardware, and the same on every host with a good libm. */
#include <fenv.h>

#include "machine/alu_lanes.h"
#include "machine/directed.h"
#include "ptx/opcode.h"

#define ADD(a, b) ((a) + (b))
#define SUB(a, b) ((a) - (b))
#define MUL(a, b) ((a) * (b))
#define DIV(a, b) ((a) / (b))
#ifdef __FP_FAST_FMAF
#define FMA_f32(a, b, c) fmaf(a, b, c)
#else
/* The product is exact in double; the sum is rounded to odd there, with as many bits more as let the float be rounded once. */
static inline float FMA_f32(double a, double b, double c) {
    const double p = a * b, sum = p + c, c_part = sum - p, error = (p - (sum - c_part)) + (c - c_part);
    const uint64_t bits = f64_bits(sum), toward = f64_bits(error) ^ bits;
    const bool inexact = fabs(error) > 0 && !(bits & 1); /* not of NaN, which infinity leaves */
    return (float)f64_from_bits(bits + (inexact ? (int64_t)toward < 0 ? UINT64_MAX : 1 : 0));
}
#endif
#define FMA_f64(a, b, c) fma(a, b, c)
#define RCP(a) (1 / (a))
#define SQRT_f32(a) sqrtf(a)
#define SQRT_f64(a) sqrt(a)

/* A loop for each set of flags. NaN results of f32 are canonical; f64 hands on the payload of a NaN operand, as the host
 * does. .ftz looks at the rounded result, the hardware at the exact one: they differ where a product just below the least
 * normal number rounds up to it. */
#define OUT(r) f32_canonical(r)
#define OUT_FTZ(r) f32_canonical(f32_flush(r))
#define OUT_SAT(r) CLAMP01(r)
#define OUT_FTZ_SAT(r) CLAMP01(f32_flush(r))
#define F(v) f32_flush(v)

#define UNARY(name, f, g)                            \
    ALU1(name##_f32, f32, f32, OUT(f(A)))            \
    ALU1(name##_f32_ftz, f32, f32, OUT_FTZ(f(F(A)))) \
    ALU1(name##_f64, f64, f64, g(A))                 \
    DIRECTED1(name##_f32, name, f32, OUT, )          \
    DIRECTED1(name##_f32_ftz, name, f32, OUT_FTZ, F) DIRECTED1(name##_f64, name, f64, , )
#define BINARY(name, f)                                         \
    ALU2(name##_f32, f32, f32, f32, OUT(f(A, B)))               \
    ALU2(name##_f32_ftz, f32, f32, f32, OUT_FTZ(f(F(A), F(B)))) \
    ALU2(name##_f64, f64, f64, f64, f(A, B))                    \
    DIRECTED2(name##_f32, name, f32, OUT, )                     \
    DIRECTED2(name##_f32_ftz, name, f32, OUT_FTZ, F) DIRECTED2(name##_f64, name, f64, , )
#define BINARY_SAT(name, f)                                             \
    ALU2(name##_f32_sat, f32, f32, f32, OUT_SAT(f(A, B)))               \
    ALU2(name##_f32_ftz_sat, f32, f32, f32, OUT_FTZ_SAT(f(F(A), F(B)))) \
    DIRECTED2(name##_f32_sat, name, f32, OUT_SAT, ) DIRECTED2(name##_f32_ftz_sat, name, f32, OUT_FTZ_SAT, F)

/* The same loop under the directed roundings: DIRECTEDn(loop, operation, type, what is made of the result, and of an operand). Where the host
 * has rounding modes, that loop under one of them; else each lane by itself. */
#ifdef FE_UPWARD
#define DIRECTED_TO(name, rounding) \
    static void name##_##rounding(ALU_PARAMETERS) { alu_round(name, ROUND_##rounding, ALU_ARGUMENTS); }
#define DIRECTED1(name, op, t, out, in) DIRECTED_TO(name, RZ) DIRECTED_TO(name, RM) DIRECTED_TO(name, RP)
#define DIRECTED2 DIRECTED1
#define DIRECTED3 DIRECTED1
#else
#define IS_SINGLE_f32 true
#define IS_SINGLE_f64 false
#define DIRECTED_add(a, b, ...) directed(DIRECTED_ADD, a, b, 0, __VA_ARGS__)
#define DIRECTED_sub(a, b, ...) directed(DIRECTED_SUB, a, b, 0, __VA_ARGS__)
#define DIRECTED_mul(a, b, ...) directed(DIRECTED_MUL, a, b, 0, __VA_ARGS__)
#define DIRECTED_div(a, b, ...) directed(DIRECTED_DIV, a, b, 0, __VA_ARGS__)
#define DIRECTED_fma(a, b, c, ...) directed(DIRECTED_FMA, a, b, c, __VA_ARGS__)
#define DIRECTED_sqrt(a, ...) directed(DIRECTED_SQRT, a, 0, 0, __VA_ARGS__)
#define DIRECTED_rcp(a, ...) directed(DIRECTED_DIV, 1, a, 0, __VA_ARGS__)
#define DIRECTED1_TO(r, name, op, t, out, in) \
    SLOW1(name##_##r, t, t, out((Value_##t)DIRECTED_##op(in(A), ROUND_##r, IS_SINGLE_##t)))
#define DIRECTED2_TO(r, name, op, t, out, in) \
    SLOW2(name##_##r, t, t, t, out((Value_##t)DIRECTED_##op(in(A), in(B), ROUND_##r, IS_SINGLE_##t)))
#define DIRECTED3_TO(r, name, op, t, out, in) \
    SLOW3(name##_##r, t, t, t, t, out((Value_##t)DIRECTED_##op(in(A), in(B), in(C), ROUND_##r, IS_SINGLE_##t)))
#define DIRECTED1(...) DIRECTED1_TO(RZ, __VA_ARGS__) DIRECTED1_TO(RM, __VA_ARGS__) DIRECTED1_TO(RP, __VA_ARGS__)
#define DIRECTED2(...) DIRECTED2_TO(RZ, __VA_ARGS__) DIRECTED2_TO(RM, __VA_ARGS__) DIRECTED2_TO(RP, __VA_ARGS__)
#define DIRECTED3(...) DIRECTED3_TO(RZ, __VA_ARGS__) DIRECTED3_TO(RM, __VA_ARGS__) DIRECTED3_TO(RP, __VA_ARGS__)
#endif

BINARY(add, ADD)
BINARY(sub, SUB)
BINARY(mul, MUL)
BINARY(div, DIV)
BINARY_SAT(add, ADD)
BINARY_SAT(sub, SUB)
BINARY_SAT(mul, MUL)
UNARY(rcp, RCP, RCP)
UNARY(sqrt, SQRT_f32, SQRT_f64)

ALU3(fma_f32, f32, f32, f32, f32, OUT(FMA_f32(A, B, C)))
ALU3(fma_f32_ftz, f32, f32, f32, f32, OUT_FTZ(FMA_f32(F(A), F(B), F(C))))
ALU3(fma_f32_sat, f32, f32, f32, f32, OUT_SAT(FMA_f32(A, B, C)))
ALU3(fma_f32_ftz_sat, f32, f32, f32, f32, OUT_FTZ_SAT(FMA_f32(F(A), F(B), F(C))))
ALU3(fma_f64, f64, f64, f64, f64, FMA_f64(A, B, C))
DIRECTED3(fma_f32, fma, f32, OUT, )
DIRECTED3(fma_f32_ftz, fma, f32, OUT_FTZ, F)
DIRECTED3(fma_f32_sat, fma, f32, OUT_SAT, )
DIRECTED3(fma_f32_ftz_sat, fma, f32, OUT_FTZ_SAT, F)
DIRECTED3(fma_f64, fma, f64, , )

ALU1(neg_f32, f32, f32, OUT(-A))
ALU1(neg_f32_ftz, f32, f32, OUT(-F(A)))
ALU1(neg_f64, f64, f64, -A)
ALU1(abs_f32, f32, f32, OUT(fabsf(A)))
ALU1(abs_f32_ftz, f32, f32, OUT(fabsf(F(A))))
ALU1(abs_f64, f64, f64, fabs(A))
/* The sign of a on the magnitude of b. */
ALU2(copysign_f32, f32, f32, f32, copysignf(B, A))
ALU2(copysign_f64, f64, f64, f64, copysign(B, A))

/* A NaN gives way to the other operand; +0 is greater than -0, which or-ing (and-ing) the bits of equal operands brings
 * about. */
static inline float min_f32_value(float a, float b) {
    const float same = f32_from_bits(f32_bits(a) | f32_bits(b));
    return f32_canonical(a < b ? a : b < a ? b : a == b ? same : b != b ? a : b);
}
static inline float max_f32_value(float a, float b) {
    const float same = f32_from_bits(f32_bits(a) & f32_bits(b));
    return f32_canonical(a > b ? a : b > a ? b : a == b ? same : b != b ? a : b);
}
static inline double min_f64_value(double a, double b) {
    const double same = f64_from_bits(f64_bits(a) | f64_bits(b));
    return a < b ? a : b < a ? b : a == b ? same : b != b ? a : b;
}
static inline double max_f64_value(double a, double b) {
    const double same = f64_from_bits(f64_bits(a) & f64_bits(b));
    return a > b ? a : b > a ? b : a == b ? same : b != b ? a : b;
}
#define NAN_WINS(a, b, r) ((((a) != (a)) | ((b) != (b))) ? f32_from_bits(F32_NAN) : (r))
/* .xorsign.abs: the lesser (greater) magnitude with the product's sign. */
#define XOR_SIGN(a, b, f) \
    f32_canonical(f32_from_bits((f32_bits(f(fabsf(a), fabsf(b))) & 0x7fffffffu) | ((f32_bits(a) ^ f32_bits(b)) & 0x80000000u)))
#define EXTREME(op, f)                                                           \
    ALU2(op##_f32, f32, f32, f32, f(A, B))                                       \
    ALU2(op##_f32_ftz, f32, f32, f32, f(F(A), F(B)))                             \
    ALU2(op##_f32_nan, f32, f32, f32, NAN_WINS(A, B, f(A, B)))                   \
    ALU2(op##_f32_ftz_nan, f32, f32, f32, NAN_WINS(A, B, f(F(A), F(B))))         \
    ALU2(op##_f32_xorsign, f32, f32, f32, XOR_SIGN(A, B, f))                     \
    ALU2(op##_f32_ftz_xorsign, f32, f32, f32, XOR_SIGN(F(A), F(B), f))           \
    ALU2(op##_f32_nan_xorsign, f32, f32, f32, NAN_WINS(A, B, XOR_SIGN(A, B, f))) \
    ALU2(op##_f32_ftz_nan_xorsign, f32, f32, f32, NAN_WINS(A, B, XOR_SIGN(F(A), F(B), f)))
EXTREME(min, min_f32_value)
EXTREME(max, max_f32_value)
ALU2(min_f64, f64, f64, f64, min_f64_value(A, B))
ALU2(max_f64, f64, f64, f64, max_f64_value(A, B))

#define APPROX1(LOOP, name, f)                           \
    LOOP(name##_f32, f32, f32, OUT((float)f((double)A))) \
    LOOP(name##_f32_ftz, f32, f32, OUT_FTZ((float)f((double)F(A))))
#define RSQRT(a) (1 / sqrt(a))
APPROX1(ALU1, rsqrt, RSQRT)
APPROX1(SLOW1, sin, sin)
APPROX1(SLOW1, cos, cos)
APPROX1(SLOW1, lg2, log2)
APPROX1(SLOW1, ex2, exp2)
SLOW1(tanh_f32, f32, f32, OUT((float)tanh((double)A)))

/* div.approx is a * (1/b) with a reciprocal that is 0 where |b| > 2^126. */
#define DIV_APPROX(a, b) (fabsf(b) > 0x1p126f ? (a)*copysignf(0, b) : (a) / (b))
ALU2(div_approx_f32, f32, f32, f32, OUT(DIV_APPROX(A, B)))
ALU2(div_approx_f32_ftz, f32, f32, f32, OUT_FTZ(DIV_APPROX(F(A), F(B))))

/* Of a double's high word, with a result whose low word is 0. */
static inline double high_word(double x) { return f64_from_bits(f64_bits(x) & UINT64_C(0xffffffff00000000)); }
static inline double f64_flush(double x) { return fabs(x) < 0x1p-1022 ? copysign(0, x) : x; }
#define HIGH_OUT(r) high_word((r) != (r) ? f64_from_bits(UINT64_C(0x7fffffff00000000)) : (r))
ALU1(rcp_approx_f64, f64, f64, HIGH_OUT(f64_flush(1 / high_word(f64_flush(A)))))
ALU1(rsqrt_approx_ftz_f64, f64, f64, HIGH_OUT(1 / sqrt(high_word(f64_flush(A)))))
ALU1(rsqrt_approx_f64, f64, f64, 1 / sqrt(A))

/* clang-format off */
#define ROUNDINGS(op, t, f, ...)                                                                                               \
    ROW(op, t, f, .rounding = ROUND_RN, ##__VA_ARGS__) ROW(op, t, f##_RZ, .rounding = ROUND_RZ, ##__VA_ARGS__)                 \
    ROW(op, t, f##_RM, .rounding = ROUND_RM, ##__VA_ARGS__) ROW(op, t, f##_RP, .rounding = ROUND_RP, ##__VA_ARGS__)
#define FLOATS(op)                                                                                                             \
    ROUNDINGS(op, f32, op##_f32) ROUNDINGS(op, f32, op##_f32_ftz, .flags = INSN_FTZ) ROUNDINGS(op, f64, op##_f64)
#define FLOATS_SAT(op)                                                                                                         \
    ROUNDINGS(op, f32, op##_f32_sat, .flags = INSN_SAT) ROUNDINGS(op, f32, op##_f32_ftz_sat, .flags = INSN_FTZ | INSN_SAT)
#define PLAIN(op)                                                                                                              \
    ROW(op, f32, op##_f32) ROW(op, f32, op##_f32_ftz, .flags = INSN_FTZ) ROW(op, f64, op##_f64)
#define EXTREMES(op)                                                                                                           \
    PLAIN(op) ROW(op, f32, op##_f32_nan, .flags = INSN_NAN) ROW(op, f32, op##_f32_ftz_nan, .flags = INSN_FTZ | INSN_NAN)       \
    ROW(op, f32, op##_f32_xorsign, .flags = INSN_XORSIGN_ABS)                                                                  \
    ROW(op, f32, op##_f32_ftz_xorsign, .flags = INSN_FTZ | INSN_XORSIGN_ABS)                                                   \
    ROW(op, f32, op##_f32_nan_xorsign, .flags = INSN_NAN | INSN_XORSIGN_ABS)                                                   \
    ROW(op, f32, op##_f32_ftz_nan_xorsign, .flags = INSN_FTZ | INSN_NAN | INSN_XORSIGN_ABS)
#define APPROX(op, f, flag)                                                                                                    \
    ROW(op, f32, f##_f32, .flags = flag) ROW(op, f32, f##_f32_ftz, .flags = flag | INSN_FTZ)

static const AluRow rows[] = {
    FLOATS(add) FLOATS(sub) FLOATS(mul) FLOATS(fma) FLOATS(div) FLOATS(rcp) FLOATS(sqrt)
    FLOATS_SAT(add) FLOATS_SAT(sub) FLOATS_SAT(mul) FLOATS_SAT(fma)
    PLAIN(neg) PLAIN(abs) EXTREMES(min) EXTREMES(max)
    ROW(copysign, f32, copysign_f32) ROW(copysign, f64, copysign_f64)
    APPROX(div, div_approx, INSN_APPROX) APPROX(div, div, INSN_FULL)
    APPROX(rcp, rcp, INSN_APPROX) APPROX(sqrt, sqrt, INSN_APPROX) APPROX(rsqrt, rsqrt, INSN_APPROX)
    APPROX(sin, sin, INSN_APPROX) APPROX(cos, cos, INSN_APPROX) APPROX(lg2, lg2, INSN_APPROX) APPROX(ex2, ex2, INSN_APPROX)
    ROW(tanh, f32, tanh_f32, .flags = INSN_APPROX)
    ROW(rcp, f64, rcp_approx_f64, .flags = INSN_APPROX | INSN_FTZ)
    ROW(rsqrt, f64, rsqrt_approx_f64, .flags = INSN_APPROX)
    ROW(rsqrt, f64, rsqrt_approx_ftz_f64, .flags = INSN_APPROX | INSN_FTZ)
};
/* clang-format on */
ALU_TABLE(alu_float_table, rows);
