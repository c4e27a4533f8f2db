/* alu_cvt.c: loops for the conversions that programs spend their time in. alu_convert.c has all the others. */
#include "machine/alu_lanes.h"
#include "ptx/opcode.h"

/* Integers to integers truncate or extend; to floats they round to nearest. */
#define INTS(F, ...)    \
    F(u8, __VA_ARGS__)  \
    F(s8, __VA_ARGS__)  \
    F(u16, __VA_ARGS__) \
    F(s16, __VA_ARGS__) F(u32, __VA_ARGS__) F(s32, __VA_ARGS__) F(u64, __VA_ARGS__) F(s64, __VA_ARGS__)
#define FROM_INT(from, to) ALU1(cvt_##to##_##from, to, from, A)
INTS(FROM_INT, u8)
INTS(FROM_INT, s8)
INTS(FROM_INT, u16)
INTS(FROM_INT, s16)
INTS(FROM_INT, u32)
INTS(FROM_INT, s32)
INTS(FROM_INT, u64)
INTS(FROM_INT, s64)
INTS(FROM_INT, f32)
INTS(FROM_INT, f64)

/* Floats to integers clamp. NaN becomes 0 where neither type has 64 bits, else the top bit alone (measured). low and limit
 * are floats: low is representable and the least result, limit is one more than the greatest. */
