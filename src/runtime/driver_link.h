/* driver_link.h: what cuLinkComplete makes of several modules' PTX. Internal to src/runtime. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "ptx/program.h"

/* Whether it begins as such an image; it may be any text. */
bool driver_link_made(const void *data);

/* The texts in one, at least one, named so, in a list to be freed. Of so many bytes; 0: as many as it says itself. NULL: it is not whole. */
ProgramText *driver_link_texts(const void *image, size_t bytes, const char *name, size_t *count);
