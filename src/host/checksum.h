/* checksum.h: whether bytes are the same as before. FNV-1a of 64 bits: for data that nobody forges. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* begin: another number, another function. */
static inline uint64_t checksum_bytes(const char *bytes, size_t count, uint64_t begin) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ begin;
    for (size_t i = 0; i < count; i++) hash = (hash ^ (uint8_t)bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static inline uint64_t checksum_of(const char *text) { return checksum_bytes(text, strlen(text), 0); }
