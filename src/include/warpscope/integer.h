/* integer.h: bits, high halves, saturating and packed integer arithmetic. */
#pragma once

/* One PTX instruction that only computes: asm without volatile, so that unused results go and equal ones merge.
 * out, ca, cb, cc are register constraints: "r" 32 bits, "l" 64 bits, "f" float, "d" double. */
#define WARPSCOPE_OP1(function, text, type, out, ta, ca) \
    WARPSCOPE_DEVICE type function(ta a) {               \
        type result;                                     \
        asm(text " %0, %1;" : "=" out(result) : ca(a));  \
        return result;                                   \
    }
#define WARPSCOPE_OP2(function, text, type, out, ta, ca, tb, cb)   \
    WARPSCOPE_DEVICE type function(ta a, tb b) {                   \
        type result;                                               \
        asm(text " %0, %1, %2;" : "=" out(result) : ca(a), cb(b)); \
        return result;                                             \
    }
#define WARPSCOPE_OP3(function, text, type, out, ta, ca, tb, cb, tc, cc)      \
    WARPSCOPE_DEVICE type function(ta a, tb b, tc c) {                        \
        type result;                                                          \
        asm(text " %0, %1, %2, %3;" : "=" out(result) : ca(a), cb(b), cc(c)); \
        return result;                                                        \
    }

WARPSCOPE_DEVICE int __popc(unsigned int v) { return __builtin_popcount(v); }
WARPSCOPE_DEVICE int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
WARPSCOPE_OP1(__clz, "clz.b32", int, "r", int, "r")
WARPSCOPE_OP1(__clzll, "clz.b64", int, "r", long long, "l")
WARPSCOPE_DEVICE int __ffs(int v) { return 32 - __clz((int)((unsigned int)v & 0u - (unsigned int)v)); }
WARPSCOPE_DEVICE int __ffsll(long long v) {
    return 64 - __clzll((long long)((unsigned long long)v & 0ull - (unsigned long long)v));
}
WARPSCOPE_OP1(__brev, "brev.b32", unsigned int, "r", unsigned int, "r")
WARPSCOPE_OP1(__brevll, "brev.b64", unsigned long long, "l", unsigned long long, "l")
WARPSCOPE_OP3(warpscope_prmt, "prmt.b32", unsigned int, "r", unsigned int, "r", unsigned int, "r", unsigned int, "r")
/* Three bits choose a byte; the instruction's fourth, which asks for its sign, is not the function's. */
WARPSCOPE_DEVICE unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int selector) {
    return warpscope_prmt(a, b, selector & 0x7777u);
}
WARPSCOPE_OP3(__funnelshift_l, "shf.l.wrap.b32", unsigned int, "r", unsigned int, "r", unsigned int, "r", unsigned int, "r")
WARPSCOPE_OP3(__funnelshift_r, "shf.r.wrap.b32", unsigned int, "r", unsigned int, "r", unsigned int, "r", unsigned int, "r")
WARPSCOPE_OP3(__funnelshift_lc, "shf.l.clamp.b32", unsigned int, "r", unsigned int, "r", unsigned int, "r", unsigned int, "r")
WARPSCOPE_OP3(__funnelshift_rc, "shf.r.clamp.b32", unsigned int, "r", unsigned int, "r", unsigned int, "r", unsigned int, "r")
WARPSCOPE_OP3(__fns, "fns.b32", unsigned int, "r", unsigned int, "r", unsigned int, "r", int, "r")

