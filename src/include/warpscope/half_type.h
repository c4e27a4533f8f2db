/* half_type.h: __half, __half2, and how numbers become halves: by instructions on the device, by hand on the host. */
#pragma once

enum WarpscopeRound { WARPSCOPE_NEAREST, WARPSCOPE_TO_ZERO, WARPSCOPE_DOWN, WARPSCOPE_UP };

/* The half nearest to a value in the direction asked for. A half is a whole number of units of 2^-24 below 2^-14, above of 2^(e-10). */
WARPSCOPE_BOTH unsigned short warpscope_round_to_half(double v, WarpscopeRound how) {
    unsigned long long bits = __builtin_bit_cast(unsigned long long, v), fraction = bits & 0xfffffffffffffull;
    unsigned int sign = (unsigned int)(bits >> 48) & 0x8000u;
    int exponent = (int)(bits >> 52 & 2047) - 1023;
    bool away = how == WARPSCOPE_UP ? !sign : how == WARPSCOPE_DOWN ? sign != 0 : false;
    if (exponent == 1024) return (unsigned short)(fraction ? 0x7fffu : sign | 0x7c00u);
    if (exponent < -26) return (unsigned short)(sign | (away && v != 0));
    unsigned long long mantissa = fraction | 1ull << 52;
    unsigned int drop = exponent < -14 ? (unsigned int)(28 - exponent) : 42;
    unsigned long long kept = mantissa >> drop, rest = mantissa & ((1ull << drop) - 1), middle = 1ull << (drop - 1);
    if (how == WARPSCOPE_NEAREST ? rest > middle || (rest == middle && (kept & 1)) : away && rest) kept++;
    unsigned int half = exponent < -14 ? (unsigned int)kept : (unsigned int)kept + (unsigned int)(exponent + 14) * 1024;
    if (exponent > 15 || half >= 0x7c00u) half = how == WARPSCOPE_NEAREST || away ? 0x7c00u : 0x7bffu;
    return (unsigned short)(sign | half);
}
WARPSCOPE_BOTH float warpscope_half_value(unsigned short h) {
    unsigned int sign = (unsigned int)(h & 0x8000u) << 16, exponent = h >> 10 & 31, mantissa = h & 0x3ffu;
    if (exponent == 0) {
        float f = (float)mantissa * 0x1p-24f;
        return sign ? -f : f;
    }
    exponent = exponent == 31 ? 255 : exponent + 112;
    return __builtin_bit_cast(float, sign | exponent << 23 | mantissa << 13);
}

#ifdef __CUDA_ARCH__
#define WARPSCOPE_TO_HALF(function, type, in, text, how)         \
    WARPSCOPE_BOTH unsigned short warpscope_##function(type v) { \
        unsigned short r;                                        \
        asm("cvt." text " %0, %1;" : "=h"(r) : in(v));           \
        return r;                                                \
    }
#else
#define WARPSCOPE_TO_HALF(function, type, in, text, how) \
    WARPSCOPE_BOTH unsigned short warpscope_##function(type v) { return warpscope_round_to_half((double)v, how); }
