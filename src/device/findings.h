/* findings.h: faults that a real device would run through, races and uninitialised memory, recorded without ending the launch: observers
 * between the machine and the checkers. */
#pragma once

#include "machine/observer.h"

typedef struct Findings Findings;

Findings *findings_new(unsigned workers);
void findings_free(Findings *findings);

/* What the machine is given instead of the checkers' observer of this worker: it passes everything on until the first fault. */
Observer *findings_watch(Findings *findings, unsigned worker, Observer *checks);

/* The fault of the lowest block; kind FAULT_none when there was none. */
Fault findings_first(const Findings *findings);
