/* relaunch.h: a case's launch as words and data, for a page in which a learner steps through it. */
#pragma once

#include <jansson.h>

#include "base/text.h"
#include "lab/lab.h"

/* What `warpscope launch` would need for the same launch: kernel, shapes and arguments; to be called before it. Elements that were drawn at random
 * are drawn anew; all others are those of the case. */
void relaunch_words(const LabCase *c, Text *out);

/* {"words":…, "arrays":[{"label","size","columns"}]}: of the case's buffers in the order of the kernel's parameters. */
json_t *relaunch_object(const LabCase *c, const Text *words);
