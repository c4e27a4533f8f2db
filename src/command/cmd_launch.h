/* cmd_launch.h: one launch as the command line describes it; for `warpscope launch` and `warpscope record`. */
#pragma once

#include "command/command.h"
#include "device/device.h"
#include "device/gpu.h"

typedef struct LaunchCommand {
    const LaunchOptions *options;
    const Source *source;
    LaunchRequest request;
    Allocation **buffers;
    LaunchResult result;
} LaunchCommand;

/* The defaults. The caller frees their arena and arguments. */
LaunchOptions launch_defaults(void);

/* After prepare_source: the file compiled, or read with the PTX that --ptx names. */
SourceStatus launch_load(const LaunchOptions *options, Source *source, Diag *diag);

/* Fills request, but for its buffers and parameters. False and a message when kernel, device or arguments do not fit. */
bool launch_prepare(LaunchCommand *launch, Diag *diag);

/* Buffers and parameters as they are before the kernel runs. */
void launch_fill(LaunchCommand *launch);

/* On the emulated device, with buffers of its own. */
bool launch_run(LaunchCommand *launch, Diag *diag);

/* What the real device is asked to do. The kernel is compared with a copy of the bytes that --moves says, else of those that the buffers
 * hold, half of them read and half written. */
GpuRequest launch_on_gpu_request(const LaunchCommand *launch);

void launch_free(LaunchCommand *launch); /* result and buffers */
