/* score.h: points from what was measured. */
#pragma once

#include "lab/running.h"

typedef struct GoalResult {
    bool met;       /* in full */
    bool skipped;   /* GOAL_MEASURED, which the emulated device can neither meet nor miss */
    bool has_value; /* the metric could be worked out */
    double value, score;
    bool is_void;     /* because its run went over a limit, or a kernel that it is about is not as it was given */
    char reason[160]; /* why there are no points, where that is not the value: "transpose_tiled is wrong"; else "" */
} GoalResult;

typedef struct Score {
    GoalResult *goals; /* as Goals.goals; the caller frees */
    double points;
    bool full; /* every goal and limit met */
} Score;

Score score_lab(const Lab *lab);

/* The first goal that is not met and has a reason of its own rather than another goal's or its kernel's; -1: none. */
int score_next(const Lab *lab, const Score *score);

/* Index of the first kernel that is wrong, or -1. */
int score_wrong_kernel(const Lab *lab);

/* Whether the file has the numbers of another learner: its predictions have no points. */
bool score_is_foreign(const Lab *lab);

/* Whether the learner is to leave this kernel as it is: predictions are about it, and no run measures it. */
bool score_is_given(const Lab *lab, uint32_t kernel);

/* The access that a missed goal is about: the costliest of its kind. NULL where the run shows none, or the goal is about no access. */
const Sample *score_sample(const Lab *lab, const Goal *goal);
