#include "lab/corners.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "lab/conditions.h"
#include "lab/random.h"

enum { RECORDS_MOST = 64, DIVISORS = 1024, BY_BLOCK = 0, CONSTANT = LAB_SIZES };

/* A shape that was tried, and what its launch was given. */
typedef struct TriedShape {
    uint32_t sizes[LAB_SIZES], given[GIVEN_MOST];
    bool launched;
} TriedShape;

/* What is given, as it follows from the sizes: factor * ceil(size / by). */
typedef struct Fit {
    uint32_t of, by, factor; /* of: a size, or CONSTANT; by: a number, or BY_BLOCK, by %ntid.x */
    bool known;
} Fit;

/* What two conditions were together: bit 2 * first + second. */
typedef uint8_t Seen[CONDITIONS_MOST][CONDITIONS_MOST];

struct Corners {
    const Program *program;
    const Function *kernel;
    uint64_t seed, drawn;
    uint32_t n_sizes, n_records;
    TriedShape records[RECORDS_MOST];
    Fit fits[GIVEN_MOST];
    Conditions *conditions; /* NULL until they are looked for */
    Seen seen, asked;       /* by launches; of shapes that were found, since corners_again */
};

Corners *corners_new(const Lab *lab, const char *kernel, uint32_t n_sizes) {
    Corners *corners = alloc_zeroed(1, sizeof *corners);
    Diag diag = {0};
    corners->program = lab->source.program;
    corners->kernel = program_kernel(corners->program, kernel, &diag);
    corners->seed = lab->seed;
    corners->n_sizes = n_sizes;
    return corners;
}

void corners_free(Corners *corners) {
    if (corners->conditions) conditions_free(corners->conditions);
    free(corners);
}

/* --- what launches are given ---------------------------------------------------------------------------------------------- */

static void mark_record(Corners *corners, const TriedShape *record);

void corners_try(Corners *corners, const uint32_t *sizes) {
    if (corners->n_records && !corners->records[corners->n_records - 1].launched) corners->n_records--;
    if (corners->n_records == RECORDS_MOST) corners->n_records--;
    TriedShape *record = &corners->records[corners->n_records++];
    *record = (TriedShape){0};
    memcpy(record->sizes, sizes, sizeof record->sizes);
}

void corners_launched(Corners *corners, const LabCase *c) {
    const Launch *launch = &c->request.launch;
    TriedShape *record = corners->n_records ? &corners->records[corners->n_records - 1] : NULL;
    if (!record || record->launched || launch->kernel->function != corners->kernel) return;
    record->launched = true;
    for (uint32_t i = 0; i < 3; i++) {
        record->given[SPECIAL_ntid_x + i] = launch->block[i];
        record->given[SPECIAL_nctaid_x + i] = launch->grid[i];
    }
    for (uint32_t i = 0; i < corners->kernel->n_params && i < GIVEN_PARAMS; i++) {
        const Variable *param = &corners->program->variables[corners->kernel->params[i]];
        if (param->bytes == sizeof(uint32_t))
            memcpy(&record->given[GIVEN_SPECIALS + i], c->params + param->offset, param->bytes);
    }
    if (corners->conditions) mark_record(corners, record);
}

static uint64_t value_of(const Fit *fit, const uint32_t *sizes, uint32_t block) {
    if (fit->of == CONSTANT) return fit->factor;
    const uint64_t by = fit->by == BY_BLOCK ? block : fit->by;
    return fit->factor * ((sizes[fit->of] + by - 1) / by);
}

/* Whether it is so for most launches: a suite may make a size smaller where it would take long. */
static bool fits(const Corners *corners, uint32_t given, const Fit *fit) {
    uint32_t right = 0, of = 0;
    for (uint32_t r = 0; r < corners->n_records; r++) {
        const TriedShape *record = &corners->records[r];
        if (fit->of < CONSTANT && !record->sizes[fit->of]) continue; /* of nothing a grid makes one block */
        right += value_of(fit, record->sizes, record->given[SPECIAL_ntid_x]) == record->given[given];
        of++;
    }
    return 3 * right >= 2 * of;
}

/* The first that fits, simple ones first: as one of these launches has it. */
static Fit find_fit(const Corners *corners, uint32_t given) {
    enum { EXAMPLES = 3 };
    for (uint32_t by = 0; by <= DIVISORS + 1; by++)
        for (uint32_t of = by ? 0 : CONSTANT; of < (by ? corners->n_sizes : CONSTANT + 1); of++)
            for (uint32_t e = 0; e < EXAMPLES && e < corners->n_records; e++) {
                const TriedShape *example = &corners->records[e];
                Fit fit = {.of = of, .by = by <= DIVISORS ? by : BY_BLOCK, .factor = 1, .known = true};
                const uint64_t one = value_of(&fit, example->sizes, example->given[SPECIAL_ntid_x]);
                if (!one || example->given[given] % one) continue;
                fit.factor = example->given[given] / (uint32_t)one;
                if (fits(corners, given, &fit)) return fit;
            }
    return (Fit){0};
}

