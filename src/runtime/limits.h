/* limits.h: the limits of cudaDeviceSetLimit. Internal to src/runtime. */
#pragma once

#include "runtime/context.h"

void limits_reset(Context *context); /* to CUDA's defaults */
