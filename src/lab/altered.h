/* altered.h: sizes that the exercise gives and the learner's file has changed, outside of the marks between which it is to be edited. */
#pragma once

#include "base/text.h"

/* Appends a sentence about the first #define or constexpr integer outside the marks of `given` that has another value in `text` and that the kernel
 * uses; nothing where there is none. */
void altered_say(const char *given, const char *text, const char *kernel, Text *out);
