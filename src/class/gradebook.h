/* gradebook.h: the results of a class together: tables for other programs, pages for people. All of it says the same whenever, and in whatever
 * order, the submissions were graded. */
#pragma once

#include "class/class.h"

/* What became of a class: of `count` submissions so many were graded, refused, could not be graded, have no result yet. */
typedef struct Gradebook {
    size_t count, graded, refused, ungraded, missing;
    size_t unmeasured; /* of those graded, where that was asked for */
    double mean;       /* of the graded and refused ones, as a fraction of full marks */
    Text absent;       /* the missing ones' names, a line each, at most ten; the caller frees */
} Gradebook;

/* Writes OUT/gradebook.csv, gradebook.json, junit.xml, index.html, style.css and a page beside each result. False with a message.
 *
 * gradebook.csv: submission, student, status, score, points, reason, and the score of each goal; score is empty where there is none. Of a class
 *     on a GPU then gpu, which one; on gpu, what came of it in words; and of each measured goal the share of a copy's speed.
 * gradebook.json: {"lab", "title", "points", "count", "graded", "refused", "ungraded", "missing", "mean",
 *     "goals": [{"name", "run", "points", "mean", "met"}],
 *     "submissions": [{"submission", "student", "status", "score", "reason", "scores": {goal: score},
 *     "measured": {"device", "text", "values": {goal: share}}}]}
 * junit.xml: a suite a submission, a case a goal; an error where it could not be graded. */
bool gradebook_write(const Class *class, Gradebook *book, Diag *diag);
