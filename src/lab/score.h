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

typedef struct RunScore {
    double points, most;
    uint32_t limits, over; /* limits over which the run went */
    bool met;              /* all that the emulated device can say */
} RunScore;

RunScore score_run(const Lab *lab, const Score *score, uint32_t run);

/* The modelled speed of a run as a share of a copy's; 0 where there is no copy to compare with, and where no goal is about its time and it has fewer warps
 * than the device has schedulers: the share would tell how small the launch is. */
double score_speed(const Lab *lab, uint32_t run);

/* Whether the goal is asked, not met, and so for a reason of its own rather than another goal's or its kernel's. */
bool score_is_missed(const Lab *lab, const Score *score, uint32_t goal);

/* What to look at next: the first goal that is not met and has a reason of its own rather than another goal's or its kernel's, and the first
 * kernel that is wrong; those of kernels that were just edited first. -1: none. */
int score_next(const Lab *lab, const Score *score);
int score_wrong_kernel(const Lab *lab);

/* Whether the file has the numbers of another learner: its predictions have no points. */
bool score_is_foreign(const Lab *lab);

/* Whether the learner is to leave this kernel as it is: predictions are about it, and no run measures it. */
bool score_is_given(const Lab *lab, uint32_t kernel);

/* Counts that a launch could do without, of one kind of access. */
typedef struct ScoreLess {
    char kind[32]; /* "global.load" */
    SectorCounters sectors;
    BankCounters banks;
} ScoreLess;

/* What the goal's metric would be with so many less. False where it has no value. */
bool score_without(const Lab *lab, const Goal *goal, const ScoreLess *less, double *value);
