/* launch_command.h: one launch as words describe it, from its options to its result: for `warpscope launch`, `warpscope record`, and the
 * launches that a page makes. */
#pragma once

#include "device/device.h"
#include "input/launch_options.h"
#include "observe/trace.h"

typedef struct LaunchCommand {
    const LaunchOptions *options;
    const Source *source;
    LaunchRequest request;
    Allocation **buffers;
    LaunchResult result;
    Trace trace;
} LaunchCommand;

/* The defaults. The caller frees their arena and arguments. */
LaunchOptions launch_defaults(void);

/* Fills request, but for its buffers and parameters. False and a message when kernel, device or arguments do not fit. */
bool launch_prepare(LaunchCommand *launch, Diag *diag);

/* Buffers and parameters as they are before the kernel runs. */
void launch_fill(LaunchCommand *launch);

/* On the emulated device, with buffers of its own. */
bool launch_run(LaunchCommand *launch, Diag *diag);

void launch_free(LaunchCommand *launch); /* result and buffers */
