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
#define WARPSCOPE_TO_WHOLE(function, type, suffix, out, from, from_suffix, in)           \
    WARPSCOPE_OP1(function##_rn, "cvt.rni." suffix "." from_suffix, type, out, from, in) \
    WARPSCOPE_OP1(function##_rz, "cvt.rzi." suffix "." from_suffix, type, out, from, in) \
    WARPSCOPE_OP1(function##_ru, "cvt.rpi." suffix "." from_suffix, type, out, from, in) \
    WARPSCOPE_OP1(function##_rd, "cvt.rmi." suffix "." from_suffix, type, out, from, in)
#define WARPSCOPE_TO_FLOAT(function, type, suffix, out, from, from_suffix, in)          \
    WARPSCOPE_OP1(function##_rn, "cvt.rn." suffix "." from_suffix, type, out, from, in) \
    WARPSCOPE_OP1(function##_rz, "cvt.rz." suffix "." from_suffix, type, out, from, in) \
    WARPSCOPE_OP1(function##_ru, "cvt.rp." suffix "." from_suffix, type, out, from, in) \
    WARPSCOPE_OP1(function##_rd, "cvt.rm." suffix "." from_suffix, type, out, from, in)

WARPSCOPE_TO_WHOLE(__float2int, int, "s32", "r", float, "f32", "f")
WARPSCOPE_TO_WHOLE(__float2uint, unsigned int, "u32", "r", float, "f32", "f")
WARPSCOPE_TO_WHOLE(__float2ll, long long, "s64", "l", float, "f32", "f")
WARPSCOPE_TO_WHOLE(__float2ull, unsigned long long, "u64", "l", float, "f32", "f")
WARPSCOPE_TO_WHOLE(__double2int, int, "s32", "r", double, "f64", "d")
WARPSCOPE_TO_WHOLE(__double2uint, unsigned int, "u32", "r", double, "f64", "d")
WARPSCOPE_TO_WHOLE(__double2ll, long long, "s64", "l", double, "f64", "d")
WARPSCOPE_TO_WHOLE(__double2ull, unsigned long long, "u64", "l", double, "f64", "d")
WARPSCOPE_TO_FLOAT(__int2float, float, "f32", "f", int, "s32", "r")
WARPSCOPE_TO_FLOAT(__uint2float, float, "f32", "f", unsigned int, "u32", "r")
WARPSCOPE_TO_FLOAT(__ll2float, float, "f32", "f", long long, "s64", "l")
WARPSCOPE_TO_FLOAT(__ull2float, float, "f32", "f", unsigned long long, "u64", "l")
WARPSCOPE_TO_FLOAT(__ll2double, double, "f64", "d", long long, "s64", "l")
WARPSCOPE_TO_FLOAT(__ull2double, double, "f64", "d", unsigned long long, "u64", "l")
WARPSCOPE_TO_FLOAT(__double2float, float, "f32", "f", double, "f64", "d")
#undef WARPSCOPE_TO_WHOLE
#undef WARPSCOPE_TO_FLOAT

WARPSCOPE_DEVICE double __int2double_rn(int v) { return v; }
WARPSCOPE_DEVICE double __uint2double_rn(unsigned int v) { return v; }
