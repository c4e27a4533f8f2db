/* warnings.h: what the compiler warned of in a kernel that turned out wrong. */
#pragma once

#include "lab/running.h"

/* Appends the warnings about lines of this kernel, the first of them, laid out for the lab's page; nothing where there are none. */
void warnings_add(const Lab *lab, const char *kernel, Text *out);
