/* given.h: what the exercise gives and the learner's file has changed, outside of the marks between which it is to be edited. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* Appends a sentence about the kernel's parameters, where their types or places are others; else about the first #define or constexpr integer outside
 * the marks of `given` that has another value in `text` and that the kernel uses; nothing where there is none. */
void given_say_changes(const char *given, const char *text, const char *kernel, Text *out);

/* The first line of `text`, counted from 1, that stands outside the marks and is not the one that `given` has there, blanks and comments aside; 0:
 * there is none. Where lines are missing, the one behind them. */
uint32_t given_edited(const char *given, const char *text);

/* Whether this line stands between marks, or the text has none. */
bool given_is_yours(const char *text, uint32_t line);
