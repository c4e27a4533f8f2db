/* findings.h: what a kernel did wrong and a real device runs through: told without ending the launch. One is kept for each kind and place in
 * the program, with how often it came about. Each worker has a log of its own. */
#pragma once

#include <stddef.h>

#include "machine/observer.h"
#include "ptx/program.h"

typedef struct Finding {
    Fault fault;       /* of the earliest in the order of blocks and warps */
    uint64_t block;    /* in which that was: linear index in the grid */
    uint64_t access;   /* FindingLog.accesses when it was found last */
    uint64_t launches; /* 0, until one who adds launches up counts them */
    uint64_t count;    /* warp instructions that it was found in */
} Finding;

typedef struct FindingLog {
    const Program
        *program; /* whose source positions tell copies of an unrolled loop's instruction as one place; NULL: each is one */
    bool all;     /* every finding is wanted, not the first alone */
    uint64_t
        accesses; /* that were looked at, where several lanes of one may have the same finding, which counts once; else 0 */
    Finding *items;
    size_t count, capacity;
} FindingLog;

enum { FINDINGS_MOST = 1000 }; /* in one log: further kinds and places are left out */

/* Whether the kernel goes on: the fault, which names its thread already (fault_blame), is moved to the log. With NULL it stays. */
bool findings_take(FindingLog *log, const Place *place, Fault *fault);

/* Adds what another log has. */
void findings_merge(FindingLog *log, const FindingLog *other);

/* Adds one finding. Whether it is the first of its kind and place. */
bool findings_add(FindingLog *log, const Finding *finding);

/* In the order of blocks, warps and instructions, so that it does not depend on host threads. */
void findings_sort(FindingLog *log);

void findings_free(FindingLog *log);
