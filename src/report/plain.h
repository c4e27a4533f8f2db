/* plain.h: numbers, lanes and foreign text as people read them: plain, and of a known width in columns. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

typedef struct Plain {
    char text[32];
} Plain;

/* "4096", "1,048,576"; from ten thousand million on "1.049e+13", so that it never takes more than 13 columns. */
Plain plain_number(uint64_t value);

/* A value of any size: whole numbers as above, others with six digits. */
Plain plain_value(double value);

/* sum / count with two decimals, "32.00"; "-" when count is 0. At most 13 columns. */
Plain plain_ratio(uint64_t sum, uint64_t count);

/* part of whole in percent, "87.5%"; "-" when whole is 0. */
Plain plain_percent(uint64_t part, uint64_t whole);

/* "4.19 MB", in powers of ten, as bandwidths are given. */
Plain plain_bytes(uint64_t bytes);

/* "12.3 us"; from ten thousand on "12.34 ms". */
Plain plain_time(double us);

/* "1 sector", "4 sectors": adds an s unless count is 1. */
void plain_count(Text *out, uint64_t count, const char *noun);

/* "0-7, 12, 30-31", cut with ".." where it would take more than `columns`. */
void plain_lanes(Text *out, uint32_t lanes, size_t columns);

/* The bytes as one line of at most `columns` columns: valid UTF-8 as it is, tabs as a space, what is unsafe as '?', cut with "..".
 * Leading blanks are left out. Returns the columns written. */
size_t plain_line(Text *out, const char *bytes, size_t count, size_t columns);

/* The same, cut at both ends where need be, so that what begins at byte `focus` can be seen. Returns the columns in front of that. */
size_t plain_window(Text *out, const char *bytes, size_t count, size_t focus, size_t columns);

/* Valid UTF-8 with all that is not replaced by U+FFFD; control characters stay. */
void plain_utf8(Text *out, const char *bytes, size_t count);

/* How many bytes of the text, one line, go into `columns` columns: all, or as many as end before a blank; a word that is longer is cut. */
size_t plain_break(const char *text, size_t columns);

/* Wraps text, which is cleaned as plain_line does it, into lines of at most `columns`. `first` stands before the first line, as many
 * blanks before the others. Ends with a newline. */
void plain_wrap(Text *out, size_t columns, const char *first, const char *text);
