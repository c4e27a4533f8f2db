/* fourier.h: cuFFT's plans. Internal to src/runtime. */
#pragma once

#include "include/cufft.h"
#include "runtime/submit.h"

/* Ends all plans, as the device's reset does. */
void fourier_reset(Context *context);
