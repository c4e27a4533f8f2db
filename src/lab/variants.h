/* variants.h: the numbers of a lab's given kernels, which differ from learner to learner, so that nobody's predictions can be copied. A variant is a
 * number; 0 is the exercise as the book has it, and from the others each VARY of lab.goals (lab/goals.h) takes one of its values. An exercise that is
 * not variant 0 says which it is in a constant of its own. */
#pragma once

#include "lab/goals.h"

enum { MOST_VARIANT = 999999 };

/* The variant of a learner in a course that has this word: 1 to MOST_VARIANT. Capital letters are as good as small ones. */
uint32_t variant_of(const char *course, const char *learner);

/* A varied number of the lab by its name; aborts where there is none. */
int32_t variant_number(const Goals *goals, uint32_t variant, const char *name);

/* The variant that the text of an exercise says it is. */
uint32_t variant_in(const char *text);

/* Appends the text of an exercise as that of another variant: what stands between the marks stays. False with a message where the text is not as it
 * was given. path: for messages. */
bool variant_write(const Goals *goals, const char *text, const char *path, uint32_t variant, Text *out, Diag *diag);
