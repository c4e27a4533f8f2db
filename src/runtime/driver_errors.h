/* driver_errors.h: the driver API's errors, most of which are the runtime's by other names. Internal to src/runtime. */
#pragma once

#include "include/cuda.h"

/* What the driver says where the runtime has this error. */
CUresult driver_error(cudaError_t error);

/* "CUDA_ERROR_INVALID_VALUE"; NULL: there is no such error. */
const char *driver_error_name(CUresult error);
