/* vector_types.h: float4 and its kind, and dim3, for C and C++. */
#pragma once
#define __VECTOR_TYPES_H__ /* programs ask for it */

#include "warpscope/vectors.h"
