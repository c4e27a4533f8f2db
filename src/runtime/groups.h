/* groups.h: a program's launches, grouped by kernel and shape for its report. Internal to src/runtime. */
#pragma once

#include <jansson.h>

#include "runtime/replay.h"

typedef struct LaunchGroup LaunchGroup;

/* Takes out the findings that the source shows to be none: see faulttext_settle. */
void groups_settle(const Context *context, const ImageKernel *kernel, const LaunchRequest *request, LaunchResult *result);

/* Adds a launch, prints its faults, writes its JSON object. Copies what it needs of the result. */
LaunchGroup *groups_add(Context *context, const KernelWork *work, const LaunchRequest *request, const LaunchResult *result);

/* Adds a launch that was replayed. */
void groups_repeat(Context *context, const LaunchRequest *request, const Memo *memo);

/* Writes the JSON object of a launch that was refused: kernel, grid, block, device, error. */
void groups_refused(Context *context, const LaunchRequest *request, const Diag *diag);

/* Writes an object into the JSON's list, and takes it. */
void groups_write(Context *context, json_t *object);

/* Whether any launch did something wrong. */
bool groups_found(const Context *context);

/* Writes the report of all groups to standard error. */
void groups_report(Context *context);
