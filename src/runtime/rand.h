/* rand.h: cuRAND's generators. Internal to src/runtime. */
#pragma once

#include "include/curand.h"
#include "runtime/submit.h"

/* Ends all generators, as the device's reset does. */
void rand_reset(Context *context);
