/* alu_float.c: arithmetic on f32 and f64. Results are rounded once. */
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

/* The same times 2^64, where a result below the normal numbers is rounded as it would be if exponents had no end. Where that
 * overflows, the result is not small. */
#define UP(v) ((v)*0x1p64f)
#define ADD_UP(a, b) UP(ADD(a, b))
#define SUB_UP(a, b) UP(SUB(a, b))
#define MUL_UP(a, b) MUL(UP(a), b)
#define DIV_UP(a, b) DIV(UP(a), b)
#define RCP_UP(a) (0x1p64f / (a))
#define SQRT_f32_UP(a) UP(sqrtf(a))
#define FMA_f32_UP(a, b, c) FMA_f32(UP(a), b, UP(c))

/* A loop for each set of flags. NaN results of f32 are canonical. .ftz makes a result zero that is below the normal numbers once it is
 * rounded as if exponents had no end, as an H200 does: (1 - 2^-24) * 2^-126 is flushed, though as a subnormal it would round up to 2^-126. */
#define OUT(r) f32_canonical(r)
#define FLUSH_UP(r, up) (fabsf(up) < 0x1p-62f ? f32_from_bits(f32_bits(r) & 0x80000000u) : (r))
#define OUT_FTZ(r, up) f32_canonical(FLUSH_UP(r, up))
#define OUT_SAT(r) CLAMP01(r)
#define OUT_FTZ_SAT(r, up) CLAMP01(FLUSH_UP(r, up))
#define F(v) f32_flush(v)

/* f64 hands on a NaN operand, quiet: of several the second before the third before the first, as measured on an H200. A NaN that comes of
 * no NaN is negative. */
#define F64_NAN f64_from_bits(UINT64_C(0xfff8000000000000))
static inline double f64_nan1(double r, double a) { return r == r ? r : a != a ? f64_quiet(a) : F64_NAN; }
static inline double f64_nan2(double r, double a, double b) { return r == r || b == b ? f64_nan1(r, a) : f64_quiet(b); }
static inline double f64_nan3(double r, double a, double b, double c) {
    return r == r || b != b || c == c ? f64_nan2(r, a, b) : f64_quiet(c);
}
#define NAN1(r) f64_nan1(r, A)
#define NAN2(r) f64_nan2(r, A, B)
#define NAN2_FIRST(r) f64_nan2(r, B, A) /* of a division: the first before the second */
#define NAN3(r) f64_nan3(r, A, B, C)

