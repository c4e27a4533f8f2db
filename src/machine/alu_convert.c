/* alu_convert.c: every conversion of cvt by one exact rule, in integers alone: a source becomes a sign, a 64-bit mantissa
 * and an exponent, which is rounded once to the destination. alu_cvt.c has loops for the forms that programs spend their
 * time in; this is for all the others (.sat, directed rounding, halves to narrow integers, …). */
#include "machine/alu_lanes.h"
#include "ptx/opcode.h"

/* How values of a type are laid out in their bits. */
typedef struct Format {
    uint8_t bits;     /* of the value in its lane */
    uint8_t mantissa; /* floats: stored bits of the mantissa; integers: 0 */
    uint8_t exponent; /* floats: bits of the exponent */
    bool is_signed;   /* integers */
    uint64_t nan;     /* floats: what NaN becomes; f64 keeps sign and payload instead, in both directions */
} Format;

static const Format formats[TYPE_COUNT] = {
    [TYPE_u8] = {.bits = 8},
    [TYPE_u16] = {.bits = 16},
    [TYPE_u32] = {.bits = 32},
    [TYPE_u64] = {.bits = 64},
    [TYPE_s8] = {.bits = 8, .is_signed = true},
    [TYPE_s16] = {.bits = 16, .is_signed = true},
    [TYPE_s32] = {.bits = 32, .is_signed = true},
    [TYPE_s64] = {.bits = 64, .is_signed = true},
    [TYPE_f16] = {.bits = 16, .mantissa = 10, .exponent = 5, .nan = 0x7fff},
    [TYPE_bf16] = {.bits = 16, .mantissa = 7, .exponent = 8, .nan = 0x7fff},
    [TYPE_f32] = {.bits = 32, .mantissa = 23, .exponent = 8, .nan = F32_NAN},
    [TYPE_f64] = {.bits = 64, .mantissa = 52, .exponent = 11},
};

typedef struct Number {
    enum { NUMBER_FINITE, NUMBER_INFINITE, NUMBER_NAN } kind;
    bool negative;
    uint64_t mantissa; /* magnitude = mantissa * 2^exponent; NaN: the payload, its first bit topmost */
    int exponent;
} Number;

static uint64_t low_ones(unsigned count) { return count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX; }

static Number number_of(uint64_t lane, const Format *format) {
    Number n = {.kind = NUMBER_FINITE};
    const uint64_t value = lane & low_ones(format->bits);
    if (!format->exponent) {
        n.negative = format->is_signed && value >> (format->bits - 1);
        n.mantissa = n.negative ? (0 - value) & low_ones(format->bits) : value;
        return n;
    }
    const unsigned m = format->mantissa;
    const uint64_t fraction = value & low_ones(m), special = low_ones(format->exponent), stored = value >> m & special;
    const int bias = (int)(special >> 1);
    n.negative = value >> (format->bits - 1);
    if (stored == special) n.kind = fraction ? NUMBER_NAN : NUMBER_INFINITE;
    n.mantissa = stored ? fraction | UINT64_C(1) << m : fraction;
    if (n.kind == NUMBER_NAN) n.mantissa = fraction << (64 - m);
    n.exponent = (stored ? (int)stored : 1) - bias - (int)m;
    return n;
}

/* mantissa / 2^drop, rounded. */
static uint64_t round_off(uint64_t mantissa, unsigned drop, Rounding rounding, bool negative) {
    if (drop == 0 || mantissa == 0) return mantissa;
    const uint64_t kept = drop < 64 ? mantissa >> drop : 0, rest = drop < 64 ? mantissa & low_ones(drop) : mantissa;
    const uint64_t half = drop <= 64 ? UINT64_C(1) << (drop - 1) : 0; /* 0: more than the rest can be */
    const bool above = half && rest > half, tie = half && rest == half;
    switch (rounding) {
    case ROUND_NONE:
    case ROUND_RN:
    case ROUND_RNI: return kept + (above || (tie && kept & 1));
    case ROUND_RNA: return kept + (above || tie); /* tf32 alone has it */
    case ROUND_RZ:
    case ROUND_RZI: return kept;
    case ROUND_RM:
    case ROUND_RMI: return kept + (rest && negative);
    case ROUND_RP:
    case ROUND_RPI: return kept + (rest && !negative);
    }
    return kept;
}

