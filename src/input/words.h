/* words.h: memory as the words that arguments.h reads, so that a launch can be made again from text. */
#pragma once

#include <stdint.h>

#include "base/text.h"

/* " --arg buf:TYPE:COUNT" and its elements as `list:`, or `zero` where they all are; data NULL: uninitialised. type: PTX's, as that of the elements. */
void words_add_buffer(uint8_t type, uint64_t count, const uint8_t *data, Text *out);

/* What stands there behind the count. */
void words_add_elements(uint8_t type, uint64_t count, const uint8_t *data, Text *out);

/* " --arg bytes:HEX", or a number of 4 or 8 bytes as an integer. */
void words_add_value(const uint8_t *data, uint64_t bytes, Text *out);
