/* groups.h: what ran, gathered for the report: launches of one kernel with the same shape are a group. Internal to src/runtime. */
#pragma once

#include "runtime/replay.h"

typedef struct LaunchGroup LaunchGroup;

/* Adds a launch, tells its faults, writes its JSON object. Takes what it needs from the result, which stays the caller's. */
LaunchGroup *groups_add(Context *context, Kernel *kernel, const LaunchRequest *request, const LaunchResult *result);

/* The same for a launch that was not executed again. */
void groups_repeat(Context *context, const LaunchRequest *request, const Memo *memo);

/* Writes the report of all groups to standard error. */
void groups_report(Context *context);
