/* linemap.h: where the lines of a text that was graded are now, while somebody goes on typing. */
#pragma once

#include <stddef.h>

#include "lsp/position.h"

enum { LINE_GONE = -1 };

/* now[i]: the present line of line i, both from 0, or LINE_GONE when it was changed. All zero: a text of no lines. */
typedef struct LineMap {
    long *now;
    size_t count;
} LineMap;

/* Of a text as it is. */
void linemap_begin(LineMap *map, size_t lines);

/* What stands from `from` to `to` is replaced by this text. from_units: the length of the line `from` before. A line that is only moved, as
 * when one is put in before it, stays. */
void linemap_edit(LineMap *map, Position from, size_t from_units, Position to, const char *text, size_t count);

/* Where the line is now; LINE_GONE also where there is no such line. */
long linemap_at(const LineMap *map, size_t line);
void linemap_free(LineMap *map);
