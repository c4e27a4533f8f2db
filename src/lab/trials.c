/* trials.c: the shapes that tests try beside their tables. See lab.h. */
#include <math.h>
#include <string.h>

#include "lab/corners.h"
#include "ptx/opcode.h"

enum {
    STRATA = 8,
    FREE_TRIALS = 8,
    NAMED_TRIALS = 32,
    NUMBERS_MOST = 240,
    CHOICES_MOST = NUMBERS_MOST * LAB_SIZES,
    SHIFTS_MOST = 8,
    CORNERS_MOST = 24,
    CORNER_BATCHES = 48, /* of shapes that are looked at, for each of some areas */
    NARROWEST = 16       /* that a shape counts as: tiles take their time however few of their elements there are */
};

/* A file's own numbers, each once, and those about them: first those that something is compared with. */
typedef struct Numbers {
    uint32_t of[NUMBERS_MOST], count, compared;
} Numbers;

static void add_number(Numbers *numbers, int64_t value) {
    const uint64_t size = value < 0 ? (uint64_t)-value : (uint64_t)value;
    if (size > UINT32_MAX - 1) return;
    for (int about = -1; about <= 1; about++) {
        const uint32_t number = (uint32_t)((int64_t)size + about < 0 ? 0 : (int64_t)size + about);
        uint32_t i = 0;
        while (i < numbers->count && numbers->of[i] != number) i++;
        if (i == numbers->count && i < NUMBERS_MOST) numbers->of[numbers->count++] = number;
    }
}

static void add_operands(Numbers *numbers, const Insn *insn) {
    const bool wide = type_bytes[insn->type] == 8;
    if (type_kinds[insn->type] == KIND_FLOAT) return;
    for (unsigned i = insn->n_dst; i < (unsigned)insn->n_dst + insn->n_src; i++) {
        const uint64_t bits = insn->operands[i].bits;
        if (insn->operands[i].kind == OPERAND_IMMEDIATE) add_number(numbers, wide ? (int64_t)bits : (int32_t)bits);
    }
}

/* A compiler tests a range by one comparison behind a subtraction. */
static bool compares(const Insn *insn) {
    if (insn->op == OP_setp || insn->op == OP_set) return true;
    for (unsigned i = insn->n_dst; insn->op == OP_add && i < (unsigned)insn->n_dst + insn->n_src; i++)
        if (insn->operands[i].kind == OPERAND_IMMEDIATE && (int32_t)insn->operands[i].bits < 0) return true;
    return false;
}

/* Of what the kernel may run: its own code and all functions. */
static void add_code(Numbers *numbers, const Program *program, const char *kernel, bool compared) {
    for (uint32_t f = 0; f < program->n_functions; f++) {
        const Function *function = &program->functions[f];
        if (function->is_entry && strcmp(function->name, kernel) != 0) continue;
        for (uint32_t pc = function->first; pc < function->first + function->count; pc++) {
            const Insn *insn = &program->insns[pc];
            if (opcode_classes[insn->op] == CLASS_ALU && compares(insn) == compared) add_operands(numbers, insn);
        }
    }
}

static void find_numbers(const Program *program, const char *kernel, Numbers *numbers) {
    add_code(numbers, program, kernel, true);
    numbers->compared = numbers->count;
    add_code(numbers, program, kernel, false);
}

/* --- one trial ------------------------------------------------------------------------------------------------------------ */

/* Any size as likely as another, or any power of two. */
static uint32_t draw_size(Lab *lab, uint32_t least, uint32_t most) {
    uint32_t span = most - least, bits = 0;
    while (bits < 32 && span >> bits) bits++;
    if (lab_draw(lab, 0, 1)) {
        const uint32_t some = lab_draw(lab, 0, bits);
        if (some < bits) span = (UINT32_C(1) << some) - 1;
    }
    return least + lab_draw(lab, 0, span);
}

/* The most that one of the sizes may be beside those that are known. */
static uint32_t most_of(const LabRanges *ranges, uint32_t of, uint64_t area, const uint32_t *sizes, const bool *known) {
    const LabRange *range = &ranges->of[of];
    for (uint32_t i = 0; of < ranges->area && i < ranges->area; i++)
        if (i != of) area /= known[i] ? sizes[i] + !sizes[i] : ranges->of[i].least + !ranges->of[i].least;
    if (of >= ranges->area || area > range->most) return range->most;
    return area < range->least ? range->least : (uint32_t)area;
}

/* A size about one of the file's numbers, if there is one that may stand here; else any. */
static uint32_t choose_size(Lab *lab, const Numbers *numbers, LabRange range, uint32_t most_named) {
    if (numbers->compared && lab_draw(lab, 0, 1)) {
        const uint32_t number = numbers->of[lab_draw(lab, 0, numbers->compared - 1)];
        if (number >= range.least && number <= most_named) return number;
    }
    return draw_size(lab, range.least, range.most);
}

/* What a size takes by itself. */
static uint64_t least_area(const LabRanges *ranges, uint32_t of, uint32_t size) {
    return of >= ranges->area ? 0 : ranges->area > 1 ? (uint64_t)NARROWEST * size : size;
}

