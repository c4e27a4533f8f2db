#include "machine/sampling.h"

#include <math.h>
#include <string.h>

#include "machine/alu_lanes.h"

enum { WEIGHT_ONE = 256 };

/* --- where --- */

/* Floors and bounds what no texture is as large as. */
static int64_t position(double at) { return (int64_t)floor(fmin(fmax(at, -0x1p40), 0x1p40)); }

static void address(const Texture *texture, unsigned axis, int64_t index, AxisTaps *taps, unsigned which) {
    const int64_t extent = texture->extent[axis], twice = 2 * extent;
    taps->outside[which] = false;
    switch ((AddressMode)texture->mode[axis]) {
    case ADDRESS_WRAP: index = (index % extent + extent) % extent; break;
    case ADDRESS_MIRROR:
        index = (index % twice + twice) % twice;
        index = index < extent ? index : twice - 1 - index;
        break;
    case ADDRESS_CLAMP: index = index < 0 ? 0 : index < extent ? index : extent - 1; break;
    case ADDRESS_BORDER: taps->outside[which] = index < 0 || index >= extent; break;
    }
    taps->index[which] = taps->outside[which] ? 0 : (uint32_t)index;
}

AxisTaps axis_find(const Texture *texture, unsigned axis, float coordinate, bool two) {
    AxisTaps taps = {0};
    const bool wraps = texture->mode[axis] == ADDRESS_WRAP && isinf(coordinate);
    if (coordinate != coordinate || wraps) coordinate = 0; /* so an H200 */
    const double at = texture->normalised ? (double)coordinate * texture->extent[axis] : (double)coordinate;
    const int64_t fixed = two ? position((at - 0.5) * WEIGHT_ONE + 0.5) : 0;
    const int64_t index = two ? fixed >> 8 : position(at);
    taps.weight = two ? (uint32_t)(fixed & (WEIGHT_ONE - 1)) : 0;
    address(texture, axis, index, &taps, 0);
    address(texture, axis, index + two, &taps, 1);
    return taps;
}

AxisTaps axis_index(const Texture *texture, unsigned axis, int32_t index) {
    const bool outside = index < 0 || (uint32_t)index >= texture->extent[axis];
    const uint32_t at = outside ? 0 : (uint32_t)index;
    return (AxisTaps){{at, at}, {outside, outside}, 0};
}

uint32_t layer_find(const Texture *texture, int32_t layer) {
    if ((uint32_t)layer < texture->layers) return (uint32_t)layer;
    return texture->layers ? texture->layers - 1 : 0; /* below 0 as well: an H100 takes it for a large number */
}

/* --- what --- */

bool texture_gives_floats(const Texture *texture) { return texture->kind == TEXEL_FLOAT || texture->gives_fractions; }

static uint32_t channel_bits(const Texture *texture, const uint8_t *bytes) {
    uint32_t bits = 0;
    memcpy(&bits, bytes, texture->channel_bytes);
    const unsigned unused = 32 - 8u * texture->channel_bytes;
    return texture->kind == TEXEL_SIGNED ? (uint32_t)((int32_t)(bits << unused) >> unused) : bits;
}

/* 255 and 127 are 1, of 16 bits 65535 and 32767; -128 is -1 as well. */
static float fraction_of(const Texture *texture, uint32_t bits) {
    const unsigned width = 8u * texture->channel_bytes - (texture->kind == TEXEL_SIGNED);
    const float most = (float)((UINT32_C(1) << width) - 1);
    return texture->kind == TEXEL_SIGNED ? fmaxf((float)(int32_t)bits / most, -1) : (float)bits / most;
}

static uint32_t value_of(const Texture *texture, const uint8_t *bytes) {
    const uint32_t bits = channel_bits(texture, bytes);
    if (texture->kind == TEXEL_FLOAT) return texture->channel_bytes == 2 ? f32_bits(f16_to_f32(bits)) : bits;
    return texture->gives_fractions ? f32_bits(fraction_of(texture, bits)) : bits;
}

/* Channels that there are not are 0: so an H100. */
Texel texel_decode(const Texture *texture, const uint8_t *bytes) {
    Texel texel = {{0}};
    for (unsigned c = 0; c < texture->channels; c++)
        texel.bits[c] = value_of(texture, bytes + (size_t)c * texture->channel_bytes);
    return texel;
}

/* As an H200 stores it: cut off to 16 bits of magnitude, of which 8 or 16 are taken, and of these one less for signed texels. */
static float border_fraction(const Texture *texture, float colour) {
    const bool is_signed = texture->kind == TEXEL_SIGNED;
    int32_t stored = (int32_t)(fminf(fmaxf(colour, is_signed ? -1 : 0), 1) * 65535.0);
    if (texture->channel_bytes == 1) stored /= 256;
    return fraction_of(texture, (uint32_t)(is_signed ? stored >> 1 : stored));
}

/* Stored in the texels' format, as an H100 has it: of integers the colour's low bits. */
Texel texel_border(const Texture *texture) {
    Texel texel = {{0}};
    for (unsigned c = 0; c < texture->channels; c++) {
        const uint32_t bits = f32_bits(texture->border[c]);
        if (texture->gives_fractions)
            texel.real[c] = border_fraction(texture, texture->border[c]);
        else
            texel.bits[c] = texture->kind == TEXEL_FLOAT ? bits : channel_bits(texture, (const uint8_t *)&bits);
    }
    return texel;
}

/* The weights of the corners of a plane have 8 bits of fraction as well. */
static void weigh(const AxisTaps taps[], unsigned dimensions, uint32_t weights[]) {
    const uint32_t a = taps[0].weight, b = dimensions > 1 ? taps[1].weight : 0, both = (a * b + 128) >> 8;
    weights[0] = WEIGHT_ONE - a - b + both;
    weights[1] = a - both;
    weights[2] = b - both;
    weights[3] = both;
    for (unsigned corner = 0; dimensions > 2 && corner < 4; corner++) {
        weights[4 + corner] = (weights[corner] * taps[2].weight + 128) >> 8;
        weights[corner] -= weights[4 + corner];
    }
}

Texel texels_filter(const AxisTaps taps[], unsigned dimensions, const Texel corners[]) {
    Texel filtered = {{0}};
    uint32_t weights[8];
    weigh(taps, dimensions, weights);
    for (unsigned c = 0; c < TEXEL_CHANNELS; c++) {
        double sum = 0;
        for (unsigned corner = 0; corner < 1u << dimensions; corner++)
            if (weights[corner]) sum += weights[corner] * (double)corners[corner].real[c];
        filtered.real[c] = f32_canonical((float)(sum / WEIGHT_ONE));
    }
    return filtered;
}
