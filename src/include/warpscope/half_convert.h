/* half_convert.h: the conversions of cuda_fp16.h by their names. */
#pragma once

#define WARPSCOPE_HALF_NAMES(name, type)                                                                       \
    WARPSCOPE_BOTH __half __##name##2half_rn(type v) { return warpscope_half(warpscope_##name##2half_rn(v)); } \
    WARPSCOPE_BOTH __half __##name##2half_rz(type v) { return warpscope_half(warpscope_##name##2half_rz(v)); } \
    WARPSCOPE_BOTH __half __##name##2half_rd(type v) { return warpscope_half(warpscope_##name##2half_rd(v)); } \
    WARPSCOPE_BOTH __half __##name##2half_ru(type v) { return warpscope_half(warpscope_##name##2half_ru(v)); }
WARPSCOPE_HALF_NAMES(float, float)
WARPSCOPE_HALF_NAMES(int, int)
WARPSCOPE_HALF_NAMES(uint, unsigned int)
WARPSCOPE_HALF_NAMES(short, short)
WARPSCOPE_HALF_NAMES(ushort, unsigned short)
WARPSCOPE_HALF_NAMES(ll, long long)
WARPSCOPE_HALF_NAMES(ull, unsigned long long)
#undef WARPSCOPE_HALF_NAMES
WARPSCOPE_BOTH __half __float2half(float v) { return __float2half_rn(v); }
WARPSCOPE_BOTH __half __double2half(double v) { return warpscope_half(warpscope_double2half_rn(v)); }

#define WARPSCOPE_HALF_CONVERT(function, type, out, text)           \
    WARPSCOPE_DEVICE type function(__half v) {                      \
        type r;                                                     \
        asm("cvt." text ".f16 %0, %1;" : "=" out(r) : "h"(v.bits)); \
        return r;                                                   \
    }
#define WARPSCOPE_HALF_CONVERTS(name, type, out, to)                 \
    WARPSCOPE_HALF_CONVERT(__half2##name##_rn, type, out, "rni." to) \
    WARPSCOPE_HALF_CONVERT(__half2##name##_rd, type, out, "rmi." to) \
    WARPSCOPE_HALF_CONVERT(__half2##name##_ru, type, out, "rpi." to) \
    WARPSCOPE_BOTH type __half2##name##_rz(__half v) { return warpscope_half2##name##_rz(v.bits); }
WARPSCOPE_HALF_CONVERTS(int, int, "r", "s32")
WARPSCOPE_HALF_CONVERTS(uint, unsigned int, "r", "u32")
WARPSCOPE_HALF_CONVERTS(short, short, "h", "s16")
WARPSCOPE_HALF_CONVERTS(ushort, unsigned short, "h", "u16")
WARPSCOPE_HALF_CONVERTS(ll, long long, "l", "s64")
WARPSCOPE_HALF_CONVERTS(ull, unsigned long long, "l", "u64")
#undef WARPSCOPE_HALF_CONVERTS
#undef WARPSCOPE_HALF_CONVERT
WARPSCOPE_BOTH signed char __half2char_rz(__half v) { return warpscope_half2char_rz(v.bits); }
WARPSCOPE_BOTH unsigned char __half2uchar_rz(__half v) { return warpscope_half2uchar_rz(v.bits); }

WARPSCOPE_BOTH float __half2float(__half v) { return warpscope_from_half(v.bits); }
WARPSCOPE_BOTH __half2 __halves2half2(__half low, __half high) { return __half2(low, high); }
WARPSCOPE_BOTH __half2 make_half2(__half low, __half high) { return __half2(low, high); }
WARPSCOPE_BOTH __half2 __half2half2(__half v) { return __half2(v, v); }
WARPSCOPE_BOTH __half2 __float2half2_rn(float v) { return __half2(__half(v), __half(v)); }
WARPSCOPE_BOTH __half2 __floats2half2_rn(float low, float high) { return __half2(__half(low), __half(high)); }
WARPSCOPE_BOTH __half2 __float22half2_rn(float2 v) { return __half2(__half(v.x), __half(v.y)); }
WARPSCOPE_BOTH float2 __half22float2(__half2 v) { return make_float2(__half2float(v.x), __half2float(v.y)); }
WARPSCOPE_BOTH __half __low2half(__half2 v) { return v.x; }
WARPSCOPE_BOTH __half __high2half(__half2 v) { return v.y; }
WARPSCOPE_BOTH float __low2float(__half2 v) { return __half2float(v.x); }
WARPSCOPE_BOTH float __high2float(__half2 v) { return __half2float(v.y); }
WARPSCOPE_BOTH __half2 __low2half2(__half2 v) { return __half2(v.x, v.x); }
WARPSCOPE_BOTH __half2 __high2half2(__half2 v) { return __half2(v.y, v.y); }
WARPSCOPE_BOTH __half2 __lowhigh2highlow(__half2 v) { return __half2(v.y, v.x); }
WARPSCOPE_BOTH __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
WARPSCOPE_BOTH __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
WARPSCOPE_BOTH short __half_as_short(__half v) { return (short)v.bits; }
WARPSCOPE_BOTH unsigned short __half_as_ushort(__half v) { return v.bits; }
WARPSCOPE_BOTH __half __short_as_half(short v) { return warpscope_half((unsigned short)v); }
WARPSCOPE_BOTH __half __ushort_as_half(unsigned short v) { return warpscope_half(v); }

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fffU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bffU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00U)
