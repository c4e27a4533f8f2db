/* given.h: what the exercise gives and the learner's file has changed, outside of the marks between which it is to be edited: parameters and
 * sizes. */
#pragma once

#include "base/text.h"

/* Appends a sentence about the kernel's parameters, where their types or places are others; else about the first #define or constexpr integer outside
 * the marks of `given` that has another value in `text` and that the kernel uses; nothing where there is none. */
void given_say_changes(const char *given, const char *text, const char *kernel, Text *out);
