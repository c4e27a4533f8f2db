/* driver_module.h: modules that a program loads by the driver API. Internal to src/runtime. */
#pragma once

#include "runtime/driver_calls.h"

/* Those of a context that ends. */
void driver_module_unload_all(CUcontext owner);
