/* alu_packed.c: integers of 16 or 8 bits, several in one word. */
#include "machine/alu_lanes.h"
#include "ptx/opcode.h"

/* Field i of the word, as a number of the type. */
#define FIELD(t, word, i) ((int32_t)(t)((word) >> (8 * sizeof(t) * (i))))

#define PAIR2(name, t, P, op) \
    ALU2(name, P, P, P, ((op(FIELD(t, A, 0), FIELD(t, B, 0)) & 0xffff) | (uint32_t)op(FIELD(t, A, 1), FIELD(t, B, 1)) << 16))
#define ADD(a, b) (uint32_t)((a) + (b))
#define MIN(a, b) (uint32_t)((a) < (b) ? (a) : (b))
#define MAX(a, b) (uint32_t)((a) > (b) ? (a) : (b))
#define MIN_RELU(a, b) (uint32_t)((a) < 0 || (b) < 0 ? 0 : (a) < (b) ? (a) : (b))
#define MAX_RELU(a, b) (uint32_t)((a) < 0 && (b) < 0 ? 0 : (a) > (b) ? (a) : (b))
PAIR2(add_u16x2, uint16_t, u16x2, ADD)
PAIR2(min_u16x2, uint16_t, u16x2, MIN)
PAIR2(max_u16x2, uint16_t, u16x2, MAX)
PAIR2(min_s16x2, int16_t, s16x2, MIN)
PAIR2(max_s16x2, int16_t, s16x2, MAX)
PAIR2(min_relu_s16x2, int16_t, s16x2, MIN_RELU)
PAIR2(max_relu_s16x2, int16_t, s16x2, MAX_RELU)

/* PTX ISA, SIMD video instructions: absolute differences in the fields of the result (all of them, so that c, which others would be
 * taken from, does not matter), or all added to c. */
#define DIFF(t, i) \
    (uint32_t)(FIELD(t, A, i) < FIELD(t, B, i) ? FIELD(t, B, i) - FIELD(t, A, i) : FIELD(t, A, i) - FIELD(t, B, i))
#define DIFFS(t8, t16, s)                                                                                      \
    ALU2(vabsdiff2_##s, u32, u32, u32, DIFF(t16, 0) | DIFF(t16, 1) << 16)                                      \
    ALU2(vabsdiff4_##s, u32, u32, u32, DIFF(t8, 0) | DIFF(t8, 1) << 8 | DIFF(t8, 2) << 16 | DIFF(t8, 3) << 24) \
    ALU3(vabsdiff2_add_##s, u32, u32, u32, u32, C + DIFF(t16, 0) + DIFF(t16, 1))                               \
    ALU3(vabsdiff4_add_##s, u32, u32, u32, u32, C + DIFF(t8, 0) + DIFF(t8, 1) + DIFF(t8, 2) + DIFF(t8, 3))
DIFFS(uint8_t, uint16_t, u32)
DIFFS(int8_t, int16_t, s32)

/* clang-format off */
#define DIFF_ROWS(to, from)                                                                                                    \
    ROW(vabsdiff2, to, vabsdiff2_##from, .type2 = TYPE_##from) ROW(vabsdiff4, to, vabsdiff4_##from, .type2 = TYPE_##from)      \
    ROW(vabsdiff2, to, vabsdiff2_add_##from, .type2 = TYPE_##from, .variant = ATOM_ADD)                                        \
    ROW(vabsdiff4, to, vabsdiff4_add_##from, .type2 = TYPE_##from, .variant = ATOM_ADD)

static const AluRow rows[] = {
    ROW(add, u16x2, add_u16x2) ROW(add, s16x2, add_u16x2)
    ROW(min, u16x2, min_u16x2) ROW(max, u16x2, max_u16x2) ROW(min, s16x2, min_s16x2) ROW(max, s16x2, max_s16x2)
    ROW(min, s16x2, min_relu_s16x2, .flags = INSN_RELU) ROW(max, s16x2, max_relu_s16x2, .flags = INSN_RELU)
    DIFF_ROWS(u32, u32) DIFF_ROWS(u32, s32) DIFF_ROWS(s32, u32) DIFF_ROWS(s32, s32)
};
/* clang-format on */
ALU_TABLE(alu_packed_table, rows);