/* nan: what NaN becomes. */
static uint64_t to_integer(Number n, const Format *format, Rounding rounding, uint64_t nan) {
    const uint64_t top = UINT64_C(1) << (format->bits - 1);
    const uint64_t most = format->is_signed ? n.negative ? top : top - 1 : n.negative ? 0 : low_ones(format->bits);
    uint64_t magnitude;
    if (n.kind == NUMBER_NAN) return nan;
    if (n.kind == NUMBER_INFINITE) {
        magnitude = UINT64_MAX;
    } else if (n.exponent <= 0) {
        magnitude = round_off(n.mantissa, (unsigned)-n.exponent, rounding, n.negative);
    } else {
        const bool fits = n.mantissa == 0 || __builtin_clzll(n.mantissa) >= n.exponent;
        magnitude = fits ? n.mantissa << (n.exponent & 63) : UINT64_MAX;
    }
    if (magnitude > most) magnitude = most;
    return n.negative ? 0 - magnitude : magnitude;
}

static uint64_t to_float(Number n, const Format *format, Rounding rounding) {
    const unsigned m = format->mantissa;
    const uint64_t special = low_ones(format->exponent), infinity = special << m;
    const uint64_t sign = (uint64_t)n.negative << (m + format->exponent);
    if (n.kind == NUMBER_NAN && format->nan) return format->nan;
    if (n.kind == NUMBER_NAN) return sign | infinity | UINT64_C(1) << (m - 1) | n.mantissa >> (64 - m);
    if (n.kind == NUMBER_INFINITE) return sign | infinity;
    if (n.mantissa == 0) return sign;
    /* The least unit of the result: that of the value's own binade, but not below the subnormals'. */
    const int least = 1 - (int)(special >> 1) - (int)m, own = 63 - __builtin_clzll(n.mantissa) + n.exponent - (int)m;
    const int unit = own > least ? own : least;
    const uint64_t rounded = unit >= n.exponent ? round_off(n.mantissa, (unsigned)(unit - n.exponent), rounding, n.negative)
                                                : n.mantissa << (n.exponent - unit);
    /* The mantissa's leading 1 adds one to the exponent, as does rounding up to a power of two. */
    const uint64_t result = ((uint64_t)(unit - least) << m) + rounded;
    if (result < infinity) return sign | result;
    const bool stays = rounding == ROUND_RZ || rounding == (n.negative ? ROUND_RP : ROUND_RM);
    return sign | (stays ? infinity - 1 : infinity);
}

static Number flushed(Number n, const Format *format) {
    /* A subnormal has no leading 1 in its mantissa. */
    if (n.kind == NUMBER_FINITE && !(n.mantissa >> format->mantissa)) n.mantissa = 0;
    return n;
}

static uint64_t convert(uint64_t lane, Type to, Type from, Rounding rounding, unsigned flags) {
    const Format *source = &formats[from];
    Format target = formats[to];
    Number n = number_of(lane, source);
    if (flags & INSN_FTZ && from == TYPE_f32 && to != TYPE_f16) n = flushed(n, source); /* f16: as measured */
    if (!target.exponent) {
        const bool marked = source->bits == 64 || target.bits == 64;
        return to_integer(n, &target, rounding, marked ? UINT64_C(1) << (target.bits - 1) : 0);
    }
    if (from == TYPE_f64) target.nan = 0;
    if (flags & INSN_FTZ && from == TYPE_f32 && n.kind == NUMBER_NAN)
        n = (Number){.kind = NUMBER_NAN, .mantissa = UINT64_MAX << (64 - source->mantissa)};
    const bool to_integral = rounding == ROUND_RNI || rounding == ROUND_RZI || rounding == ROUND_RMI || rounding == ROUND_RPI;
    if (to_integral && n.kind == NUMBER_FINITE && n.exponent < 0) {
        n.mantissa = round_off(n.mantissa, (unsigned)-n.exponent, rounding, n.negative);
        n.exponent = 0;
    }
    if (flags & INSN_RELU && n.negative && n.kind != NUMBER_NAN) n = (Number){.kind = NUMBER_FINITE};
    if (flags & INSN_SAT) {
        if (n.negative || n.kind == NUMBER_NAN) n = (Number){.kind = NUMBER_FINITE};
        const Number one = {.kind = NUMBER_FINITE, .mantissa = 1};
        const bool above = n.mantissa && 63 - __builtin_clzll(n.mantissa) + n.exponent >= 0;
        if (n.kind == NUMBER_INFINITE || above) n = one;
    }
    const uint64_t result = to_float(n, &target, rounding);
    if (!(flags & INSN_FTZ) || to != TYPE_f32) return result;
    /* Below the normal numbers once it is rounded as if exponents had no end (alu_float.c): times 2^64, below 2^-62. */
    n.exponent += 64;
    const bool tiny = (to_float(n, &target, rounding) & low_ones(31)) < (UINT64_C(127) - 62) << target.mantissa;
    return tiny ? result & UINT64_C(1) << 31 : result;
}

