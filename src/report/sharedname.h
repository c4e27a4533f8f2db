/* sharedname.h: what stands at a byte of a block's shared memory, as the source calls it: tile[1][0]. Names are those of the PTX, dimensions
 * those of the source's declaration, as far as they are understood and fill the variable's bytes. */
#pragma once

#include <stdbool.h>

#include "report/report.h"

/* Appends the sentence with every "byte N of shared memory" in it named, where it can be: 'tile[1][0]', or 'tile'+132 where its
 * dimensions are not known. */
void sharedname_put(const Report *report, const char *sentence, Text *out);

/* The name of the variable to which a byte belongs; false where it is not known. */
bool sharedname_of(const Report *report, int64_t byte, char *name, size_t size);
