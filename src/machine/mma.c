#include "machine/mma.h"

#include <string.h>

#include "machine/alu_lanes.h"
#include "machine/shadow.h"
#include "machine/warp_fault.h"

enum { WORD_BYTES = 4, LANES_ACROSS = 4, K_MOST = 32, D_MOST = 4, KEPT_BITS = 25, TF32_LOW_BITS = 13 };

/* Every element is a double exactly. */
typedef struct Factors {
    double a[MMA_ROWS][K_MOST], b[MMA_COLUMNS][K_MOST];
} Factors;

typedef struct Slots {
    const Slot *d, *a, *b, *c;
    MmaRegisters of;
} Slots;

static Slots slots_of(const Step *step) {
    const MmaRegisters of = mma_registers(step->insn);
    const Slot *a = step->data + of.d, *b = a + of.a;
    return (Slots){step->data, a, b, b + of.b, of};
}

/* --- where elements stand: PTX ISA, "Matrix fragments for mma" --- */

static unsigned per_word(Type type) { return WORD_BYTES / type_bytes[type]; }

/* The row of a, c or d that a lane's register has elements of, and the column of b. */
static unsigned row_of(unsigned lane, unsigned low) { return lane / LANES_ACROSS + (low ? MMA_ROWS / 2 : 0); }
static unsigned column_of(unsigned lane) { return lane / LANES_ACROSS; }

/* How far along k element i of a register stands, the first or the second that the lane has of this row or column. */
static unsigned along(Type type, unsigned lane, unsigned second, unsigned i) {
    return per_word(type) * (lane % LANES_ACROSS + LANES_ACROSS * second) + i;
}

/* A lane has four elements of c and d: two neighbours of a row above and two of one below. */
typedef struct Neighbour {
    unsigned row, column;
} Neighbour;
static Neighbour neighbour_of(unsigned lane, unsigned i) {
    return (Neighbour){row_of(lane, i / 2), lane % LANES_ACROSS * 2 + i % 2};
}

/* --- elements --- */

static double element(Type type, uint32_t word, unsigned i) {
    const uint32_t byte = word >> 8 * i & 0xff, half = word >> 16 * (i & 1) & 0xffff;
    if (type == TYPE_u8) return byte;
    if (type == TYPE_s8) return (int8_t)byte;
    if (type == TYPE_s32) return (int32_t)word;
    if (type == TYPE_f16) return f16_to_f32(half);
    if (type == TYPE_bf16) return bf16_to_f32(half);
    return f32_from_bits(type == TYPE_tf32 ? word >> TF32_LOW_BITS << TF32_LOW_BITS : word);
}

static void take(const Warp *warp, const Step *step, const Slots *slots, Factors *factors) {
    const Type of_a = (Type)step->insn->type2, of_b = (Type)step->insn->type3;
    for (unsigned r = 0; r < slots->of.a; r++) {
        const uint32_t *words = warp_at(warp, slots->a[r]);
        for (unsigned l = 0; l < WARP_LANES; l++)
            for (unsigned i = 0; i < per_word(of_a); i++)
                factors->a[row_of(l, r % 2)][along(of_a, l, r / 2, i)] = element(of_a, words[l], i);
    }
    for (unsigned r = 0; r < slots->of.b; r++) {
        const uint32_t *words = warp_at(warp, slots->b[r]);
        for (unsigned l = 0; l < WARP_LANES; l++)
            for (unsigned i = 0; i < per_word(of_b); i++)
                factors->b[column_of(l)][along(of_b, l, r, i)] = element(of_b, words[l], i);
    }
}

/* --- sums --- */

static int power(double x) { return (int)(f64_bits(x) >> 52 & 0x7ff) - 1023; }
static double two_to(int power) { return f64_from_bits((uint64_t)(power + 1023) << 52); }

static double plain_sum(const double *a, const double *b, unsigned k, double c) {
    for (unsigned i = 0; i < k; i++) c += a[i] * b[i];
    return c;
}

/* As mma.h says. */
static double cut_sum(const double *a, const double *b, unsigned k, double c) {
    int largest = power(c);
    for (unsigned i = 0; i < k; i++) {
        const int of_product = power(a[i]) + power(b[i]);
        if (a[i] != 0 && b[i] != 0 && of_product > largest) largest = of_product;
    }
    if (largest <= power(0)) return 0;
    const double unit = two_to(largest - KEPT_BITS), units = two_to(KEPT_BITS - largest);
    int64_t sum = (int64_t)(c * units);
    for (unsigned i = 0; i < k; i++) sum += (int64_t)(a[i] * b[i] * units);
    return (double)sum * unit;
}

