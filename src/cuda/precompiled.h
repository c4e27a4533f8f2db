/* precompiled.h: our headers as clang has read them once, a precompiled header: reading them takes most of the time of a small kernel. What is compiled
 * is the same to the byte. They lie in the folder `headers` of the cache (ptxcache.h), of whose rules these hold for them:
 *
 * - Whose: the folder and each file belong to this process's user, and nobody else may write there.
 * - What for: the name is a checksum of all that they depend on: clang, its words, our headers and their times, what is installed. No byte of a user's is among that: a
 *   compilation with macros, folders or files of the user's own reads the headers as text.
 * - Hostile files: in a sandbox they are read from a folder of the command's that grades, where a sandbox without a submission has kept them (grade/sandbox).
 * - Writers: a file appears whole, by a rename.
 * - Size: PTXCACHE_HEADER_BYTES; the oldest go first. Reading one makes it new.
 * - Failures are no reason to fail: the headers are read as text. */
#pragma once

#include <stdbool.h>

#include "cuda/compilation.h"
#include "cuda/options.h"

#define PRECOMPILED_NOT \
    "-DWARPSCOPE_DIVIDE_INT128=1" /* a word with which functions that are not inline would come in another order */

/* command: a compilation by clang up to its output, its source and -include. False: it reads our headers as text; *path, an empty text, then says where
 * they may be kept once it has succeeded, unless it is still empty. */
bool precompiled_find(const Compilation *compilation, CompileSide side, const Argv *command, Text *path);

/* Has clang read them once more, and keeps them; but the first time only notes that it was called, since many words are used once. */
void precompiled_make(const Compilation *compilation, const Argv *command, const char *path);
