/* cmd_launch.h: what `warpscope launch` and `warpscope record` share of the command line's launches. */
#pragma once

#include "command/command.h"
#include "device/gpu.h"
#include "input/launch_command.h"

/* After prepare_source: the file compiled, or read with the PTX that --ptx names. */
SourceStatus launch_load(const LaunchOptions *options, Source *source, Diag *diag);

/* What the real device is asked to do. The kernel is compared with a copy of the bytes that --moves says, else of those that the buffers
 * hold, half of them read and half written. */
GpuRequest launch_on_gpu_request(const LaunchCommand *launch);
