/* Textures lane by lane: which texels a coordinate leads to, what filtering makes of them, and which handle means what. Expected values are worked out
 * by hand: a texel i covers the coordinates from i to i + 1, and its value stands at i + 0.5. */
#include "machine/sampling.h"

#include <math.h>
#include <string.h>

#include "suite.h"

static Texture line_of(uint32_t width, AddressMode mode, bool normalised) {
    return (Texture){.extent = {width, 1, 1},
                     .dimensions = 1,
                     .channels = 1,
                     .channel_bytes = 4,
                     .kind = TEXEL_FLOAT,
                     .normalised = normalised,
                     .mode = {(uint8_t)mode, (uint8_t)mode, (uint8_t)mode},
                     .border = {7, 0, 0, 0}};
}

START_TEST(coordinates_outside_lead_where_the_mode_says)
{
    enum { OUTSIDE = 99 };
    static const struct {
        AddressMode mode;
        bool normalised;
        float at;
        uint32_t index;
    } cases[] = {
        {ADDRESS_CLAMP, false, -0.5f, 0},        {ADDRESS_CLAMP, false, 4.5f, 3},   {ADDRESS_CLAMP, false, 2.99f, 2},
        {ADDRESS_BORDER, false, -0.5f, OUTSIDE}, {ADDRESS_BORDER, false, 3.5f, 3},  {ADDRESS_BORDER, false, 4, OUTSIDE},
        {ADDRESS_WRAP, true, -0.125f, 3},        {ADDRESS_WRAP, true, 1.125f, 0},   {ADDRESS_WRAP, true, 2.375f, 1},
        {ADDRESS_MIRROR, true, -0.125f, 0},      {ADDRESS_MIRROR, true, 1.125f, 3}, {ADDRESS_MIRROR, true, 2.375f, 1},
        {ADDRESS_MIRROR, true, -1.125f, 3},      {ADDRESS_CLAMP, false, 1e30f, 3},  {ADDRESS_CLAMP, false, -1e30f, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Texture texture = line_of(4, cases[i].mode, cases[i].normalised);
        const AxisTaps taps = axis_find(&texture, 0, cases[i].at, false);
        ck_assert_msg(taps.outside[0] == (cases[i].index == OUTSIDE), "case %zu", i);
        if (!taps.outside[0]) ck_assert_msg(taps.index[0] == cases[i].index, "case %zu: %u", i, taps.index[0]);
    }
}
END_TEST

/* Between which texels of 1, 2, 4 and 8 a line is filtered, a border being -7, as an H200 has it: what is no number counts as 0, and where coordinates
 * wrap, what is endless as well. */
START_TEST(coordinates_that_are_no_numbers_lead_somewhere)
{
    static const float values[] = {1, 2, 4, 8};
    static const struct {
        AddressMode mode;
        bool normalised, two;
        float nan, endless, below; /* what is read at NaN, infinity and minus infinity */
    } rows[] = {
        {ADDRESS_CLAMP, false, false, 1, 8, 1},    {ADDRESS_CLAMP, false, true, 1, 8, 1},
        {ADDRESS_CLAMP, true, false, 1, 8, 1},     {ADDRESS_CLAMP, true, true, 1, 8, 1},
        {ADDRESS_BORDER, false, false, 1, -7, -7}, {ADDRESS_BORDER, false, true, -3, -7, -7},
        {ADDRESS_BORDER, true, false, 1, -7, -7},  {ADDRESS_BORDER, true, true, -3, -7, -7},
        {ADDRESS_WRAP, true, false, 1, 1, 1},      {ADDRESS_WRAP, true, true, 4.5f, 4.5f, 4.5f},
        {ADDRESS_MIRROR, true, false, 1, 1, 1},    {ADDRESS_MIRROR, true, true, 1, 1, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Texture texture = line_of(4, rows[i].mode, rows[i].normalised);
        const float at[] = {NAN, -NAN, INFINITY, -INFINITY},
                    wanted[] = {rows[i].nan, rows[i].nan, rows[i].endless, rows[i].below};
        for (unsigned k = 0; k < 4; k++) {
            const AxisTaps taps = axis_find(&texture, 0, at[k], rows[i].two);
            Texel corners[2];
            for (unsigned c = 0; c < 2; c++) corners[c].real[0] = taps.outside[c] ? -7 : values[taps.index[c]];
            const float got = rows[i].two ? texels_filter(&taps, 1, corners).real[0] : corners[0].real[0];
            ck_assert_msg(got == wanted[k], "row %zu at %g: %g, not %g", i, (double)at[k], (double)got, (double)wanted[k]);
        }
    }
}
END_TEST

START_TEST(weights_have_eight_bits_of_fraction)
{
    const Texture texture = line_of(4, ADDRESS_CLAMP, false);
    static const struct {
        float at;
        uint32_t below, above, weight;
    } cases[] = {{1.5f, 1, 2, 0},  {1.75f, 1, 2, 64},  {2.25f, 1, 2, 192},
                 {2.5f, 2, 3, 0},  {0.25f, 0, 0, 192}, {1.5f + 1 / 256.0f, 1, 2, 1},
                 {3.75f, 3, 3, 64}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const AxisTaps taps = axis_find(&texture, 0, cases[i].at, true);
        ck_assert_msg(taps.index[0] == cases[i].below && taps.index[1] == cases[i].above && taps.weight == cases[i].weight,
                      "case %zu: %u %u %u", i, taps.index[0], taps.index[1], taps.weight);
    }
}
END_TEST

START_TEST(corners_are_weighed_along_each_axis)
{
    const AxisTaps taps[] = {{.weight = 64}, {.weight = 128}};
    Texel corners[4] = {{{0}}, {{4}}, {{8}}, {{16}}};
    /* Below: 0 + (4 - 0) / 4 = 1; above: 8 + (16 - 8) / 4 = 10; half-way: 5.5. */
    ck_assert(texels_filter(taps, 2, corners).real[0] == 5.5f);
    ck_assert(texels_filter(taps, 1, corners).real[0] == 1);
}
END_TEST

/* Weights of a plane's corners in 1/256, as an H200 has them: the one above on the right is rounded, the others are what it leaves. */
START_TEST(weights_of_a_plane_have_eight_bits_as_well)
{
    static const struct {
        uint32_t a, b;
        float weights[4];
    } rows[] = {
        {1, 1, {254, 1, 1, 0}},     {1, 127, {128, 1, 127, 0}},   {1, 128, {128, 0, 127, 1}},    {3, 42, {211, 3, 42, 0}},
        {3, 43, {211, 2, 42, 1}},   {11, 12, {234, 10, 11, 1}},   {100, 200, {34, 22, 122, 78}}, {127, 127, {65, 64, 64, 63}},
        {128, 1, {128, 127, 0, 1}}, {129, 129, {63, 64, 64, 65}}, {255, 255, {0, 1, 1, 254}},    {255, 1, {1, 254, 0, 1}},
        {0, 77, {179, 0, 77, 0}},   {77, 0, {179, 77, 0, 0}},     {16, 8, {233, 15, 7, 1}},      {8, 17, {232, 7, 16, 1}},
        {200, 3, {55, 198, 1, 2}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned corner = 0; corner < 4; corner++) {
            const AxisTaps taps[] = {{.weight = rows[i].a}, {.weight = rows[i].b}};
            Texel corners[4] = {{{0}}};
            corners[corner].real[0] = 256;
            const float got = texels_filter(taps, 2, corners).real[0];
            ck_assert_msg(got == rows[i].weights[corner], "%u, %u: corner %u has %g", rows[i].a, rows[i].b, corner,
                          (double)got);
        }
}
END_TEST

/* What an H200 gives outside of textures of integers that are read as fractions. */
START_TEST(a_borders_colour_is_stored_as_a_texel)
{
    static const float colours[3][4] = {{0.3f, -0.3f, 2, -2}, {0.5f, 0.498f, 1, -1}, {0.004f, 0.002f, 0.0019f, -0.0039f}};
    static const struct {
        TexelKind kind;
        uint8_t bytes;
        uint32_t bits[3][4];
    } rows[] = {
        {TEXEL_SIGNED,
         1,
         {{0x3e993265, 0xbe993265, 0x3f800000, 0xbf800000}, {0x3efdfbf8, 0x3efdfbf8, 0x3f800000, 0xbf800000}, {0}}},
        {TEXEL_UNSIGNED, 1, {{0x3e989899, 0, 0x3f800000, 0}, {0x3efefeff, 0x3efefeff, 0x3f800000, 0}, {0x3b808081}}},
        {TEXEL_SIGNED,
         2,
         {{0x3e999933, 0xbe999933, 0x3f800000, 0xbf800000},
          {0x3efffe00, 0x3efef9fe, 0x3f800000, 0xbf800000},
          {0x3b830106, 0x3b020104, 0x3af801f0, 0xbb800100}}},
        {TEXEL_UNSIGNED,
         2,
         {{0x3e99989a, 0, 0x3f800000, 0}, {0x3effff00, 0x3efef8ff, 0x3f800000, 0}, {0x3b830083, 0x3b030083, 0x3af800f8, 0}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned k = 0; k < 3; k++) {
            Texture texture = line_of(4, ADDRESS_BORDER, false);
            texture.kind = (uint8_t)rows[i].kind;
            texture.channels = 4;
            texture.channel_bytes = rows[i].bytes;
            texture.gives_fractions = true;
            memcpy(texture.border, colours[k], sizeof texture.border);
            const Texel texel = texel_border(&texture);
            for (unsigned c = 0; c < 4; c++)
                ck_assert_msg(texel.bits[c] == rows[i].bits[k][c], "row %zu, colour %u, channel %u: %08x, not %08x", i, k, c,
                              texel.bits[c], rows[i].bits[k][c]);
        }
    Texture texture = line_of(4, ADDRESS_BORDER, false);
    const uint32_t words[] = {0x12345678, UINT32_MAX, 0x80, 0x8000};
    texture.channels = 4;
    texture.kind = TEXEL_SIGNED;
    texture.channel_bytes = 1;
    memcpy(texture.border, words, sizeof words);
    Texel texel = texel_border(&texture);
    ck_assert(texel.bits[0] == 0x78 && texel.bits[1] == UINT32_MAX && texel.bits[2] == 0xffffff80 && texel.bits[3] == 0);
    texture.channel_bytes = 2;
    texel = texel_border(&texture);
    ck_assert(texel.bits[0] == 0x5678 && texel.bits[1] == UINT32_MAX && texel.bits[2] == 0x80 && texel.bits[3] == 0xffff8000);
}
END_TEST

START_TEST(channels_become_numbers)
{
    Texture texture = line_of(1, ADDRESS_CLAMP, false);
    const uint8_t bytes[] = {0x80, 0x81, 0x7f, 0xff};
    texture.channel_bytes = 1;
    texture.channels = 4;
    texture.kind = TEXEL_SIGNED;
    Texel texel = texel_decode(&texture, bytes);
    ck_assert(texel.bits[0] == 0xffffff80 && texel.bits[2] == 0x7f && texel.bits[3] == 0xffffffff);
    texture.gives_fractions = true;
    texel = texel_decode(&texture, bytes);
    ck_assert(texel.real[0] == -1 && texel.real[1] == -1 && texel.real[2] == 1);
    texture.kind = TEXEL_UNSIGNED;
    ck_assert(texel_decode(&texture, bytes).real[3] == 1);
    texture.kind = TEXEL_FLOAT;
    texture.channel_bytes = 2;
    texture.channels = 2;
    ck_assert(texel_decode(&texture, (const uint8_t[]){0x00, 0x3e, 0x00, 0xc0}).real[0] == 1.5f);
}
END_TEST

START_TEST(a_handle_is_not_used_again)
{
    TextureTable table = {0};
    const uint64_t first = textures_add(&table, line_of(1, ADDRESS_CLAMP, false)),
                   second = textures_add(&table, (Texture){.is_surface = true});
    ck_assert(textures_find(&table, first, false) && !textures_find(&table, first, true));
    ck_assert(textures_find(&table, second, true) && !textures_find(&table, second, false));
    ck_assert(!textures_remove(&table, second, false) && textures_remove(&table, first, false));
    ck_assert(!textures_find(&table, first, false) && textures_find(&table, second, true));
    const uint64_t third = textures_add(&table, line_of(1, ADDRESS_CLAMP, false));
    ck_assert(third != first && third != second && textures_find(&table, third, false));
    ck_assert(!textures_find(&table, 0, false) && !textures_find(NULL, third, false) &&
              !textures_find(&table, UINT64_MAX, true));
    textures_free(&table);
}
END_TEST

SUITE("sampling", coordinates_outside_lead_where_the_mode_says, coordinates_that_are_no_numbers_lead_somewhere,
      weights_have_eight_bits_of_fraction, weights_of_a_plane_have_eight_bits_as_well, a_borders_colour_is_stored_as_a_texel,
      corners_are_weighed_along_each_axis, channels_become_numbers, a_handle_is_not_used_again)
