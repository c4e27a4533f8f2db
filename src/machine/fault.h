/* fault.h: what a kernel did wrong. One launch has one fault, the first, which ends it; what it runs through: findings.h. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

/* Where a warp stands. Valid during the callback. */
typedef struct Place {
    uint64_t block; /* linear index in the grid */
    uint32_t ctaid[3];
    uint32_t warp;             /* in its block */
    uint32_t block_slot;       /* of the blocks resident together on the SM, which this is: 0 … max_resident - 1 */
    uint32_t resident_warp;    /* of the warps of those blocks */
    uint32_t sm;               /* the SM that runs the block: block mod number of SMs */
    uint32_t threads;          /* of the block */
    const uint32_t *block_dim; /* [3] */
} Place;

/* FAULT(name, error, replays, of_block, here, there, searched)
 *   name      as in the JSON; messages have blanks in it
 *   error     CUDA's sticky one; where no device reports one, the nearest
 *   replays   a launch that runs through it may stand for later ones that do the same (runtime/replay.h)
 *   of_block  where no lane is at fault, a block is, and is named
 *   here, there  before the two lines that are quoted where other_pc is known: the fault's and the other; "": one is
 *   searched  what helps say that --check none does not search for: joined as it stands */
/* clang-format off */
#define FAULT_KINDS(FAULT)                                                                                  \
    FAULT(out_of_bounds,      IllegalAddress,     false, true,  "",              "",              "")       \
    FAULT(misaligned,         MisalignedAddress,  false, true,  "",              "",              "")       \
    FAULT(shared_race,        LaunchFailure,      false, true,  "this access",   "the other  ",   "races")  \
    FAULT(global_race,        LaunchFailure,      false, true,  "this access",   "the other  ",   "")       \
    FAULT(uninitialized,      LaunchFailure,      true,  true,  "",              "", " and uninitialised memory") \
    FAULT(barrier_divergence, LaunchFailure,      false, true,  "this barrier ", "the others   ", "")       \
    FAULT(sync_mask,          LaunchFailure,      false, true,  "",              "",              "")       \
    FAULT(deadlock,           LaunchTimeout,      false, true,  "waits here   ", "others left  ", "")       \
    FAULT(step_limit,         LaunchTimeout,      false, false, "",              "",              "")       \
    FAULT(assert_failed,      Assert,             false, true,  "",              "",              "")       \
    FAULT(trap,               LaunchFailure,      false, true,  "",              "",              "")       \
    FAULT(unsupported,        NotSupported,       false, true,  "",              "",              "")       \
    FAULT(invalid_call,       InvalidPc,          false, true,  "",              "",              "")       \
    FAULT(stack_overflow,     IllegalAddress,     false, true,  "",              "",              "")       \
    FAULT(read_only,          IllegalAddress,     false, true,  "",              "",              "")       \
    FAULT(effort_limit,       LaunchTimeout,      false, false, "",              "",              "")       \
    FAULT(memory_limit,       MemoryAllocation,   false, false, "",              "",              "")       \
    FAULT(host_race,          LaunchFailure,      false, false, "",              "",              "")       \
    FAULT(stream_race,        LaunchFailure,      false, false, "",              "",              "")
/* clang-format on */

#define FAULT_SEARCHED(name, error, replays, of_block, here, there, searched) searched
#define FAULTS_SEARCHED FAULT_KINDS(FAULT_SEARCHED) /* "races and uninitialised memory" */

typedef enum FaultKind {
    FAULT_none,
#define FAULT(name, ...) FAULT_##name,
    FAULT_KINDS(FAULT)
#undef FAULT
        FAULT_COUNT
} FaultKind;

typedef struct FaultInfo {
    const char *name, *here, *there;
    bool replays, of_block;
} FaultInfo;

extern const FaultInfo fault_kinds[FAULT_COUNT]; /* FAULT_none is "none" */

typedef struct Fault {
    FaultKind kind; /* FAULT_none: no fault */
    uint32_t pc;    /* instruction, or NO_INSN */
    uint32_t
        other_pc; /* races: the other access's instruction; barriers: the branch by which lanes left, or the other barrier; or NO_INSN */
    uint32_t block[3]; /* of the thread that is named */
    uint32_t thread[3];
    uint32_t lane, warp; /* the same thread in its block */
    uint64_t address;    /* in global memory, where nothing is allocated, or nothing was written */
    uint32_t bytes;      /* of the access to it; 0: to none such */
    char message[400];   /* without position: "lane 3 of warp 0 reads 4 bytes at 'input'+4096, just past its end" */
    char hint[240];      /* "" when there is none */
} Fault;

/* Fills kind and message (the first call wins) and pc; block, thread, lane and warp stay for the caller. Returns false, as all here do. */
bool fault_set(Fault *fault, FaultKind kind, uint32_t pc, const char *format, ...) __attribute__((format(printf, 4, 5)));
bool fault_set_list(Fault *fault, FaultKind kind, uint32_t pc, const char *format, va_list args)
    __attribute__((format(printf, 4, 0)));

/* How to put it right, in a sentence. */
bool fault_hint(Fault *fault, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Names the thread: this lane of the warp that stands at the place. */
bool fault_blame(Fault *fault, const Place *place, unsigned lane);
