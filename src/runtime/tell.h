/* tell.h: tells what host code, or the order of streams, has wrong: as text, in gcc's form or in the JSON, each pair of places once. Internal to
 * src/runtime. */
#pragma once

#include "machine/fault.h"
#include "runtime/context.h"

/* "WHAT (FILE:LINE) DOES BYTES, which OTHER (FILE:LINE) OTHER_DOES WHY" */
typedef struct Told {
    FaultKind kind;
    const char *what, *does, *bytes, *other, *other_does, *why, *hint;
    const void *site, *other_site; /* callsite.h */
    bool exact;                    /* the first is an instruction, not behind a call */
} Told;

void told_say(Context *context, const Told *told);
