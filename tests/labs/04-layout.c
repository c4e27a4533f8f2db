/* Lab 04: layout: structures of mixed sizes, one storage for two kernels, images that change their layout. Predictions are judged by counts
 * that are derived here by hand, and that limits of lab.goals hold against the launches. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lab/lab.h"

enum { LANES = 32, BLOCK = 256, SECTOR = 32 };

/* --- predictions --------------------------------------------------------------------------------------------------------- */

enum { LOADS = 3 };

typedef struct Given {
    const char *kernel;
    Type out;
    uint32_t loads, fields[LOADS]; /* where in its structure each load begins */
} Given;

/* What the book's structures come to; those of other variants are worked out in the same way (truth_of).
 * brightness  lanes 3 bytes apart: 32 of them within 96 bytes, 3 sectors, for each of 3 requests
 * loudness    every second of structures of 4 bytes: lanes 8 bytes apart, 8 sectors, for each of 2 requests
 * weights     1 + 7 of padding, 8, 2 + 2 + 4 of padding: lanes 24 bytes apart. Fields at 0, 8 and 16 all lie within a sector, each request leaves
 *             out none: 24 of them, three times
 * velocities  lanes 36 bytes apart, a sector each for each of 3 requests. Lanes 3, 11, 19 and 27 and those behind them have their three floats
 *             on both sides of a sector's end: 36 * 3 + 12 = 120 and 124, then 128. So no sector of the 32 * 36 bytes is left out */
static const Given given[] = {
    {"brightness", TYPE_s32, 3, {0, 1, 2}},
    {"loudness", TYPE_s32, 2, {0, 2}},
    {"weights", TYPE_f64, 3, {0, 8, 16}},
    {"velocities", TYPE_f32, 3, {12, 16, 20}},
};

enum { N_GIVEN = sizeof given / sizeof *given };

static const Given *given_find(const char *kernel) {
    const Given *g = given;
    while (strcmp(g->kernel, kernel) != 0) g++;
    return g;
}

/* Bytes from lane to lane. */
static uint32_t size_of(const Lab *lab, const Given *g) {
    if (g == &given[0]) return (uint32_t)lab_number(lab, "colour");
    if (g == &given[1]) return (uint32_t)lab_number(lab, "sample") * 2 * sizeof(int16_t);
    if (g == &given[2]) /* a multiple of the double's alignment */
        return (2 * sizeof(double) + (1 + (uint32_t)lab_number(lab, "entry")) * sizeof(int16_t) + 7) / 8 * 8;
    return (6 + (uint32_t)lab_number(lab, "body")) * sizeof(float);
}

typedef struct Truth {
    int32_t touched, fetched;
} Truth;

/* Each field lies in one sector, since it is aligned. */
static Truth truth_of(const Lab *lab, const Given *g) {
    const uint32_t size = size_of(lab, g);
    uint32_t places[LOADS * LANES];
    Truth truth = {0};
    for (uint32_t load = 0; load < g->loads; load++) {
        for (uint32_t lane = 0; lane < LANES; lane++) places[load * LANES + lane] = size * lane + g->fields[load];
        truth.touched += (int32_t)lab_pieces(&places[load * LANES], LANES, 1, SECTOR);
    }
    truth.fetched = (int32_t)lab_pieces(places, g->loads * LANES, 1, SECTOR);
    return truth;
}

/* What a kernel makes of the structure of a lane. */
static void given_result(const Given *g, const unsigned char *in, uint32_t lane, void *out) {
    if (g == &given[0]) {
        ((int32_t *)out)[lane] = in[0] + in[1] + in[2];
    } else if (g == &given[1]) {
        int16_t sample[2];
        memcpy(sample, in, sizeof sample);
        ((int32_t *)out)[lane] = sample[0] * sample[0] + sample[1] * sample[1];
    } else if (g == &given[2]) {
        double weight;
        int16_t number;
        memcpy(&weight, &in[8], sizeof weight), memcpy(&number, &in[16], sizeof number);
        ((double *)out)[lane] = (int8_t)in[0] * weight * number;
    } else {
        float v[3];
        memcpy(v, &in[12], sizeof v);
        ((float *)out)[lane] = v[0] + v[1] + v[2];
    }
}

