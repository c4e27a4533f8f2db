/* sampling.h: which texels a coordinate leads to, and what comes of them: addressing modes, filtering and conversion, lane by lane and without
 * memory. CUDA C++ Programming Guide, "Texture Fetching": a weight has 8 bits of fraction. */
#pragma once

#include "machine/texture.h"

/* Along one axis the texel below the coordinate and the one above it. */
typedef struct AxisTaps {
    uint32_t index[2];
    bool outside[2]; /* the border's colour stands for it */
    uint32_t weight; /* of the second, in 1/256; 0 where nothing is filtered */
} AxisTaps;

/* One texel's channels: floats, or the bits of integers. */
typedef union Texel {
    float real[TEXEL_CHANNELS];
    uint32_t bits[TEXEL_CHANNELS];
} Texel;

/* Of a coordinate in floating point. two: the neighbours that a filter or a gathering reads. */
AxisTaps axis_find(const Texture *texture, unsigned axis, float coordinate, bool two);
/* Of an index. */
AxisTaps axis_index(const Texture *texture, unsigned axis, int32_t index);
uint32_t layer_find(const Texture *texture, int32_t layer);

bool texture_gives_floats(const Texture *texture);
Texel texel_decode(const Texture *texture, const uint8_t *bytes);
Texel texel_border(const Texture *texture);

/* The texels at the corners of a cell, the axes' second taps by the bits of their number; of so many dimensions. */
Texel texels_filter(const AxisTaps taps[], unsigned dimensions, const Texel corners[]);
