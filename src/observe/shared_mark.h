/* shared_mark.h: what the check of shared memory keeps of an access: when it was, by which thread and which instruction, and how. */
#pragma once

#include <stdint.h>

#include "ptx/program.h"

/* Tags of the last write and the first read, from the bottom: thread of the block (lane, then warp), flags, pc. */
#define LANE_MASK 0x1fu
#define WARP_MASK 0x3e0u
#define THREAD_MASK 0x3ffu
#define STRENGTH_SHIFT 10 /* writes: Strength; of several by one thread since its warp last synchronised, the weakest */
#define STRENGTH_MASK (3u << STRENGTH_SHIFT)
#define MANY (1u << 12)  /* writes: atomic ones by other threads as well, unordered with this one */
#define LANES (1u << 10) /* reads: other lanes of the warp as well, at the same time */
#define WARPS (1u << 11) /* reads: other warps as well, since the last barrier of the block */
enum { PC_SHIFT = 13 };
#define PC_UNKNOWN (UINT32_MAX >> PC_SHIFT)

/* Time in the upper half, tag in the lower one: one load for both. */
typedef uint64_t Mark;

static inline Mark shared_mark_of(uint32_t time, uint32_t tag) { return (uint64_t)time << 32 | tag; }
static inline uint32_t shared_mark_time(Mark mark) { return (uint32_t)(mark >> 32); }
static inline uint32_t shared_mark_tag(Mark mark) { return (uint32_t)mark; }

static inline uint32_t tag_pc(uint32_t tag) { return tag >> PC_SHIFT == PC_UNKNOWN ? NO_INSN : tag >> PC_SHIFT; }