/* The remark is on the whole table: each kernel has a run, and so a goal, of its own. */
static void judge_predictions(Lab *lab, const Given *asked) {
    uint32_t right = 0;
    for (uint32_t i = 0; i < N_GIVEN; i++) {
        char name[80];
        int32_t answers[2];
        snprintf(name, sizeof name, "%s_sectors", given[i].kernel);
        lab_predictions(lab, name, answers, 2);
        const Truth truth = truth_of(lab, &given[i]);
        bool is_right = answers[0] == truth.touched && answers[1] == truth.fetched;
        right += is_right;
        if (!answers[0] || !answers[1]) lab_no_prediction(lab, given[i].kernel);
        if (asked == &given[i]) lab_value(lab, "prediction", is_right);
    }
    lab_note_predictions(lab, right, N_GIVEN);
}

static void run_given(Lab *lab, const char *kernel) {
    const Given *g = given_find(kernel);
    const Truth truth = truth_of(lab, g);
    const uint32_t size = size_of(lab, g), n_bytes = size * LANES;
    judge_predictions(lab, g);
    lab_value(lab, "given.touched", truth.touched);
    lab_value(lab, "given.fetched", truth.fetched);
    LabCase *c = lab_case(lab, kernel, "one warp");
    unsigned char *bytes = lab_scratch(c, n_bytes);
    for (uint32_t i = 0; i < n_bytes; i++) bytes[i] = (unsigned char)lab_random(c, i);
    if (g->out == TYPE_s32) {
        /* Samples of 14 bits: the sum of two squares fits. */
        for (uint32_t i = 1; g == &given[1] && i < n_bytes; i += 2) bytes[i] = (unsigned char)((int8_t)bytes[i] / 4);
    } else {
        for (uint32_t lane = 0; lane < LANES; lane++)
            for (uint32_t k = 0; k < (g->out == TYPE_f64 ? 1 : size / 4); k++) {
                double d = (double)(lab_random(c, 4096 + lane * 16 + k) % 2000) - 1000;
                float f = (float)d;
                if (g->out == TYPE_f64)
                    memcpy(&bytes[size * lane + 8], &d, sizeof d);
                else
                    memcpy(&bytes[size * lane + 4 * k], &f, sizeof f);
            }
    }
    lab_input_data(c, "in", TYPE_u8, n_bytes, bytes);
    LabBuffer *out = lab_output(c, "out", g->out, LANES);
    lab_launch(c, (LabShape){.x = 1}, (LabShape){.x = LANES}, 0);
    void *expected = lab_scratch(c, LANES * sizeof(double));
    for (uint32_t lane = 0; lane < LANES; lane++) given_result(g, &bytes[size * lane], lane, expected);
    lab_expect(c, out, expected, 1, LANES);
    lab_measure(c, 0, 0);
    lab_end(c);
}

/* --- one layout for two kernels ------------------------------------------------------------------------------------------ */

enum { X, VX, AGE, HEAT, Y, VY, POWER, SIZE, Z, VZ, MASS, CHARGE, FIELDS };

static const char *const field_names[FIELDS] = {"X",     "VX",   "AGE", "HEAT", "Y",    "VY",
                                                "POWER", "SIZE", "Z",   "VZ",   "MASS", "CHARGE"};

static const float seconds = 0.25f; /* a power of two: the product is exact, fused into the sum or not */

static uint32_t capacity_of(uint32_t n) { return lab_blocks(n, LANES) * LANES; }

static void launch_sized(LabCase *c, uint32_t n, uint32_t capacity, uint32_t threads) {
    lab_i32(c, (int32_t)n), lab_i32(c, (int32_t)capacity);
    lab_launch(c, (LabShape){.x = lab_blocks(threads, BLOCK)}, (LabShape){.x = BLOCK}, 0);
}

/* Where the learner's place() puts each field of each particle: packs numbers that are all different and looks where they went. The result
 * is the memory of `keep`, another case. */
