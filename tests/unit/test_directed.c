/* Directed rounding in integers, against this host's rounding modes. */
#include <fenv.h>
#include <math.h>

#include "machine/alu_lanes.h"
#include "machine/directed.h"
#include "suite.h"

static const double edges[] = {
    0.0,      1.0,      3.0,      0.1,         0x1p-1,       0x1p-24, 0x1.000002p0,    0x1.fffffep0,
    0x1p-126, 0x1p-149, 0x1p-150, 0x1p-1022,   0x1p-1074,    0x1p53,  0x1p24,          0x1.fffffep127,
    0x1p1023, 0x1p-500, 0x1p500,  0x1.fp-1023, 0x1p-538,     0x1p-75, 0x1.8p-149,      0x1.fffffffffffffp0,
    0x1p-52,  INFINITY, NAN,      0x1.8p1,     0x1.921fb6p1, 0x1p127, 0x1.fffffcp-127, 0x1.fffffffffffffp1023};
enum { EDGES = sizeof edges / sizeof *edges, RANDOM = 100000 };

static uint64_t next(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state ^ *state >> 29;
}

/* An edge; or any bits; or a number near the other, so that sums cancel and products fall short of what is normal. */
static double operand(uint64_t *state, double other, bool single) {
    uint64_t choice = next(state) % 8, bits = next(state);
    double x;
    if (choice < 2) {
        x = edges[bits >> 8 & (EDGES - 1)];
        x = bits & 1 ? -x : x;
    } else if (choice < 4) {
        x = -other * (1 + (double)(int)(bits % 9 - 4) * 0x1p-22);
    } else if (choice < 6) {
        x = ldexp((double)(int64_t)bits, (int)(next(state) % 300) - 210);
    } else if (single) {
        x = (double)f32_from_bits((uint32_t)bits);
    } else {
        x = f64_from_bits(bits);
    }
    return single ? (double)(float)x : x;
}

static double by_host(DirectedOp op, double da, double db, double dc, bool single) {
    volatile double a = da, b = db, c = dc, result = 0;
    volatile float x = (float)da, y = (float)db, z = (float)dc, narrow = 0;
    switch (op) {
    case DIRECTED_ADD: narrow = x + y, result = a + b; break;
    case DIRECTED_SUB: narrow = x - y, result = a - b; break;
    case DIRECTED_MUL: narrow = x * y, result = a * b; break;
    case DIRECTED_DIV: narrow = x / y, result = a / b; break;
    case DIRECTED_SQRT: narrow = sqrtf(x), result = sqrt(a); break;
    case DIRECTED_FMA: narrow = fmaf(x, y, z), result = fma(a, b, c); break;
    }
    return single ? (double)narrow : result;
}

static void compare(DirectedOp op, Rounding rounding, bool single, double a, double b, double c) {
    fesetround(rounding == ROUND_RZ ? FE_TOWARDZERO : rounding == ROUND_RM ? FE_DOWNWARD : FE_UPWARD);
    double want = by_host(op, a, b, c, single);
    fesetround(FE_TONEAREST);
    double got = directed(op, a, b, c, rounding, single);
    if (single) got = (double)(float)got;
    ck_assert_msg((isnan(want) && isnan(got)) || f64_bits(want) == f64_bits(got), "%s op %d rounding %d: %a %a %a: %a, not %a",
                  single ? "f32" : "f64", op, rounding, a, b, c, got, want);
}

START_TEST(every_operation_rounds_as_the_host_does)
{
    DirectedOp op = (DirectedOp)(_i / 2);
    bool single = _i % 2;
    uint64_t state = (uint64_t)_i;
    for (unsigned n = 0; n < RANDOM; n++) {
        double a = operand(&state, 1, single), b = operand(&state, a, single);
        double c = operand(&state, op == DIRECTED_FMA ? a * b : a, single);
        for (Rounding rounding = ROUND_RZ; rounding <= ROUND_RP; rounding++) compare(op, rounding, single, a, b, c);
    }
    for (unsigned i = 0; i < EDGES * EDGES * 8; i++) {
        double a = edges[i % EDGES], b = edges[i / EDGES % EDGES], c = i & EDGES * EDGES ? a : edges[i % 7];
        if (i / EDGES / EDGES & 2) a = -a;
        if (i / EDGES / EDGES & 4) b = -b;
        if (single) a = (double)(float)a, b = (double)(float)b, c = (double)(float)c;
        for (Rounding rounding = ROUND_RZ; rounding <= ROUND_RP; rounding++) compare(op, rounding, single, a, b, c);
    }
}
END_TEST

SUITE("directed", REPEATED(2 * (DIRECTED_FMA + 1), every_operation_rounds_as_the_host_does))
