#include "machine/directed.h"

#include <float.h>
#include <math.h>

typedef unsigned __int128 Wide;

/* bits * 2^exponent. Where that is not the whole value, the value lies between its neighbours and the lowest bit is 1, far below those that
 * are kept ("round to odd"). The leading bit is at TOP, but of 0. */
typedef struct Exact {
    bool negative;
    Wide bits;
    int exponent;
} Exact;

enum { TOP = 125, MANTISSA_BITS = 53 };

static unsigned leading(Wide bits) { /* bits is not 0 */
    uint64_t high = (uint64_t)(bits >> 64);
    return high ? 127 - (unsigned)__builtin_clzll(high) : 63 - (unsigned)__builtin_clzll((uint64_t)bits);
}

static Exact normal(Exact x) {
    if (!x.bits) return x;
    int up = TOP - (int)leading(x.bits);
    if (up < 0) {
        x.bits = x.bits >> -up | (x.bits & (((Wide)1 << -up) - 1) ? 1 : 0);
    } else {
        x.bits <<= up;
    }
    x.exponent -= up;
    return x;
}

static Exact exact(double x) {
    int exponent;
    double mantissa = frexp(fabs(x), &exponent);
    return normal(
        (Exact){.negative = signbit(x), .bits = (Wide)ldexp(mantissa, MANTISSA_BITS), .exponent = exponent - MANTISSA_BITS});
}

/* The lower of two is shifted to the other's exponent. */
static Exact sum(Exact x, Exact y, Rounding rounding) {
    if (!y.bits || (x.bits && x.exponent >= y.exponent)) {
        Exact other = x;
        x = y;
        y = other;
    }
    if (!x.bits) {
        if (!y.bits && x.negative != y.negative) y.negative = rounding == ROUND_RM;
        return y;
    }
    int down = y.exponent - x.exponent;
    Wide shifted = down <= TOP ? x.bits >> down : 0;
    if (down > TOP || shifted << down != x.bits) shifted |= 1;
    bool less = x.negative != y.negative && shifted > y.bits;
    Exact result = {.negative = less ? x.negative : y.negative, .exponent = y.exponent};
    result.bits = x.negative == y.negative ? y.bits + shifted : less ? shifted - y.bits : y.bits - shifted;
    if (!result.bits) result.negative = rounding == ROUND_RM;
    return normal(result);
}

static Exact product(Exact x, Exact y) {
    enum { DOWN = TOP - MANTISSA_BITS + 1 };
    return normal((Exact){.negative = x.negative != y.negative,
                          .bits = (x.bits >> DOWN) * (y.bits >> DOWN),
                          .exponent = x.exponent + y.exponent + 2 * DOWN});
}

static Exact quotient(Exact x, Exact y) { /* y is not 0 */
    enum { DOWN = TOP - MANTISSA_BITS + 1 };
    Wide divisor = y.bits >> DOWN, whole = x.bits / divisor;
    return normal((Exact){.negative = x.negative != y.negative,
                          .bits = whole | (whole * divisor != x.bits),
                          .exponent = x.exponent - y.exponent - DOWN});
}

static Exact root(Exact x) {
    if (x.exponent & 1) {
        x.bits <<= 1;
        x.exponent--;
    }
    Wide left = x.bits, found = 0;
    for (Wide bit = (Wide)1 << (TOP + 1); bit; bit >>= 2) { /* of the root's square, two bits at a time */
        bool has = left >= found + bit;
        if (has) left -= found + bit;
        found = has ? found / 2 + bit : found / 2;
    }
    return normal((Exact){.bits = found | (left != 0), .exponent = x.exponent / 2});
}

static double rounded(Exact x, Rounding rounding, bool single) {
    int least = single ? FLT_MIN_EXP - FLT_MANT_DIG : DBL_MIN_EXP - DBL_MANT_DIG, bits = single ? FLT_MANT_DIG : DBL_MANT_DIG;
    double most = single ? (double)FLT_MAX : DBL_MAX;
    bool away = rounding == (x.negative ? ROUND_RM : ROUND_RP);
    double magnitude = 0;
    if (x.bits) {
        int unit = x.exponent + TOP - (bits - 1), drop;
        if (unit < least) unit = least;
        drop = unit - x.exponent;
        Wide kept = drop < 128 ? x.bits >> drop : 0;
        if (away && (drop >= 128 || kept << drop != x.bits)) kept++;
        magnitude = ldexp((double)(uint64_t)kept, unit);
    }
    if (magnitude > most) magnitude = away ? (double)INFINITY : most;
    return x.negative ? -magnitude : magnitude;
}

/* Of operands of which one is infinite or NaN, of a division by 0 and of a root of what is not above 0: these are not rounded. */
static double special(DirectedOp op, double a, double b, double c) {
    switch (op) {
    case DIRECTED_ADD: return a + b;
    case DIRECTED_SUB: return a - b;
    case DIRECTED_MUL: return a * b;
    case DIRECTED_DIV: return a / b;
    case DIRECTED_SQRT: return sqrt(a);
    case DIRECTED_FMA: return isfinite(a) && isfinite(b) ? c : a * b + c;
    }
    return 0;
}

double directed(DirectedOp op, double a, double b, double c, Rounding rounding, bool single) {
    bool has_b = op != DIRECTED_SQRT, has_c = op == DIRECTED_FMA;
    if (!isfinite(a) || (has_b && !isfinite(b)) || (has_c && !isfinite(c)) || (op == DIRECTED_DIV && b == 0) ||
        (op == DIRECTED_SQRT && a <= 0))
        return special(op, a, b, c);
    Exact x = exact(a), y = exact(has_b ? b : 0), z = exact(has_c ? c : 0), result = x;
    switch (op) {
    case DIRECTED_SUB: y.negative = !y.negative; /* fall through */
    case DIRECTED_ADD: result = sum(x, y, rounding); break;
    case DIRECTED_MUL: result = product(x, y); break;
    case DIRECTED_DIV: result = quotient(x, y); break;
    case DIRECTED_SQRT: result = root(x); break;
    case DIRECTED_FMA: result = sum(product(x, y), z, rounding); break;
    }
    return rounded(result, rounding, single);
}
