/* alone.h: whether what a compiler makes of a CUDA file depends on that file, the options and what is installed alone, so that the PTX of an
 * earlier compilation may stand for it (ptxcache.h). In doubt it does not: a file that includes "files" of its own, asks for its name, the day
 * or what other files there are, or joins words to such questions, is compiled each time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Each # of the text begins a directive that looks at nothing else (#include <name> of a header that is no user's own among them), and no word
 * asks for the file's name or the time; in strings neither, comments apart. */
bool alone_text(const char *text, size_t length);

/* The options that a compilation is given: none names a folder or a file, or is passed on unread. */
bool alone_options(const char *const *words, size_t count);
