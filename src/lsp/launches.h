/* launches.h: the launches that a .cu file asks for in comment lines of its own:
 *
 *     // warpscope: --kernel add --grid 8 --block 128 --arg buf:f32:1024
 *
 * Words are those of `warpscope launch`, parted by blanks; quotes, single or double, hold one together. A file that is opened is anybody's:
 * only what says how a kernel is launched and compiled may stand there, and nothing that reads or writes a file or means more to a compiler than a
 * number or a word. launches.c lists it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

enum { LAUNCHES_MOST = 32, LAUNCH_BYTES_MOST = 8192 }; /* of a comment, so that its words fit into a command */

typedef struct CommentLaunch {
    size_t line;        /* from 0 */
    const char **words; /* the arguments */
    bool *compiles;     /* of each whether it is the compilation's, an option's value too */
    size_t n_words;
    const char *refused; /* the word that must not stand there; NULL: none */
    const char *instead; /* with it: what may */
} CommentLaunch;

/* At most LAUNCHES_MOST; all in the arena. */
CommentLaunch *launches_read(const char *text, size_t length, Arena *arena, size_t *count);