static uint32_t *learn_places(Lab *lab, uint32_t n, uint32_t *places) {
    const uint32_t capacity = capacity_of(n), floats = n * FIELDS;
    LabCase *c = lab_case(lab, "pack", "n = %u", n);
    float *numbers = lab_scratch(c, floats * sizeof *numbers);
    for (uint32_t i = 0; i < floats; i++) numbers[i] = (float)(i + 1);
    lab_input_data(c, "particles", TYPE_f32, floats, numbers);
    LabBuffer *storage = lab_output(c, "storage", TYPE_f32, capacity * FIELDS);
    launch_sized(c, n, capacity, floats);
    const float *stored = lab_data(storage);
    for (uint32_t i = 0; i < floats; i++) places[i] = UINT32_MAX;
    for (uint32_t at = 0; at < capacity * FIELDS; at++) {
        if (!(stored[at] >= 1 && stored[at] <= (float)floats)) continue; /* written by nobody, and so not a number of ours */
        uint32_t i = (uint32_t)stored[at] - 1;
        if (places[i] == UINT32_MAX && stored[at] == (float)(i + 1)) places[i] = at;
    }
    for (uint32_t i = 0; i < floats; i++)
        if (places[i] == UINT32_MAX)
            lab_wrong(c, "after pack() the %s of particle %u is nowhere in 'storage': does another field have the same place",
                      field_names[i % FIELDS], i / FIELDS);
    lab_compared(storage);
    lab_end(c);
    return places;
}

typedef struct Particles {
    LabCase *c;
    uint32_t n, capacity, *places;
    float *fields, *stored; /* as a program has them; as they stand in storage, poison between them */
} Particles;

enum { MOST = 32768 };
static uint32_t places_learned[MOST * FIELDS];

static Particles stored_case(Lab *lab, const char *kernel, uint32_t n) {
    learn_places(lab, n, places_learned);
    Particles p = {.c = lab_case(lab, kernel, "n = %u", n), .n = n, .capacity = capacity_of(n), .places = places_learned};
    p.fields = lab_scratch(p.c, n * FIELDS * sizeof *p.fields);
    p.stored = lab_scratch(p.c, p.capacity * FIELDS * sizeof *p.stored);
    for (uint32_t i = 0; i < n * FIELDS; i++) {
        p.fields[i] = lab_float(p.c, i);
        p.stored[p.places[i]] = p.fields[i];
    }
    return p;
}

static const LabRanges particle_ranges = {1, 1, MOST / 64, MOST, {{1, MOST}}};

static void try_pack(Lab *lab, const char *kernel, const uint32_t *sizes) {
    (void)kernel;
    learn_places(lab, sizes[0], places_learned);
}

static void packs_every_field(Lab *lab, const char *kernel) {
    static const uint32_t numbers[] = {33, 1, 100};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) learn_places(lab, numbers[i], places_learned);
    lab_try(lab, kernel, &particle_ranges, try_pack);
}

static void unpack_case(Lab *lab, uint32_t n) {
    Particles p = stored_case(lab, "unpack", n);
    lab_input_data(p.c, "storage", TYPE_f32, p.capacity * FIELDS, p.stored);
    LabBuffer *particles = lab_output(p.c, "particles", TYPE_f32, n * FIELDS);
    launch_sized(p.c, n, p.capacity, n * FIELDS);
    lab_expect(p.c, particles, p.fields, n, FIELDS);
    lab_end(p.c);
}

static void try_unpack(Lab *lab, const char *kernel, const uint32_t *sizes) {
    (void)kernel;
    unpack_case(lab, sizes[0]);
}

static void unpacks_every_field(Lab *lab, const char *kernel) {
    unpack_case(lab, 33), unpack_case(lab, 1);
    lab_try(lab, kernel, &particle_ranges, try_unpack);
}

