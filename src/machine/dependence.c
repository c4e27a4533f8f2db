/* How the undefined bits of a result depend on those of an instruction's sources. */
#include <string.h>

#include "machine/lanes.h"
#include "machine/lower.h"
#include "machine/shadow.h"
#include "ptx/opcode.h"

/* How the bits of a result depend on those of its sources. */
typedef enum Passing {
    RULE_WHOLE,   /* all of them on any */
    RULE_BITWISE, /* bit i on bit i of each source */
    RULE_MOVES,   /* the first source's bits, and of some opcodes the second's, move as the other sources say */
    RULE_SELECTS
} Passing;

typedef struct Dependence {
    uint8_t rule, moved; /* RULE_MOVES: how many sources */
} Dependence;

static const Dependence dependences[OP_COUNT] = {
    [OP_and] = {RULE_BITWISE, 0},  [OP_or] = {RULE_BITWISE, 0},  [OP_xor] = {RULE_BITWISE, 0}, [OP_not] = {RULE_BITWISE, 0},
    [OP_lop3] = {RULE_BITWISE, 0}, [OP_shl] = {RULE_MOVES, 1},   [OP_shr] = {RULE_MOVES, 1},   [OP_bfe] = {RULE_MOVES, 1},
    [OP_brev] = {RULE_MOVES, 1},   [OP_szext] = {RULE_MOVES, 1}, [OP_cvt] = {RULE_MOVES, 1},   [OP_shf] = {RULE_MOVES, 2},
    [OP_bfi] = {RULE_MOVES, 2},    [OP_prmt] = {RULE_MOVES, 2},  [OP_selp] = {RULE_SELECTS, 0}};

static Dependence dependence_of(const Insn *insn) {
    const bool float_cvt =
        insn->op == OP_cvt && (type_kinds[insn->type] == KIND_FLOAT || type_kinds[insn->type2] == KIND_FLOAT);
    const bool clamps = insn->flags & INSN_SAT;
    return float_cvt || clamps ? (Dependence){RULE_WHOLE, 0} : dependences[insn->op];
}

typedef struct Input {
    Slot slot;
    unsigned width, bytes;
    const Lanes *value, *bits;
} Input;

