/* standalone.h: whether what a compiler makes of a CUDA file depends on that file, the options and what is installed alone, so that what it made
 * earlier may stand for it (ptxcache.h). In doubt it does not: a file that includes "files" of its own, asks for the time or what other files there
 * are, or joins words to such questions, is compiled each time. */
#pragma once

#include <stddef.h>

typedef enum Standalone {
    ALONE_NOT,
    ALONE_BY_NAME, /* on the file's name as well: __FILE__, assert */
    ALONE
} Standalone;

/* Each # of the text begins a directive that looks at nothing else (#include <name> of a header that is no user's own among them) or makes a string
 * of a macro's argument, and no word asks for anything; in strings neither, comments apart. */
Standalone standalone_text(const char *text, size_t length);

/* The options that a compilation is given: none names a folder or a file, or is passed on unread. */
Standalone standalone_options(const char *const *words, size_t count);
