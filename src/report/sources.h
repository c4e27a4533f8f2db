/* sources.h: the texts of the files that a program's source positions name, and which of them are a library's. A program can name any file
 * (#line, .file), so what is shown is of what its own compilation reads, and no link leads out of that: regular files in or below the folder of
 * its source, those of -I, and those of libraries. A grader, which may read more than the program's author, shows the file that was handed in, and
 * nothing by these. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct Sources Sources;

/* For a source and the options that it is compiled with. source NULL: a whole program, which runs with the rights of who started it and could
 * read any file itself: all regular files. */
Sources *sources_new(const char *source, const char *const *options, size_t count);
void sources_free(Sources *sources);

/* Read when first asked for; NULL where that fails or must not be. Belongs to the sources. */
const char *sources_text(Sources *sources, const char *path);

/* A file below /usr, in a folder of CUDA's or of our own headers, or of CUB, Thrust or libcu++. */
bool sources_is_library(Sources *sources, const char *path);
