/* warpscope_cuda.h: CUDA C++ for clang with no CUDA toolkit. The driver includes it before the first line of every .cu file, as nvcc
 * does with its own; cuda_runtime.h and the other names that programs include lead here. One idea per file below. A file of host
 * code alone, in C or C++ and for any compiler, gets the runtime API and the vector types. */
#pragma once
#define __CUDA_RUNTIME_H__ /* programs ask for it */

#ifdef __CUDA__

/* The C functions that nvcc lets host code call without an include. Read as C headers: libstdc++'s wrappers cost a tenth of a second. */
#if __has_include(<math.h>)
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#endif
/* Nor does `for (cudaStream_t s : {a, b})` need one there. */
#if __has_include(<initializer_list>)
#include <initializer_list>
#endif

#include "warpscope/qualifiers.h"

#include "warpscope/vectors.h"

#include "warpscope/builtins.h"

#include "warpscope/memory.h"

#include "warpscope/atomics.h"

#include "warpscope/warp.h"

#include "warpscope/integer.h"

#include "warpscope/simd.h"

#include "warpscope/int128.h"

#include "warpscope/arithmetic.h"

#include "warpscope/convert.h"

#include "warpscope/library.h"

#include "warpscope/surface.h"

#include "warpscope/math.h"

#include "warpscope/launch.h"

#include "warpscope/typed.h"

/* The C++ forms of the C library's functions, such as abs(float) and std::exit(), which nvcc brings along: for host code; the pass over
 * device code needs them only to read a file that names them (WARPSCOPE_CPP). After our own, as a constexpr function of libstdc++ is
 * one for both sides unless the device has its own already. */
#if !defined(__CUDA_ARCH__) || defined(WARPSCOPE_CPP)
#include <cmath>
#include <cstdlib>
#include <math.h>
#include <stdlib.h>
#endif

#else

#include "cuda_runtime_api.h"
#ifdef __cplusplus
#include "warpscope/typed.h"
#endif

#endif
