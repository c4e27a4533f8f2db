/* Integer arithmetic, logic, shifts and bit fields against references written bit by bit or in wider arithmetic. */
#include "alu_test.h"
#include "ptx/opcode.h"
#include "suite.h"

typedef unsigned __int128 u128;
typedef __int128 s128;

static uint64_t cut(uint64_t v, unsigned bits) { return bits < 64 ? v & ((UINT64_C(1) << bits) - 1) : v; }
static s128 extended(uint64_t v, unsigned bits) {
    v = cut(v, bits);
    return v >> (bits - 1) & 1 ? (s128)v - ((s128)1 << bits) : (s128)v;
}
/* A value of the given width as its lane shows it. */
static uint64_t as_lane(s128 v, unsigned bits, bool is_signed) {
    const uint64_t low = cut((uint64_t)v, bits);
    if (bits == 64) return low;
    return is_signed && low >> (bits - 1) ? cut(low | ~UINT64_C(0) << bits, 32) : low;
}

typedef struct Width {
    uint8_t type;
    unsigned bits;
    bool is_signed;
} Width;
static const Width widths[] = {{TYPE_u16, 16, false}, {TYPE_s16, 16, true},  {TYPE_u32, 32, false},
                               {TYPE_s32, 32, true},  {TYPE_u64, 64, false}, {TYPE_s64, 64, true}};

static s128 value_of(uint64_t v, Width w) { return w.is_signed ? extended(v, w.bits) : (s128)cut(v, w.bits); }

static uint64_t run2(uint8_t op, uint8_t mode, Width w, uint64_t a, uint64_t b) {
    const Insn insn = {.op = op, .type = w.type, .mode = mode, .n_dst = 1};
    return w.bits == 64 ? run_long2(insn, a, b) : run_word2(insn, (uint32_t)a, (uint32_t)b);
}
static uint64_t run3(uint8_t op, uint8_t mode, Width w, uint64_t a, uint64_t b, uint64_t c) {
    const Insn insn = {.op = op, .type = w.type, .mode = mode, .n_dst = 1};
    return w.bits == 64 ? run_long3(insn, a, b, c) : run_word3(insn, (uint32_t)a, (uint32_t)b, (uint32_t)c);
}

START_TEST(sums_products_and_extremes_wrap_at_every_width)
{
    const Width w = widths[_i];
    EACH_EDGE(i) EACH_EDGE(j) {
        const uint64_t a = edges[i], b = edges[j], c = a ^ b << 3;
        const s128 x = value_of(a, w), y = value_of(b, w), z = value_of(c, w);
        const s128 product = (s128)((u128)x * (u128)y); /* exact: at most 128 bits */
        const s128 high = w.is_signed ? product >> w.bits : (s128)((u128)product >> w.bits);
        same(run2(OP_add, 0, w, a, b), as_lane(x + y, w.bits, w.is_signed));
        same(run2(OP_sub, 0, w, a, b), as_lane(x - y, w.bits, w.is_signed));
        same(run2(OP_mul, MODE_LO, w, a, b), as_lane(product, w.bits, w.is_signed));
        same(run2(OP_mul, MODE_HI, w, a, b), as_lane(high, w.bits, w.is_signed));
        same(run3(OP_mad, MODE_LO, w, a, b, c), as_lane((s128)((u128)product + (u128)z), w.bits, w.is_signed));
        same(run3(OP_mad, MODE_HI, w, a, b, c), as_lane(high + z, w.bits, w.is_signed));
        same(run2(OP_min, 0, w, a, b), as_lane(x < y ? x : y, w.bits, w.is_signed));
        same(run2(OP_max, 0, w, a, b), as_lane(x > y ? x : y, w.bits, w.is_signed));
        same(run3(OP_sad, 0, w, a, b, c), as_lane(z + (x < y ? y - x : x - y), w.bits, w.is_signed));
    }
}
END_TEST

