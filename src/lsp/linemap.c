#include "lsp/linemap.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"

void linemap_begin(LineMap *map, size_t lines) {
    map->now = alloc_resize(map->now, lines + 1, sizeof *map->now);
    map->count = lines;
    for (size_t i = 0; i < lines; i++) map->now[i] = (long)i;
}

void linemap_edit(LineMap *map, Position from, size_t from_units, Position to, const char *text, size_t count) {
    long moved = (long)position_count_lines(text, count) - (long)(to.line - from.line);
    bool ends = count ? text[count - 1] == '\n' : !from.character;
    bool leaves_first = from.character >= from_units && count && (*text == '\n' || (*text == '\r' && count > 1));
    bool leaves_last = !to.character && ends;
    for (size_t i = 0; i < map->count; i++) {
        long line = map->now[i];
        if (line < (long)from.line) continue; /* LINE_GONE as well */
        if (line > (long)to.line || (line == (long)to.line && leaves_last))
            map->now[i] = line + moved;
        else if (line != (long)from.line || !leaves_first)
            map->now[i] = LINE_GONE;
    }
}

long linemap_at(const LineMap *map, size_t line) { return line < map->count ? map->now[line] : LINE_GONE; }

void linemap_free(LineMap *map) {
    free(map->now);
    *map = (LineMap){0};
}
