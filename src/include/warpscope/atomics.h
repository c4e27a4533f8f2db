/* atomics.h: atomicAdd and its kin; the plain form works for the whole device, _block and _system say how far others see it. */
#pragma once

#define WARPSCOPE_ATOMIC(function, type, as, builtin) \
    WARPSCOPE_DEVICE type function(type *p, type v) { return (type)__nvvm_atom_##builtin((as *)p, (as)v); }

/* clang-format off */
#define WARPSCOPE_ATOMICS(suffix, scope)                                                                                           \
    WARPSCOPE_ATOMIC(atomicAdd##suffix,  int,                int,       scope##add_gen_i)                                          \
    WARPSCOPE_ATOMIC(atomicAdd##suffix,  unsigned int,       int,       scope##add_gen_i)                                          \
    WARPSCOPE_ATOMIC(atomicAdd##suffix,  unsigned long long, long long, scope##add_gen_ll)                                         \
    WARPSCOPE_ATOMIC(atomicAdd##suffix,  float,              float,     scope##add_gen_f)                                          \
    WARPSCOPE_ATOMIC(atomicAdd##suffix,  double,             double,    scope##add_gen_d)                                          \
    WARPSCOPE_ATOMIC(atomicExch##suffix, int,                int,       scope##xchg_gen_i)                                         \
    WARPSCOPE_ATOMIC(atomicExch##suffix, unsigned int,       int,       scope##xchg_gen_i)                                         \
    WARPSCOPE_ATOMIC(atomicExch##suffix, unsigned long long, long long, scope##xchg_gen_ll)                                        \
    WARPSCOPE_ATOMIC(atomicMin##suffix,  int,                int,       scope##min_gen_i)                                          \
    WARPSCOPE_ATOMIC(atomicMin##suffix,  unsigned int,       unsigned,  scope##min_gen_ui)                                         \
    WARPSCOPE_ATOMIC(atomicMin##suffix,  long long,          long long, scope##min_gen_ll)                                         \
    WARPSCOPE_ATOMIC(atomicMin##suffix,  unsigned long long, unsigned long long, scope##min_gen_ull)                               \
    WARPSCOPE_ATOMIC(atomicMax##suffix,  int,                int,       scope##max_gen_i)                                          \
    WARPSCOPE_ATOMIC(atomicMax##suffix,  unsigned int,       unsigned,  scope##max_gen_ui)                                         \
    WARPSCOPE_ATOMIC(atomicMax##suffix,  long long,          long long, scope##max_gen_ll)                                         \
    WARPSCOPE_ATOMIC(atomicMax##suffix,  unsigned long long, unsigned long long, scope##max_gen_ull)                               \
    WARPSCOPE_ATOMIC(atomicAnd##suffix,  int,                int,       scope##and_gen_i)                                          \
    WARPSCOPE_ATOMIC(atomicAnd##suffix,  unsigned int,       int,       scope##and_gen_i)                                          \
    WARPSCOPE_ATOMIC(atomicAnd##suffix,  unsigned long long, long long, scope##and_gen_ll)                                         \
    WARPSCOPE_ATOMIC(atomicOr##suffix,   int,                int,       scope##or_gen_i)                                           \
    WARPSCOPE_ATOMIC(atomicOr##suffix,   unsigned int,       int,       scope##or_gen_i)                                           \
    WARPSCOPE_ATOMIC(atomicOr##suffix,   unsigned long long, long long, scope##or_gen_ll)                                          \
    WARPSCOPE_ATOMIC(atomicXor##suffix,  int,                int,       scope##xor_gen_i)                                          \
    WARPSCOPE_ATOMIC(atomicXor##suffix,  unsigned int,       int,       scope##xor_gen_i)                                          \
    WARPSCOPE_ATOMIC(atomicXor##suffix,  unsigned long long, long long, scope##xor_gen_ll)                                         \
    WARPSCOPE_ATOMIC(atomicInc##suffix,  unsigned int,       unsigned,  scope##inc_gen_ui)                                         \
    WARPSCOPE_ATOMIC(atomicDec##suffix,  unsigned int,       unsigned,  scope##dec_gen_ui)                                         \
    WARPSCOPE_DEVICE int atomicSub##suffix(int *p, int v) { return atomicAdd##suffix(p, -v); }                                     \
    WARPSCOPE_DEVICE unsigned int atomicSub##suffix(unsigned int *p, unsigned int v) { return atomicAdd##suffix(p, 0u - v); }      \
    WARPSCOPE_DEVICE float atomicExch##suffix(float *p, float v) {                                                                 \
        return __builtin_bit_cast(float, atomicExch##suffix((int *)p, __builtin_bit_cast(int, v)));                                \
    }                                                                                                                              \
    WARPSCOPE_DEVICE int atomicCAS##suffix(int *p, int old, int v) { return __nvvm_atom_##scope##cas_gen_i(p, old, v); }           \
    WARPSCOPE_DEVICE unsigned int atomicCAS##suffix(unsigned int *p, unsigned int old, unsigned int v) {                           \
        return (unsigned int)__nvvm_atom_##scope##cas_gen_i((int *)p, (int)old, (int)v);                                           \
    }                                                                                                                              \
    WARPSCOPE_DEVICE unsigned long long atomicCAS##suffix(unsigned long long *p, unsigned long long old, unsigned long long v) {   \
        return (unsigned long long)__nvvm_atom_##scope##cas_gen_ll((long long *)p, (long long)old, (long long)v);                  \
    }
/* clang-format on */

WARPSCOPE_ATOMICS(, )
WARPSCOPE_ATOMICS(_block, cta_)
WARPSCOPE_ATOMICS(_system, sys_)
#undef WARPSCOPE_ATOMICS
#undef WARPSCOPE_ATOMIC

/* 16-bit compare-and-swap, which sm_70 has but clang has no name for. */
WARPSCOPE_DEVICE unsigned short atomicCAS(unsigned short *p, unsigned short old, unsigned short v) {
    unsigned short was;
    asm volatile("atom.cas.b16 %0, [%1], %2, %3;" : "=h"(was) : "l"(p), "h"(old), "h"(v) : "memory");
    return was;
}
