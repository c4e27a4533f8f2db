/* function.h: what is known of kernels, for those who ask. Internal to src/runtime. */
#pragma once

#include "runtime/image.h"

/* Bytes of static shared memory, and the dynamic ones that a launch may request at present. */
uint64_t function_shared(const ImageKernel *kernel);
uint64_t function_dynamic_limit(const Context *context, const ImageKernel *kernel);
