/* properties.h: what is asked of the device by calls of others than the host. Internal to src/runtime. */
#pragma once

#include "runtime/context.h"

/* Whose interface this is. */
enum { CUDA_VERSION_NUMBER = 13000 };

/* cudaDeviceGetAttribute's answer, of the one device. */
cudaError_t properties_attribute(const Context *context, enum cudaDeviceAttr attribute, int *value);
