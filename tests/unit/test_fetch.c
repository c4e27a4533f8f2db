/* What kernels read of textures and write to surfaces (machine/fetch.h). The texels are 4 by 4 floats, texel (x, y) being 4 y + x, each covering the
 * coordinates from x to x + 1, with its value at x + 0.5. */
#include "machine/fetch.h"

#include <string.h>

#include "device/device.h"
#include "machine/texture.h"
#include "parsed.h"

enum { WIDTH = 4, HEIGHT = 4, WORDS = 4 };

typedef struct Picture {
    float texels[HEIGHT][WIDTH];
    uint32_t words[WORDS]; /* that the kernel left */
} Picture;

static Texture plane_of(AddressMode mode, bool filters) {
    return (Texture){.pitch = WIDTH * sizeof(float),
                     .slice = WIDTH * HEIGHT * sizeof(float),
                     .extent = {WIDTH, HEIGHT, 1},
                     .dimensions = 2,
                     .channels = 1,
                     .channel_bytes = 4,
                     .kind = TEXEL_FLOAT,
                     .filters = filters,
                     .mode = {(uint8_t)mode, (uint8_t)mode, (uint8_t)mode},
                     .border = {-7, 0, 0, 0}};
}

/* One thread runs these instructions: t is the object, x and y are 32 bits each, r0 to r3 are what is kept. */
static LaunchResult run(const char *insns, Texture texture, uint32_t x, uint32_t y, Picture *picture) {
    Diag diag = {0};
    Program *program = parsed_of(".version 8.0\n.target sm_90\n.address_size 64\n"
                                 ".entry k(.param .u64 p0, .param .u64 p1, .param .b32 p2, .param .b32 p3) {\n"
                                 ".reg .b64 t, o; .reg .b32 x, y, r0, r1, r2, r3;\n"
                                 "ld.param.b64 t, [p0]; ld.param.b64 o, [p1]; ld.param.b32 x, [p2]; ld.param.b32 y, [p3];\n"
                                 "mov.b32 r0, 0; mov.b32 r1, 0; mov.b32 r2, 0; mov.b32 r3, 0;\n%s\n"
                                 "st.global.v4.b32 [o], {r0, r1, r2, r3}; ret; }\n",
                                 insns);
    Memory *memory = memory_new();
    Allocation *texels = memory_allocate(memory, sizeof picture->texels, "texels", false),
               *words = memory_allocate(memory, sizeof picture->words, "words", false);
    TextureTable table = {0};
    texels->initialized = true;
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++) ((float *)(void *)texels->host)[i] = (float)i;
    texture.address = texels->address;
    const struct {
        uint64_t object, out;
        uint32_t x, y;
    } params = {textures_add(&table, texture), words->address, x, y};
    const LaunchRequest request = {.launch.kernel = prepared(program, "k"),
                                   .launch.grid = {1, 1, 1},
                                   .launch.block = {1, 1, 1},
                                   .launch.params = (const uint8_t *)&params,
                                   .launch.memory = memory,
                                   .launch.textures = &table,
                                   .launch.checks = true,
                                   .launch.threads = 1,
                                   .profile = profile_find("h200", &diag),
                                   .l1 = true};
    LaunchResult result;
    ck_assert_msg(device_launch(&request, &result, &diag), "%s", diag.message);
    memcpy(picture->texels, texels->host, sizeof picture->texels);
    memcpy(picture->words, words->host, sizeof picture->words);
    textures_free(&table);
    program_free(program);
    memory_free(memory);
    return result;
}

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* PTX ISA, tld4: the four texels that a filter would mix, round the cell from the one below on the left. That a coordinate lies on a texel's middle, where
 * a filter has no use for the next one, makes no difference: an H200 gives the same. */
