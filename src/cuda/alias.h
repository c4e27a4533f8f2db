/* alias.h: plain names, by which nvcc is told of files and folders whose own names are not (door.h). A folder is seen through a link, and a source file
 * as a copy of it that says what its true name is; both lie in a compilation's private folder. Names that are plain stay as they are, and clang, which
 * has no shell, is given all as they are but one: it tells itself a source's last name in a word of its own, where an @ makes it a file of options. */
#pragma once

#include <stdbool.h>

#include "base/diag.h"
#include "base/text.h"
#include "cuda/argv.h"

typedef struct Aliases {
    const char *folder; /* the private one, by a plain whole path */
    bool has_shell;     /* the compiler is nvcc */
    Argv seen;          /* what the compiler sees in the place of… */
    Argv said;          /* …the name as it was given… */
    Argv whole;         /* …and by its whole path */
    Text macros;        /* what -D and -U say in words that are not plain */
} Aliases;

void aliases_begin(Aliases *aliases, const char *folder, bool has_shell);
void aliases_end(Aliases *aliases);

/* The name of an existing file or folder as the compiler may see it; the caller frees it with text_free. */
Text alias_path(Aliases *aliases, const char *path);

/* Adds the source file. Its name in messages and debug information is the true one. False with diag set where it cannot be copied. */
bool alias_add_source(Aliases *aliases, Argv *command, const char *path, Diag *diag);

/* Adds what one file's compilation by nvcc needs of the user's options: what they say of folders and macros by plain words. False with diag set where that
 * cannot be done. */
bool alias_add_options(Aliases *aliases, Argv *command, const char *const *words, size_t count, Diag *diag);

/* Appends a name as a string of C has it, and PTX. */
void alias_add_escaped(Text *text, const char *name);

/* The true names in a compiler's messages, or with `in_ptx` in its PTX, whose .file directives have whole paths in C's way of writing. */
void aliases_resolve(const Aliases *aliases, Text *text, bool in_ptx);
