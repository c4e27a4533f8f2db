/* alike.h: which submissions of a class are alike (class/likeness.h), for a teacher to look at: a hint, never a part of any score.
 *
 * OUT/likeness.html    pairs and the clusters that they form, with the lines of each pair that correspond, side by side
 * OUT/likeness.json    {"lab", "compared": files that were, "threshold": the least likeness of a pair,
 *     "equal": [[NAME…]]: the same bytes,
 *     "as_given": [NAME…]: the exercise as it was given,
 *     "clusters": [[NAME…]]: connected by pairs, the most alike first; all of a group of equal files are named,
 *     "pairs_found": how many there are,
 *     "pairs": the first PAIRS_SHOWN, the most alike first: {"a": NAME, "b": NAME, "likeness": 0…1, "kernels": [{"name", "likeness",
 *         "weight": of what both have, "lines": [[line of a, line of b]…]}]}; of equal files the first stands for all; a kernel that says
 *         nothing in one of them is absent,
 *     "silent": {KERNEL: in how many files it says nothing},
 *     "not_compared": [{"submission": NAME, "why"}]}
 * NAME is a submission's. Both files depend on the submissions alone, not on who graded them or when. */
#pragma once

#include "class/class.h"

enum { PAIRS_SHOWN = 500, LINES_SHOWN = 80 };

/* What was found. */
typedef struct AlikeCount {
    size_t compared, pairs, clusters, equal, left_out;
} AlikeCount;

/* Of the results there are; threshold: from 0 to 1. Compiles the exercise as it was given. False with a message. */
bool alike_write(const Class *class, double threshold, AlikeCount *count, Diag *diag);
