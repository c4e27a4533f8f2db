#include "lsp/position.h"

#include <stdbool.h>
#include <string.h>

/* Bytes that are looked at together; each one's highest bit. */
enum { TOGETHER = 8 };
#define HIGHEST UINT64_C(0x8080808080808080)

static uint64_t together(const char *bytes) {
    uint64_t all;
    memcpy(&all, bytes, sizeof all);
    return all;
}

static unsigned feeds_in(const char *bytes) {
    const uint64_t differs = together(bytes) ^ UINT64_C(0x0a0a0a0a0a0a0a0a), low = ~HIGHEST;
    return (unsigned)__builtin_popcountll(~(((differs & low) + low) | differs) & HIGHEST);
}

const char *position_line(const char *text, size_t length, size_t line, size_t *line_bytes) {
    const char *at = text, *end = text + length, *feed = NULL;
    for (; line > TOGETHER && end - at >= TOGETHER; at += TOGETHER) line -= feeds_in(at);
    for (; line && (feed = memchr(at, '\n', (size_t)(end - at))); line--) at = feed + 1;
    if (line) at = end;
    feed = memchr(at, '\n', (size_t)(end - at));
    *line_bytes = (size_t)((feed ? feed : end) - at);
    if (feed && *line_bytes && feed[-1] == '\r') --*line_bytes;
    return at;
}

/* A letter's first byte says how many units it has; those that follow have none. */
static size_t units_of(unsigned char byte) { return byte >= 0xf0 ? 2 : (byte & 0xc0) != 0x80; }

/* Whether the next letters have a byte and a unit each. */
static bool are_plain(const char *bytes) { return !(together(bytes) & HIGHEST); }

size_t position_units(const char *bytes, size_t count) {
    size_t units = 0, i = 0;
    for (; i + TOGETHER <= count && are_plain(bytes + i); i += TOGETHER) units += TOGETHER;
    for (; i < count; i++) units += units_of((unsigned char)bytes[i]);
    return units;
}

size_t position_offset(const char *text, size_t length, Position position) {
    size_t bytes, at = 0, units = 0;
    const char *line = position_line(text, length, position.line, &bytes);
    for (; at + TOGETHER <= bytes && units + TOGETHER <= position.character && are_plain(line + at); at += TOGETHER)
        units += TOGETHER;
    while (at < bytes && (units += units_of((unsigned char)line[at])) <= position.character) at++;
    return (size_t)(line - text) + at;
}

json_t *position_json(size_t line, size_t character) {
    return json_pack("{s:I, s:I}", "line", (json_int_t)line, "character", (json_int_t)character);
}

json_t *position_range(size_t line, size_t begin, size_t end) {
    return json_pack("{s:o, s:o}", "start", position_json(line, begin), "end", position_json(line, end));
}

size_t position_count_lines(const char *text, size_t length) {
    size_t lines = 0;
    for (const char *at = text, *end = text + length; (at = memchr(at, '\n', (size_t)(end - at))); at++) lines++;
    return lines;
}