/* One of the equal parts of what is allowed. */
static uint32_t draw_stratum(Lab *lab, uint32_t stratum, uint32_t least, uint32_t most) {
    const uint64_t span = (uint64_t)most - least + 1, first = span * stratum / STRATA, end = span * (stratum + 1) / STRATA;
    return least + lab_draw(lab, (uint32_t)first, (uint32_t)(end > first ? end - 1 : first));
}

typedef struct Trials {
    Lab *lab;
    const char *kernel;
    const LabRanges *ranges;
    LabTry *attempt;
    Numbers numbers;
} Trials;

/* One that has no element shows nothing of what the kernel decides. */
static void try_shape(const Trials *trials, const uint32_t *sizes) {
    bool has_elements = true;
    for (uint32_t of = 0; of < trials->ranges->area; of++) has_elements = has_elements && sizes[of];
    if (has_elements) corners_try(trials->lab->corners, sizes);
    trials->attempt(trials->lab, trials->kernel, sizes);
}

/* One size is given. */
static void try_sizes(const Trials *trials, uint64_t area, uint32_t named, uint32_t size) {
    uint32_t sizes[LAB_SIZES] = {0};
    bool known[LAB_SIZES] = {false};
    const uint32_t count = trials->ranges->count, first = lab_draw(trials->lab, 0, count - 1);
    sizes[named] = size, known[named] = true;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t of = (first + i) % count;
        if (known[of]) continue;
        const uint32_t most = most_of(trials->ranges, of, area, sizes, known),
                       most_named = most_of(trials->ranges, of, trials->ranges->most, sizes, known);
        sizes[of] = choose_size(trials->lab, &trials->numbers, (LabRange){trials->ranges->of[of].least, most}, most_named);
        known[of] = true;
    }
    try_shape(trials, sizes);
}

static const bool none_known[LAB_SIZES];
static const uint32_t none[LAB_SIZES];

/* One size is of this part of its range, or any. */
static void try_size(const Trials *trials, uint64_t area, uint32_t of, uint32_t stratum) {
    const uint64_t length = trials->ranges->area > 1 ? area / NARROWEST : area;
    const uint32_t least = trials->ranges->of[of].least, most = most_of(trials->ranges, of, length, none, none_known);
    const uint32_t size =
        stratum < STRATA ? draw_stratum(trials->lab, stratum, least, most) : draw_size(trials->lab, least, most);
    try_sizes(trials, area, of, size);
}

/* Of the shapes beyond the usual ones, larger ones as seldom as they take longer. */
static void try_large(const Trials *trials) {
    const LabRanges *ranges = trials->ranges;
    uint64_t area = ranges->most;
    while (area / 2 > ranges->usual && lab_draw(trials->lab, 0, 3)) area /= 2;
    const uint32_t of = lab_draw(trials->lab, 0, ranges->area - 1);
    if (area > ranges->usual) try_size(trials, area, of, lab_draw(trials->lab, STRATA / 2, STRATA - 1));
}

/* --- corners -------------------------------------------------------------------------------------------------------------- */

static uint64_t draw_number(const Trials *trials, uint32_t count) {
    return count ? trials->numbers.of[lab_draw(trials->lab, 0, count - 1)] : 0;
}

/* Any size; one about a number of the file's, or with a remainder that it may ask for; or one that another size has, or is a few times. */
static uint32_t draw_candidate(const Trials *trials, uint32_t least, uint32_t most, const uint32_t *sizes, const bool *known) {
    Lab *lab = trials->lab;
    const Numbers *numbers = &trials->numbers;
    const uint32_t kind = lab_draw(lab, 0, 7), other = lab_draw(lab, 0, trials->ranges->count - 1);
    uint64_t size = 0;
    if (kind == 0) size = draw_number(trials, numbers->compared);
    if (kind == 1 || kind == 2) size = draw_number(trials, numbers->count);
    if (kind == 2) {
        size *= lab_draw(lab, 1, 8);
        size += draw_number(trials, numbers->count);
    }
    if (kind >= 3 && kind <= 4 && known[other]) size = sizes[other];
    if (kind == 4) size *= lab_draw(lab, 2, 9);
    return size && size >= least && size <= most ? (uint32_t)size : draw_size(lab, least, most);
}

/* All sizes of the area are alike. */
static void draw_cube(const Trials *trials, uint64_t area, uint32_t *sizes, bool *known) {
    const LabRanges *ranges = trials->ranges;
    const uint32_t side = draw_size(trials->lab, 1, (uint32_t)pow((double)area, 1.0 / ranges->area));
    for (uint32_t of = 0; of < ranges->area; of++) {
        known[of] = side >= ranges->of[of].least && side <= ranges->of[of].most;
        sizes[of] = side;
    }
}

