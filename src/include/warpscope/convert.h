/* convert.h: conversions with a stated rounding, and bits read as another type. */
#pragma once

#define WARPSCOPE_BITS(function, type, from) \
    WARPSCOPE_DEVICE type function(from v) { return __builtin_bit_cast(type, v); }
WARPSCOPE_BITS(__float_as_int, int, float)
WARPSCOPE_BITS(__float_as_uint, unsigned int, float)
WARPSCOPE_BITS(__int_as_float, float, int)
WARPSCOPE_BITS(__uint_as_float, float, unsigned int)
WARPSCOPE_BITS(__double_as_longlong, long long, double)
WARPSCOPE_BITS(__longlong_as_double, double, long long)
#undef WARPSCOPE_BITS

WARPSCOPE_DEVICE int __double2hiint(double v) { return (int)(__builtin_bit_cast(unsigned long long, v) >> 32); }
WARPSCOPE_DEVICE int __double2loint(double v) { return (int)__builtin_bit_cast(unsigned long long, v); }
WARPSCOPE_DEVICE double __hiloint2double(int high, int low) {
    return __builtin_bit_cast(double, (unsigned long long)(unsigned int)high << 32 | (unsigned int)low);
}

/* To a whole number the roundings are spelt with an i: rni is "to nearest even". */
WARPSCOPE_ROUNDED(WARPSCOPE_OP1, __float2int, "cvt", "i.s32.f32", int, "r", float, "f")
WARPSCOPE_ROUNDED(WARPSCOPE_OP1, __float2uint, "cvt", "i.u32.f32", unsigned int, "r", float, "f")
WARPSCOPE_ROUNDED(WARPSCOPE_OP1, __float2ll, "cvt", "i.s64.f32", long long, "l", float, "f")
WARPSCOPE_ROUNDED(WARPSCOPE_OP1, __float2ull, "cvt", "i.u64.f32", unsigned long long, "l", float, "f")
WARPSCOPE_ROUNDED(WARPSCOPE_OP1, __double2int, "cvt", "i.s32.f64", int, "r", double, "d")
WARPSCOPE_ROUNDED(WARPSCOPE_OP1, __double2uint, "cvt", "i.u32.f64", unsigned int, "r", double, "d")
WARPSCOPE_ROUNDED(WARPSCOPE_OP1, __double2ll, "cvt", "i.s64.f64", long long, "l", double, "d")
WARPSCOPE_ROUNDED(WARPSCOPE_OP1, __double2ull, "cvt", "i.u64.f64", unsigned long long, "l", double, "d")
WARPSCOPE_ROUNDED(WARPSCOPE_OP1, __int2float, "cvt", ".f32.s32", float, "f", int, "r")
WARPSCOPE_ROUNDED(WARPSCOPE_OP1, __uint2float, "cvt", ".f32.u32", float, "f", unsigned int, "r")
WARPSCOPE_ROUNDED(WARPSCOPE_OP1, __ll2float, "cvt", ".f32.s64", float, "f", long long, "l")
WARPSCOPE_ROUNDED(WARPSCOPE_OP1, __ull2float, "cvt", ".f32.u64", float, "f", unsigned long long, "l")
WARPSCOPE_ROUNDED(WARPSCOPE_OP1, __ll2double, "cvt", ".f64.s64", double, "d", long long, "l")
WARPSCOPE_ROUNDED(WARPSCOPE_OP1, __ull2double, "cvt", ".f64.u64", double, "d", unsigned long long, "l")
WARPSCOPE_ROUNDED(WARPSCOPE_OP1, __double2float, "cvt", ".f32.f64", float, "f", double, "d")
#undef WARPSCOPE_ROUNDED

WARPSCOPE_DEVICE double __int2double_rn(int v) { return v; }
WARPSCOPE_DEVICE double __uint2double_rn(unsigned int v) { return v; }