/* Storage is compared itself: a kernel can leave nothing in it for another one to finish. */
static LabCase *warm_case(Lab *lab, const char *kernel, uint32_t n) {
    Particles p = stored_case(lab, kernel, n);
    LabBuffer *storage = lab_inout(p.c, "storage", TYPE_f32, p.capacity * FIELDS, p.stored);
    lab_f32(p.c, seconds);
    launch_sized(p.c, n, p.capacity, n);
    for (uint32_t i = 0; i < n; i++)
        p.stored[p.places[i * FIELDS + HEAT]] = p.fields[i * FIELDS + HEAT] + p.fields[i * FIELDS + POWER] * seconds;
    const float *got = lab_data(storage);
    for (uint32_t i = 0; i < n * FIELDS; i++) {
        uint32_t at = p.places[i];
        if (memcmp(&got[at], &p.stored[at], sizeof *got) != 0)
            lab_wrong(p.c, "the %s of particle %u, in storage[%u], is %g and should be %g", field_names[i % FIELDS], i / FIELDS,
                      at, (double)got[at], (double)p.stored[at]);
    }
    lab_expect(p.c, storage, p.stored, 1, p.capacity * FIELDS); /* and between the fields nothing has changed */
    return p.c;
}

static void try_warm(Lab *lab, const char *kernel, const uint32_t *sizes) { lab_end(warm_case(lab, kernel, sizes[0])); }

static void warms_any_number(Lab *lab, const char *kernel) {
    static const uint32_t numbers[] = {33, 1, 31, 64, 257};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) lab_end(warm_case(lab, kernel, numbers[i]));
    lab_try(lab, kernel, &particle_ranges, try_warm);
}

/* Whole warps, of a number that is drawn, so that no layout is made for one. */
static uint32_t particles_measured(Lab *lab) { return LANES * lab_draw(lab, MOST / LANES * 7 / 8, MOST / LANES); }

static void run_warm(Lab *lab, const char *kernel) {
    const uint32_t n = particles_measured(lab);
    LabCase *c = warm_case(lab, kernel, n);
    lab_measure(c, n * 2 * sizeof(float), n * sizeof(float));
    lab_value(lab, "warps", n / LANES);
    lab_end(c);
}

/* The list names half of the particles, each once, in no order: what is needed of them is known. */
static LabCase *potential_case(Lab *lab, const char *kernel, uint32_t n) {
    const uint32_t listed = (n + 1) / 2;
    Particles p = stored_case(lab, kernel, n);
    int32_t *list = lab_scratch(p.c, n * sizeof *list);
    float *expected = lab_scratch(p.c, listed * sizeof *expected);
    for (uint32_t i = 0; i < n; i++) list[i] = (int32_t)i;
    for (uint32_t i = 0; i < listed; i++) {
        uint32_t other = i + (uint32_t)(lab_random(p.c, (uint64_t)n * FIELDS + i) % (n - i));
        int32_t particle = list[other];
        list[other] = list[i], list[i] = particle;
        const float *f = &p.fields[particle * FIELDS];
        expected[i] = f[CHARGE] * (f[X] + f[Y] + f[Z]);
    }
    lab_input_data(p.c, "storage", TYPE_f32, p.capacity * FIELDS, p.stored);
    lab_input_data(p.c, "list", TYPE_s32, listed, list);
    LabBuffer *out = lab_output(p.c, "out", TYPE_f32, listed);
    launch_sized(p.c, listed, p.capacity, listed);
    lab_expect(p.c, out, expected, 1, listed);
    return p.c;
}

static void try_potential(Lab *lab, const char *kernel, const uint32_t *sizes) {
    lab_end(potential_case(lab, kernel, sizes[0]));
}

static void follows_any_list(Lab *lab, const char *kernel) {
    static const uint32_t numbers[] = {66, 1, 2, 64, 513};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) lab_end(potential_case(lab, kernel, numbers[i]));
    lab_try(lab, kernel, &particle_ranges, try_potential);
}

static void run_potential(Lab *lab, const char *kernel) {
    const uint32_t particles = particles_measured(lab) / 2;
    LabCase *c = potential_case(lab, kernel, 2 * particles);
    lab_measure(c, particles * 5 * sizeof(float), particles * sizeof(float));
    lab_value(lab, "particles", particles);
    lab_end(c);
}

/* --- planes and pixels --------------------------------------------------------------------------------------------------- */

static uint32_t bands_of(const char *kernel) { return strcmp(kernel, "weave_bands") == 0 ? 9 : 3; }

