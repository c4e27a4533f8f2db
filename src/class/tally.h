/* tally.h: what the results of a class have in common: where points are lost, and by which wrong pictures. */
#pragma once

#include <jansson.h>

#include "class/submissions.h"
#include "lab/goals.h"

/* Submissions with the same: of a goal the same value, of a kernel the same first line of what is wrong. */
typedef struct TallyGroup {
    char *text;    /* the value, or the line */
    char *picture; /* of its first submission; NULL: none */
    char *student; /* the first one's */
    size_t count;
} TallyGroup;

typedef struct TallyGoal {
    size_t seen, met;
    double sum; /* of scores */
    TallyGroup *groups;
    size_t n_groups;
} TallyGoal;

typedef struct TallyRow {
    char *student, *slug, *status, *reason;
    char *measured; /* in a line: ongpu_add */
    double score;
    bool scored, is_foreign; /* is_foreign: with the numbers of another variant */
    uint32_t variant;
} TallyRow;

typedef struct ClassTally {
    const Goals *goals_of;
    TallyGoal *goals;   /* as in lab.goals; those that are missed by their own value */
    TallyGoal *kernels; /* as in lab.goals; groups of what is wrong */
    TallyRow *rows;
    size_t count;
} ClassTally;

void tally_begin(ClassTally *tally, const Goals *goals);
void tally_add(ClassTally *tally, const Submission *submission, const json_t *result);
void tally_end(ClassTally *tally);

/* Of the points of a goal, over all submissions that were graded or refused. */
double tally_mean(const ClassTally *tally, uint32_t goal);

/* The group of most submissions first, and among equals by text. */
void tally_sort(TallyGoal *goal);
