/* memory.h: loads and stores with a cache operator, fences, and questions about an address's space. */
#pragma once

#define WARPSCOPE_GLOBAL __attribute__((address_space(1)))
#define WARPSCOPE_SHARED __attribute__((address_space(3)))

/* An access of 1, 2 or 4 elements of one type, as PTX names it: suffix, register constraint, C type of a register. */
#define WARPSCOPE_LOAD1(function, op, type, suffix, constraint, reg) \
    WARPSCOPE_DEVICE type function(const type *p) {                  \
        reg x;                                                       \
        asm volatile("ld.global" op "." suffix " %0, [%1];"          \
                     : "=" constraint(x)                             \
                     : "l"((WARPSCOPE_GLOBAL const void *)p)         \
                     : "memory");                                    \
        return (type)x;                                              \
    }
#define WARPSCOPE_LOAD2(function, op, type, suffix, constraint, reg) \
    WARPSCOPE_DEVICE type function(const type *p) {                  \
        reg x, y;                                                    \
        asm volatile("ld.global" op ".v2." suffix " {%0, %1}, [%2];" \
                     : "=" constraint(x), "=" constraint(y)          \
                     : "l"((WARPSCOPE_GLOBAL const void *)p)         \
                     : "memory");                                    \
        return type{(decltype(type::x))x, (decltype(type::x))y};     \
    }
#define WARPSCOPE_LOAD4(function, op, type, suffix, constraint, reg)                                         \
    WARPSCOPE_DEVICE type function(const type *p) {                                                          \
        reg x, y, z, w;                                                                                      \
        asm volatile("ld.global" op ".v4." suffix " {%0, %1, %2, %3}, [%4];"                                 \
                     : "=" constraint(x), "=" constraint(y), "=" constraint(z), "=" constraint(w)            \
                     : "l"((WARPSCOPE_GLOBAL const void *)p)                                                 \
                     : "memory");                                                                            \
        return type{(decltype(type::x))x, (decltype(type::x))y, (decltype(type::x))z, (decltype(type::x))w}; \
    }
#define WARPSCOPE_STORE1(function, op, type, suffix, constraint, reg)                                                          \
    WARPSCOPE_DEVICE void function(type *p, type v) {                                                                          \
        asm volatile("st.global" op "." suffix " [%0], %1;" ::"l"((WARPSCOPE_GLOBAL void *)p), constraint((reg)v) : "memory"); \
    }
#define WARPSCOPE_STORE2(function, op, type, suffix, constraint, reg)                                                         \
    WARPSCOPE_DEVICE void function(type *p, type v) {                                                                         \
        asm volatile("st.global" op ".v2." suffix " [%0], {%1, %2};" ::"l"((WARPSCOPE_GLOBAL void *)p), constraint((reg)v.x), \
                     constraint((reg)v.y)                                                                                     \
                     : "memory");                                                                                             \
    }
#define WARPSCOPE_STORE4(function, op, type, suffix, constraint, reg)                                           \
    WARPSCOPE_DEVICE void function(type *p, type v) {                                                           \
        asm volatile("st.global" op ".v4." suffix " [%0], {%1, %2, %3, %4};" ::"l"((WARPSCOPE_GLOBAL void *)p), \
                     constraint((reg)v.x), constraint((reg)v.y), constraint((reg)v.z), constraint((reg)v.w)     \
                     : "memory");                                                                               \
    }

