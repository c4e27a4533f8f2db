/* visible.h: text that others wrote, fit for a terminal: what would move the cursor, paint or reorder it is shown instead. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* The next code point of UTF-8 text that may hold any bytes; *at moves on by at least one byte. UNICODE_BAD for a byte that is
 * not part of valid UTF-8. at < end. */
#define UNICODE_BAD 0xfffdu
uint32_t visible_decode(const char **at, const char *end);

/* True for code points that move the cursor, reorder text or do not exist: control characters, bidirectional marks, surrogates. */
bool visible_is_unsafe(uint32_t code);

/* Adds the bytes: valid UTF-8, newlines and tabs as they are, all else byte for byte as \x1b. */
void visible_add(Text *out, const char *bytes, size_t count);

/* The same for a name or a sentence, where a newline or a tab is not as it should be either. */
void visible_add_line(Text *out, const char *line);
