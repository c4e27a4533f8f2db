/* child.h: runs another program with our own input and output, as a shell would. */
#pragma once

#include "base/text.h"

/* argv[0] is looked up in PATH; signals that ask us to end are handed on. What it writes to standard error appears there, and in errors
 * too unless that is NULL. Returns its exit status; 128 + signal when one ended it; 127, after a message, when it could not be
 * started. */
int child_run(char *const *argv, Text *errors);
