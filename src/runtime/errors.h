/* errors.h: the names and texts of errors, which the program has not asked for. Internal to src/runtime. */
#pragma once

#include "runtime/api.h"

const char *error_name(cudaError_t error);
const char *error_text(cudaError_t error);
