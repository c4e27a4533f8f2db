/* findings.h: what a kernel did wrong and a real device runs through: told without ending the launch. One is kept for each kind and place in
 * the program, with how often it came about. Each worker has a log of its own. */
#pragma once

#include <stddef.h>

#include "machine/observer.h"
#include "ptx/program.h"

/* What a launch does after a fault. What no device runs through ends it in any case. */
typedef enum OnFault {
    ON_FAULT_STOP, /* it ends */
    ON_FAULT_NOTE, /* the first race or uninitialised read is a finding, and the kernel runs on as it would on a device, unchecked */
    ON_FAULT_GO_ON, /* all that a device runs through are findings: those, accesses past a buffer's end, shuffles */
} OnFault;

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
    OnFault on_fault;
    uint64_t
        accesses; /* that were looked at, where several lanes of one may have the same finding, which counts once; else 0 */
    Finding *items;
    size_t count;
} FindingLog;

enum { FINDINGS_MOST = 1000 }; /* in one log: further kinds and places are left out */

/* Whether the kernel goes on, which it does with ON_FAULT_GO_ON: the fault, which names its thread already (fault_blame), is then moved to the log. */
bool findings_take(FindingLog *log, const Place *place, Fault *fault);

/* The same whatever on_fault says. */
void findings_keep(FindingLog *log, const Place *place, Fault *fault);

/* Adds what another log has. */
void findings_merge(FindingLog *log, const FindingLog *other);

/* Adds one finding. Whether it is the first of its kind and place. */
bool findings_add(FindingLog *log, const Finding *finding);

/* In the order of blocks, warps and instructions, so that it does not depend on host threads. */
void findings_sort(FindingLog *log);

void findings_free(FindingLog *log);
