/* output.h: files that the user names for what a program writes. Each is opened here, so that none is waited for: a pipe that nobody reads from is
 * refused. None is taken for standard output or error where those are closed. output_close says what could not be written. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Whether the path may be given to output_open, or to another program to write to: it leads to nothing yet, to a regular file, a terminal or the like, or
 * to a pipe with a reader. False with errno, for output_problem. */
bool output_takes(const char *path);

/* Whether both lead to one regular file, so that to write the first would lose what is read from the second. NULL is none. */
bool output_is(const char *path, const char *input);

/* For writing from the beginning, whatever it held. NULL with errno. */
FILE *output_open(const char *path);

/* Whether all that was written has arrived. False with errno. */
bool output_close(FILE *file);

/* Closed descriptors 0 to 2 become ones that no file which is opened later is taken for: the first reads nothing, writing to the others fails as
 * before. At a program's beginning. */
void output_hold_standard(void);

/* What errno of these functions means, which is not always what strerror says. */
const char *output_problem(int error);
