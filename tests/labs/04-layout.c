/* Lab 04: layout: strides, arrays of structures, staging through shared memory. Predictions are judged by counts that are derived here
 * by hand, and that limits of lab.goals hold against the launches. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lab/lab.h"

enum { LANES = 32, POINT_FLOATS = 3, PARTICLE_FLOATS = 8, BLOCK = 256, MOST_FLOATS = 1 << 18 };

/* What a case expects. Static, since a wrong element ends a test in the middle. */
static float expected[MOST_FLOATS];

/* --- predictions --------------------------------------------------------------------------------------------------------- */

enum { STRIDES = 6 };

/* Lanes are 4 * stride bytes apart and begin at a sector. Below 32 bytes they leave no sector out: 32 * 4 * stride / 32 of them; from
 * 32 bytes on each has one of its own. */
static const int32_t strides[STRIDES] = {1, 2, 3, 4, 8, 32}, touched_at_stride[STRIDES] = {4, 8, 12, 16, 32, 32};

static void run_strides(Lab *lab, const char *kernel) {
    const uint32_t stride = (uint32_t)strides[STRIDES - 1];
    int32_t answers[STRIDES];
    uint32_t right = 0;
    lab_constants(lab, "touched_at_stride", answers, STRIDES);
    for (uint32_t i = 0; i < STRIDES; i++) {
        bool is_right = answers[i] == touched_at_stride[i];
        if (!is_right && right == i)
            lab_note(lab, "The first that is not right: stride %d, where you predict %d.", strides[i], answers[i]);
        right += is_right;
    }
    lab_value(lab, "right_strides", right);
    lab_value(lab, "given.touched", touched_at_stride[STRIDES - 1]);
    LabCase *c = lab_case(lab, kernel, "one warp, stride %u", stride);
    LabBuffer *in = lab_input(c, "in", TYPE_f32, LANES * stride), *out = lab_output(c, "out", TYPE_f32, LANES);
    lab_i32(c, (int32_t)stride);
    lab_launch(c, (LabShape){.x = 1}, (LabShape){.x = LANES}, 0);
    for (uint32_t i = 0; i < LANES; i++) expected[i] = ((const float *)lab_data(in))[stride * i];
    lab_expect(c, out, expected, 1, LANES);
    lab_measure(c, 0, 0);
    lab_end(c);
}

typedef struct Given {
    const char *kernel;
    uint32_t floats;       /* of a structure */
    uint32_t first, count; /* the fields that are added up */
    int32_t touched, fetched;
} Given;

/* point_fields     3 requests, lanes 12 bytes apart, so no sector of the 32 * 12 = 384 bytes is left out: 12 touched by each, and
 *                  fetched by the first
 * particle_masses  a sector a lane, nothing touched twice
 * particle_fields  8 requests, a sector a lane: 8 * 32; the first fetches them all */
static const Given given[] = {
    {"point_fields", POINT_FLOATS, 0, 3, 36, 12},
    {"particle_masses", PARTICLE_FLOATS, 6, 1, 32, 32},
    {"particle_fields", PARTICLE_FLOATS, 0, 8, 256, 32},
};

static const Given *given_find(const char *kernel) {
    const Given *g = given;
    while (strcmp(g->kernel, kernel) != 0) g++;
    return g;
}

static void run_given(Lab *lab, const char *kernel) {
    const Given *truth = given_find(kernel);
    char name[80];
    int32_t answers[2];
    snprintf(name, sizeof name, "%s_sectors", kernel);
    lab_constants(lab, name, answers, 2);
    bool touched_right = answers[0] == truth->touched, fetched_right = answers[1] == truth->fetched;
    lab_value(lab, "prediction", (touched_right + fetched_right) / 2.0);
    lab_value(lab, "given.touched", truth->touched);
    lab_value(lab, "given.fetched", truth->fetched);
    if (!touched_right || !fetched_right)
        lab_note(lab, "You predict %d touched and %d fetched: %s.", answers[0], answers[1],
                 touched_right   ? "the first is right, the second is not"
                 : fetched_right ? "the second is right, the first is not"
                                 : "neither is right");
    LabCase *c = lab_case(lab, kernel, "one warp");
    LabBuffer *in = lab_input(c, "in", TYPE_f32, LANES * truth->floats), *out = lab_output(c, "out", TYPE_f32, LANES);
    lab_launch(c, (LabShape){.x = 1}, (LabShape){.x = LANES}, 0);
    for (uint32_t i = 0; i < LANES; i++) {
        const float *fields = (const float *)lab_data(in) + i * truth->floats + truth->first;
        expected[i] = fields[0];
        for (uint32_t k = 1; k < truth->count; k++) expected[i] += fields[k];
    }
    lab_expect(c, out, expected, 1, LANES);
    lab_measure(c, 0, 0);
    lab_end(c);
}

/* --- a layout of one's own ----------------------------------------------------------------------------------------------- */

typedef struct Particles {
    LabCase *c;
    LabBuffer *packed, *storage;
    uint32_t n, capacity;
} Particles;

static const float seconds = 0.25f; /* a power of two: the product is exact, fused into the sum or not */

static void launch_sized(const Particles *p, uint32_t threads) {
    lab_i32(p->c, (int32_t)p->n), lab_i32(p->c, (int32_t)p->capacity);
    lab_launch(p->c, (LabShape){.x = lab_blocks(threads, BLOCK)}, (LabShape){.x = BLOCK}, 0);
}

