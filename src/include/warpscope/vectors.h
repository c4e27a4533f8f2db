/* vectors.h: char1 … double4 and dim3. Sizes and alignments are CUDA's (CUDA C++ Programming Guide, "Built-in Vector Types"): they
 * decide how wide an access is. The types are plain aggregates; that a 16-byte copy is one access is the driver's doing. */
#pragma once

#include "qualifiers.h"

/* A value of a type, spelt for both languages. */
#ifdef __cplusplus
#define WARPSCOPE_VALUE(type) type
#else
#define WARPSCOPE_VALUE(type) (type)
#endif

/* A member-wise copy cannot know that a pointer cast from float * is aligned like the type: assignment says so, and moves all
 * members as one piece. */
#ifdef __CUDA__
#define WARPSCOPE_ASSIGN(name, type, count)                                                                              \
    WARPSCOPE_BOTH_METHOD name &operator=(const name &other) {                                                           \
        typedef type Whole __attribute__((vector_size(sizeof(type) * count), aligned(sizeof(type) * count), may_alias)); \
        *(Whole *)this = *(const Whole *)&other;                                                                         \
        return *this;                                                                                                    \
    }
#else
#define WARPSCOPE_ASSIGN(name, type, count)
#endif
#define WARPSCOPE_VECTOR1(name, type, bytes)                 \
    typedef struct __attribute__((aligned(bytes))) name##1 { \
        type x;                                              \
    }                                                        \
    name##1;                                                 \
    WARPSCOPE_BOTH name##1 make_##name##1(type x) { return WARPSCOPE_VALUE(name##1){x}; }
#define WARPSCOPE_VECTOR2(name, type, bytes)                 \
    typedef struct __attribute__((aligned(bytes))) name##2 { \
        type x, y;                                           \
        WARPSCOPE_ASSIGN(name##2, type, 2)                   \
    }                                                        \
    name##2;                                                 \
    WARPSCOPE_BOTH name##2 make_##name##2(type x, type y) { return WARPSCOPE_VALUE(name##2){x, y}; }
#define WARPSCOPE_VECTOR3(name, type, bytes)                 \
    typedef struct __attribute__((aligned(bytes))) name##3 { \
        type x, y, z;                                        \
    }                                                        \
    name##3;                                                 \
    WARPSCOPE_BOTH name##3 make_##name##3(type x, type y, type z) { return WARPSCOPE_VALUE(name##3){x, y, z}; }
#define WARPSCOPE_VECTOR4(name, type, bytes)                 \
    typedef struct __attribute__((aligned(bytes))) name##4 { \
        type x, y, z, w;                                     \
        WARPSCOPE_ASSIGN(name##4, type, 4)                   \
    }                                                        \
    name##4;                                                 \
    WARPSCOPE_BOTH name##4 make_##name##4(type x, type y, type z, type w) { return WARPSCOPE_VALUE(name##4){x, y, z, w}; }
/* Eight-byte elements: four of them are two pieces of 16 bytes, which is the widest access. */
#define WARPSCOPE_VECTOR4_WIDE(name, type, bytes)            \
    typedef struct __attribute__((aligned(bytes))) name##4 { \
        type x, y, z, w;                                     \
    }                                                        \
    name##4;                                                 \
    WARPSCOPE_BOTH name##4 make_##name##4(type x, type y, type z, type w) { return WARPSCOPE_VALUE(name##4){x, y, z, w}; }
#define WARPSCOPE_VECTORS(name, type, bytes, align2, align4, WIDE) \
    WARPSCOPE_VECTOR1(name, type, bytes)                           \
    WARPSCOPE_VECTOR2(name, type, align2)                          \
    WARPSCOPE_VECTOR3(name, type, bytes)                           \
    WARPSCOPE_VECTOR4##WIDE(name, type, align4)

/* clang-format off */
WARPSCOPE_VECTORS(char,      signed char,        1,  2,  4, )
WARPSCOPE_VECTORS(uchar,     unsigned char,      1,  2,  4, )
WARPSCOPE_VECTORS(short,     short,              2,  4,  8, )
WARPSCOPE_VECTORS(ushort,    unsigned short,     2,  4,  8, )
WARPSCOPE_VECTORS(int,       int,                4,  8, 16, )
WARPSCOPE_VECTORS(uint,      unsigned int,       4,  8, 16, )
WARPSCOPE_VECTORS(long,      long,               8, 16, 16, _WIDE)
WARPSCOPE_VECTORS(ulong,     unsigned long,      8, 16, 16, _WIDE)
WARPSCOPE_VECTORS(longlong,  long long,          8, 16, 16, _WIDE)
WARPSCOPE_VECTORS(ulonglong, unsigned long long, 8, 16, 16, _WIDE)
WARPSCOPE_VECTORS(float,     float,              4,  8, 16, )
WARPSCOPE_VECTORS(double,    double,             8, 16, 16, _WIDE)
/* clang-format on */

#undef WARPSCOPE_VECTORS
#undef WARPSCOPE_VECTOR1
#undef WARPSCOPE_VECTOR2
#undef WARPSCOPE_VECTOR3
#undef WARPSCOPE_VECTOR4
#undef WARPSCOPE_VECTOR4_WIDE
#undef WARPSCOPE_ASSIGN

#ifdef __cplusplus
struct dim3 {
    unsigned int x, y, z;
    WARPSCOPE_BOTH_METHOD constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
    WARPSCOPE_BOTH_METHOD constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    WARPSCOPE_BOTH_METHOD constexpr operator uint3() const { return uint3{x, y, z}; }
};
#else
typedef struct dim3 {
    unsigned int x, y, z;
} dim3;
#endif