/* Returns its area. */
static uint64_t draw_shape(const Trials *trials, uint64_t area, uint32_t *sizes) {
    const LabRanges *ranges = trials->ranges;
    bool known[LAB_SIZES] = {false};
    const uint32_t first = lab_draw(trials->lab, 0, ranges->count - 1);
    uint64_t product = 1;
    if (ranges->area > 1 && lab_draw(trials->lab, 0, 7) == 0) draw_cube(trials, area, sizes, known);
    for (uint32_t i = 0; i < ranges->count; i++) {
        const uint32_t of = (first + i) % ranges->count;
        if (!known[of])
            sizes[of] = draw_candidate(trials, of < ranges->area && !ranges->of[of].least ? 1 : ranges->of[of].least,
                                       most_of(ranges, of, area, sizes, known), sizes, known);
        known[of] = true;
        if (of < ranges->area) product *= sizes[of] + !sizes[of];
    }
    return product;
}

/* Shapes at which the kernel decides what it has not decided yet: small ones first, and of the larger ones, together, no more than twice the largest. */
static void try_corners(const Trials *trials) {
    const LabRanges *ranges = trials->ranges;
    const uint64_t areas[] = {ranges->usual >> 3, ranges->usual, ranges->usual + (ranges->most - ranges->usual) / 4,
                              ranges->most};
    uint64_t large = 0;
    uint32_t left = CORNERS_MOST;
    if (!corners_known(trials->lab->corners)) return;
    for (uint32_t i = 0; left && i < CORNER_BATCHES * sizeof areas / sizeof *areas; i++) {
        if (i % CORNER_BATCHES == 0) corners_again(trials->lab->corners);
        uint32_t sizes[WARP_LANES][LAB_SIZES] = {0};
        uint64_t area[WARP_LANES];
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            area[lane] = draw_shape(trials, areas[i / CORNER_BATCHES], sizes[lane]);
        const uint32_t found = corners_find(trials->lab->corners, sizes);
        for (uint32_t lane = 0; left && lane < WARP_LANES; lane++) {
            if (!(found >> lane & 1) || (area[lane] > ranges->usual && large >= ranges->most)) continue;
            if (area[lane] > ranges->usual) large += area[lane];
            left--;
            try_shape(trials, sizes[lane]);
        }
    }
}

/* --- all of them ---------------------------------------------------------------------------------------------------------- */

typedef struct Choice {
    uint32_t named, size;
} Choice;

/* Those of the numbers from `first` to `end` that each of the sizes may be in a shape of this area. */
static uint32_t find_choices(const Trials *trials, uint32_t first, uint32_t end, uint64_t area, Choice *choices) {
    uint32_t count = 0;
    for (uint32_t named = 0; named < trials->ranges->count; named++) {
        const uint32_t most = most_of(trials->ranges, named, area, none, none_known);
        for (uint32_t i = first; i < end; i++) {
            const uint32_t size = trials->numbers.of[i];
            if (size >= trials->ranges->of[named].least && size <= most) choices[count++] = (Choice){named, size};
        }
    }
    return count;
}

/* Some of the choices, or all; of those beyond the usual area the first and, together, no more than a quarter of the largest one. Returns how many
 * are left to try. */
static uint32_t try_choices(const Trials *trials, Choice *choices, uint32_t count, uint32_t left) {
    uint64_t large = 0;
    for (; count && left; left--) {
        const uint32_t i = lab_draw(trials->lab, 0, count - 1);
        const Choice choice = choices[i];
        choices[i] = choices[--count];
        const uint64_t takes = least_area(trials->ranges, choice.named, choice.size);
        if (takes > trials->ranges->usual && large >= trials->ranges->most / 4) continue;
        if (takes > trials->ranges->usual) large += takes;
        try_sizes(trials, trials->ranges->usual >> (left % 4 ? 3 : 0), choice.named, choice.size);
    }
    return left;
}

void lab_try(Lab *lab, const char *kernel, const LabRanges *ranges, LabTry *attempt) {
    Trials trials = {.lab = lab, .kernel = kernel, .ranges = ranges, .attempt = attempt};
    Choice choices[CHOICES_MOST];
    find_numbers(lab->source.program, kernel, &trials.numbers);
    lab->corners = corners_new(lab, kernel, ranges->count);
    for (uint32_t stratum = 0; stratum < STRATA; stratum++)
        for (uint32_t of = 0; of < ranges->count; of++)
            if (ranges->count == 1 || (stratum + of) % 2) try_size(&trials, ranges->usual >> (of ? 2 : 0), of, stratum);
    for (uint32_t i = 0; i < FREE_TRIALS; i++) {
        const uint32_t shift = lab_draw(lab, 1, SHIFTS_MOST);
        try_size(&trials, ranges->usual >> shift, lab_draw(lab, 0, ranges->count - 1), STRATA);
    }
    try_large(&trials);
    const Numbers *numbers = &trials.numbers;
    const uint32_t compared = find_choices(&trials, 0, numbers->compared, ranges->most, choices);
    const uint32_t left = try_choices(&trials, choices, compared, NAMED_TRIALS * 3 / 4) + NAMED_TRIALS / 4;
    const uint64_t usual = ranges->area > 1 ? ranges->usual / NARROWEST : ranges->usual;
    try_choices(&trials, choices, find_choices(&trials, numbers->compared, numbers->count, usual, choices), left);
    try_corners(&trials);
    corners_free(lab->corners);
    lab->corners = NULL;
}
