/* Textures lane by lane: which texels a coordinate leads to, what filtering makes of them, and which handle means what. Expected values are worked out
 * by hand: a texel i covers the coordinates from i to i + 1, and its value stands at i + 0.5. */
#include "machine/sampling.h"

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

SUITE("sampling", coordinates_outside_lead_where_the_mode_says, weights_have_eight_bits_of_fraction,
      corners_are_weighed_along_each_axis, channels_become_numbers, a_handle_is_not_used_again)
