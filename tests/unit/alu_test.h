/* alu_test.h: runs one ALU instruction on one set of values, everywhere at once: in all lanes, in some, in none, and with the
 * destination in a source's slot. What it returns is what every lane that was on got. */
#pragma once

#include <check.h>
#include <stdint.h>
#include <string.h>

#include "machine/access.h"
#include "machine/alu.h"

#define INSN(name, t, ...) ((Insn){.op = OP_##name, .type = TYPE_##t, .n_dst = 1, ##__VA_ARGS__})

/* Bytes of a lane in each operand's slot; 0: no such operand; BITS: a bit set. */
enum { BITS = -1 };
typedef struct Shape {
    int of[5]; /* d, a, b, c, e */
} Shape;
#define SHAPE(...) ((Shape){{__VA_ARGS__}})

typedef union Slot {
    uint32_t w[WARP_LANES];
    uint64_t r[WARP_LANES];
    float f[WARP_LANES];
} __attribute__((aligned(64))) Slot;

static inline void slot_fill(Slot *slot, int bytes, uint64_t value) {
    for (unsigned i = 0; i < WARP_LANES; i++) {
        if (bytes == 8) slot->r[i] = value;
        if (bytes == 4) slot->w[i] = (uint32_t)value;
    }
    if (bytes == BITS) slot->w[0] = value ? LANES_ALL : 0;
}

static inline uint64_t slot_lane(const Slot *slot, int bytes, unsigned i) {
    return bytes == 8 ? slot->r[i] : bytes == 4 ? slot->w[i] : slot->w[0] >> i & 1;
}

static inline Alu *select_alu(const Insn *insn) {
    Diag diag = {0};
    Alu *alu = alu_select(insn, &diag);
    if (!alu) ck_abort_msg("%s", diag.message);
    return alu;
}

/* v: a, b, c, e. carry: in and out, may be NULL; the same bit in all lanes. */
static inline uint64_t run_carry(Insn insn, Shape shape, const uint64_t v[4], uint32_t imm, unsigned *carry) {
    static const uint32_t masks[] = {LANES_ALL, 0, 1, 0x80000000u, 0x5a5a0ff1u};
    const int *bytes = shape.of + 1, d_bytes = shape.of[0];
    const uint64_t old = UINT64_C(0x0123456789abcdef);
    uint64_t result = 0;
    unsigned carry_out = 0;
    Alu *alu = select_alu(&insn);
    for (unsigned m = 0; m < sizeof masks / sizeof masks[0]; m++) {
        for (int alias = -1; alias < 4; alias++) { /* d's slot is that of source number alias */
            if (alias >= 0 && (!bytes[alias] || bytes[alias] != d_bytes)) continue;
            Slot s[4], own;
            for (int k = 0; k < 4; k++) slot_fill(&s[k], bytes[k], v[k]);
            slot_fill(&own, d_bytes, old);
            Slot *d = alias < 0 ? &own : &s[alias];
            const Slot before = *d;
            uint32_t cc = carry && *carry ? 0xffffffffu : 0;
            const uint32_t cc_before = cc;
            const AluMore more = {
                .c = bytes[2] ? &s[2] : NULL, .e = bytes[3] ? &s[3] : NULL, .imm = imm, .carry = carry ? &cc : NULL};
            alu(d, &s[0], bytes[1] ? &s[1] : NULL, masks[m], &more);
            if (m == 0 && alias < 0) {
                result = slot_lane(d, d_bytes, 0);
                carry_out = cc & 1;
            }
            for (unsigned i = 0; i < WARP_LANES; i++) {
                const bool on = masks[m] >> i & 1;
                const uint64_t got = slot_lane(d, d_bytes, i), wanted = on ? result : slot_lane(&before, d_bytes, i);
                if (got != wanted || (cc >> i & 1) != (on ? carry_out : cc_before >> i & 1)) {
                    ck_abort_msg("%s.%s, mask %08x, d in the slot of source %d: lane %u is %llx, not %llx",
                                 opcode_names[insn.op], type_names[insn.type], masks[m], alias, i, (unsigned long long)got,
                                 (unsigned long long)wanted);
                }
            }
        }
    }
    if (carry) *carry = carry_out;
    return result;
}

#define RUN(insn, shape, ...) run_carry((insn), shape, (const uint64_t[4]){__VA_ARGS__}, 0, NULL)
static inline uint64_t run_word1(Insn insn, uint32_t a) { return RUN(insn, SHAPE(4, 4), a); }
static inline uint64_t run_word2(Insn insn, uint32_t a, uint32_t b) { return RUN(insn, SHAPE(4, 4, 4), a, b); }
static inline uint64_t run_word3(Insn insn, uint32_t a, uint32_t b, uint32_t c) {
    return RUN(insn, SHAPE(4, 4, 4, 4), a, b, c);
}
static inline uint64_t run_long1(Insn insn, uint64_t a) { return RUN(insn, SHAPE(8, 8), a); }
static inline uint64_t run_long2(Insn insn, uint64_t a, uint64_t b) { return RUN(insn, SHAPE(8, 8, 8), a, b); }
static inline uint64_t run_long3(Insn insn, uint64_t a, uint64_t b, uint64_t c) {
    return RUN(insn, SHAPE(8, 8, 8, 8), a, b, c);
}

static inline uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static inline uint64_t bits_of_double(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Check's own comparisons tell the parent process of each success, which tens of thousands of them cannot afford. */
#define same(got, wanted)                                                                                      \
    do {                                                                                                       \
        const uint64_t got_ = (got), wanted_ = (wanted);                                                       \
        if (got_ != wanted_)                                                                                   \
            ck_abort_msg("%s is %llx, not %llx", #got, (unsigned long long)got_, (unsigned long long)wanted_); \
    } while (0)

#define NUMBER_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Integers where something changes. */
static const uint64_t edges[] = {0,
                                 1,
                                 2,
                                 7,
                                 31,
                                 32,
                                 33,
                                 63,
                                 64,
                                 65,
                                 255,
                                 0x7fff,
                                 0x8000,
                                 0xffff,
                                 0x10000,
                                 0x7fffff,
                                 0x1000000,
                                 0x7fffffff,
                                 0x80000000,
                                 0x80000001,
                                 0xfffffffe,
                                 0xffffffff,
                                 0x123456789abcdef0,
                                 0x7fffffffffffffff,
                                 0x8000000000000000,
                                 0xffffffff80000000,
                                 0xffffffffffff8000,
                                 0xffffffffffffffff};

#define EACH_EDGE(k) for (unsigned k = 0; k < NUMBER_OF(edges); k++)