/* MACRO##1, ##2 or ##4 for every type that CUDA overloads these functions for. */
/* clang-format off */
#define WARPSCOPE_TYPES(MACRO, f, op)                                                                                              \
    MACRO##1(f, op, char,               "s8",  "r", int)          MACRO##1(f, op, signed char,        "s8",  "r", int)             \
    MACRO##1(f, op, unsigned char,      "u8",  "r", unsigned)     MACRO##1(f, op, short,              "s16", "h", short)           \
    MACRO##1(f, op, unsigned short,     "u16", "h", unsigned short) MACRO##1(f, op, int,              "s32", "r", int)             \
    MACRO##1(f, op, unsigned int,       "u32", "r", unsigned)     MACRO##1(f, op, long,               "s64", "l", long)            \
    MACRO##1(f, op, unsigned long,      "u64", "l", unsigned long) MACRO##1(f, op, long long,         "s64", "l", long long)       \
    MACRO##1(f, op, unsigned long long, "u64", "l", unsigned long long) MACRO##1(f, op, float,        "f32", "f", float)           \
    MACRO##1(f, op, double,             "f64", "d", double)                                                                        \
    MACRO##2(f, op, char2,      "s8",  "r", int)                  MACRO##4(f, op, char4,   "s8",  "r", int)                        \
    MACRO##2(f, op, uchar2,     "u8",  "r", unsigned)             MACRO##4(f, op, uchar4,  "u8",  "r", unsigned)                   \
    MACRO##2(f, op, short2,     "s16", "h", short)                MACRO##4(f, op, short4,  "s16", "h", short)                      \
    MACRO##2(f, op, ushort2,    "u16", "h", unsigned short)       MACRO##4(f, op, ushort4, "u16", "h", unsigned short)             \
    MACRO##2(f, op, int2,       "s32", "r", int)                  MACRO##4(f, op, int4,    "s32", "r", int)                        \
    MACRO##2(f, op, uint2,      "u32", "r", unsigned)             MACRO##4(f, op, uint4,   "u32", "r", unsigned)                   \
    MACRO##2(f, op, float2,     "f32", "f", float)                MACRO##4(f, op, float4,  "f32", "f", float)                      \
    MACRO##2(f, op, longlong2,  "s64", "l", long long)            MACRO##2(f, op, ulonglong2, "u64", "l", unsigned long long)      \
    MACRO##2(f, op, double2,    "f64", "d", double)

WARPSCOPE_TYPES(WARPSCOPE_LOAD,  __ldca, ".ca")
WARPSCOPE_TYPES(WARPSCOPE_LOAD,  __ldcg, ".cg")
WARPSCOPE_TYPES(WARPSCOPE_LOAD,  __ldcs, ".cs")
WARPSCOPE_TYPES(WARPSCOPE_LOAD,  __ldcv, ".cv")
WARPSCOPE_TYPES(WARPSCOPE_LOAD,  __ldlu, ".lu")
WARPSCOPE_TYPES(WARPSCOPE_STORE, __stwb, ".wb")
WARPSCOPE_TYPES(WARPSCOPE_STORE, __stcg, ".cg")
WARPSCOPE_TYPES(WARPSCOPE_STORE, __stcs, ".cs")
WARPSCOPE_TYPES(WARPSCOPE_STORE, __stwt, ".wt")
/* clang-format on */

