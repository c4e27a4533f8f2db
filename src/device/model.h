/* model.h: about how long a launch would take on the device, from its counts: a first-order model.
 *
 * Every resource of the device that could limit the launch has a time of its own, as if nothing else did; the launch takes the root of the
 * sum of their squares (neither do they overlap in full, nor do they follow one another), and the time of an empty kernel and of the
 * first load before it. Shapes and constants were found from 161 launches on an H200 (tests/hardware/h200-times.csv): the model is
 * within 15% of 132 and within 25% of 151 of them. Two constants (hits in L1, what L2 keeps) come from two thirds of the launches of
 * book/record/h200.json; how near the model is to its launches, those held out among them, and to an H100's, appendix E of the book says
 * (report/evidence.h).
 * Devices without `calibrated` use the same shapes with their data sheets' figures.
 *
 * What it cannot know, since PTX does not tell: registers, so residency counts threads, blocks and shared memory alone; what ptxas makes of
 * an instruction, but for those that are slow (device/arithmetic.h), merges, or keeps in registers. Nor does it follow random reads that miss L2 (modelled
 * nearly twice too slow), nor SMs that have more work than others. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "device/profile.h"
#include "device/waits.h"
#include "observe/counters.h"

/* BOUND(name, text): what can limit a launch; text completes "limited by …". */
#define MODEL_BOUNDS(BOUND)                                                                             \
    BOUND(dram, "device memory")        /* bytes against bandwidth, and rows opened */                  \
    BOUND(stores, "lines stored to L2") /* however few of a line's bytes are written */                 \
    BOUND(atomics, "atomics that meet in a word or a slice of L2")                                      \
    BOUND(l1, "L1")                /* lines looked up, sectors read and brought in */                   \
    BOUND(shared, "shared memory") /* wavefronts, and what other blocks of the cluster are asked */     \
    BOUND(issue, "instructions")                                                                        \
    BOUND(slow, "slow instructions: divisions, special functions, doubles")                             \
    BOUND(latency, "latency: too few bytes in flight") /* resident warps wait for loads and barriers */ \
    BOUND(blocks, "starting blocks")                                                                    \
    BOUND(launch, "launching the kernel")

typedef enum ModelBound {
#define BOUND(name, text) BOUND_##name,
    MODEL_BOUNDS(BOUND)
#undef BOUND
        BOUND_COUNT
} ModelBound;

extern const char *const model_bound_names[BOUND_COUNT]; /* "dram" */
extern const char *const model_bound_texts[BOUND_COUNT]; /* "device memory" */

typedef struct ModelInput {
    const Profile *profile;
    const Counters *counters;
    uint64_t blocks;
    uint32_t threads;      /* of a block */
    uint32_t shared_bytes; /* of a block, static and dynamic */
    Waits waits;
} ModelInput;

typedef struct Model {
    double time_us;
    ModelBound bound;
    double bound_us[BOUND_COUNT]; /* the time that each would take alone */
    bool calibrated;
} Model;

Model model_time(const ModelInput *input);

/* What no kernel can do without: an empty kernel's time, and that of device memory for so many bytes that must come in and go out, but for what
 * L2 may still hold when the kernel ends. */
double model_roof_us(const Profile *profile, uint64_t reads, uint64_t writes);

/* A copy, one float4 a thread in blocks of 256, that reads so many bytes and writes as many: a yardstick; and its time. */
Model model_copy(const Profile *profile, uint64_t bytes);
double model_copy_time_us(const Profile *profile, uint64_t bytes);
