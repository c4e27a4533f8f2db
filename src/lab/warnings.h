/* warnings.h: what the compiler warned of, as far as it is the learner's. */
#pragma once

#include "lab/running.h"

/* Appends the warnings about lines of this kernel, the first of them, laid out for the lab's page; nothing where there are none. */
void warnings_add(const Lab *lab, const char *kernel, Text *out);

/* Appends the messages about a file that does not compile, without warnings of lines that are not the learner's, and without nvcc's remark on how
 * they are switched off. text: the file; NULL: it is not there. */
void warnings_sift(const char *messages, const char *text, Text *out);
