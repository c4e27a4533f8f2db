/* texels.h: from a texel's four results, as bits, to the types that programs read: float, uchar4 … */
#pragma once

#include "vectors.h"

template <typename T> struct WarpscopeTexel; /* T of(bits) */

/* The low bits of a result are the value; a float is all of them. */
template <typename T> WARPSCOPE_DEVICE T warpscope_channel(unsigned bits) { return (T)bits; }
template <> WARPSCOPE_DEVICE float warpscope_channel<float>(unsigned bits) { return __int_as_float((int)bits); }

#define WARPSCOPE_TEXEL(type, ...)                    \
    template <> struct WarpscopeTexel<type> {         \
        WARPSCOPE_METHOD static type of(uint4 bits) { \
            type texel = {__VA_ARGS__};               \
            return texel;                             \
        }                                             \
    };
#define WARPSCOPE_TEXELS(type, vector)                                                           \
    WARPSCOPE_TEXEL(type, warpscope_channel<type>(bits.x))                                       \
    WARPSCOPE_TEXEL(vector##1, warpscope_channel<type>(bits.x))                                  \
    WARPSCOPE_TEXEL(vector##2, warpscope_channel<type>(bits.x), warpscope_channel<type>(bits.y)) \
    WARPSCOPE_TEXEL(vector##4, warpscope_channel<type>(bits.x), warpscope_channel<type>(bits.y), \
                    warpscope_channel<type>(bits.z), warpscope_channel<type>(bits.w))
WARPSCOPE_TEXEL(char, warpscope_channel<char>(bits.x))
WARPSCOPE_TEXELS(signed char, char)
WARPSCOPE_TEXELS(unsigned char, uchar)
WARPSCOPE_TEXELS(short, short)
WARPSCOPE_TEXELS(unsigned short, ushort)
WARPSCOPE_TEXELS(int, int)
WARPSCOPE_TEXELS(unsigned int, uint)
WARPSCOPE_TEXELS(float, float)
#undef WARPSCOPE_TEXELS
#undef WARPSCOPE_TEXEL