START_TEST(division_by_zero_gives_all_ones)
{
    const Width w = widths[_i];
    EACH_EDGE(i) EACH_EDGE(j) {
        const uint64_t a = edges[i], b = edges[j];
        const s128 x = value_of(a, w), y = value_of(b, w);
        same(run2(OP_div, 0, w, a, b), as_lane(y ? x / y : -1, w.bits, w.is_signed));
        same(run2(OP_rem, 0, w, a, b), as_lane(y ? x % y : -1, w.bits, w.is_signed));
    }
}
END_TEST

START_TEST(wide_products_have_twice_the_bits)
{
    static const Width narrow[] = {{TYPE_u16, 16, false}, {TYPE_s16, 16, true}, {TYPE_u32, 32, false}, {TYPE_s32, 32, true}};
    const Width w = narrow[_i];
    const Insn mul = {.op = OP_mul, .type = w.type, .mode = MODE_WIDE, .n_dst = 1};
    const Insn mad = {.op = OP_mad, .type = w.type, .mode = MODE_WIDE, .n_dst = 1};
    const int wide = w.bits == 32 ? 8 : 4;
    EACH_EDGE(i) EACH_EDGE(j) {
        const s128 product = value_of(edges[i], w) * value_of(edges[j], w);
        const uint64_t c = edges[i] * 3 + 1;
        same(RUN(mul, SHAPE(wide, 4, 4), edges[i], edges[j]), as_lane(product, 2 * w.bits, false));
        same(RUN(mad, SHAPE(wide, 4, 4, wide), edges[i], edges[j], c), as_lane(product + c, 2 * w.bits, false));
    }
}
END_TEST

START_TEST(negation_and_magnitude_of_the_least_integer_are_itself)
{
    for (unsigned k = 1; k < NUMBER_OF(widths); k += 2) {
        const Width w = widths[k];
        const Insn neg = {.op = OP_neg, .type = w.type, .n_dst = 1}, abs = {.op = OP_abs, .type = w.type, .n_dst = 1};
        EACH_EDGE(i) {
            const s128 x = value_of(edges[i], w);
            const uint64_t n = w.bits == 64 ? run_long1(neg, edges[i]) : run_word1(neg, (uint32_t)edges[i]);
            const uint64_t m = w.bits == 64 ? run_long1(abs, edges[i]) : run_word1(abs, (uint32_t)edges[i]);
            same(n, as_lane(-x, w.bits, true));
            same(m, as_lane(x < 0 ? -x : x, w.bits, true));
        }
    }
}
END_TEST

static s128 clamped(s128 v) { return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v; }

START_TEST(saturation_stops_at_the_ends_of_s32)
{
    EACH_EDGE(i) EACH_EDGE(j) {
        const uint32_t a = (uint32_t)edges[i], b = (uint32_t)edges[j];
        const s128 x = (int32_t)a, y = (int32_t)b;
        same(run_word2(INSN(add, s32, .flags = INSN_SAT), a, b), (uint32_t)clamped(x + y));
        same(run_word2(INSN(sub, s32, .flags = INSN_SAT), a, b), (uint32_t)clamped(x - y));
        same(run_word3(INSN(mad, s32, .mode = MODE_HI, .flags = INSN_SAT), a, b, a), (uint32_t)clamped((x * y >> 32) + x));
    }
}
END_TEST

START_TEST(products_of_24_bits_ignore_the_upper_byte)
{
    EACH_EDGE(i) EACH_EDGE(j) {
        const uint64_t a = edges[i], b = edges[j], c = a + 5;
        const s128 u = (s128)cut(a, 24) * cut(b, 24), s = extended(a, 24) * extended(b, 24);
        same(run2(OP_mul24, MODE_LO, widths[2], a, b), cut((uint64_t)u, 32));
        same(run2(OP_mul24, MODE_HI, widths[2], a, b), cut((uint64_t)(u >> 16), 32));
        same(run2(OP_mul24, MODE_LO, widths[3], a, b), cut((uint64_t)s, 32));
        same(run2(OP_mul24, MODE_HI, widths[3], a, b), cut((uint64_t)(s >> 16), 32));
        same(run3(OP_mad24, MODE_LO, widths[2], a, b, c), cut((uint64_t)(u + (s128)c), 32));
        same(run3(OP_mad24, MODE_HI, widths[3], a, b, c), cut((uint64_t)((s >> 16) + (s128)c), 32));
    }
}
END_TEST

