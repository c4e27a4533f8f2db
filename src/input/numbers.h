/* numbers.h: numbers as people write them on a command line. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ptx/program.h"

/* The Type that an element name (u8 i8 u16 i16 u32 i32 u64 i64 f32 f64; not NUL-terminated) stands for, or TYPE_none. */
uint8_t number_type(const char *name, size_t length);

/* The name of such a Type, as number_type reads it. */
const char *number_type_name(uint8_t type);

/* Reads the whole text as a number of this type and writes its bytes, little-endian. NULL, or what is wrong with it ("is not a
 * number", "does not fit in u8 (0 … 255)"); that sentence lives until the next call in the same thread.
 * Integers: decimal or 0x hexadecimal with an optional sign; hexadecimal may use all bits of a signed type. Floats: as strtod reads
 * them, so also nan, inf and 0x1p-3. */
const char *number_parse(const char *text, size_t length, uint8_t type, uint8_t bytes[8]);

/* Reads an unsigned decimal or hexadecimal number of at most `limit`. False when it is none or too large. */
bool number_unsigned(const char *text, size_t length, uint64_t limit, uint64_t *value);
