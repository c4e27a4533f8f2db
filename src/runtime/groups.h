/* groups.h: what ran, gathered for the report: launches of one kernel with the same shape are a group. Internal to src/runtime. */
#pragma once

#include "runtime/image.h"

/* Adds a launch; takes what it needs from the result, which stays the caller's. */
void groups_add(Context *context, const Kernel *kernel, const LaunchRequest *request, const LaunchResult *result);

/* Writes the report of all groups to standard error. */
void groups_report(Context *context);
