/* builtin_types.h: everything that it declares is in warpscope_cuda.h. */
#pragma once

#include "warpscope_cuda.h"
