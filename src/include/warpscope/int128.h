/* int128.h: division of 128-bit integers, under the names by which LLVM calls it. A bit at a time. */
#pragma once

#ifdef WARPSCOPE_DIVIDE_INT128
#define WARPSCOPE_LIBRARY extern "C" __attribute__((device, used, noinline, nodebug))

WARPSCOPE_LIBRARY unsigned __int128 __umodti3(unsigned __int128 a, unsigned __int128 b) {
    unsigned __int128 rest = 0;
    for (int i = 127; i >= 0; i--) {
        bool carry = rest >> 127;
        rest = rest << 1 | (a >> i & 1);
        if (carry || rest >= b) rest -= b;
    }
    return rest;
}
WARPSCOPE_LIBRARY unsigned __int128 __udivti3(unsigned __int128 a, unsigned __int128 b) {
    unsigned __int128 rest = 0, quotient = 0;
    for (int i = 127; i >= 0; i--) {
        bool carry = rest >> 127;
        rest = rest << 1 | (a >> i & 1);
        if (!carry && rest < b) continue;
        rest -= b;
        quotient |= (unsigned __int128)1 << i;
    }
    return quotient;
}
WARPSCOPE_DEVICE unsigned __int128 warpscope_magnitude(__int128 v) {
    return v < 0 ? -(unsigned __int128)v : (unsigned __int128)v;
}
WARPSCOPE_LIBRARY __int128 __divti3(__int128 a, __int128 b) {
    unsigned __int128 quotient = __udivti3(warpscope_magnitude(a), warpscope_magnitude(b));
    return (__int128)((a < 0) != (b < 0) ? -quotient : quotient);
}
WARPSCOPE_LIBRARY __int128 __modti3(__int128 a, __int128 b) {
    unsigned __int128 rest = __umodti3(warpscope_magnitude(a), warpscope_magnitude(b));
    return (__int128)(a < 0 ? -rest : rest);
}
#undef WARPSCOPE_LIBRARY
#endif