/* A carry out of n bits is bit n of the exact sum; a difference is the sum with the complement, plus 1 in a chain's first link. */
START_TEST(carry_chains_pass_one_bit_on)
{
    const Width w = widths[2 + _i];
    const int lane = w.bits == 64 ? 8 : 4;
    EACH_EDGE(i) EACH_EDGE(j) for (unsigned in = 0; in < 2; in++) for (unsigned sets = 0; sets < 2; sets++) {
        const uint16_t flags = sets ? INSN_CC : 0;
        const uint64_t v[4] = {edges[i], edges[j], edges[i] ^ edges[j]};
        const u128 a = cut(v[0], w.bits), b = cut(v[1], w.bits), c = cut(v[2], w.bits);
        const s128 product = (s128)((u128)value_of(v[0], w) * (u128)value_of(v[1], w));
        const u128 low = cut((uint64_t)product, w.bits), high = cut((uint64_t)(product >> w.bits), w.bits);
        const struct {
            uint8_t op, mode;
            u128 exact;
        } cases[] = {{OP_addc, MODE_NONE, a + b + in},
                     {OP_subc, MODE_NONE, a + cut(~v[1], w.bits) + in},
                     {OP_madc, MODE_LO, low + c + in},
                     {OP_madc, MODE_HI, high + c + in},
                     /* first links, which ignore the carry */
                     {OP_add, MODE_NONE, a + b},
                     {OP_sub, MODE_NONE, a + cut(~v[1], w.bits) + 1},
                     {OP_mad, MODE_LO, low + c},
                     {OP_mad, MODE_HI, high + c}};
        for (unsigned k = 0; k < NUMBER_OF(cases); k++) {
            const Insn insn = {.op = cases[k].op, .mode = cases[k].mode, .type = w.type, .flags = flags, .n_dst = 1};
            const Shape shape = SHAPE(lane, lane, lane, cases[k].mode ? lane : 0);
            unsigned carry = in;
            same(run_carry(insn, shape, v, 0, &carry), cut((uint64_t)cases[k].exact, w.bits));
            same(carry, sets ? (unsigned)(cases[k].exact >> w.bits) & 1 : in);
        }
    }
}
END_TEST

START_TEST(logic_works_at_every_width_and_on_predicates)
{
    const uint64_t a = 0xff00ff00f0f0cccc, b = 0x0ff00ff0aaaaf0f0;
    same(run_long2(INSN(and, b64), a, b), a & b);
    same(run_long2(INSN(or, b64), a, b), a | b);
    same(run_long2(INSN(xor, b64), a, b), a ^ b);
    same(run_long1(INSN(not, b64), a), ~a);
    same(run_word2(INSN(and, b32), (uint32_t)a, (uint32_t)b), (a & b) & 0xffffffff);
    same(run_word2(INSN(xor, b16), 0xffff8001, 0x0001), 0x8000); /* the lane's upper half is not the value's */
    same(run_word1(INSN(not, b16), 0x1), 0xfffe);
    same(run_word1(INSN(cnot, b32), 0), 1);
    same(run_word1(INSN(cnot, b32), 4), 0);
    same(run_word1(INSN(cnot, b16), 0xffff0000), 1);
    for (unsigned p = 0; p < 2; p++) {
        same(RUN(INSN(not, pred), SHAPE(BITS, BITS), p), !p);
        for (unsigned q = 0; q < 2; q++) {
            same(RUN(INSN(and, pred), SHAPE(BITS, BITS, BITS), p, q), p & q);
            same(RUN(INSN(or, pred), SHAPE(BITS, BITS, BITS), p, q), p | q);
            same(RUN(INSN(xor, pred), SHAPE(BITS, BITS, BITS), p, q), p ^ q);
        }
    }
}
END_TEST