/* __ldg promises memory that no thread writes while the kernel runs, so the compiler may merge and move these. */
#define WARPSCOPE_LDG1(function, builtin, type, base, reg) \
    WARPSCOPE_DEVICE type function(const type *p) { return (type)__nvvm_ldg_##builtin((const base *)p); }
#define WARPSCOPE_LDG2(function, builtin, type, base, reg)     \
    WARPSCOPE_DEVICE type function(const type *p) {            \
        typedef base Pair __attribute__((ext_vector_type(2))); \
        Pair v = __nvvm_ldg_##builtin##2((const Pair *)p);     \
        return type{v[0], v[1]};                               \
    }
#define WARPSCOPE_LDG4(function, builtin, type, base, reg)     \
    WARPSCOPE_DEVICE type function(const type *p) {            \
        typedef base Four __attribute__((ext_vector_type(4))); \
        Four v = __nvvm_ldg_##builtin##4((const Four *)p);     \
        return type{v[0], v[1], v[2], v[3]};                   \
    }
/* clang-format off */
WARPSCOPE_LDG1(__ldg, c,   char, char,)                        WARPSCOPE_LDG1(__ldg, c,  signed char, char,)
WARPSCOPE_LDG1(__ldg, uc,  unsigned char, unsigned char,)      WARPSCOPE_LDG1(__ldg, s,  short, short,)
WARPSCOPE_LDG1(__ldg, us,  unsigned short, unsigned short,)    WARPSCOPE_LDG1(__ldg, i,  int, int,)
WARPSCOPE_LDG1(__ldg, ui,  unsigned int, unsigned int,)        WARPSCOPE_LDG1(__ldg, l,  long, long,)
WARPSCOPE_LDG1(__ldg, ul,  unsigned long, unsigned long,)      WARPSCOPE_LDG1(__ldg, ll, long long, long long,)
WARPSCOPE_LDG1(__ldg, ull, unsigned long long, unsigned long long,)
WARPSCOPE_LDG1(__ldg, f,   float, float,)                      WARPSCOPE_LDG1(__ldg, d,  double, double,)
WARPSCOPE_LDG2(__ldg, c,   char2, char,)                       WARPSCOPE_LDG4(__ldg, c,  char4, char,)
WARPSCOPE_LDG2(__ldg, uc,  uchar2, unsigned char,)             WARPSCOPE_LDG4(__ldg, uc, uchar4, unsigned char,)
WARPSCOPE_LDG2(__ldg, s,   short2, short,)                     WARPSCOPE_LDG4(__ldg, s,  short4, short,)
WARPSCOPE_LDG2(__ldg, us,  ushort2, unsigned short,)           WARPSCOPE_LDG4(__ldg, us, ushort4, unsigned short,)
WARPSCOPE_LDG2(__ldg, i,   int2, int,)                         WARPSCOPE_LDG4(__ldg, i,  int4, int,)
WARPSCOPE_LDG2(__ldg, ui,  uint2, unsigned int,)               WARPSCOPE_LDG4(__ldg, ui, uint4, unsigned int,)
WARPSCOPE_LDG2(__ldg, f,   float2, float,)                     WARPSCOPE_LDG4(__ldg, f,  float4, float,)
WARPSCOPE_LDG2(__ldg, ll,  longlong2, long long,)              WARPSCOPE_LDG2(__ldg, ull, ulonglong2, unsigned long long,)
WARPSCOPE_LDG2(__ldg, d,   double2, double,)
/* clang-format on */

#undef WARPSCOPE_LOAD1
#undef WARPSCOPE_LOAD2
#undef WARPSCOPE_LOAD4
#undef WARPSCOPE_STORE1
#undef WARPSCOPE_STORE2
#undef WARPSCOPE_STORE4
#undef WARPSCOPE_LDG1
#undef WARPSCOPE_LDG2
#undef WARPSCOPE_LDG4

    /* Inline assembly for the reason that warp.h gives. */
    WARPSCOPE_DEVICE void __threadfence() {
    asm volatile("membar.gl;" ::: "memory");
}
WARPSCOPE_DEVICE void __threadfence_block() { asm volatile("membar.cta;" ::: "memory"); }
WARPSCOPE_DEVICE void __threadfence_system() { asm volatile("membar.sys;" ::: "memory"); }

WARPSCOPE_DEVICE size_t __cvta_generic_to_global(const void *p) { return (size_t)(WARPSCOPE_GLOBAL const void *)p; }
WARPSCOPE_DEVICE size_t __cvta_generic_to_shared(const void *p) { return (size_t)(WARPSCOPE_SHARED const void *)p; }
WARPSCOPE_DEVICE void *__cvta_global_to_generic(size_t p) { return (void *)(WARPSCOPE_GLOBAL void *)p; }
WARPSCOPE_DEVICE void *__cvta_shared_to_generic(size_t p) { return (void *)(WARPSCOPE_SHARED void *)p; }

#define WARPSCOPE_IS_SPACE(function, space)                                                            \
    WARPSCOPE_DEVICE unsigned int function(const void *p) {                                            \
        unsigned int yes;                                                                              \
        asm("{ .reg .pred p; isspacep." space " p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(yes) : "l"(p)); \
        return yes;                                                                                    \
    }
WARPSCOPE_IS_SPACE(__isGlobal, "global")
WARPSCOPE_IS_SPACE(__isShared, "shared")
WARPSCOPE_IS_SPACE(__isLocal, "local")
WARPSCOPE_IS_SPACE(__isConstant, "const")
#undef WARPSCOPE_IS_SPACE

#define __prefetch_global_l1(p) asm volatile("prefetch.global.L1 [%0];" ::"l"(p))
#define __prefetch_global_l2(p) asm volatile("prefetch.global.L2 [%0];" ::"l"(p))