#endif
#define WARPSCOPE_TO_HALVES(name, type, in, from)                                  \
    WARPSCOPE_TO_HALF(name##2half_rn, type, in, "rn.f16." from, WARPSCOPE_NEAREST) \
    WARPSCOPE_TO_HALF(name##2half_rz, type, in, "rz.f16." from, WARPSCOPE_TO_ZERO) \
    WARPSCOPE_TO_HALF(name##2half_rd, type, in, "rm.f16." from, WARPSCOPE_DOWN)    \
    WARPSCOPE_TO_HALF(name##2half_ru, type, in, "rp.f16." from, WARPSCOPE_UP)
/* The host's double holds every integer up to 2^53; what is larger is infinite, or the largest half, all the same. */
WARPSCOPE_TO_HALVES(int, int, "r", "s32")
WARPSCOPE_TO_HALVES(uint, unsigned int, "r", "u32")
WARPSCOPE_TO_HALVES(short, short, "h", "s16")
WARPSCOPE_TO_HALVES(ushort, unsigned short, "h", "u16")
WARPSCOPE_TO_HALVES(ll, long long, "l", "s64")
WARPSCOPE_TO_HALVES(ull, unsigned long long, "l", "u64")
WARPSCOPE_TO_HALF(double2half_rn, double, "d", "rn.f16.f64", WARPSCOPE_NEAREST)
WARPSCOPE_TO_HALF(float2half_rn, float, "f", "rn.f16.f32", WARPSCOPE_NEAREST)
WARPSCOPE_TO_HALF(float2half_rz, float, "f", "rz.f16.f32", WARPSCOPE_TO_ZERO)
#undef WARPSCOPE_TO_HALF
/* No instruction rounds a float to a half up or down. */
WARPSCOPE_BOTH unsigned short warpscope_float2half_rd(float v) { return warpscope_round_to_half((double)v, WARPSCOPE_DOWN); }
WARPSCOPE_BOTH unsigned short warpscope_float2half_ru(float v) { return warpscope_round_to_half((double)v, WARPSCOPE_UP); }

WARPSCOPE_BOTH float warpscope_from_half(unsigned short h) {
#ifdef __CUDA_ARCH__
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
    return f;
#else
    return warpscope_half_value(h);
#endif
}

/* Towards zero; what does not fit becomes the nearest that does, and NaN becomes 0, as by the instruction. */
#ifdef __CUDA_ARCH__
#define WARPSCOPE_FROM_HALF(name, type, out, to, least, most)          \
    WARPSCOPE_BOTH type warpscope_half2##name##_rz(unsigned short h) { \
        type r;                                                        \
        asm("cvt.rzi." to ".f16 %0, %1;" : "=" out(r) : "h"(h));       \
        return r;                                                      \
    }
#else
#define WARPSCOPE_FROM_HALF(name, type, out, to, least, most)                           \
    WARPSCOPE_BOTH type warpscope_half2##name##_rz(unsigned short h) {                  \
        double v = warpscope_half_value(h);                                             \
        if (v != v) return 0;                                                           \
        return v <= (double)(least) ? (least) : v >= (double)(most) ? (most) : (type)v; \
    }
#endif
WARPSCOPE_FROM_HALF(int, int, "r", "s32", -0x7fffffff - 1, 0x7fffffff)
WARPSCOPE_FROM_HALF(uint, unsigned int, "r", "u32", 0u, 0xffffffffu)
WARPSCOPE_FROM_HALF(short, short, "h", "s16", -0x8000, 0x7fff)
WARPSCOPE_FROM_HALF(ushort, unsigned short, "h", "u16", 0, 0xffff)
WARPSCOPE_FROM_HALF(ll, long long, "l", "s64", -0x7fffffffffffffffll - 1, 0x7fffffffffffffffll)
WARPSCOPE_FROM_HALF(ull, unsigned long long, "l", "u64", 0ull, 0xffffffffffffffffull)
#undef WARPSCOPE_FROM_HALF
WARPSCOPE_BOTH signed char warpscope_half2char_rz(unsigned short h) {
    short v = warpscope_half2short_rz(h);
    return (signed char)(v < -128 ? -128 : v > 127 ? 127 : v);
}
WARPSCOPE_BOTH unsigned char warpscope_half2uchar_rz(unsigned short h) {
    unsigned short v = warpscope_half2ushort_rz(h);
    return (unsigned char)(v > 255 ? 255 : v);
}

struct __attribute__((aligned(2))) __half_raw {
    unsigned short x;
};
struct __attribute__((aligned(4))) __half2_raw {
    unsigned short x, y;
};

/* Whole numbers, and what the conversions above call them. */
#define WARPSCOPE_WHOLE(EACH)                                                                                     \
    EACH(short, short) EACH(unsigned short, ushort) EACH(int, int) EACH(unsigned int, uint) EACH(long, ll)        \
    EACH(unsigned long, ull) EACH(long long, ll) EACH(unsigned long long, ull)
#define WARPSCOPE_HALF_FROM(type, name)                                           \
    WARPSCOPE_BOTH_METHOD __half(type v) : bits(warpscope_##name##2half_rn(v)) {} \
    WARPSCOPE_BOTH_METHOD __half &operator=(type v) {                             \
        bits = warpscope_##name##2half_rn(v);                                     \
        return *this;                                                             \
    }                                                                             \
    WARPSCOPE_BOTH_METHOD volatile __half &operator=(type v) volatile {           \
        bits = warpscope_##name##2half_rn(v);                                     \
        return *this;                                                             \
    }
#define WARPSCOPE_HALF_AS(type, name) \
    WARPSCOPE_BOTH_METHOD operator type() const { return (type)warpscope_half2##name##_rz(bits); }
struct __attribute__((aligned(2))) __half {
    unsigned short bits;
    __half() = default;
    WARPSCOPE_BOTH_METHOD __half(const __half_raw &raw) : bits(raw.x) {}
    WARPSCOPE_BOTH_METHOD __half &operator=(const __half_raw &raw) {
        bits = raw.x;
        return *this;
    }
    WARPSCOPE_BOTH_METHOD operator __half_raw() const { return __half_raw{bits}; }
    WARPSCOPE_HALF_FROM(float, float)
    WARPSCOPE_HALF_FROM(double, double)
    WARPSCOPE_WHOLE(WARPSCOPE_HALF_FROM)
    WARPSCOPE_BOTH_METHOD operator float() const { return warpscope_from_half(bits); }
    WARPSCOPE_BOTH_METHOD operator bool() const { return (bits & 0x7fffu) != 0; }
    WARPSCOPE_HALF_AS(char, char)
    WARPSCOPE_HALF_AS(signed char, char)
    WARPSCOPE_HALF_AS(unsigned char, uchar)
    WARPSCOPE_WHOLE(WARPSCOPE_HALF_AS)
};
#undef WARPSCOPE_HALF_FROM
#undef WARPSCOPE_HALF_AS
#undef WARPSCOPE_WHOLE
struct __attribute__((aligned(4))) __half2 {
    __half x, y;
    __half2() = default;
    WARPSCOPE_BOTH_METHOD __half2(const __half &low, const __half &high) : x(low), y(high) {}
    WARPSCOPE_BOTH_METHOD __half2(const __half2_raw &raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
    WARPSCOPE_BOTH_METHOD __half2 &operator=(const __half2_raw &raw) { return *this = __half2(raw); }
    WARPSCOPE_BOTH_METHOD operator __half2_raw() const { return __half2_raw{x.bits, y.bits}; }
};
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
typedef __half nv_half;
typedef __half2 nv_half2;

WARPSCOPE_BOTH __half warpscope_half(unsigned short bits) { return __half(__half_raw{bits}); }
WARPSCOPE_BOTH unsigned int warpscope_pair_bits(__half2 v) { return __builtin_bit_cast(unsigned int, v); }
WARPSCOPE_BOTH __half2 warpscope_pair(unsigned int bits) { return __builtin_bit_cast(__half2, bits); }