START_TEST(lop3_reads_its_table_for_all_256_functions)
{
    const uint64_t v[4] = {0xdeadbeef, 0x12345678, 0xcafef00d};
    for (uint32_t table = 0; table < 256; table++) {
        uint32_t expected = 0;
        for (unsigned bit = 0; bit < 32; bit++) {
            const unsigned at = (v[0] >> bit & 1) << 2 | (v[1] >> bit & 1) << 1 | (v[2] >> bit & 1);
            expected |= (table >> at & 1) << bit;
        }
        const Shape shape = SHAPE(4, 4, 4, 4);
        same(run_carry(INSN(lop3, b32), shape, v, table, NULL), expected);
    }
}
END_TEST

START_TEST(shifts_beyond_the_width_leave_zeros_or_the_sign)
{
    static const uint64_t counts[] = {0, 1, 14, 15, 16, 17, 31, 32, 33, 63, 64, 65, 0x80000000, 0xffffffff};
    const Width w = widths[_i];
    const int lane = w.bits == 64 ? 8 : 4;
    const uint8_t bits_type = w.bits == 16 ? TYPE_b16 : w.bits == 32 ? TYPE_b32 : TYPE_b64;
    const Insn shl = {.op = OP_shl, .type = bits_type, .n_dst = 1}, shr = {.op = OP_shr, .type = w.type, .n_dst = 1};
    EACH_EDGE(i) for (unsigned k = 0; k < NUMBER_OF(counts); k++) {
        const uint64_t count = counts[k], a = edges[i];
        const s128 x = value_of(a, w);
        const uint64_t left = count < w.bits ? cut(cut(a, w.bits) << count, w.bits) : 0;
        const s128 right = x >> (count < 100 ? count : 100);
        const Shape shape = SHAPE(lane, lane, 4);
        same(run_carry(shl, shape, (uint64_t[4]){a, count}, 0, NULL), left);
        same(run_carry(shr, shape, (uint64_t[4]){a, count}, 0, NULL), as_lane(right, w.bits, w.is_signed));
    }
}
END_TEST

START_TEST(funnel_shifts_wrap_or_clamp)
{
    static const uint32_t counts[] = {0, 1, 5, 31, 32, 33, 63, 64, 0xffffffff};
    const uint32_t a = 0x89abcdef, b = 0x01234567;
    for (unsigned k = 0; k < NUMBER_OF(counts); k++) {
        const uint32_t wrap = counts[k] % 32, clamp = counts[k] > 32 ? 32 : counts[k];
        const u128 pair = (u128)b << 32 | a;
        same(run_word3(INSN(shf, b32, .variant = SHF_L_WRAP), a, b, counts[k]), (uint32_t)(pair << wrap >> 32));
        same(run_word3(INSN(shf, b32, .variant = SHF_R_WRAP), a, b, counts[k]), (uint32_t)(pair >> wrap));
        same(run_word3(INSN(shf, b32, .variant = SHF_L_CLAMP), a, b, counts[k]), (uint32_t)(pair << clamp >> 32));
        same(run_word3(INSN(shf, b32, .variant = SHF_R_CLAMP), a, b, counts[k]), (uint32_t)(pair >> clamp));
    }
}
END_TEST

START_TEST(counting_and_reversing_bits)
{
    EACH_EDGE(i) for (unsigned bits = 32; bits <= 64; bits += 32) {
        const uint64_t v = cut(edges[i], bits);
        unsigned ones = 0, zeros = 0;
        uint64_t reversed = 0;
        int top = -1, top_signed = -1;
        for (unsigned k = 0; k < bits; k++) {
            ones += v >> k & 1;
            reversed |= (v >> k & 1) << (bits - 1 - k);
            if (v >> k & 1) top = (int)k;
            if ((v >> k & 1) != v >> (bits - 1)) top_signed = (int)k;
        }
        while (zeros < bits && !(v >> (bits - 1 - zeros) & 1)) zeros++;
        const Shape shape = SHAPE(4, bits == 64 ? 8 : 4);
        const uint64_t source[4] = {v};
#define COUNT(name, t32, t64, f) \
    run_carry(bits == 64 ? INSN(name, t64, .flags = f) : INSN(name, t32, .flags = f), shape, source, 0, NULL)
        same(COUNT(popc, b32, b64, 0), ones);
        same(COUNT(clz, b32, b64, 0), zeros);
        same(COUNT(bfind, u32, u64, 0), (uint32_t)top);
        same(COUNT(bfind, s32, s64, 0), (uint32_t)top_signed);
        same(COUNT(bfind, u32, u64, INSN_SHIFTAMT), top < 0 ? UINT32_MAX : bits - 1 - (unsigned)top);
        same(COUNT(bfind, s32, s64, INSN_SHIFTAMT), top_signed < 0 ? UINT32_MAX : bits - 1 - (unsigned)top_signed);
        same(bits == 64 ? run_long1(INSN(brev, b64), v) : run_word1(INSN(brev, b32), (uint32_t)v), reversed);
    }
}
END_TEST