static uint64_t read_lane(const void *slot, unsigned i, Type type) {
    return formats[type].bits == 64 ? ((const Lane_u64 *)slot)[i] : ((const Lane_u32 *)slot)[i];
}

__attribute__((noinline)) static void convert_lanes(Type type, Type from, Rounding rounding, unsigned flags, ALU_PARAMETERS) {
    const unsigned unused = 64 - formats[type].bits;
    EACH_ACTIVE_LANE(i, mask) {
        const uint64_t result = convert(read_lane(from_a, i, from), type, from, rounding, flags);
        if (formats[type].bits == 64) {
            ((Lane_u64 *)to)[i] = result;
        } else if (formats[type].is_signed) {
            ((Lane_s32 *)to)[i] = (int32_t)((int64_t)(result << unused) >> unused);
        } else {
            ((Lane_u32 *)to)[i] = (uint32_t)(result << unused >> unused);
        }
    }
}

/* cvt.f16x2.f32 d, a, b: a becomes the high half. */
__attribute__((noinline)) static void convert_pairs(Type half, Rounding rounding, unsigned flags, ALU_PARAMETERS) {
    EACH_ACTIVE_LANE(i, mask) {
        const uint64_t high = convert(read_lane(from_a, i, TYPE_f32), half, TYPE_f32, rounding, flags);
        const uint64_t low = convert(read_lane(from_b, i, TYPE_f32), half, TYPE_f32, rounding, flags);
        ((Lane_u32 *)to)[i] = (uint32_t)(high << 16 | low);
    }
}

/* clang-format off */
/* FORMS(X) calls X(to, from, rounding, flags) for each form. */
#define FLAGS_PLAIN 0
#define FLAGS_FTZ INSN_FTZ
#define FLAGS_SAT INSN_SAT
#define FLAGS_FTZ_SAT INSN_FTZ | INSN_SAT
#define FLAGS_RELU INSN_RELU

#define PLAIN_SAT(X, to, from, r) X(to, from, r, PLAIN) X(to, from, r, SAT)
#define WITH_FTZ(X, to, from, r) PLAIN_SAT(X, to, from, r) X(to, from, r, FTZ) X(to, from, r, FTZ_SAT)
#define ROUNDED(X, flags, to, from)                                                                                            \
    flags(X, to, from, RN) flags(X, to, from, RZ) flags(X, to, from, RM) flags(X, to, from, RP)
#define INTEGRAL(X, flags, to, from)                                                                                           \
    flags(X, to, from, RNI) flags(X, to, from, RZI) flags(X, to, from, RMI) flags(X, to, from, RPI)
#define PLAIN_FTZ(X, to, from, r) X(to, from, r, PLAIN) X(to, from, r, FTZ)
#define JUST_PLAIN(X, to, from, r) X(to, from, r, PLAIN)

/* .sat between integers, where the source has values that the destination lacks; without .sat the fast loops truncate. */
#define INT_FROM_INT(X)                                                                                                        \
    SATURATE(X, s8, u8) SATURATE(X, u8, s8) WIDER_SATURATE(X, s8)                                                              \
    BYTE_SATURATE(X, u16) SATURATE(X, s16, u16) BYTE_SATURATE(X, s16) WIDER_SATURATE(X, s16)                                   \
    SHORT_SATURATE(X, u32) SATURATE(X, s32, u32) SHORT_SATURATE(X, s32) SATURATE(X, u32, s32) SATURATE(X, u64, s32)            \
    SHORT_SATURATE(X, u64) SATURATE(X, u32, u64) SATURATE(X, s32, u64) SATURATE(X, s64, u64)                                   \
    SHORT_SATURATE(X, s64) SATURATE(X, u32, s64) SATURATE(X, s32, s64) SATURATE(X, u64, s64)
#define SATURATE(X, to, from) X(to, from, NONE, SAT)
#define WIDER_SATURATE(X, from) SATURATE(X, u16, from) SATURATE(X, u32, from) SATURATE(X, u64, from)
#define BYTE_SATURATE(X, from) SATURATE(X, u8, from) SATURATE(X, s8, from)
#define SHORT_SATURATE(X, from) BYTE_SATURATE(X, from) SATURATE(X, u16, from) SATURATE(X, s16, from)
#define FLOAT_FROM_INT(X, from)                                                                                                \
    ROUNDED(X, PLAIN_SAT, f16, from) ROUNDED(X, PLAIN_SAT, f32, from) ROUNDED(X, PLAIN_SAT, f64, from)
