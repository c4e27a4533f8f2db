/* reason.h: why a result has less than full points, in one line for the gradebook. */
#pragma once

#include <jansson.h>

#include "base/text.h"

/* Of what a lab's program printed: other numbers than the learner's, the first wrong kernel, the first broken limit, or the first missed goal.
 * Nothing for full points. */
void reason_add(const json_t *result, Text *reason);

/* The line of a compiler's messages that says why: the first that tells of an error, or else the first that is no warning. */
void reason_add_error(Text *text, const char *words);