/* The manual defines the fields bit by bit, for positions and lengths up to 255. */
START_TEST(bit_fields_match_the_manuals_loop)
{
    static const uint32_t numbers[] = {0, 1, 7, 16, 31, 32, 33, 63, 64, 65, 255};
    const Width w = widths[2 + _i];
    const int lane = w.bits == 64 ? 8 : 4;
    const unsigned msb = w.bits - 1;
    const Insn bfe = {.op = OP_bfe, .type = w.type, .n_dst = 1};
    const Insn bfi = {.op = OP_bfi, .type = w.bits == 64 ? TYPE_b64 : TYPE_b32, .n_dst = 1};
    EACH_EDGE(i) for (unsigned p = 0; p < NUMBER_OF(numbers); p++) for (unsigned l = 0; l < NUMBER_OF(numbers); l++) {
        const uint64_t a = cut(edges[i] * 0x9e3779b97f4a7c15u, w.bits), b = cut(~edges[i], w.bits);
        const unsigned pos = numbers[p], len = numbers[l];
        const unsigned sign_at = pos + len - 1 < msb ? pos + len - 1 : msb;
        const uint64_t sign = w.is_signed && len ? a >> sign_at & 1 : 0;
        uint64_t extracted = 0, inserted = b;
        for (unsigned k = 0; k <= msb; k++) extracted |= (k < len && pos + k <= msb ? a >> (pos + k) & 1 : sign) << k;
        for (unsigned k = 0; k < len && pos + k <= msb; k++) {
            inserted = (inserted & ~(UINT64_C(1) << (pos + k))) | (a >> k & 1) << (pos + k);
        }
        const Shape field = SHAPE(lane, lane, 4, 4), insert = SHAPE(lane, lane, lane, 4, 4);
        same(run_carry(bfe, field, (uint64_t[4]){a, numbers[p], numbers[l]}, 0, NULL), extracted);
        same(run_carry(bfi, insert, (uint64_t[4]){a, b, numbers[p], numbers[l]}, 0, NULL), inserted);
    }
}
END_TEST

/* Read off an H200: 32-bit fields take the low 8 bits of position and length, 64-bit fields the whole operand. */
START_TEST(out_of_range_fields_are_as_on_hardware)
{
    same(run_word3(INSN(bfe, u32), 0xabcd, 0x104, 0x308), 0xbc);
    same(RUN(INSN(bfe, u64), SHAPE(8, 8, 4, 4), 0x100, 0x8405b300, 0xa2c5), 0);
    same(RUN(INSN(bfe, s64), SHAPE(8, 8, 4, 4), UINT64_C(1) << 63, 0x100, 0x100), UINT64_MAX);
    same(RUN(INSN(bfi, b64), SHAPE(8, 8, 8, 4, 4), 0xffffffffffff7fff, 0x100, 0, 0xffff8000), 0xffffffffffff7fff);
}
END_TEST

