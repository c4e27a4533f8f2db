/* fault.h: what a kernel did wrong. One launch has one fault, the first, which ends it; what it runs through: findings.h. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

struct Place;

/* clang-format off */
#define FAULT_KINDS(FAULT)                                                                                                  \
    FAULT(out_of_bounds) FAULT(misaligned) FAULT(uninitialized) FAULT(shared_race) FAULT(global_race) FAULT(barrier_divergence) \
    FAULT(sync_mask) FAULT(deadlock) FAULT(step_limit) FAULT(assert_failed) FAULT(trap) FAULT(unsupported) FAULT(stack_overflow) FAULT(read_only) \
    FAULT(effort_limit) FAULT(memory_limit)
/* clang-format on */

typedef enum FaultKind {
    FAULT_none,
#define FAULT(name) FAULT_##name,
    FAULT_KINDS(FAULT)
#undef FAULT
        FAULT_COUNT
} FaultKind;

extern const char *const fault_names[FAULT_COUNT]; /* "out_of_bounds", … as in the JSON */

typedef struct Fault {
    FaultKind kind;    /* FAULT_none: no fault */
    uint32_t pc;       /* instruction, or NO_INSN */
    uint32_t other_pc; /* races: the other access's instruction; barriers: the branch by which lanes left; or NO_INSN */
    uint32_t block[3]; /* of the thread that is named */
    uint32_t thread[3];
    uint32_t lane, warp; /* the same thread in its block */
    char message[400];   /* without position: "lane 3 of warp 0 reads 4 bytes at 'input'+4096, 0 bytes past its end" */
    char hint[200];      /* "" when there is none */
} Fault;

/* Fills kind and message (the first call wins) and pc; block, thread, lane and warp stay for the caller. Returns false, as all here do. */
bool fault_set(Fault *fault, FaultKind kind, uint32_t pc, const char *format, ...) __attribute__((format(printf, 4, 5)));
bool fault_set_list(Fault *fault, FaultKind kind, uint32_t pc, const char *format, va_list args)
    __attribute__((format(printf, 4, 0)));

/* How to put it right, in a sentence. */
bool fault_hint(Fault *fault, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Names the thread: this lane of the warp that stands at the place. */
bool fault_blame(Fault *fault, const struct Place *place, unsigned lane);
