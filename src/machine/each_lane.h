/* each_lane.h: loops over a warp's lanes. EACH_LANE is one that compilers vectorise: lane i neither reads nor writes what another lane
 * writes (a destination may be a source: lane i is read before it is written). IN_LANE_ORDER is one where it may, unrolled. */
#pragma once

#include "machine/access.h"

#if defined(__clang__)
#define EACH_LANE _Pragma("clang loop vectorize(assume_safety)") for (unsigned i = 0; i < WARP_LANES; i++)
#define IN_LANE_ORDER _Pragma("clang loop unroll_count(8)") for (unsigned i = 0; i < WARP_LANES; i++)
#elif defined(__GNUC__)
#define EACH_LANE _Pragma("GCC ivdep") for (unsigned i = 0; i < WARP_LANES; i++)
#define IN_LANE_ORDER _Pragma("GCC unroll 8") for (unsigned i = 0; i < WARP_LANES; i++)
#else
#define EACH_LANE for (unsigned i = 0; i < WARP_LANES; i++)
#define IN_LANE_ORDER EACH_LANE
#endif