#define UNARY(name, f, g)                                          \
    ALU1(name##_f32, f32, f32, OUT(f(A)))                          \
    ALU1(name##_f32_ftz, f32, f32, OUT_FTZ(f(F(A)), f##_UP(F(A)))) \
    ALU1(name##_f64, f64, f64, NAN1(g(A)))                         \
    DIRECTED1(name##_f32, name, f32, OUT) FLUSHED1(name##_f32_ftz, name, OUT_FTZ) DIRECTED1(name##_f64, name, f64, NAN1)
#define BINARY(name, f) BINARY_OF(name, f, NAN2)
#define BINARY_OF(name, f, nan)                                                     \
    ALU2(name##_f32, f32, f32, f32, OUT(f(A, B)))                                   \
    ALU2(name##_f32_ftz, f32, f32, f32, OUT_FTZ(f(F(A), F(B)), f##_UP(F(A), F(B)))) \
    ALU2(name##_f64, f64, f64, f64, nan(f(A, B)))                                   \
    DIRECTED2(name##_f32, name, f32, OUT) FLUSHED2(name##_f32_ftz, name, OUT_FTZ) DIRECTED2(name##_f64, name, f64, nan)
#define BINARY_SAT(name, f)                                                                 \
    ALU2(name##_f32_sat, f32, f32, f32, OUT_SAT(f(A, B)))                                   \
    ALU2(name##_f32_ftz_sat, f32, f32, f32, OUT_FTZ_SAT(f(F(A), F(B)), f##_UP(F(A), F(B)))) \
    DIRECTED2(name##_f32_sat, name, f32, OUT_SAT) FLUSHED2(name##_f32_ftz_sat, name, OUT_FTZ_SAT)

/* The same loop under the directed roundings: DIRECTEDn(loop, operation, type, what is made of the result), FLUSHEDn(loop, operation, what is
 * made of the result) of those with .ftz. Where the host has rounding modes, that loop under one of them; else each lane by itself. */
#ifdef FE_UPWARD
#define DIRECTED_TO(name, rounding) \
    static void name##_##rounding(ALU_PARAMETERS) { alu_round(name, ROUND_##rounding, ALU_ARGUMENTS); }
#define DIRECTED1(name, ...) DIRECTED_TO(name, RZ) DIRECTED_TO(name, RM) DIRECTED_TO(name, RP)
#define DIRECTED2 DIRECTED1
#define DIRECTED3 DIRECTED1
#define FLUSHED1 DIRECTED1
#define FLUSHED2 DIRECTED1
#define FLUSHED3 DIRECTED1
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
#define DIRECTED_add_UP(a, b, ...) UP((float)DIRECTED_add(a, b, __VA_ARGS__))
#define DIRECTED_sub_UP(a, b, ...) UP((float)DIRECTED_sub(a, b, __VA_ARGS__))
#define DIRECTED_mul_UP(a, b, ...) DIRECTED_mul(UP(a), b, __VA_ARGS__)
#define DIRECTED_div_UP(a, b, ...) DIRECTED_div(UP(a), b, __VA_ARGS__)
#define DIRECTED_fma_UP(a, b, c, ...) DIRECTED_fma(UP(a), b, UP(c), __VA_ARGS__)
#define DIRECTED_sqrt_UP(a, ...) UP((float)DIRECTED_sqrt(a, __VA_ARGS__))
#define DIRECTED_rcp_UP(a, ...) directed(DIRECTED_DIV, 0x1p64, a, 0, __VA_ARGS__)
#define EACH_DIRECTED(TO, ...) TO(RZ, __VA_ARGS__) TO(RM, __VA_ARGS__) TO(RP, __VA_ARGS__)
#define HOW(r, t) ROUND_##r, IS_SINGLE_##t
#define DIRECTED1_TO(r, name, op, t, out) SLOW1(name##_##r, t, t, out((Value_##t)DIRECTED_##op(A, HOW(r, t))))
#define DIRECTED2_TO(r, name, op, t, out) SLOW2(name##_##r, t, t, t, out((Value_##t)DIRECTED_##op(A, B, HOW(r, t))))
#define DIRECTED3_TO(r, name, op, t, out) SLOW3(name##_##r, t, t, t, t, out((Value_##t)DIRECTED_##op(A, B, C, HOW(r, t))))
#define FLUSHED1_TO(r, name, op, out) \
    SLOW1(name##_##r, f32, f32, out((float)DIRECTED_##op(F(A), HOW(r, f32)), (float)DIRECTED_##op##_UP(F(A), HOW(r, f32))))
#define FLUSHED2_TO(r, name, op, out) \
    SLOW2(name##_##r, f32, f32, f32,  \
          out((float)DIRECTED_##op(F(A), F(B), HOW(r, f32)), (float)DIRECTED_##op##_UP(F(A), F(B), HOW(r, f32))))
#define FLUSHED3_TO(r, name, op, out)     \
    SLOW3(name##_##r, f32, f32, f32, f32, \
          out((float)DIRECTED_##op(F(A), F(B), F(C), HOW(r, f32)), (float)DIRECTED_##op##_UP(F(A), F(B), F(C), HOW(r, f32))))
#define DIRECTED1(...) EACH_DIRECTED(DIRECTED1_TO, __VA_ARGS__)
#define DIRECTED2(...) EACH_DIRECTED(DIRECTED2_TO, __VA_ARGS__)
#define DIRECTED3(...) EACH_DIRECTED(DIRECTED3_TO, __VA_ARGS__)
#define FLUSHED1(...) EACH_DIRECTED(FLUSHED1_TO, __VA_ARGS__)
#define FLUSHED2(...) EACH_DIRECTED(FLUSHED2_TO, __VA_ARGS__)
#define FLUSHED3(...) EACH_DIRECTED(FLUSHED3_TO, __VA_ARGS__)
#endif

BINARY(add, ADD)
BINARY(sub, SUB)
BINARY(mul, MUL)
BINARY_OF(div, DIV, NAN2_FIRST)
BINARY_SAT(add, ADD)
BINARY_SAT(sub, SUB)
BINARY_SAT(mul, MUL)
UNARY(rcp, RCP, RCP)
UNARY(sqrt, SQRT_f32, SQRT_f64)

ALU3(fma_f32, f32, f32, f32, f32, OUT(FMA_f32(A, B, C)))
ALU3(fma_f32_ftz, f32, f32, f32, f32, OUT_FTZ(FMA_f32(F(A), F(B), F(C)), FMA_f32_UP(F(A), F(B), F(C))))
ALU3(fma_f32_sat, f32, f32, f32, f32, OUT_SAT(FMA_f32(A, B, C)))
ALU3(fma_f32_ftz_sat, f32, f32, f32, f32, OUT_FTZ_SAT(FMA_f32(F(A), F(B), F(C)), FMA_f32_UP(F(A), F(B), F(C))))
ALU3(fma_f64, f64, f64, f64, f64, NAN3(FMA_f64(A, B, C)))
DIRECTED3(fma_f32, fma, f32, OUT)
FLUSHED3(fma_f32_ftz, fma, OUT_FTZ)
DIRECTED3(fma_f32_sat, fma, f32, OUT_SAT)
FLUSHED3(fma_f32_ftz_sat, fma, OUT_FTZ_SAT)
DIRECTED3(fma_f64, fma, f64, NAN3)

ALU1(neg_f32, f32, f32, OUT(-A))
ALU1(neg_f32_ftz, f32, f32, OUT(-F(A)))
/* The sign of a NaN of f64 stays. */
ALU1(neg_f64, f64, f64, A != A ? f64_quiet(A) : -A)
ALU1(abs_f32, f32, f32, OUT(fabsf(A)))
ALU1(abs_f32_ftz, f32, f32, OUT(fabsf(F(A))))
ALU1(abs_f64, f64, f64, A != A ? f64_quiet(A) : fabs(A))
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
    return a < b ? a : b < a ? b : a == b ? same : b == b ? b : a != a ? f64_quiet(b) : a;
}
static inline double max_f64_value(double a, double b) {
    const double same = f64_from_bits(f64_bits(a) & f64_bits(b));
    return a > b ? a : b > a ? b : a == b ? same : b == b ? b : a != a ? f64_quiet(b) : a;
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

/* Computed in double and rounded once: at least as good as the hardware. */
#define RSQRT(a) ((float)(1 / sqrt((double)(a))))
ALU1(rsqrt_f32, f32, f32, OUT(RSQRT(A)))
ALU1(rsqrt_f32_ftz, f32, f32, f32_canonical(F(RSQRT(F(A)))))

/* div.approx is a * (1/b) with a reciprocal that is 0 where |b| > 2^126. */
#define DIV_APPROX(a, b) (fabsf(b) > 0x1p126f ? (a)*copysignf(0, b) : (a) / (b))
ALU2(div_approx_f32, f32, f32, f32, OUT(DIV_APPROX(A, B)))
ALU2(div_approx_f32_ftz, f32, f32, f32, f32_canonical(F(DIV_APPROX(F(A), F(B)))))

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
    ROW(rcp, f64, rcp_approx_f64, .flags = INSN_APPROX | INSN_FTZ)
    ROW(rsqrt, f64, rsqrt_approx_f64, .flags = INSN_APPROX)
    ROW(rsqrt, f64, rsqrt_approx_ftz_f64, .flags = INSN_APPROX | INSN_FTZ)
};
/* clang-format on */
ALU_TABLE(alu_float_table, rows);