static uint32_t to_f32(double sum) {
    const float nearest = (float)sum;
    if (sum != sum) return F32_NAN;
    const bool beyond = nearest > sum ? sum > 0 : nearest < sum && sum < 0;
    return f32_bits(nearest) - (beyond && nearest - nearest == 0);
}

static uint32_t to_s32(const Insn *insn, double sum) {
    if (insn->flags & INSN_SATFINITE)
        return (uint32_t)(int32_t)(sum < INT32_MIN ? INT32_MIN : sum > INT32_MAX ? INT32_MAX : sum);
    return (uint32_t)(int64_t)sum;
}

static uint32_t sum_of(const Insn *insn, const double *a, const double *b, double c) {
    const double plain = plain_sum(a, b, insn->vec, c);
    if (insn->type == TYPE_s32) return to_s32(insn, plain);
    const double sum = plain - plain == 0 ? cut_sum(a, b, insn->vec, c) : plain;
    return insn->type == TYPE_f16 ? f16_round_f64(sum) : to_f32(sum);
}

/* A lane's register r of d. */
static uint32_t word_of(const Insn *insn, const Factors *factors, unsigned lane, unsigned r, uint32_t c) {
    const Type type = (Type)insn->type;
    const unsigned in_word = per_word(type);
    uint32_t word = 0;
    for (unsigned i = 0; i < in_word; i++) {
        const Neighbour at = neighbour_of(lane, r * in_word + i);
        word |= sum_of(insn, factors->a[at.row], factors->b[at.column], element(type, c, i)) << 16 * i;
    }
    return word;
}

bool warp_mma(Warp *warp, const Step *step, uint32_t active) {
    if (!warp_is_whole(warp, step, active)) return false;
    const Slots slots = slots_of(step);
    Factors factors;
    uint32_t d[D_MOST][WARP_LANES];
    take(warp, step, &slots, &factors);
    for (unsigned r = 0; r < slots.of.d; r++)
        for (unsigned l = 0; l < WARP_LANES; l++)
            d[r][l] = word_of(step->insn, &factors, l, r, ((const uint32_t *)warp_at(warp, slots.c[r]))[l]);
    for (unsigned r = 0; r < slots.of.d; r++) memcpy(warp_at(warp, slots.d[r]), d[r], sizeof d[r]);
    return true;
}

/* --- what is undefined --- */

/* The lanes with an undefined bit in the register. The origin is of the first that is found. */
static uint32_t undefined_lanes(const Warp *warp, const Step *step, Slot slot, Origin *origin) {
    const uint32_t lanes = shadow_lanes(warp, slot, WORD_BYTES, WORD_BYTES);
    if (lanes && origin->kind == ORIGIN_NONE) *origin = *shadow_origin(warp, slot);
    if (lanes && origin->pc == NO_INSN) origin->pc = step->pc;
    return lanes;
}

/* The undefined elements of a register of c in one lane, and with an undefined row of a or column of b all of d. */
static uint32_t undefined_word(const Insn *insn, unsigned lane, unsigned r, uint32_t c, uint32_t rows, uint32_t columns) {
    const unsigned in_word = per_word((Type)insn->type);
    const uint32_t all = UINT32_MAX >> (in_word - 1) * 16;
    uint32_t word = 0;
    for (unsigned i = 0; i < in_word; i++) {
        const Neighbour at = neighbour_of(lane, r * in_word + i);
        const uint32_t element = all << 16 * i;
        if ((rows >> at.row | columns >> at.column) & 1 || c & element) word |= element;
    }
    return word;
}

void mma_defined(Warp *warp, const Step *step) {
    const Slots slots = slots_of(step);
    Lanes d[D_MOST] = {0};
    Origin origin = {0};
    uint32_t rows = 0, columns = 0;
    for (unsigned r = 0; r < slots.of.a; r++)
        EACH_ACTIVE_LANE(l, undefined_lanes(warp, step, slots.a[r], &origin)) rows |= 1u << row_of(l, r % 2);
    for (unsigned r = 0; r < slots.of.b; r++)
        EACH_ACTIVE_LANE(l, undefined_lanes(warp, step, slots.b[r], &origin)) columns |= 1u << column_of(l);
    for (unsigned r = 0; r < slots.of.d; r++) {
        const uint32_t *c =
            undefined_lanes(warp, step, slots.c[r], &origin) ? shadow_bits(warp, slots.c[r]) : lanes_defined.words;
        for (unsigned l = 0; l < WARP_LANES; l++) d[r].words[l] = undefined_word(step->insn, l, r, c[l], rows, columns);
    }
    for (unsigned r = 0; r < slots.of.d; r++) shadow_put(warp, slots.d[r], WORD_BYTES, &d[r], LANES_ALL, origin);
}
