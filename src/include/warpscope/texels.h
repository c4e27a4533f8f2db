/* texels.h: from a texel's four results, as bits, to the types that programs read: float, uchar4 … */
#pragma once

#include "vectors.h"

template <typename T> struct WarpscopeTexel; /* T of(bits) */

/* The low bits of a result are the value; a float is all of them. */
template <typename T> struct WarpscopeChannel {
    WARPSCOPE_METHOD static T of(unsigned bits) { return (T)bits; }
};
template <> struct WarpscopeChannel<float> {
    WARPSCOPE_METHOD static float of(unsigned bits) { return __int_as_float((int)bits); }
};

#define WARPSCOPE_TEXEL(type, ...)                    \
    template <> struct WarpscopeTexel<type> {         \
        WARPSCOPE_METHOD static type of(uint4 bits) { \
            type texel = {__VA_ARGS__};               \
            return texel;                             \
        }                                             \
    };
#define WARPSCOPE_TEXELS(type, vector)                                                                 \
    WARPSCOPE_TEXEL(type, WarpscopeChannel<type>::of(bits.x))                                          \
    WARPSCOPE_TEXEL(vector##1, WarpscopeChannel<type>::of(bits.x))                                     \
    WARPSCOPE_TEXEL(vector##2, WarpscopeChannel<type>::of(bits.x), WarpscopeChannel<type>::of(bits.y)) \
    WARPSCOPE_TEXEL(vector##4, WarpscopeChannel<type>::of(bits.x), WarpscopeChannel<type>::of(bits.y), \
                    WarpscopeChannel<type>::of(bits.z), WarpscopeChannel<type>::of(bits.w))
WARPSCOPE_TEXEL(char, WarpscopeChannel<char>::of(bits.x))
WARPSCOPE_TEXELS(signed char, char)
WARPSCOPE_TEXELS(unsigned char, uchar)
WARPSCOPE_TEXELS(short, short)
WARPSCOPE_TEXELS(unsigned short, ushort)
WARPSCOPE_TEXELS(int, int)
WARPSCOPE_TEXELS(unsigned int, uint)
WARPSCOPE_TEXELS(float, float)
#undef WARPSCOPE_TEXELS
#undef WARPSCOPE_TEXEL
