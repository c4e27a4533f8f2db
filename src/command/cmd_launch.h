/* cmd_launch.h: one launch as the command line describes it; for `warpscope launch` and `warpscope record`. */
#pragma once

#include "command/command.h"
#include "device/device.h"
#include "device/gpu.h"

typedef struct Launch {
    const LaunchOptions *options;
    const Source *source;
    LaunchRequest request;
    Allocation **buffers;
    LaunchResult result;
} Launch;

/* What holds where the command line says nothing. Its arena and its arguments are to be freed. */
LaunchOptions launch_defaults(void);

/* Fills request, but for its buffers and parameters. False and a message when kernel, device or arguments do not fit. */
bool launch_prepare(Launch *launch, Diag *diag);

/* Buffers and parameters as they are before the kernel runs. */
void launch_fill(Launch *launch);

/* On the emulated device, with buffers of its own. */
bool launch_run(Launch *launch, Diag *diag);

/* What the real device is asked for. Its yardstick is a copy of the bytes that --moves says, else of those that the buffers hold, half of
 * them read and half written. */
GpuRequest launch_on_gpu_request(const Launch *launch);

void launch_free(Launch *launch); /* result and buffers */
