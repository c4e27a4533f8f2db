/* problems.h: a graded lab as lines by which editors jump: report/problem.h. */
#pragma once

#include <jansson.h>

#include "base/text.h"

/* result: what result_json, result_refused or result_unable says. Wrong kernels are errors, missed goals of a lab that was begun warnings;
 * what to do is a note. Ends with the points, as a line without a position. */
void problems_of(const json_t *result, Text *out);
