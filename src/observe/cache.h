/* cache.h: a sectored cache: tags of 128-byte lines with four 32-byte sectors each. Pure state, no addresses' data. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct CacheConfig {
    uint64_t bytes; /* capacity */
    uint32_t ways;  /* of each set */
} CacheConfig;
