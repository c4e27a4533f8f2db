/* texture.h: texture and surface objects: what a kernel's handle means. The texels are in the device's memory, row after row. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum TexelKind { TEXEL_UNSIGNED, TEXEL_SIGNED, TEXEL_FLOAT } TexelKind;
typedef enum AddressMode { ADDRESS_WRAP, ADDRESS_CLAMP, ADDRESS_MIRROR, ADDRESS_BORDER } AddressMode;

enum { TEXTURE_AXES = 3, TEXEL_CHANNELS = 4, TEXEL_BYTES_MOST = 16 };

typedef struct Texture {
    uint64_t handle; /* textures_add gives it */
    bool is_surface;
    uint64_t address;              /* of the first texel, on the device */
    uint64_t pitch, slice;         /* bytes from row to row; from slice to slice or layer to layer */
    uint32_t extent[TEXTURE_AXES]; /* texels; 1 where there is no such dimension */
    uint32_t dimensions, layers;   /* layers: 0: it has none */
    uint8_t channels, channel_bytes;
    uint8_t kind; /* TexelKind */
    /* Of textures alone. */
    bool is_linear;             /* a buffer, which tex1Dfetch reads */
    bool filters;               /* linearly */
    bool gives_fractions;       /* integers are read as numbers from 0 or -1 to 1 */
    bool normalised;            /* coordinates from 0 to 1 */
    uint8_t mode[TEXTURE_AXES]; /* AddressMode */
    float border[TEXEL_CHANNELS];
} Texture;

/* Sorted by handle, since each is larger than all before it: none is used again. Begins as {0}. */
typedef struct TextureTable {
    Texture *items;
    size_t count, capacity;
    uint64_t handles; /* so far */
} TextureTable;

static inline unsigned texel_bytes(const Texture *texture) { return (unsigned)texture->channels * texture->channel_bytes; }

uint64_t textures_add(TextureTable *table, Texture texture);
/* NULL: there is none, of that kind. */
const Texture *textures_find(const TextureTable *table, uint64_t handle, bool is_surface);
bool textures_remove(TextureTable *table, uint64_t handle, bool is_surface);
void textures_free(TextureTable *table);