#define BF16_FROM_INT(X, from) ROUNDED(X, JUST_PLAIN, bf16, from)
#define EACH_WIDE_INT(F, X) F(X, u16) F(X, s16) F(X, u32) F(X, s32) F(X, u64) F(X, s64)
#define EACH_INT(F, X) F(X, u8) F(X, s8) EACH_WIDE_INT(F, X)
/* Floats to integers clamp with and without .sat, which alu_select drops. */
#define INT_FROM_FLOATS(X, to)                                                                                                 \
    INTEGRAL(X, JUST_PLAIN, to, f16) INTEGRAL(X, PLAIN_FTZ, to, f32) INTEGRAL(X, JUST_PLAIN, to, f64)
#define INT_FROM_BF16(X, to) INTEGRAL(X, JUST_PLAIN, to, bf16)
#define FLOAT_FROM_FLOAT(X)                                                                                                    \
    PLAIN_SAT(X, f16, f16, NONE) INTEGRAL(X, PLAIN_SAT, f16, f16)                                                              \
    X(bf16, bf16, NONE, PLAIN) INTEGRAL(X, JUST_PLAIN, bf16, bf16)                                                             \
    INTEGRAL(X, WITH_FTZ, f32, f32)                                                                                            \
    X(f64, f64, NONE, SAT) INTEGRAL(X, PLAIN_SAT, f64, f64)                                                                    \
    WITH_FTZ(X, f32, f16, NONE) X(f32, bf16, NONE, FTZ) WITH_FTZ(X, f64, f32, NONE)                                            \
    PLAIN_SAT(X, f64, f16, NONE) X(f64, bf16, NONE, PLAIN)                                                                     \
    ROUNDED(X, WITH_FTZ, f32, f64) ROUNDED(X, WITH_FTZ, f16, f32) ROUNDED(X, PLAIN_FTZ, bf16, f32)                             \
    ROUNDED(X, PLAIN_SAT, f16, f64) ROUNDED(X, JUST_PLAIN, bf16, f64)                                                          \
    ROUNDED(X, JUST_PLAIN, bf16, f16) ROUNDED(X, JUST_PLAIN, f16, bf16)                                                        \
    X(f16, f32, RN, RELU) X(f16, f32, RZ, RELU) X(bf16, f32, RN, RELU) X(bf16, f32, RZ, RELU)
#define FORMS(X)                                                                                                               \
    INT_FROM_INT(X) EACH_INT(FLOAT_FROM_INT, X) EACH_WIDE_INT(BF16_FROM_INT, X)                                                \
    EACH_INT(INT_FROM_FLOATS, X) EACH_WIDE_INT(INT_FROM_BF16, X) FLOAT_FROM_FLOAT(X)
#define PAIRS(X) ROUNDED_PAIR(X, f16) ROUNDED_PAIR(X, bf16)
#define ROUNDED_PAIR(X, half) X(half, RN, PLAIN) X(half, RZ, PLAIN) X(half, RN, RELU) X(half, RZ, RELU)

#define DEFINE(to, from, r, flags)                                                                                             \
    static void cvt_##to##_##from##_##r##_##flags(ALU_PARAMETERS) {                                                            \
        convert_lanes(TYPE_##to, TYPE_##from, ROUND_##r, FLAGS_##flags, ALU_ARGUMENTS);                                                    \
    }
#define DEFINE_PAIR(half, r, flags)                                                                                            \
    static void cvt_##half##x2_##r##_##flags(ALU_PARAMETERS) { convert_pairs(TYPE_##half, ROUND_##r, FLAGS_##flags, ALU_ARGUMENTS); }
FORMS(DEFINE)
PAIRS(DEFINE_PAIR)

#define CVT_ROW(to, from, r, f)                                                                                                \
    ROW(cvt, to, cvt_##to##_##from##_##r##_##f, .type2 = TYPE_##from, .rounding = ROUND_##r, .flags = FLAGS_##f)
#define PAIR_ROW(half, r, f)                                                                                                   \
    ROW(cvt, half##x2, cvt_##half##x2_##r##_##f, .type2 = TYPE_f32, .rounding = ROUND_##r, .flags = FLAGS_##f)
static const AluRow rows[] = {FORMS(CVT_ROW) PAIRS(PAIR_ROW)};
/* clang-format on */
ALU_TABLE(alu_convert_table, rows);
