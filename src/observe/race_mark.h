/* race_mark.h: a mark, as races on global memory are found by: who accessed a granule, when, by which instruction, in 64 bits. From the bottom:
 * flags, instruction, thread of the block (lane, then warp), time since the block began, block, launch. How wide the instruction, the time and the
 * block are is the launch's. Marks of earlier launches are below those of this one, and mean nothing. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/kernel.h"

enum { MARK_FLAGS = 7, MARK_THREAD = 10, MARK_LAUNCH_AT = 60, MARK_LAUNCHES = 15 };

/* Of either: other blocks as well. */
#define MARK_BLOCKS 8u
/* Of writes. */
#define WRITE_STRONG 1u          /* atomic: with it, each of this thread's since its warp last synchronised */
#define WRITE_BLOCK 2u           /* of block scope, or an earlier one of its block was */
#define WRITE_THREADS 4u         /* others of the block as well, unordered with this one, atomic as it is */
#define WRITE_BLOCKS MARK_BLOCKS /* other blocks as well: atomic as it is, or of the same value */
#define WRITE_PLAINLY 16u        /* an earlier one of its block was not atomic */
/* Of reads. */
#define READ_STRONG 1u
#define READ_LANES 2u           /* other lanes of the warp as well, at the same time */
#define READ_WARPS 4u           /* other warps of the block as well, since its last barrier */
#define READ_BLOCKS MARK_BLOCKS /* other blocks as well */
#define READ_STRONG_TOO 16u     /* the mark is of a plain read, and other blocks have read atomically */

typedef struct MarkLayout {
    uint32_t pc_bits, thread_at, time_at, block_at;
    uint32_t lane_bits;  /* of the thread: by which the lanes of a warp differ, 5 unless blocks are smaller */
    uint64_t floor;      /* below it marks are of earlier launches */
    uint64_t own, no_pc; /* bits: those below the time; an instruction's, of which all are set in no mark */
    uint32_t *numbers,
        *insns; /* by instruction of the program: its number among them, from 1, in marks; and back. 0: not known */
} MarkLayout;

/* launch: from 1 to MARK_LAUNCHES. */
MarkLayout mark_layout(const Kernel *kernel, uint64_t blocks, uint32_t launch);
void mark_layout_free(MarkLayout *layout);

static inline uint64_t mark_block(const MarkLayout *at, uint64_t mark) { return (mark - at->floor) >> at->block_at; }

/* Five bits by which neighbouring marks differ that are otherwise alike: of the lane, and where there are fewer lanes, of the block. */
enum { MARK_NEAR = 5 };
static inline uint64_t mark_near_blocks(const MarkLayout *at) {
    return ((1u << (MARK_NEAR - at->lane_bits)) - 1) & ((UINT64_C(1) << (MARK_LAUNCH_AT - at->block_at)) - 1);
}
static inline uint64_t mark_near(const MarkLayout *at, uint64_t mark) {
    const uint64_t lane = mark >> at->thread_at & ((1u << at->lane_bits) - 1);
    return lane | (mark >> at->block_at & mark_near_blocks(at)) << at->lane_bits;
}
static inline uint64_t mark_of_near(const MarkLayout *at, uint64_t near) {
    return (near & ((1u << at->lane_bits) - 1)) << at->thread_at | near >> at->lane_bits << at->block_at;
}

/* 0 where it is of an earlier launch. */
static inline uint64_t mark_live(uint64_t floor, uint64_t mark) { return mark < floor ? 0 : mark; }
static inline uint32_t mark_thread(const MarkLayout *at, uint64_t mark) { return (uint32_t)(mark >> at->thread_at) & 1023; }
static inline uint32_t mark_time(const MarkLayout *at, uint64_t mark) {
    return (uint32_t)((mark >> at->time_at) & ((UINT64_C(1) << (at->block_at - at->time_at)) - 1));
}
static inline uint32_t mark_pc(const MarkLayout *at, uint64_t mark) {
    const uint32_t number = (uint32_t)(mark >> MARK_FLAGS) & ((1u << at->pc_bits) - 1);
    return number ? at->insns[number] : NO_INSN;
}
