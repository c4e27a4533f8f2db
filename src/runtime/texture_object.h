/* texture_object.h: texture and surface objects, which handles name in kernels (machine/texture.h). Internal to src/runtime. */
#pragma once

#include "runtime/context.h"

/* With the device's memory. */
void texture_objects_reset(Context *context);
