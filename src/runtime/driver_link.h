/* driver_link.h: what cuLinkComplete makes of several modules' PTX. Internal to src/runtime. */
#pragma once

#include <stddef.h>

#include "ptx/program.h"

/* The texts in such an image, named so, in a list to be freed; NULL: it is none. */
ProgramText *driver_link_texts(const void *image, const char *name, size_t *count);