START_TEST(the_four_texels_of_a_cell_are_gathered)
{
    static const struct {
        float x, y, texels[4];
    } rows[] = {
        {2, 2, {9, 10, 6, 5}},
        {1.5f, 1.5f, {9, 10, 6, 5}},
        {1.5f, 2, {9, 10, 6, 5}},
        {0.25f, 3.75f, {12, 12, 12, 12}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Picture picture;
        LaunchResult result = run("tld4.r.2d.v4.f32.f32 {r0, r1, r2, r3}, [t, {x, y}];", plane_of(ADDRESS_CLAMP, false),
                                  bits_of(rows[i].x), bits_of(rows[i].y), &picture);
        ck_assert_msg(result.fault.kind == FAULT_none, "%s", result.fault.message);
        for (unsigned c = 0; c < 4; c++)
            ck_assert_msg(float_of(picture.words[c]) == rows[i].texels[c], "row %zu: %u: %g", i, c,
                          (double)float_of(picture.words[c]));
        device_result_free(&result);
    }
}
END_TEST

/* A line is filtered as the first row of a plane, half of what is above its middle being the border: where the first texel is 1 and the border -7, an H200
 * gives -5 at 0 and not -3. Here the texel is 0: half of -7 and 0, and of that and -7 half. Clamped, the row above is the row itself. */
START_TEST(a_line_is_filtered_as_the_first_row_of_a_plane)
{
    static const struct {
        AddressMode mode;
        float x, value;
    } rows[] = {
        {ADDRESS_BORDER, 0, -5.25f}, {ADDRESS_BORDER, 1.5f, -3}, {ADDRESS_BORDER, 2, -2.75f}, {ADDRESS_BORDER, -9, -7},
        {ADDRESS_CLAMP, 0, 0},       {ADDRESS_CLAMP, 1.5f, 1},   {ADDRESS_CLAMP, 2, 1.5f},    {ADDRESS_CLAMP, 9, 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Picture picture;
        Texture line = plane_of(rows[i].mode, true);
        line.dimensions = 1;
        line.extent[1] = 1;
        LaunchResult result = run("tex.1d.v4.f32.f32 {r0, r1, r2, r3}, [t, {x}];", line, bits_of(rows[i].x), 0, &picture);
        ck_assert_msg(result.fault.kind == FAULT_none, "%s", result.fault.message);
        ck_assert_msg(float_of(picture.words[0]) == rows[i].value, "row %zu: %g", i, (double)float_of(picture.words[0]));
        device_result_free(&result);
    }
}
END_TEST

/* PTX ISA, sust and suld: outside, .trap is a fault, .clamp takes the nearest element inside and .zero reads zeros and writes nothing. x counts bytes. */
START_TEST(outside_of_a_surface_the_mode_decides)
{
    static const struct {
        const char *insns;
        int32_t x, y;
        bool faults;
        float read;
        int changed; /* texel that has become 99; -1: none */
    } rows[] = {
        {"suld.b.2d.b32.trap r0, [t, {x, y}];", 12, 3, false, 15, -1},
        {"suld.b.2d.b32.trap r0, [t, {x, y}];", 13, 0, true, 0, -1},
        {"suld.b.2d.b32.trap r0, [t, {x, y}];", 16, 0, true, 0, -1},
        {"suld.b.2d.b32.trap r0, [t, {x, y}];", 0, 4, true, 0, -1},
        {"suld.b.2d.b32.trap r0, [t, {x, y}];", -4, 0, true, 0, -1},
        {"suld.b.2d.b32.clamp r0, [t, {x, y}];", 16, 1, false, 7, -1},
        {"suld.b.2d.b32.clamp r0, [t, {x, y}];", -4, 9, false, 12, -1},
        {"suld.b.2d.b32.clamp r0, [t, {x, y}];", 4, -1, false, 1, -1},
        {"suld.b.2d.b32.zero r0, [t, {x, y}];", 8, 2, false, 10, -1},
        {"suld.b.2d.b32.zero r0, [t, {x, y}];", 16, 2, false, 0, -1},
        {"suld.b.2d.b32.zero r0, [t, {x, y}];", 8, -1, false, 0, -1},
        {"mov.b32 r1, 0f42c60000; sust.b.2d.b32.trap [t, {x, y}], r1;", 4, 2, false, 0, 9},
        {"mov.b32 r1, 0f42c60000; sust.b.2d.b32.trap [t, {x, y}], r1;", 4, 4, true, 0, -1},
        {"mov.b32 r1, 0f42c60000; sust.b.2d.b32.clamp [t, {x, y}], r1;", 400, 400, false, 0, 15},
        {"mov.b32 r1, 0f42c60000; sust.b.2d.b32.clamp [t, {x, y}], r1;", -400, 2, false, 0, 8},
        {"mov.b32 r1, 0f42c60000; sust.b.2d.b32.zero [t, {x, y}], r1;", 16, 2, false, 0, -1},
        {"mov.b32 r1, 0f42c60000; sust.b.2d.b32.zero [t, {x, y}], r1;", 12, 2, false, 0, 11},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Picture picture;
        Texture surface = plane_of(ADDRESS_CLAMP, false);
        surface.is_surface = true;
        LaunchResult result = run(rows[i].insns, surface, (uint32_t)rows[i].x, (uint32_t)rows[i].y, &picture);
        ck_assert_msg((result.fault.kind == FAULT_out_of_bounds) == rows[i].faults, "row %zu: %s", i, result.fault.message);
        ck_assert_msg(rows[i].faults || float_of(picture.words[0]) == rows[i].read, "row %zu: %g", i,
                      (double)float_of(picture.words[0]));
        for (int t = 0; t < WIDTH * HEIGHT; t++)
            ck_assert_msg(picture.texels[t / WIDTH][t % WIDTH] == (float)(t == rows[i].changed ? 99 : t), "row %zu: texel %d",
                          i, t);
        device_result_free(&result);
    }
}
END_TEST

SUITE("fetch", the_four_texels_of_a_cell_are_gathered, a_line_is_filtered_as_the_first_row_of_a_plane,
      outside_of_a_surface_the_mode_decides)