static bool find_fits(Corners *corners) {
    bool known[GIVEN_MOST] = {false}, any = false;
    if (corners->n_records && !corners->records[corners->n_records - 1].launched) corners->n_records--;
    if (!corners->n_records) return false;
    for (uint32_t g = SPECIAL_ntid_x; g < GIVEN_SPECIALS + corners->kernel->n_params && g < GIVEN_MOST; g++) {
        const bool is_param = g >= GIVEN_SPECIALS;
        if (g >= SPECIAL_ctaid_x && g <= SPECIAL_ctaid_z) continue;
        if (is_param && corners->program->variables[corners->kernel->params[g - GIVEN_SPECIALS]].bytes != sizeof(uint32_t))
            continue;
        corners->fits[g] = find_fit(corners, g);
        known[g] = corners->fits[g].known;
        any |= known[g];
        if (!is_param) known[g - SPECIAL_ntid_x + SPECIAL_tid_x] = known[g]; /* %tid goes by %ntid, %ctaid by %nctaid */
    }
    corners->conditions = conditions_new(corners->program, corners->kernel, known);
    return any && conditions_count(corners->conditions);
}

/* --- what it decides ------------------------------------------------------------------------------------------------------ */

/* Of `count`: the first and the last as often as all others together. */
static uint32_t draw_place(Corners *corners, uint32_t count) {
    const uint64_t bits = random_bits(corners->seed, corners->drawn++);
    return bits % 4 == 0 ? 0 : bits % 4 == 1 ? count - 1 : (uint32_t)((bits >> 2) % count);
}

/* The launch that these sizes come to, as far as it is known. */
static void find_given(const Corners *corners, const uint32_t *sizes, uint32_t *given) {
    for (uint32_t g = SPECIAL_ntid_x; g < GIVEN_MOST; g++) {
        const Fit *fit = &corners->fits[g];
        const uint64_t value = fit->known ? value_of(fit, sizes, given[SPECIAL_ntid_x]) : 0;
        given[g] = (uint32_t)(value || g >= GIVEN_SPECIALS ? value : 1);
    }
}

/* Some thread of a launch. */
static void give(Corners *corners, const uint32_t *launch, uint32_t lane, GivenThreads *given) {
    for (uint32_t g = 0; g < GIVEN_MOST; g++) {
        const bool is_place = g <= SPECIAL_tid_z || (g >= SPECIAL_ctaid_x && g <= SPECIAL_ctaid_z);
        const uint32_t of = g + SPECIAL_ntid_x - SPECIAL_tid_x; /* %tid is below %ntid, %ctaid below %nctaid */
        given->of[g][lane] = is_place ? draw_place(corners, launch[of] + !launch[of]) : launch[g];
    }
}

/* The lanes at which the two conditions are as bit `both` of Corners.seen says. */
static uint32_t lanes_of(const uint32_t *bits, uint32_t one, uint32_t other, uint32_t both) {
    return (both & 2 ? bits[one] : ~bits[one]) & (both & 1 ? bits[other] : ~bits[other]);
}

/* By condition. */
typedef struct Decided {
    uint32_t bits[CONDITIONS_MOST], known[CONDITIONS_MOST];
} Decided;

/* Conditions by themselves, and two of them where both are the same for all threads: those of the lanes that decide what neither was seen nor asked for.
 * marks: where what all lanes decide is marked; or NULL. */
static uint32_t look(const Corners *corners, const Decided *decided, uint32_t lanes, Seen *marks) {
    const uint32_t count = conditions_count(corners->conditions);
    uint32_t fresh = 0;
    for (uint32_t one = 0; one < count; one++) {
        const bool pairs = conditions_is_uniform(corners->conditions, one);
        for (uint32_t other = one; other < count && (pairs || other == one); other++) {
            if (other != one && !conditions_is_uniform(corners->conditions, other)) continue;
            for (uint32_t both = 0; both < 4; both++) {
                const uint32_t there =
                    lanes_of(decided->bits, one, other, both) & decided->known[one] & decided->known[other] & lanes;
                if (!((corners->seen[one][other] | corners->asked[one][other]) >> both & 1)) fresh |= there;
                if (there && marks) (*marks)[one][other] |= (uint8_t)(1 << both);
            }
        }
    }
    return fresh;
}

static void mark_record(Corners *corners, const TriedShape *record) {
    GivenThreads given = {0};
    Decided decided;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) give(corners, record->given, lane, &given);
    conditions_at(corners->conditions, &given, decided.bits, decided.known);
    look(corners, &decided, UINT32_MAX, &corners->seen);
}

bool corners_known(Corners *corners) {
    if (!find_fits(corners)) return false;
    for (uint32_t r = 0; r < corners->n_records; r++) mark_record(corners, &corners->records[r]);
    return true;
}

void corners_again(Corners *corners) { memset(corners->asked, 0, sizeof corners->asked); }

uint32_t corners_find(Corners *corners, const uint32_t (*sizes)[LAB_SIZES]) {
    GivenThreads given = {0};
    Decided decided;
    uint32_t found = 0;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint32_t launch[GIVEN_MOST] = {0};
        find_given(corners, sizes[lane], launch);
        give(corners, launch, lane, &given);
    }
    conditions_at(corners->conditions, &given, decided.bits, decided.known);
    for (uint32_t fresh; (fresh = look(corners, &decided, ~found, NULL));) {
        const uint32_t first = fresh & -fresh;
        found |= first;
        look(corners, &decided, first, &corners->asked);
    }
    return found;
}