/* A slot of the registers, which need not begin where a Lanes would. */
static const uint8_t *value_of(const Input *input) { return (const uint8_t *)input->value; }
static const uint8_t *bits_of(const Input *input) { return (const uint8_t *)input->bits; }
static uint32_t word_at(const uint8_t *bytes) {
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

/* An arithmetic step and what it reads. */
typedef struct Operation {
    const Step *step;
    unsigned n, width; /* of the destination's lanes */
    Input sources[SOURCES_MOST];
    Origin origin; /* the earliest of the sources' in the program */
} Operation;

static unsigned operand_bytes(const Insn *insn, unsigned index) {
    return type_bytes[insn_letter_type(insn, insn_letter(insn, index))];
}

static Operation operation_of(const Warp *warp, const Step *step) {
    const Insn *insn = step->insn;
    Operation of = {.step = step, .n = insn->n_src, .width = lower_operand_width(insn, 0)};
    for (unsigned i = 0; i < of.n; i++) {
        const unsigned index = insn->n_dst + i;
        Input *source = &of.sources[i];
        *source = (Input){.slot = step->s[i],
                          .width = lower_operand_width(insn, index),
                          .bytes = operand_bytes(insn, index),
                          .value = warp_at(warp, step->s[i]),
                          .bits = &lanes_defined};
        if (!shadow_undefined(warp, step->s[i])) continue;
        source->bits = shadow_bits(warp, step->s[i]);
        const Origin *origin = shadow_origin(warp, step->s[i]);
        if (of.origin.kind == ORIGIN_NONE || origin->pc < of.origin.pc) of.origin = *origin;
    }
    /* The line to tell is the one where the variable is first used. */
    if (of.origin.kind == ORIGIN_REGISTER && of.origin.pc == NO_INSN) of.origin.pc = step->pc;
    return of;
}

static uint32_t any_undefined(const Warp *warp, const Operation *of, unsigned from) {
    uint32_t lanes = 0;
    for (unsigned i = from; i < of->n; i++)
        lanes |= shadow_lanes(warp, of->sources[i].slot, of->sources[i].width, of->sources[i].bytes);
    return lanes;
}

/* What the step's arithmetic makes of these sources. */
static void compute(Warp *warp, const Step *step, const Lanes *const *from, Lanes *result) {
    uint32_t carry = warp->carry;
    const AluMore more = {.c = from[2], .e = from[3], .imm = step->imm, .carry = &carry};
    *result = lanes_defined;
    step->alu(result->bytes, from[0], from[1], LANES_ALL, &more);
}

/* Exact: each undefined source is tried with its undefined bits as they are and the other way round. */
static void bitwise(Warp *warp, const Operation *of, Lanes *result) {
    Lanes flipped[SOURCES_MOST], is, other;
    const Lanes *from[SOURCES_MOST] = {0};
    for (unsigned i = 0; i < of->n; i++) from[i] = of->sources[i].value;
    compute(warp, of->step, from, &is);
    *result = lanes_defined;
    unsigned open = 0;
    for (unsigned i = 0; i < of->n; i++) open |= (unsigned)(of->sources[i].bits != &lanes_defined) << i;
    for (unsigned ways = 1; ways <= open; ways++) {
        if (ways & ~open) continue;
        for (unsigned i = 0; i < of->n; i++) {
            const Input *source = &of->sources[i];
            from[i] = source->value;
            if (!(ways >> i & 1)) continue;
            for (uint32_t b = 0; b < shadow_slot_bytes(source->width); b++)
                flipped[i].bytes[b] = value_of(source)[b] ^ bits_of(source)[b];
            from[i] = &flipped[i];
        }
        compute(warp, of->step, from, &other);
        for (uint32_t b = 0; b < shadow_slot_bytes(of->width); b++) result->bytes[b] |= is.bytes[b] ^ other.bytes[b];
    }
}

static void moves(Warp *warp, const Operation *of, unsigned moved, Lanes *result) {
    const Lanes *from[SOURCES_MOST] = {0};
    for (unsigned i = 0; i < of->n; i++) from[i] = i < moved ? of->sources[i].bits : of->sources[i].value;
    compute(warp, of->step, from, result);
    const uint32_t lost = any_undefined(warp, of, moved);
    EACH_ACTIVE_LANE(l, lost) memset(result->bytes + l * of->width, 0xff, of->width);
}

/* selp: where both are the same and defined, it is no matter which one is taken. */
static void selects(const Operation *of, Lanes *result) {
    const Input *a = &of->sources[0], *b = &of->sources[1];
    const uint32_t which = word_at(value_of(&of->sources[2])), open = word_at(bits_of(&of->sources[2]));
    for (unsigned l = 0; l < WARP_LANES; l++) {
        const unsigned at = l * a->width;
        uint8_t *lane = result->bytes + at;
        memcpy(lane, bits_of(which >> l & 1 ? a : b) + at, a->width);
        if (open >> l & 1 && memcmp(value_of(a) + at, value_of(b) + at, a->width)) memset(lane, 0xff, a->width);
    }
}

/* What is added, subtracted or multiplied: any bit makes all of the result undefined, and its carry; so does a carry that is taken. */
static void whole(Warp *warp, const Operation *of, uint32_t active, Origin *origin, Lanes *result) {
    const Insn *insn = of->step->insn;
    const bool takes = insn->op == OP_addc || insn->op == OP_subc || insn->op == OP_madc;
    const uint32_t carry = takes ? warp->shadow->carry : 0, lanes = any_undefined(warp, of, 0) | carry;
    if (carry && origin->kind == ORIGIN_NONE) *origin = warp->shadow->carry_origin;
    lanes_fill_undefined(result, of->width, lanes);
    if (insn->flags & INSN_CC) shadow_put_carry(warp, lanes, active, *origin);
}

void shadow_arithmetic(Warp *warp, const Step *step, uint32_t active) {
    const Operation of = operation_of(warp, step);
    const Dependence dependence = dependence_of(step->insn);
    Lanes result = lanes_defined;
    Origin origin = of.origin;
    origin.padding &= dependence.rule == RULE_MOVES;
    origin.extended = step->insn->op == OP_cvt && type_bytes[step->insn->type] > type_bytes[step->insn->type2];
    origin.shifted |= step->insn->op == OP_shl || step->insn->op == OP_shr || step->insn->op == OP_shf;
    switch ((Passing)dependence.rule) {
    case RULE_WHOLE: whole(warp, &of, active, &origin, &result); break;
    case RULE_BITWISE: bitwise(warp, &of, &result); break;
    case RULE_MOVES: moves(warp, &of, dependence.moved, &result); break;
    case RULE_SELECTS: selects(&of, &result); break;
    }
    shadow_put(warp, step->d, of.width, &result, active, origin);
}

/* setp with a second destination or a combined predicate: `false && undefined` is false. */
void shadow_comparison(Warp *warp, const Step *step, uint32_t active) {
    const Operation of = operation_of(warp, step);
    Lanes is, result = lanes_defined;
    const Lanes *const from[SOURCES_MOST] = {of.sources[0].value, of.sources[1].value};
    compute(warp, step, from, &is);
    Operation compared = of;
    compared.n = 2;
    const uint32_t open = any_undefined(warp, &compared, 0);
    for (unsigned d = 0; d < 2; d++) {
        uint32_t bits = d ? ~is.words[0] : is.words[0], undefined = open;
        if (step->insn->boolop) {
            uint32_t with = word_at(value_of(&of.sources[2])) ^ (step->negated ? LANES_ALL : 0),
                     with_open = word_at(bits_of(&of.sources[2]));
            uint32_t decided = step->insn->boolop == BOOL_AND  ? (~bits & ~open) | (~with & ~with_open)
                               : step->insn->boolop == BOOL_OR ? (bits & ~open) | (with & ~with_open)
                                                               : 0;
            undefined = (open | with_open) & ~decided;
        }
        result.words[0] = undefined;
        shadow_put(warp, d ? step->d2 : step->d, 0, &result, active, of.origin);
    }
}

/* --- moves --- */

uint64_t shadow_lane(const Warp *warp, Slot slot, unsigned width, unsigned lane) {
    uint64_t bits = 0;
    if (shadow_undefined(warp, slot)) memcpy(&bits, (const uint8_t *)shadow_bits(warp, slot) + lane * width, width);
    return bits;
}

/* What an EXEC_PACK puts together, an EXEC_UNPACK takes apart and others copy: lanes of one width become lanes of another. */
typedef struct Move {
    const Slot *from, *to;
    unsigned n_from, n_to, from_width, to_width, part_bytes;
    bool sign;
} Move;

static Move move_of(const Step *step) {
    const unsigned part_width = step->bytes == 8 ? 8 : 4;
    Move move = {.from = step->s, .to = &step->d, .n_from = 1, .n_to = 1, .from_width = 8, .to_width = 8, .part_bytes = 8};
    if (step->exec == EXEC_MOVE4) move.from_width = move.to_width = 4;
    if (step->exec == EXEC_NARROW) move.to_width = 4;
    if (step->exec == EXEC_WIDEN || step->exec == EXEC_WIDEN_SIGNED) move.from_width = 4;
    move.sign = step->exec == EXEC_WIDEN_SIGNED;
    if (step->exec == EXEC_PACK)
        move = (Move){step->data, &step->d, step->vec, 1, part_width, step->lane_bytes, step->bytes, false};
    if (step->exec == EXEC_UNPACK)
        move = (Move){step->s, step->data, 1, step->vec, step->lane_bytes, part_width, step->bytes, false};
    return move;
}

static uint64_t low_bytes(uint64_t bits, unsigned bytes) { return bytes == 8 ? bits : bits & ((UINT64_C(1) << 8 * bytes) - 1); }

void shadow_move(Warp *warp, const Step *step, uint32_t active) {
    const Move move = move_of(step);
    uint64_t whole[WARP_LANES] = {0};
    Origin origin = {0};
    for (unsigned i = 0; i < move.n_from; i++) {
        if (shadow_undefined(warp, move.from[i]) && origin.kind == ORIGIN_NONE) origin = *shadow_origin(warp, move.from[i]);
        for (unsigned l = 0; l < WARP_LANES; l++) {
            uint64_t bits = shadow_extended(shadow_lane(warp, move.from[i], move.from_width, l), move.from_width, move.sign);
            whole[l] |= (move.n_from == 1 ? bits : low_bytes(bits, move.part_bytes)) << (8 * move.part_bytes * i) % 64;
        }
    }
    for (unsigned i = 0; i < move.n_to; i++) {
        Lanes bits = lanes_defined;
        for (unsigned l = 0; l < WARP_LANES; l++) {
            uint64_t part = whole[l] >> (8 * move.part_bytes * i) % 64;
            if (move.n_to > 1) part = low_bytes(part, move.part_bytes);
            memcpy(bits.bytes + l * move.to_width, &part, move.to_width);
        }
        shadow_put(warp, move.to[i], move.to_width, &bits, active, origin);
    }
}

void shadow_move_predicate(Warp *warp, const Step *step, uint32_t active) {
    Lanes bits = lanes_defined;
    bits.words[0] = shadow_lanes(warp, step->s[0], 0, 0);
    shadow_put(warp, step->d, 0, &bits, active, shadow_origin_or_none(warp, step->s[0]));
}

/* Of an address and what becomes of it: any bit makes all of it undefined. */
void shadow_address(Warp *warp, const Step *step, uint32_t active) {
    const unsigned width = step->exec == EXEC_ISSPACEP ? 0 : 8;
    Lanes bits;
    lanes_fill_undefined(&bits, width, shadow_lanes(warp, step->s[0], 8, 8));
    shadow_put(warp, step->d, width, &bits, active, shadow_origin_or_none(warp, step->s[0]));
}
