/* checksum.h: whether a text is the same as before. FNV-1a of 64 bits: for data that nobody forges. */
#pragma once

#include <stdint.h>

static inline uint64_t checksum_of(const char *text) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++) hash = (hash ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
    return hash;
}
