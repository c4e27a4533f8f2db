/* schedule.h: in which order blocks, warps and the sides of a branch run. The usual order is kind to racy kernels: a warp runs from barrier to
 * barrier before the next one begins. Another order is as legal, and the same on every run: in the worst one the last come first, and a warp
 * hands over whenever it has read memory that others may write; a seed draws from the orders between. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum ScheduleKind { SCHEDULE_USUAL, SCHEDULE_WORST, SCHEDULE_DRAWN } ScheduleKind;

typedef struct Schedule {
    ScheduleKind kind;
    uint64_t seed;
    bool late; /* whole programs: what is asynchronous is done as late as may be (runtime/late.h) */
} Schedule;

/* The next number of a sequence that the state, at first the seed, stands for (SplitMix64: Steele, Lea and Flood, OOPSLA 2014). */
static inline uint64_t schedule_draw(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Whether the warp that has just read memory, or diverged, lets others go first. */
static inline bool schedule_hands_over(const Schedule *schedule, uint64_t *state) {
    return schedule->kind == SCHEDULE_WORST || (schedule->kind == SCHEDULE_DRAWN && schedule_draw(state) & 1);
}

/* The one of count that has its turn as number nth. turn: what has been drawn for this round. */
static inline uint64_t schedule_pick(const Schedule *schedule, uint64_t turn, uint64_t count, uint64_t nth) {
    if (schedule->kind == SCHEDULE_USUAL) return nth;
    if (schedule->kind == SCHEDULE_WORST) return count - 1 - nth;
    const uint64_t turned = (nth + (turn >> 1) % count) % count;
    return turn & 1 ? count - 1 - turned : turned;
}