START_TEST(permutes_pick_bytes)
{
    /* Bytes 0 to 7 of {b, a}: 0x10, 0x91, 0x12, 0x93 of a and 0x14, 0x95, 0x16, 0x97 of b. */
    const uint32_t a = 0x93129110, b = 0x97169514;
    static const struct {
        uint8_t variant;
        uint32_t c, expected;
    } cases[] = {
        {VARIANT_NONE, 0x3210, 0x93129110},
        {VARIANT_NONE, 0x7654, 0x97169514},
        {VARIANT_NONE, 0x0123, 0x10911293},
        {VARIANT_NONE, 0x5410, 0x95149110},
        {VARIANT_NONE, 0xba98, 0xff00ff00}, /* with 8 added: the signs of bytes 3, 2, 1, 0 */
        {PRMT_F4E, 0, 0x93129110},
        {PRMT_F4E, 1, 0x14931291},
        {PRMT_F4E, 2, 0x95149312},
        {PRMT_F4E, 3, 0x16951493},
        {PRMT_B4E, 0, 0x95169710},
        {PRMT_B4E, 1, 0x16971091},
        {PRMT_B4E, 2, 0x97109112},
        {PRMT_B4E, 3, 0x10911293},
        {PRMT_RC8, 1, 0x91919191},
        {PRMT_RC8, 6, 0x12121212},
        /* two bits of c count */ {PRMT_ECL, 0, 0x93129110},
        {PRMT_ECL, 1, 0x93129191},
        {PRMT_ECL, 2, 0x93121212},
        {PRMT_ECL, 3, 0x93939393},
        {PRMT_ECR, 0, 0x10101010},
        {PRMT_ECR, 1, 0x91919110},
        {PRMT_ECR, 2, 0x12129110},
        {PRMT_ECR, 3, 0x93129110},
        {PRMT_RC16, 0, 0x91109110},
        {PRMT_RC16, 1, 0x93129312},
    };
    for (unsigned k = 0; k < NUMBER_OF(cases); k++) {
        same(run_word3(INSN(prmt, b32, .variant = cases[k].variant), a, b, cases[k].c), cases[k].expected);
    }
    same(run_word3(INSN(prmt, b32), a, b, 0x3210), a);
}
END_TEST

START_TEST(fns_finds_the_nth_set_bit_in_both_directions)
{
    static const struct {
        uint32_t mask, base;
        int32_t offset;
        uint32_t expected;
    } cases[] = {
        {0x00000f10, 4, 0, 4},
        {0x00000f10, 5, 0, UINT32_MAX},
        {0x00000f10, 0, 1, 4},
        {0x00000f10, 4, 1, 4},
        {0x00000f10, 0, 2, 8},
        {0x00000f10, 0, 6, UINT32_MAX},
        {0x00000f10, 31, -1, 11},
        {0x00000f10, 31, -5, 4},
        {0x00000f10, 9, -2, 8},
        {0x00000f10, 31, -6, UINT32_MAX},
        {0, 0, 1, UINT32_MAX},
        {0xffffffff, 31, -32, 0},
        {0xffffffff, 0, INT32_MIN, UINT32_MAX},
    };
    for (unsigned k = 0; k < NUMBER_OF(cases); k++) {
        same(run_word3(INSN(fns, b32), cases[k].mask, cases[k].base, (uint32_t)cases[k].offset), cases[k].expected);
    }
    /* a base beyond the word finds nothing, as measured on an H100 */
    static const uint32_t beyond[] = {32, 33, 36, 63, 64, 255, 0x80000000, UINT32_MAX};
    for (unsigned k = 0; k < NUMBER_OF(beyond); k++)
        for (int32_t offset = -2; offset <= 2; offset++)
            same(run_word3(INSN(fns, b32), 0xf0f0f0f1, beyond[k], (uint32_t)offset), UINT32_MAX);
}
END_TEST

