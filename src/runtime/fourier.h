/* fourier.h: cuFFT's plans. Internal to src/runtime. */
#pragma once

#include "include/cufft.h"
#include "runtime/submit.h"

/* No plan can be used any more, as after the device's reset. */
void fourier_reset(Context *context);
