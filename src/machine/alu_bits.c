/* alu_bits.c: logic, shifts, bit fields, permutes and the small dot products. */
#include "machine/alu_lanes.h"
#include "ptx/opcode.h"

ALU2(and_u16, u16, u16, u16, A &B)
ALU2(and_u32, u32, u32, u32, A &B)
ALU2(and_u64, u64, u64, u64, A &B)
ALU2(or_u16, u16, u16, u16, A | B)
ALU2(or_u32, u32, u32, u32, A | B)
ALU2(or_u64, u64, u64, u64, A | B)
ALU2(xor_u16, u16, u16, u16, A ^ B)
ALU2(xor_u32, u32, u32, u32, A ^ B)
ALU2(xor_u64, u64, u64, u64, A ^ B)
ALU1(not_u16, u16, u16, ~A)
ALU1(not_u32, u32, u32, ~A)
ALU1(not_u64, u64, u64, ~A)
ALU1(cnot_u16, u16, u16, A == 0)
ALU1(cnot_u32, u32, u32, A == 0)
ALU1(cnot_u64, u64, u64, A == 0)

/* Predicates are bit sets already. */
#define BITS(s) (*(const Bits *)from_##s)
static void and_pred(ALU_PARAMETERS) { bits_merge(to, BITS(a) & BITS(b), mask); }
static void or_pred(ALU_PARAMETERS) { bits_merge(to, BITS(a) | BITS(b), mask); }
static void xor_pred(ALU_PARAMETERS) { bits_merge(to, BITS(a) ^ BITS(b), mask); }
static void not_pred(ALU_PARAMETERS) { bits_merge(to, ~BITS(a), mask); }

/* Bit 4a+2b+c of the table is the result for those three bits: a tree of selections, by c, then b, then a. */
static void lop3_u32(ALU_PARAMETERS) {
    SOURCE(u32, a)
    SOURCE(u32, b)
    SOURCE(u32, c) uint32_t zero[4], flip[4]; /* the result where c = 0, and what c = 1 changes, for each value of (a, b) */
    for (unsigned k = 0; k < 4; k++) {
        zero[k] = 0 - (more->imm >> (2 * k) & 1);
        flip[k] = zero[k] ^ (0 - (more->imm >> (2 * k + 1) & 1));
    }
#define BY_C(k) (zero[k] ^ (C & flip[k]))
#define BY_B(k) ((B & BY_C(k + 1)) | (~B & BY_C(k)))
    ALU_LOOP(u32, VALUE(u32, A, a) VALUE(u32, B, b) VALUE(u32, C, c), (A & BY_B(2)) | (~A & BY_B(0)))
}

/* Shift counts are unsigned 32-bit values; beyond the width all bits leave. */
ALU2(shl_u16, u16, u16, u32, B < 16 ? (uint32_t)A << (B & 15) : 0)
ALU2(shl_u32, u32, u32, u32, B < 32 ? A << (B & 31) : 0)
ALU2(shl_u64, u64, u64, u32, B < 64 ? A << (B & 63) : 0)
ALU2(shr_u16, u16, u16, u32, B < 16 ? A >> (B & 15) : 0)
ALU2(shr_u32, u32, u32, u32, B < 32 ? A >> (B & 31) : 0)
ALU2(shr_u64, u64, u64, u32, B < 64 ? A >> (B & 63) : 0)
ALU2(shr_s16, s16, s16, u32, A >> (B < 15 ? B : 15))
ALU2(shr_s32, s32, s32, u32, A >> (B < 31 ? B : 31))
ALU2(shr_s64, s64, s64, u32, A >> (B < 63 ? B : 63))

/* shf: the 64 bits {b, a}, b the high word; .l gives the high word of the shifted value, .r the low one. */
#define PAIR ((uint64_t)B << 32 | A)
#define CLAMP32 (C < 32 ? C : 32)
ALU3(shf_l_wrap, u32, u32, u32, u32, PAIR << (C & 31) >> 32)
ALU3(shf_r_wrap, u32, u32, u32, u32, PAIR >> (C & 31))
ALU3(shf_l_clamp, u32, u32, u32, u32, PAIR << CLAMP32 >> 32)
ALU3(shf_r_clamp, u32, u32, u32, u32, PAIR >> CLAMP32)

ALU1(popc_u32, u32, u32, (uint32_t)__builtin_popcount(A))
ALU1(popc_u64, u32, u64, (uint32_t)__builtin_popcountll(A))
#define CLZ32(v) ((v) ? (uint32_t)__builtin_clz(v) : 32)
#define CLZ64(v) ((v) ? (uint32_t)__builtin_clzll(v) : 64)
ALU1(clz_u32, u32, u32, CLZ32(A))
ALU1(clz_u64, u32, u64, CLZ64(A))

