/* vector_types.h: float4 and its kind, and dim3, for C and C++. */
#pragma once

#include "warpscope/vectors.h"
