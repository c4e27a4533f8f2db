/* position.h: places in a text as editors count them: lines from 0, and in a line the units of UTF-16, of which a letter beyond U+FFFF has
 * two. Lines end with a line feed, before which a carriage return may stand. */
#pragma once

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Position {
    size_t line, character;
} Position;

/* The line's first byte and its length without its end. A line behind the last is empty. */
const char *position_line(const char *text, size_t length, size_t line, size_t *line_bytes);

/* Units of UTF-16 in so many bytes of UTF-8. */
size_t position_units(const char *bytes, size_t count);

/* The offset in bytes. What is behind the end of a line or of the text is that end, as the protocol has it. */
size_t position_offset(const char *text, size_t length, Position position);

/* As the protocol writes a place, and one from place to place in a line. */
json_t *position_json(size_t line, size_t character);
json_t *position_range(size_t line, size_t begin, size_t end);

size_t position_count_lines(const char *text, size_t length); /* line feeds */
