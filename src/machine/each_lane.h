/* each_lane.h: the loop over a warp's lanes that compilers vectorise: lane i neither reads nor writes what another lane writes. */
#pragma once

#include "machine/access.h"

#if defined(__clang__)
#define EACH_LANE _Pragma("clang loop vectorize(assume_safety)") for (unsigned i = 0; i < WARP_LANES; i++)
#elif defined(__GNUC__)
#define EACH_LANE _Pragma("GCC ivdep") for (unsigned i = 0; i < WARP_LANES; i++)
#else
#define EACH_LANE for (unsigned i = 0; i < WARP_LANES; i++)
#endif
