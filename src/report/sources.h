/* sources.h: the texts of the files that a program's source positions name, and which of them are a library's. Only where the program is the
 * user's own: a program that somebody else wrote can name any file (#line). */
#pragma once

#include <stdbool.h>

typedef struct Sources Sources;

Sources *sources_new(void);
void sources_free(Sources *sources);

/* Read when first asked for; NULL where that fails. Belongs to the sources. */
const char *sources_text(Sources *sources, const char *path);

/* A file below /usr, in a folder of CUDA's or of our own headers, or of CUB, Thrust or libcu++. */
bool sources_is_library(Sources *sources, const char *path);
