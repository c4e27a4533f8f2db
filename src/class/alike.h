/* alike.h: which submissions of a class are alike (class/likeness.h), and which are like files of elsewhere: the tree's own solution, where it is there,
 * and those of other classes. For a teacher to look at: a hint, never a part of any score.
 *
 * OUT/likeness.html    pairs and the clusters that they form, with the lines of each pair that correspond, side by side
 * OUT/likeness.json    {"lab", "compared": files that were, "threshold": the least likeness of a pair,
 *     "equal": [[NAME…]]: the same bytes,
 *     "as_given": [NAME…]: the exercise as it was given,
 *     "clusters": [[NAME…]]: connected by pairs, the most alike first; all of a group of equal files are named,
 *     "pairs_found": how many there are,
 *     "pairs": the first PAIRS_SHOWN, the most alike first: {"a": NAME, "b": NAME, "likeness": 0…1, "by": what is alike from the threshold on,
 *         "code": of the kernel that is most alike, "text": of how both are written, "kernels": [{"name", "likeness",
 *         "weight": of what both have, "lines": [[line of a, line of b]…]}], "lines": of the text likewise}; of equal files the first stands for
 *         all; a kernel that says nothing in one of them is absent,
 *     "elsewhere_compared": files that are not of the class,
 *     "elsewhere": pairs whose b is such a file, under the name of its folder and its own,
 *     "silent": {KERNEL: in how many files it says nothing},
 *     "not_compared": [{"submission": NAME, "why"}]}
 * NAME is a submission's. Both files depend on the submissions alone, not on who graded them or when. */
#pragma once

#include "class/class.h"

enum { PAIRS_SHOWN = 500, LINES_SHOWN = 80 };

/* What was found. */
typedef struct AlikeCount {
    size_t compared, pairs, clusters, equal, left_out, elsewhere, pairs_elsewhere;
} AlikeCount;

/* Of the results there are, also of the other classes; threshold: from 0 to 1. Compiles the exercise as it was given and the tree's solution. False
 * with a message. */
bool alike_write(const Class *class, const Class *others, size_t n_others, double threshold, AlikeCount *count, Diag *diag);
