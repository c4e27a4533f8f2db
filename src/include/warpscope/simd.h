/* simd.h: two 16-bit or four 8-bit integers in one 32-bit word. */
#pragma once

/* x and y run over the fields of a and b, as numbers of the type; the result's fields are the expression's low bits. */
#define WARPSCOPE_FIELDS2(function, type, expression)                              \
    WARPSCOPE_DEVICE unsigned int function(unsigned int a, unsigned int b) {       \
        unsigned int r = 0;                                                        \
        for (unsigned int at = 0; at < 32; at += 8 * sizeof(type)) {               \
            int x = (type)(a >> at), y = (type)(b >> at);                          \
            r |= ((unsigned int)(expression) & warpscope_ones(sizeof(type))) << at; \
        }                                                                          \
        return r;                                                                  \
    }
#define WARPSCOPE_FIELDS1(function, type, expression)                              \
    WARPSCOPE_DEVICE unsigned int function(unsigned int a) {                       \
        unsigned int r = 0;                                                        \
        for (unsigned int at = 0; at < 32; at += 8 * sizeof(type)) {               \
            int x = (type)(a >> at);                                               \
            r |= ((unsigned int)(expression) & warpscope_ones(sizeof(type))) << at; \
        }                                                                          \
        return r;                                                                  \
    }
#define WARPSCOPE_FIELDS_SUM(function, type, expression)                     \
    WARPSCOPE_DEVICE unsigned int function(unsigned int a, unsigned int b) { \
        unsigned int r = 0;                                                  \
        for (unsigned int at = 0; at < 32; at += 8 * sizeof(type)) {         \
            int x = (type)(a >> at), y = (type)(b >> at);                    \
            r += (unsigned int)(expression);                                 \
        }                                                                    \
        return r;                                                            \
    }
WARPSCOPE_DEVICE constexpr unsigned int warpscope_ones(unsigned int bytes) { return bytes == 1 ? 0xffu : 0xffffu; }
WARPSCOPE_DEVICE int warpscope_clamp(int v, int least, int most) { return v < least ? least : v > most ? most : v; }

/* For pairs (2, short) and fours (4, char); `top` is the largest of the signed ones. */
#define WARPSCOPE_SIMD(n, s, u, top)                                                     \
    WARPSCOPE_FIELDS1(__vabs##n, s, x < 0 ? -x : x)                                      \
    WARPSCOPE_FIELDS1(__vabsss##n, s, warpscope_clamp(x < 0 ? -x : x, -top - 1, top))    \
    WARPSCOPE_FIELDS1(__vneg##n, s, -x)                                                  \
    WARPSCOPE_FIELDS1(__vnegss##n, s, warpscope_clamp(-x, -top - 1, top))                \
    WARPSCOPE_FIELDS2(__vadd##n, s, x + y)                                               \
    WARPSCOPE_FIELDS2(__vaddss##n, s, warpscope_clamp(x + y, -top - 1, top))             \
    WARPSCOPE_FIELDS2(__vaddus##n, u, warpscope_clamp(x + y, 0, 2 * top + 1))            \
    WARPSCOPE_FIELDS2(__vsub##n, s, x - y)                                               \
    WARPSCOPE_FIELDS2(__vsubss##n, s, warpscope_clamp(x - y, -top - 1, top))             \
    WARPSCOPE_FIELDS2(__vsubus##n, u, warpscope_clamp(x - y, 0, 2 * top + 1))            \
    WARPSCOPE_FIELDS2(__vavgs##n, s, (x + y + ((x + y) >= 0)) >> 1)                      \
    WARPSCOPE_FIELDS2(__vavgu##n, u, (x + y + 1) >> 1)                                   \
    WARPSCOPE_FIELDS2(__vhaddu##n, u, (x + y) >> 1)                                      \
    WARPSCOPE_FIELDS2(__vabsdiffs##n, s, x > y ? x - y : y - x)                          \
    WARPSCOPE_FIELDS2(__vabsdiffu##n, u, x > y ? x - y : y - x)                          \
    WARPSCOPE_FIELDS2(__vmaxs##n, s, x > y ? x : y)                                      \
    WARPSCOPE_FIELDS2(__vmaxu##n, u, x > y ? x : y)                                      \
    WARPSCOPE_FIELDS2(__vmins##n, s, x < y ? x : y)                                      \
    WARPSCOPE_FIELDS2(__vminu##n, u, x < y ? x : y)                                      \
    WARPSCOPE_FIELDS_SUM(__vsads##n, s, x > y ? x - y : y - x)                           \
    WARPSCOPE_FIELDS_SUM(__vsadu##n, u, x > y ? x - y : y - x)
/* Comparisons: all ones, or 1. */
#define WARPSCOPE_SIMD_COMPARE(n, name, type, op)           \
    WARPSCOPE_FIELDS2(__vcmp##name##n, type, x op y ? -1 : 0) \
    WARPSCOPE_FIELDS2(__vset##name##n, type, x op y)
#define WARPSCOPE_SIMD_COMPARES(n, s, u)    \
    WARPSCOPE_SIMD_COMPARE(n, eq, u, ==)    \
    WARPSCOPE_SIMD_COMPARE(n, ne, u, !=)    \
    WARPSCOPE_SIMD_COMPARE(n, ges, s, >=)   \
    WARPSCOPE_SIMD_COMPARE(n, gts, s, >)    \
    WARPSCOPE_SIMD_COMPARE(n, les, s, <=)   \
    WARPSCOPE_SIMD_COMPARE(n, lts, s, <)    \
    WARPSCOPE_SIMD_COMPARE(n, geu, u, >=)   \
    WARPSCOPE_SIMD_COMPARE(n, gtu, u, >)    \
    WARPSCOPE_SIMD_COMPARE(n, leu, u, <=)   \
    WARPSCOPE_SIMD_COMPARE(n, ltu, u, <)
WARPSCOPE_SIMD(2, short, unsigned short, 0x7fff)
WARPSCOPE_SIMD(4, signed char, unsigned char, 0x7f)
WARPSCOPE_SIMD_COMPARES(2, short, unsigned short)
WARPSCOPE_SIMD_COMPARES(4, signed char, unsigned char)
#undef WARPSCOPE_SIMD
#undef WARPSCOPE_SIMD_COMPARE
#undef WARPSCOPE_SIMD_COMPARES
#undef WARPSCOPE_FIELDS1
#undef WARPSCOPE_FIELDS2
#undef WARPSCOPE_FIELDS_SUM