static LabCase *image_case(Lab *lab, const char *kernel, uint32_t n) {
    const uint32_t bands = bands_of(kernel);
    const bool to_planes = strcmp(kernel, "split_colours") == 0;
    LabCase *c = lab_case(lab, kernel, "n = %u", n);
    lab_moves(c);
    LabBuffer *in = lab_input(c, to_planes ? "pixels" : "planes", TYPE_f32, n * bands),
              *out = lab_output(c, to_planes ? "planes" : "pixels", TYPE_f32, n * bands);
    lab_i32(c, (int32_t)n);
    lab_launch(c, (LabShape){.x = lab_blocks(n, BLOCK)}, (LabShape){.x = BLOCK}, 0);
    float *expected = lab_scratch(c, n * bands * sizeof *expected);
    const float *from = lab_data(in);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t band = 0; band < bands; band++) {
            if (to_planes)
                expected[band * n + i] = from[i * bands + band];
            else
                expected[i * bands + band] = from[band * n + i];
        }
    lab_expect(c, out, expected, to_planes ? bands : n, to_planes ? n : bands);
    return c;
}

enum { MOST_PIXELS = 70000 };

static void try_image(Lab *lab, const char *kernel, const uint32_t *sizes) { lab_end(image_case(lab, kernel, sizes[0])); }

static void moves_any_image(Lab *lab, const char *kernel) {
    static const uint32_t numbers[] = {300, 33, 1, 2, 31, 32, 64, 85, 127, 171, 255, 256, 257, 512, 513};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) lab_end(image_case(lab, kernel, numbers[i]));
    lab_try(lab, kernel, &(LabRanges){1, 1, MOST_PIXELS / 16, MOST_PIXELS, {{1, MOST_PIXELS}}}, try_image);
}

typedef enum Choice { CHOICE_NONE, CHOICE_DIRECT, CHOICE_STAGED } Choice;

enum { NUMBERS = 4 };

typedef struct Decision {
    const char *kernel;
    uint64_t
        mark; /* of the choice and of sectors of 32 pixels: fetched and stored directly, fetched and stored by way of shared memory */
} Decision;

/* A warp's 32 floats of a plane are 4 sectors, its pixels 32 * 12 = 384 bytes, 12 sectors, or 32 * 36 = 1152, 36 sectors. Lanes 12 bytes apart leave
 * out none of the 12, lanes 36 bytes apart are in 32 different ones. So a direct store of three floats sends 3 * 12, one of nine 9 * 32. Loads that come
 * back to the same sectors find them in L1.
 *
 * On an H200, with images of 2^15 pixels to some that are far larger than L2: split_colours staged takes 1.1 to 1.4 times as long as direct,
 * weave_colours direct about 1.0 (2^15 pixels) to 1.8 times as long as staged, weave_bands 1.4 to 4.7 times. */
static const Decision decisions[] = {
    {"split_colours", UINT64_C(0x4feacd91cedefb46)}, /* direct: 12, 12, 12, 12 */
    {"weave_colours", UINT64_C(0x310487bc01431cd0)}, /* staged: 12, 36, 12, 12 */
    {"weave_bands", UINT64_C(0xf83f4ad973b1b98c)},   /* staged: 36, 288, 36, 36 */
};

/* NULL, or in what the measured kernel is other than the choice. Staging that stores sectors more than once is not what was chosen either, nor
 * is the direct kernel with an access to shared memory put into it. */
static const char *contradiction(LabCase *c, const Decision *truth, int32_t choice, uint32_t n) {
    const bool uses_shared = lab_metric(c, "shared.store.requests") > 0;
    const double fewest = (double)n / LANES * 4 * bands_of(truth->kernel);
    if (choice == CHOICE_DIRECT) return uses_shared ? "uses shared memory" : NULL;
    if (choice == CHOICE_STAGED && !uses_shared) return "does not use shared memory";
    return choice == CHOICE_STAGED && lab_metric(c, "global.store.sectors") > 1.5 * fewest ? "stores sectors more than once"
                                                                                           : NULL;
}