/* Position of the highest bit that is not the sign; all ones when there is none. .shiftamt: by how much to shift it up to
 * the top. */
#define MAGNITUDE(v) ((v) < 0 ? ~(v) : (v))
#define BFIND(t, bits, u, value)                              \
    ALU1(bfind_##t, u32, t, bits - 1 - CLZ##bits((u)(value))) \
    ALU1(bfind_shiftamt_##t, u32, t, (value) == 0 ? UINT32_MAX : CLZ##bits((u)(value)))
BFIND(u32, 32, uint32_t, A)
BFIND(s32, 32, uint32_t, MAGNITUDE(A))
BFIND(u64, 64, uint64_t, A)
BFIND(s64, 64, uint64_t, MAGNITUDE(A))

static inline uint32_t reverse32(uint32_t v) {
    v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
    v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
    v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
    v = (v >> 8 & 0x00ff00ffu) | (v & 0x00ff00ffu) << 8;
    return v >> 16 | v << 16;
}
ALU1(brev_u32, u32, u32, reverse32(A))
ALU1(brev_u64, u64, u64, (uint64_t)reverse32((uint32_t)A) << 32 | reverse32((uint32_t)(A >> 32)))

/* len low ones; len may exceed the width. */
#define ONES32(len) ((len) < 32 ? (UINT32_C(1) << ((len)&31)) - 1 : UINT32_MAX)
#define ONES64(len) ((len) < 64 ? (UINT64_C(1) << ((len)&63)) - 1 : UINT64_MAX)

/* Positions and lengths go up to 255. Beyond that hardware takes the low 8 bits where the value has 32 bits, and the whole
 * operand where it has 64. Bits that a field would take from above the top are the sign: for signed types the highest bit of
 * the field that exists, else 0. */
static inline uint32_t bfe_u32_value(uint32_t a, uint32_t pos, uint32_t len) { return pos < 32 ? a >> pos & ONES32(len) : 0; }
static inline uint64_t bfe_u64_value(uint64_t a, uint32_t pos, uint32_t len) { return pos < 64 ? a >> pos & ONES64(len) : 0; }
/* Bits of the field that exist, and the highest of them. */
#define EXISTING(bits, pos, len) ((pos) >= bits ? 0 : (len) < bits - (pos) ? (len) : bits - (pos))
#define SIGN_AT(bits, pos, len) ((pos) >= bits || (len) > bits - (pos) ? bits - 1 : (pos) + (len)-1)
static inline uint32_t bfe_s32_value(uint32_t a, uint32_t pos, uint32_t len) {
    const uint32_t sign = len ? 0 - (a >> (SIGN_AT(32, pos, len) & 31) & 1) : 0;
    return bfe_u32_value(a, pos, len) | (sign & ~ONES32(EXISTING(32, pos, len)));
}
static inline uint64_t bfe_s64_value(uint64_t a, uint32_t pos, uint32_t len) {
    const uint64_t sign = len ? 0 - (a >> (SIGN_AT(64, pos, len) & 63) & 1) : 0;
    return bfe_u64_value(a, pos, len) | (sign & ~ONES64(EXISTING(64, pos, len)));
}
ALU3(bfe_u32, u32, u32, u32, u32, bfe_u32_value(A, B & 255, C & 255))
ALU3(bfe_s32, s32, s32, u32, u32, bfe_s32_value((uint32_t)A, B & 255, C & 255))
ALU3(bfe_u64, u64, u64, u32, u32, bfe_u64_value(A, B, C))
ALU3(bfe_s64, s64, s64, u32, u32, bfe_s64_value((uint64_t)A, B, C))

static inline uint32_t bfi_u32_value(uint32_t a, uint32_t b, uint32_t pos, uint32_t len) {
    const uint32_t field = pos < 32 ? ONES32(len) << (pos & 31) : 0;
    return (b & ~field) | (a << (pos & 31) & field);
}
static inline uint64_t bfi_u64_value(uint64_t a, uint64_t b, uint32_t pos, uint32_t len) {
    const uint64_t field = pos < 64 ? ONES64(len) << (pos & 63) : 0;
    return (b & ~field) | (a << (pos & 63) & field);
}
#define BFI(t, position, length)                                                                                              \
    static void bfi_##t(ALU_PARAMETERS) {                                                                                     \
        SOURCE(t, a)                                                                                                          \
        SOURCE(t, b)                                                                                                          \
        SOURCE(u32, c)                                                                                                        \
        SOURCE(u32, e)                                                                                                        \
        ALU_LOOP(t, VALUE(t, A, a) VALUE(t, B, b) VALUE(u32, C, c) VALUE(u32, E, e), bfi_##t##_value(A, B, position, length)) \
    }
BFI(u32, C & 255, E & 255)
BFI(u64, C, E)

/* szext: the low b bits of a, extended to 32. bmsk: b ones from bit a on. .clamp limits b (and a) to 32, .wrap takes 5 bits
 * of them. */
#define SIGN_EXTEND(v, bits) ((bits) == 0 ? 0 : (bits) >= 32 ? (v) : (int32_t)((uint32_t)(v) << (32 - (bits))) >> (32 - (bits)))
ALU2(szext_clamp_u32, u32, u32, u32, A &ONES32(B))
ALU2(szext_wrap_u32, u32, u32, u32, A &ONES32(B & 31))
ALU2(szext_clamp_s32, s32, s32, u32, SIGN_EXTEND(A, B))
ALU2(szext_wrap_s32, s32, s32, u32, SIGN_EXTEND(A, B & 31))
ALU2(bmsk_clamp, u32, u32, u32, A < 32 ? ONES32(B) << (A & 31) : 0)
ALU2(bmsk_wrap, u32, u32, u32, ONES32(B & 31) << (A & 31))

/* The byte of {b, a} that one nibble of a selector names; its top bit asks for the byte's sign instead. */
static inline uint32_t prmt_byte(uint64_t pair, uint32_t selector) {
    const uint32_t byte = (uint32_t)(pair >> (selector & 7) * 8) & 255;
    return selector & 8 ? (0 - (byte >> 7)) & 255 : byte;
}
static inline uint32_t prmt_value(uint64_t pair, uint32_t selector) {
    return prmt_byte(pair, selector) | prmt_byte(pair, selector >> 4) << 8 | prmt_byte(pair, selector >> 8) << 16 |
           prmt_byte(pair, selector >> 12) << 24;
}
ALU3(prmt_generic, u32, u32, u32, u32, prmt_value(PAIR, C))
/* The other modes are fixed selectors, one for each value of c's low two bits: 0x3210 is {b, a} from byte 0 on. */
#define PRMT_MODE(name, zero, one, two, three) \
    SLOW3(name, u32, u32, u32, u32, prmt_value(PAIR, (C & 3) == 0 ? zero : (C & 3) == 1 ? one : (C & 3) == 2 ? two : three))
PRMT_MODE(prmt_f4e, 0x3210, 0x4321, 0x5432, 0x6543)
PRMT_MODE(prmt_b4e, 0x5670, 0x6701, 0x7012, 0x0123)
PRMT_MODE(prmt_rc8, 0x0000, 0x1111, 0x2222, 0x3333)
PRMT_MODE(prmt_ecl, 0x3210, 0x3211, 0x3222, 0x3333)
PRMT_MODE(prmt_ecr, 0x0000, 0x1110, 0x2210, 0x3210)
PRMT_MODE(prmt_rc16, 0x1010, 0x3232, 0x1010, 0x3232)

/* Position of the |offset|-th set bit from base on, upwards (the base counts) or downwards; offset 0 asks about base itself. */
static uint32_t fns_value(uint32_t bits, uint32_t base, int32_t offset) {
    if (base > 31) return UINT32_MAX;
    if (offset == 0) return bits >> base & 1 ? base : UINT32_MAX;
    const int64_t wanted = offset < 0 ? -(int64_t)offset : offset;
    int64_t found = 0;
    for (uint32_t at = base; at < 32; at = offset < 0 ? at - 1 : at + 1) {
        if (bits >> at & 1 && ++found == wanted) return at;
    }
    return UINT32_MAX;
}
SLOW3(fns_b32, u32, u32, u32, s32, fns_value(A, B, C))

/* The dot products multiply bytes (or 16-bit halves by bytes) of either signedness; the sum wraps. */
#define BYTE_u32(v, k) ((uint32_t)(v) >> 8 * (k)&255)
#define BYTE_s32(v, k) ((uint32_t)(int8_t)((uint32_t)(v) >> 8 * (k)))
#define HALF_u32(v, k) ((uint32_t)(v) >> 16 * (k)&0xffff)
#define HALF_s32(v, k) ((uint32_t)(int16_t)((uint32_t)(v) >> 16 * (k)))
#define DOT4(ta, tb, k) (BYTE_##ta(A, k) * BYTE_##tb(B, k))
#define DOT2(ta, tb, k, from) (HALF_##ta(A, k) * BYTE_##tb(B, k + from))
#define DOT(ta, tb)                                                                                                       \
    ALU3(dp4a_##ta##_##tb, u32, u32, u32, u32, C + DOT4(ta, tb, 0) + DOT4(ta, tb, 1) + DOT4(ta, tb, 2) + DOT4(ta, tb, 3)) \
    ALU3(dp2a_lo_##ta##_##tb, u32, u32, u32, u32, C + DOT2(ta, tb, 0, 0) + DOT2(ta, tb, 1, 0))                            \
    ALU3(dp2a_hi_##ta##_##tb, u32, u32, u32, u32, C + DOT2(ta, tb, 0, 2) + DOT2(ta, tb, 1, 2))
DOT(u32, u32)
DOT(u32, s32)
DOT(s32, u32)
DOT(s32, s32)

/* clang-format off */
#define FORM(v) .variant = v
#define LOGIC(op)                                                                                                              \
    ROW(op, pred, op##_pred) ROW(op, b16, op##_u16) ROW(op, b32, op##_u32) ROW(op, b64, op##_u64)
#define DOT_ROWS(ta, tb)                                                                                                       \
    ROW(dp4a, ta, dp4a_##ta##_##tb, .type2 = TYPE_##tb)                                                                        \
    ROW(dp2a, ta, dp2a_lo_##ta##_##tb, .type2 = TYPE_##tb, .mode = MODE_LO)                                                      \
    ROW(dp2a, ta, dp2a_hi_##ta##_##tb, .type2 = TYPE_##tb, .mode = MODE_HI)

static const AluRow rows[] = {
    LOGIC(and) LOGIC(or) LOGIC(xor) LOGIC(not)
    ROW(cnot, b16, cnot_u16) ROW(cnot, b32, cnot_u32) ROW(cnot, b64, cnot_u64)
    ROW(lop3, b32, lop3_u32)
    ROW(shl, b16, shl_u16) ROW(shl, b32, shl_u32) ROW(shl, b64, shl_u64)
    ROW(shr, b16, shr_u16) ROW(shr, b32, shr_u32) ROW(shr, b64, shr_u64)
    ROW(shr, u16, shr_u16) ROW(shr, u32, shr_u32) ROW(shr, u64, shr_u64)
    ROW(shr, s16, shr_s16) ROW(shr, s32, shr_s32) ROW(shr, s64, shr_s64)
    ROW(shf, b32, shf_l_wrap, FORM(SHF_L_WRAP)) ROW(shf, b32, shf_r_wrap, FORM(SHF_R_WRAP))
    ROW(shf, b32, shf_l_clamp, FORM(SHF_L_CLAMP)) ROW(shf, b32, shf_r_clamp, FORM(SHF_R_CLAMP))
    ROW(popc, b32, popc_u32) ROW(popc, b64, popc_u64) ROW(clz, b32, clz_u32) ROW(clz, b64, clz_u64)
    ROW(brev, b32, brev_u32) ROW(brev, b64, brev_u64)
    ROW(bfind, u32, bfind_u32) ROW(bfind, s32, bfind_s32) ROW(bfind, u64, bfind_u64) ROW(bfind, s64, bfind_s64)
    ROW(bfind, u32, bfind_shiftamt_u32, .flags = INSN_SHIFTAMT) ROW(bfind, s32, bfind_shiftamt_s32, .flags = INSN_SHIFTAMT)
    ROW(bfind, u64, bfind_shiftamt_u64, .flags = INSN_SHIFTAMT) ROW(bfind, s64, bfind_shiftamt_s64, .flags = INSN_SHIFTAMT)
    ROW(bfe, u32, bfe_u32) ROW(bfe, s32, bfe_s32) ROW(bfe, u64, bfe_u64) ROW(bfe, s64, bfe_s64)
    ROW(bfi, b32, bfi_u32) ROW(bfi, b64, bfi_u64)
    ROW(szext, u32, szext_clamp_u32, FORM(MASK_CLAMP)) ROW(szext, u32, szext_wrap_u32, FORM(MASK_WRAP))
    ROW(szext, s32, szext_clamp_s32, FORM(MASK_CLAMP)) ROW(szext, s32, szext_wrap_s32, FORM(MASK_WRAP))
    ROW(bmsk, b32, bmsk_clamp, FORM(MASK_CLAMP)) ROW(bmsk, b32, bmsk_wrap, FORM(MASK_WRAP))
    ROW(prmt, b32, prmt_generic)
    ROW(prmt, b32, prmt_f4e, FORM(PRMT_F4E)) ROW(prmt, b32, prmt_b4e, FORM(PRMT_B4E)) ROW(prmt, b32, prmt_rc8, FORM(PRMT_RC8))
    ROW(prmt, b32, prmt_ecl, FORM(PRMT_ECL)) ROW(prmt, b32, prmt_ecr, FORM(PRMT_ECR)) ROW(prmt, b32, prmt_rc16, FORM(PRMT_RC16))
    ROW(fns, b32, fns_b32)
    DOT_ROWS(u32, u32) DOT_ROWS(u32, s32) DOT_ROWS(s32, u32) DOT_ROWS(s32, s32)
};
/* clang-format on */
ALU_TABLE(alu_bits_table, rows);
