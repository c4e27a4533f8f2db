/* kernel.h: what is known of a kernel before it runs. It is found out once, and read by all who launch it: the machine, the checks, the counters,
 * the model of time, reports. Arrays by instruction are by instruction of the program. */
#pragma once

#include "kernel/bases.h"
#include "kernel/combines.h"
#include "kernel/flow.h"
#include "kernel/joins.h"
#include "kernel/leaving.h"
#include "kernel/narrow.h"
#include "kernel/reach.h"
#include "kernel/regions.h"
#include "kernel/traits.h"
#include "kernel/trips.h"
#include "ptx/program.h"

typedef struct Kernel {
    const Program *program;
    const Function *function;
    Reach reach;
    const Flow *flows;        /* by function of the program; of those that are defined */
    const Regions *regions;   /* likewise */
    const uint8_t *traits;    /* by instruction: Trait */
    const Trip *trips;        /* by instruction: of loads that may go to global or local memory */
    const uint8_t *joins;     /* by instruction, as in joins.h; NULL: nothing is joined */
    const uint8_t *combines;  /* by instruction, as in combines.h; NULL: there is none */
    const Narrowed *narrowed; /* by instruction, as in narrow.h; NULL: none is changed */
    StoreBases stored;        /* to what its stores may lead */
    bool prints;              /* some instruction has TRAIT_PRINTS */
    /* Of all functions that it can reach: how narrow its accesses are, and by what means other than barriers its threads may order them. */
    uint32_t global_granule, shared_granule; /* bytes: no access to that space is narrower; 4 at most */
    bool fenced;                             /* there are fences, or accesses with acquire or release */
    bool bulk;                               /* there are bulk copies */
    bool clusters;                           /* it names blocks of its cluster: mapa, barrier.cluster, .shared::cluster */
    bool mma;                                /* there are products of fragments */
    bool textured;                           /* it reads textures or accesses surfaces, which handles name */
    bool counted_barriers;                   /* barriers that count threads: for some of the block's warps */
    const uint8_t *leaving; /* by instruction of the kernel's own function, from its first: see leaving.h; NULL: no barrier */
    bool reads_clock;
    bool local_seen; /* writes to local memory are all seen, so that reading unwritten bytes can be judged */
    /* Why it cannot be launched. */
    const Diag *refused; /* anywhere: it has what is not emulated; NULL: it has not */
    Need need;           /* of all that it can reach */
} Kernel;

/* Of a function that is a defined kernel of the program, which keeps it: the same one each time. One thread at a time may ask for kernels of a
 * program; any may read them. */
const Kernel *kernel_prepare(const Program *program, const Function *function);

/* A plain read that stands in the program before a compare-and-swap, minimum or maximum of the same place is a guess that the atomic
 * operation corrects: `old = *p; do … atomicCAS(p, …)`, `if (x > *p) atomicMax(p, x)`. Such pairs are no race. */
static inline bool kernel_guesses(const Kernel *kernel, uint32_t read_pc, uint32_t atomic_pc) {
    return read_pc < atomic_pc && atomic_pc < kernel->program->n_insns && kernel->traits[atomic_pc] & TRAIT_CORRECTS;
}