START_TEST(szext_and_bmsk_clamp_or_wrap_at_32)
{
    static const struct {
        uint32_t a, b, zero_clamp, sign_clamp, zero_wrap, sign_wrap;
    } extends[] = {{0xffff8abc, 12, 0xabc, 0xfffffabc, 0xabc, 0xfffffabc},
                   {0x12345678, 0, 0, 0, 0, 0},
                   {0x12345678, 32, 0x12345678, 0x12345678, 0, 0},
                   {0x00000011, 33, 0x11, 0x11, 1, 0xffffffff}, /* wraps to 1 bit */
                   {0x80000000, 31, 0, 0, 0, 0}};
    for (unsigned k = 0; k < NUMBER_OF(extends); k++) {
        const uint32_t a = extends[k].a, b = extends[k].b;
        same(run_word2(INSN(szext, u32, .variant = MASK_CLAMP), a, b), extends[k].zero_clamp);
        same(run_word2(INSN(szext, s32, .variant = MASK_CLAMP), a, b), extends[k].sign_clamp);
        same(run_word2(INSN(szext, u32, .variant = MASK_WRAP), a, b), extends[k].zero_wrap);
        same(run_word2(INSN(szext, s32, .variant = MASK_WRAP), a, b), extends[k].sign_wrap);
    }
    static const struct {
        uint32_t a, b, clamp, wrap;
    } masks[] = {{0, 0, 0, 0},           {4, 8, 0xff0, 0xff0}, {28, 8, 0xf0000000, 0xf0000000},
                 {0, 32, 0xffffffff, 0}, {32, 4, 0, 0xf},      {1, 33, 0xfffffffe, 2}};
    for (unsigned k = 0; k < NUMBER_OF(masks); k++) {
        same(run_word2(INSN(bmsk, b32, .variant = MASK_CLAMP), masks[k].a, masks[k].b), masks[k].clamp);
        same(run_word2(INSN(bmsk, b32, .variant = MASK_WRAP), masks[k].a, masks[k].b), masks[k].wrap);
    }
}
END_TEST

START_TEST(dot_products_take_each_operands_sign)
{
    /* a's bytes 1, -1, 127, -128 (or 1, 255, 127, 128); b's 2, -3, 4, -5 (or 2, 253, 4, 251). */
    const uint32_t a = 0x807fff01, b = 0xfb04fd02;
    const int64_t sa[] = {1, -1, 127, -128}, ua[] = {1, 255, 127, 128}, sb[] = {2, -3, 4, -5}, ub[] = {2, 253, 4, 251};
    /* a's 16-bit halves: 0xff01 = -255 or 65281, 0x807f = -32641 or 32895. */
    const int64_t sh[] = {-255, -32641}, uh[] = {65281, 32895};
    for (unsigned k = 0; k < 4; k++) {
        const bool a_signed = k & 2, b_signed = k & 1;
        const uint8_t ta = a_signed ? TYPE_s32 : TYPE_u32, tb = b_signed ? TYPE_s32 : TYPE_u32;
        const int64_t *x = a_signed ? sa : ua, *y = b_signed ? sb : ub, *h = a_signed ? sh : uh;
        int64_t four = 1000;
        for (unsigned n = 0; n < 4; n++) four += x[n] * y[n];
        const Insn dp4a = {.op = OP_dp4a, .type = ta, .type2 = tb, .n_dst = 1};
        const Insn low = {.op = OP_dp2a, .type = ta, .type2 = tb, .mode = MODE_LO, .n_dst = 1};
        const Insn high = {.op = OP_dp2a, .type = ta, .type2 = tb, .mode = MODE_HI, .n_dst = 1};
        same(run_word3(dp4a, a, b, 1000), (uint32_t)four);
        same(run_word3(low, a, b, 1000), (uint32_t)(1000 + h[0] * y[0] + h[1] * y[1]));
        same(run_word3(high, a, b, 1000), (uint32_t)(1000 + h[0] * y[2] + h[1] * y[3]));
    }
}
END_TEST

SUITE("alu_int", REPEATED(6, sums_products_and_extremes_wrap_at_every_width), REPEATED(6, division_by_zero_gives_all_ones),
      REPEATED(4, wide_products_have_twice_the_bits), negation_and_magnitude_of_the_least_integer_are_itself,
      saturation_stops_at_the_ends_of_s32, products_of_24_bits_ignore_the_upper_byte, REPEATED(4, carry_chains_pass_one_bit_on),
      logic_works_at_every_width_and_on_predicates, lop3_reads_its_table_for_all_256_functions,
      REPEATED(6, shifts_beyond_the_width_leave_zeros_or_the_sign), funnel_shifts_wrap_or_clamp, counting_and_reversing_bits,
      REPEATED(4, bit_fields_match_the_manuals_loop), out_of_range_fields_are_as_on_hardware, permutes_pick_bytes,
      fns_finds_the_nth_set_bit_in_both_directions, szext_and_bmsk_clamp_or_wrap_at_32, dot_products_take_each_operands_sign)