static Particles launch_pack(Lab *lab, uint32_t n) {
    Particles p = {.c = lab_case(lab, "pack", "n = %u", n), .n = n, .capacity = lab_blocks(n, LANES) * LANES};
    p.packed = lab_input(p.c, "particles", TYPE_f32, n * PARTICLE_FLOATS);
    p.storage = lab_output(p.c, "storage", TYPE_f32, p.capacity * PARTICLE_FLOATS);
    launch_sized(&p, n * PARTICLE_FLOATS);
    return p;
}

static void launch_advance(const Particles *p, const char *kernel) {
    lab_kernel(p->c, kernel);
    lab_pass(p->c, p->storage);
    lab_f32(p->c, seconds);
    launch_sized(p, p->n);
}

/* Unpacks and compares with the packed particles after some time. */
static void expect_after(const Particles *p, float time) {
    const uint32_t floats = p->n * PARTICLE_FLOATS;
    lab_kernel(p->c, "unpack");
    lab_pass(p->c, p->storage);
    LabBuffer *unpacked = lab_output(p->c, "the unpacked particles", TYPE_f32, floats);
    launch_sized(p, floats);
    memcpy(expected, lab_data(p->packed), floats * sizeof(float));
    for (uint32_t i = 0; i < p->n && time > 0; i++) {
        float *fields = &expected[i * PARTICLE_FLOATS];
        for (uint32_t k = 0; k < 3; k++) fields[k] += fields[3 + k] * time;
    }
    lab_expect(p->c, unpacked, expected, p->n, PARTICLE_FLOATS);
}

static Particles advance_case(Lab *lab, const char *kernel, uint32_t n) {
    Particles p = launch_pack(lab, n);
    launch_advance(&p, kernel);
    expect_after(&p, seconds);
    return p;
}

static void keeps_every_field(Lab *lab, const char *kernel) {
    static const uint32_t numbers[] = {33, 1, 100};
    (void)kernel; /* pack or unpack: one shows nothing without the other */
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        Particles p = launch_pack(lab, numbers[i]);
        expect_after(&p, 0);
        lab_end(p.c);
    }
}

static void advances_any_number_of_particles(Lab *lab, const char *kernel) {
    static const uint32_t numbers[] = {33, 1, 2, 3, 8, 31, 32, 63, 64, 65, 97, 127, 255, 256, 257, 300, 509};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) lab_end(advance_case(lab, kernel, numbers[i]).c);
}

/* The launch that is measured moves the particles on from where the checked one left them. */
static void run_advance(Lab *lab, const char *kernel) {
    Particles p = advance_case(lab, kernel, MOST_FLOATS / PARTICLE_FLOATS);
    launch_advance(&p, kernel);
    lab_compared(p.storage); /* by what is unpacked from it */
    lab_measure(p.c, 0, 0);
    lab_end(p.c);
}

/* --- staging ------------------------------------------------------------------------------------------------------------- */

static uint32_t structure_floats(const char *kernel) { return strcmp(kernel, "normalise_points") == 0 ? 3 : 9; }

static LabCase *normalise_case(Lab *lab, const char *kernel, uint32_t n) {
    const uint32_t floats = structure_floats(kernel);
    LabCase *c = lab_case(lab, kernel, "n = %u", n);
    LabBuffer *in = lab_input(c, "in", TYPE_f32, n * floats), *out = lab_output(c, "out", TYPE_f32, n * floats);
    lab_i32(c, (int32_t)n);
    lab_launch(c, (LabShape){.x = lab_blocks(n, BLOCK)}, (LabShape){.x = BLOCK}, 0);
    for (uint32_t i = 0; i < n; i++) {
        const float *fields = (const float *)lab_data(in) + i * floats;
        double squares = 0;
        for (uint32_t k = 0; k < floats; k++) squares += (double)fields[k] * fields[k];
        for (uint32_t k = 0; k < floats; k++) expected[i * floats + k] = (float)(fields[k] / sqrt(squares));
    }
    /* No result is greater than 1: at most fourteen roundings of 2^-24 each. */
    lab_expect_near(c, out, expected, n, floats, 1e-6);
    return c;
}

static void normalises_any_number(Lab *lab, const char *kernel) {
    static const uint32_t numbers[] = {300, 33,  1,   2,   3,   10,  31,  32,  63,  64,  65,  85, 86,
                                       127, 128, 129, 170, 171, 255, 256, 257, 341, 511, 512, 513};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) lab_end(normalise_case(lab, kernel, numbers[i]));
}

static void run_normalise(Lab *lab, const char *kernel) {
    const uint32_t floats = structure_floats(kernel), n = floats == 3 ? 32768 : 16384;
    LabCase *c = normalise_case(lab, kernel, n);
    lab_measure(c, n * floats * sizeof(float), n * floats * sizeof(float));
    lab_end(c);
}

static const LabTest tests[] = {
    {"pack", "keeps_every_field", keeps_every_field},
    {"unpack", "keeps_every_field", keeps_every_field},
    {"advance", "advances_any_number_of_particles", advances_any_number_of_particles},
    {"normalise_points", "normalises_any_number", normalises_any_number},
    {"normalise_bodies", "normalises_any_number", normalises_any_number},
};

static const LabRun runs[] = {
    {"strides", run_strides},
    {"points", run_given},
    {"masses", run_given},
    {"fields", run_given},
    {"advance", run_advance},
    {"staged_points", run_normalise},
    {"staged_bodies", run_normalise},
};

int main(int argc, char **argv) { return lab_main(argc, argv, &(LabSuite){"04-layout", LAB_TABLE(tests), LAB_TABLE(runs)}); }