WARPSCOPE_OP2(__mul24, "mul24.lo.s32", int, "r", int, "r", int, "r")
WARPSCOPE_OP2(__umul24, "mul24.lo.u32", unsigned int, "r", unsigned int, "r", unsigned int, "r")
WARPSCOPE_DEVICE int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
WARPSCOPE_DEVICE unsigned int __umulhi(unsigned int a, unsigned int b) {
    return (unsigned int)((unsigned long long)a * b >> 32);
}
WARPSCOPE_OP2(__mul64hi, "mul.hi.s64", long long, "l", long long, "l", long long, "l")
WARPSCOPE_OP2(__umul64hi, "mul.hi.u64", unsigned long long, "l", unsigned long long, "l", unsigned long long, "l")
WARPSCOPE_OP3(__sad, "sad.s32", unsigned int, "r", int, "r", int, "r", unsigned int, "r")
WARPSCOPE_OP3(__usad, "sad.u32", unsigned int, "r", unsigned int, "r", unsigned int, "r", unsigned int, "r")
WARPSCOPE_DEVICE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
WARPSCOPE_DEVICE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
WARPSCOPE_DEVICE unsigned int __uhadd(unsigned int a, unsigned int b) {
    return (unsigned int)(((unsigned long long)a + b) >> 1);
}
WARPSCOPE_DEVICE unsigned int __urhadd(unsigned int a, unsigned int b) {
    return (unsigned int)(((unsigned long long)a + b + 1) >> 1);
}

/* Dot products of four bytes, or of two 16-bit and two bytes, added to c. */
#define WARPSCOPE_DOT(function, text, type) WARPSCOPE_OP3(function, text, type, "r", type, "r", type, "r", type, "r")
WARPSCOPE_DOT(__dp4a, "dp4a.s32.s32", int)
WARPSCOPE_DOT(__dp4a, "dp4a.u32.u32", unsigned int)
WARPSCOPE_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int)
WARPSCOPE_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned int)
WARPSCOPE_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int)
WARPSCOPE_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned int)
#undef WARPSCOPE_DOT

/* Whole-number min, max and abs: overloads on both sides, since host code uses them too. */
#define WARPSCOPE_MINMAX(type)                                        \
    WARPSCOPE_BOTH type min(type a, type b) { return b < a ? b : a; } \
    WARPSCOPE_BOTH type max(type a, type b) { return a < b ? b : a; }
#define WARPSCOPE_MINMAX_MIXED(type, a_type, b_type)                              \
    WARPSCOPE_BOTH type min(a_type a, b_type b) { return min((type)a, (type)b); } \
    WARPSCOPE_BOTH type max(a_type a, b_type b) { return max((type)a, (type)b); } \
    WARPSCOPE_BOTH type min(b_type a, a_type b) { return min((type)a, (type)b); } \
    WARPSCOPE_BOTH type max(b_type a, a_type b) { return max((type)a, (type)b); }
WARPSCOPE_MINMAX(int)
WARPSCOPE_MINMAX(unsigned int)
WARPSCOPE_MINMAX(long)
WARPSCOPE_MINMAX(unsigned long)
WARPSCOPE_MINMAX(long long)
WARPSCOPE_MINMAX(unsigned long long)
WARPSCOPE_MINMAX_MIXED(unsigned int, int, unsigned int)
WARPSCOPE_MINMAX_MIXED(unsigned long, long, unsigned long)
WARPSCOPE_MINMAX_MIXED(unsigned long long, long long, unsigned long long)
#undef WARPSCOPE_MINMAX
#undef WARPSCOPE_MINMAX_MIXED

WARPSCOPE_DEVICE int abs(int v) { return v < 0 ? -v : v; }
WARPSCOPE_DEVICE long labs(long v) { return v < 0 ? -v : v; }
WARPSCOPE_DEVICE long long llabs(long long v) { return v < 0 ? -v : v; }
WARPSCOPE_DEVICE long abs(long v) { return v < 0 ? -v : v; }
WARPSCOPE_DEVICE long long abs(long long v) { return v < 0 ? -v : v; }
WARPSCOPE_EITHER(unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); })
WARPSCOPE_EITHER(unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); })
WARPSCOPE_EITHER(long long llmin(long long a, long long b) { return min(a, b); })
WARPSCOPE_EITHER(long long llmax(long long a, long long b) { return max(a, b); })
WARPSCOPE_EITHER(unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); })
WARPSCOPE_EITHER(unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); })