#define CLAMPED(v, to, low, limit, nan) \
    ((v) >= (limit) ? MAX_##to : (v) < (low) ? MIN_##to : (v) != (v) ? (Value_##to)(nan) : (Value_##to)(v))
#define MIN_u32 0
#define MAX_u32 UINT32_MAX
#define MIN_s32 INT32_MIN
#define MAX_s32 INT32_MAX
#define MIN_u64 0
#define MAX_u64 UINT64_MAX
#define MIN_s64 INT64_MIN
#define MAX_s64 INT64_MAX
#define NAN32_f32 0
#define NAN32_f64 0x80000000u
#define NAN64 (UINT64_C(1) << 63)
#define TO_INTS(from, suffix, rounding, integral)                                                                 \
    ALU1(cvt_##rounding##_u32_##from##suffix, u32, from, CLAMPED(integral, u32, 0, 0x1p32f, NAN32_##from))        \
    ALU1(cvt_##rounding##_s32_##from##suffix, s32, from, CLAMPED(integral, s32, -0x1p31f, 0x1p31f, NAN32_##from)) \
    ALU1(cvt_##rounding##_u64_##from##suffix, u64, from, CLAMPED(integral, u64, 0, 0x1p64f, NAN64))               \
    ALU1(cvt_##rounding##_s64_##from##suffix, s64, from, CLAMPED(integral, s64, -0x1p63f, 0x1p63f, NAN64))
TO_INTS(f32, , rni, rintf(A))
TO_INTS(f32, , rzi, truncf(A))
TO_INTS(f32, , rmi, floorf(A))
TO_INTS(f32, , rpi, ceilf(A))
TO_INTS(f32, _ftz, rni, rintf(f32_flush(A)))
TO_INTS(f32, _ftz, rzi, truncf(f32_flush(A)))
TO_INTS(f32, _ftz, rmi, floorf(f32_flush(A)))
TO_INTS(f32, _ftz, rpi, ceilf(f32_flush(A)))
TO_INTS(f64, , rni, rint(A))
TO_INTS(f64, , rzi, trunc(A))
TO_INTS(f64, , rmi, floor(A))
TO_INTS(f64, , rpi, ceil(A))

ALU1(integral_rni_f32, f32, f32, f32_canonical(rintf(A)))
ALU1(integral_rzi_f32, f32, f32, f32_canonical(truncf(A)))
ALU1(integral_rmi_f32, f32, f32, f32_canonical(floorf(A)))
ALU1(integral_rpi_f32, f32, f32, f32_canonical(ceilf(A)))
ALU1(integral_rni_f32_ftz, f32, f32, f32_canonical(rintf(f32_flush(A))))
ALU1(integral_rzi_f32_ftz, f32, f32, f32_canonical(truncf(f32_flush(A))))
ALU1(integral_rmi_f32_ftz, f32, f32, f32_canonical(floorf(f32_flush(A))))
ALU1(integral_rpi_f32_ftz, f32, f32, f32_canonical(ceilf(f32_flush(A))))
/* Without an instruction for it, compilers hand a NaN on as it is. */
#define INTEGRAL_f64(f) (A != A ? f64_quiet(A) : f(A))
ALU1(integral_rni_f64, f64, f64, INTEGRAL_f64(rint))
ALU1(integral_rzi_f64, f64, f64, INTEGRAL_f64(trunc))
ALU1(integral_rmi_f64, f64, f64, INTEGRAL_f64(floor))
ALU1(integral_rpi_f64, f64, f64, INTEGRAL_f64(ceil))

ALU1(cvt_f64_f32, f64, f32, A)
ALU1(cvt_f64_f32_ftz, f64, f32, f32_canonical(f32_flush(A)))
ALU1(cvt_f32_f64, f32, f64, (float)A)
/* Flushed where it is below the normal numbers once it is rounded as if exponents had no end (alu_float.c). */
ALU1(cvt_f32_f64_ftz, f32, f64, fabsf((float)(A * 0x1p64)) < 0x1p-62f ? (float)copysign(0, A) : (float)A)
ALU1(cvt_f32_f32, f32, f32, A)
ALU1(cvt_f32_f32_ftz, f32, f32, f32_canonical(f32_flush(A)))
ALU1(cvt_sat_f32_f32, f32, f32, CLAMP01(A))
ALU1(cvt_sat_f32_f32_ftz, f32, f32, CLAMP01(f32_flush(A)))
ALU1(cvt_f32_f16, f32, f16, f32_canonical(f16_to_f32(A)))
ALU1(cvt_f32_bf16, f32, bf16, bf16_to_f32(A))
ALU1(cvt_f16_f32, f16, f32, f16_round(A))
ALU1(cvt_bf16_f32, bf16, f32, bf16_round(A))
ALU2(cvt_f16x2_f32, f16x2, f32, f32, f16_round(A) << 16 | f16_round(B))
ALU2(cvt_bf16x2_f32, bf16x2, f32, f32, bf16_round(A) << 16 | bf16_round(B))

/* clang-format off */
#define CVT(to, from, function, ...) ROW(cvt, to, function, .type2 = TYPE_##from, ##__VA_ARGS__)
#define INT_ROW(from, to) CVT(to, from, cvt_##to##_##from)
#define FLOAT_ROW(from, to) CVT(to, from, cvt_##to##_##from, .rounding = ROUND_RN)
#define TO_INT_ROWS(to, from, f, ...)                                                                                          \
    CVT(to, from, cvt_rni_##to##_##f, .rounding = ROUND_RNI, ##__VA_ARGS__)                                                    \
    CVT(to, from, cvt_rzi_##to##_##f, .rounding = ROUND_RZI, ##__VA_ARGS__)                                                    \
    CVT(to, from, cvt_rmi_##to##_##f, .rounding = ROUND_RMI, ##__VA_ARGS__)                                                    \
    CVT(to, from, cvt_rpi_##to##_##f, .rounding = ROUND_RPI, ##__VA_ARGS__)
#define TO_INTS_ROWS(from, f, ...)                                                                                             \
    TO_INT_ROWS(u32, from, f, ##__VA_ARGS__) TO_INT_ROWS(s32, from, f, ##__VA_ARGS__)                                          \
    TO_INT_ROWS(u64, from, f, ##__VA_ARGS__) TO_INT_ROWS(s64, from, f, ##__VA_ARGS__)
#define INTEGRAL_ROWS(t, f, ...)                                                                                               \
    CVT(t, t, integral_rni_##f, .rounding = ROUND_RNI, ##__VA_ARGS__)                                                          \
    CVT(t, t, integral_rzi_##f, .rounding = ROUND_RZI, ##__VA_ARGS__)                                                          \
    CVT(t, t, integral_rmi_##f, .rounding = ROUND_RMI, ##__VA_ARGS__)                                                          \
    CVT(t, t, integral_rpi_##f, .rounding = ROUND_RPI, ##__VA_ARGS__)
#define RN .rounding = ROUND_RN
#define FTZ .flags = INSN_FTZ

static const AluRow rows[] = {
    INTS(INT_ROW, u8) INTS(INT_ROW, s8) INTS(INT_ROW, u16) INTS(INT_ROW, s16)
    INTS(INT_ROW, u32) INTS(INT_ROW, s32) INTS(INT_ROW, u64) INTS(INT_ROW, s64)
    INTS(FLOAT_ROW, f32) INTS(FLOAT_ROW, f64)
    TO_INTS_ROWS(f32, f32) TO_INTS_ROWS(f32, f32_ftz, FTZ) TO_INTS_ROWS(f64, f64)
    INTEGRAL_ROWS(f32, f32) INTEGRAL_ROWS(f32, f32_ftz, FTZ) INTEGRAL_ROWS(f64, f64)
    CVT(f64, f32, cvt_f64_f32) CVT(f64, f32, cvt_f64_f32_ftz, FTZ)
    CVT(f32, f64, cvt_f32_f64, RN) CVT(f32, f64, cvt_f32_f64_ftz, RN, FTZ)
    CVT(f32, f32, cvt_f32_f32) CVT(f32, f32, cvt_f32_f32_ftz, FTZ) CVT(f64, f64, cvt_u64_u64)
    CVT(f32, f32, cvt_sat_f32_f32, .flags = INSN_SAT) CVT(f32, f32, cvt_sat_f32_f32_ftz, .flags = INSN_SAT | INSN_FTZ)
    CVT(f32, f16, cvt_f32_f16) CVT(f32, f16, cvt_f32_f16, FTZ)
    CVT(f32, bf16, cvt_f32_bf16)
    CVT(f16, f32, cvt_f16_f32, RN) CVT(bf16, f32, cvt_bf16_f32, RN)
    CVT(f16x2, f32, cvt_f16x2_f32, RN) CVT(bf16x2, f32, cvt_bf16x2_f32, RN)
};
/* clang-format on */
ALU_TABLE(alu_cvt_table, rows);