/* Right when the choice is, all its numbers are, and the kernel does what was chosen. The remark does not say which number is wrong. */
static void judge_decision(Lab *lab, LabCase *c, const Decision *truth, uint32_t n) {
    char name[80];
    int32_t answers[1 + NUMBERS];
    snprintf(name, sizeof name, "%s_choice", truth->kernel);
    lab_predictions(lab, name, answers, 1 + NUMBERS);
    bool empty = answers[0] == CHOICE_NONE, right = lab_mark(truth->kernel, answers, 1 + NUMBERS) == truth->mark;
    for (uint32_t i = 0; i < NUMBERS; i++) empty |= answers[1 + i] == 0;
    const char *against = lab_is_counted(lab) ? contradiction(c, truth, answers[0], n) : NULL;
    lab_value(lab, "decision", right && !against);
    if (empty)
        lab_note(lab, "No decision for %s yet: put your numbers into kernel.cu", truth->kernel);
    else if (against)
        lab_note(lab, "You choose the %s kernel, but %s %s", answers[0] == CHOICE_STAGED ? "staged" : "direct", truth->kernel,
                 against);
    else if (!right)
        lab_note(lab, "The choice for %s or one of its four numbers is not right", truth->kernel);
}

static void run_image(Lab *lab, const char *kernel) {
    const uint32_t bands = bands_of(kernel), blocks = bands == 3 ? 256 : 128, n = BLOCK * lab_draw(lab, blocks * 7 / 8, blocks);
    const Decision *truth = decisions;
    while (strcmp(truth->kernel, kernel) != 0) truth++;
    LabCase *c = image_case(lab, kernel, n);
    judge_decision(lab, c, truth, n);
    lab_measure(c, n * bands * sizeof(float), n * bands * sizeof(float));
    lab_value(lab, "fewest", (double)n * bands * sizeof(float) / SECTOR);
    lab_end(c);
}

/* Why the goals are what they are, and what cannot be had without the lesson; lab.goals, which learners read, says only what is counted.
 *
 * warmed: HEAT and POWER of 32 particles are 128 bytes each: 4 sectors a request, 8 to load and 4 to store.
 * Totals, so that no number of cheap requests makes them smaller; the suite compares storage itself, so none can be left out. Fields 48 bytes
 * apart take 32.
 *
 * listed: particles in no order, each once. X, Y, Z and CHARGE are 16 bytes: within one sector if they stand side by side and begin at
 * a multiple of 16; an eighth of a sector for the list. What is fetched counts, since L1 finds the second field where the first one was; no
 * particle is listed twice, so that L1 cannot help further. The exercise fetches 2 for each particle, a structure of arrays 4.
 *
 * decisions: Each decision has its goal in the run of its own kernel, and counts only where the kernel does what was decided. Its reasons are
 * numbers, which nobody guesses: sectors fetched and stored by both ways. What is faster was measured on an H200. split_colours itself must
 * stay the faster one: staged it takes 1.2 times as long.
 *
 * weave_colours, weave_bands: as few sectors as hold the floats when every store is of whole sectors, 3 and 8 times as many when lanes are 12 and 36 bytes
 * apart. Sixteen bytes a lane with gaps between send each sector twice: no points. What is fetched from L2 is limited, not what
 * is touched: loads that come back to a sector find it in L1, and a load that bypasses L1 pays. The speed is divided by how often a sector is
 * stored, so that stores that are hidden by other means (loads ahead of them, in registers) earn nothing. */
static const LabTest tests[] = {
    {"pack", "packs_every_field", packs_every_field},      {"unpack", "unpacks_every_field", unpacks_every_field},
    {"warm", "warms_any_number", warms_any_number},        {"potential", "follows_any_list", follows_any_list},
    {"split_colours", "moves_any_image", moves_any_image}, {"weave_colours", "moves_any_image", moves_any_image},
    {"weave_bands", "moves_any_image", moves_any_image},
};

static const LabRun runs[] = {
    {"colours", run_given},       {"samples", run_given},       {"entries", run_given},
    {"bodies", run_given},        {"warmed", run_warm},         {"listed", run_potential},
    {"split_colours", run_image}, {"weave_colours", run_image}, {"weave_bands", run_image},
};

int main(int argc, char **argv) { return lab_main(argc, argv, &(LabSuite){"04-layout", LAB_TABLE(tests), LAB_TABLE(runs)}); }
