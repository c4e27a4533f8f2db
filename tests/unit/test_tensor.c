/* Bulk copies of boxes of a tensor (machine/tensorcopy.h): what comes where in shared memory, and which sectors are read for it. The tensor has 4 rows of
 * 8 floats, 32 bytes each, of which element (x, y) is 8 y + x + 1; its rows follow each other, so that each is a sector. */
#include "machine/tensormap.h"

#include <string.h>

#include "device/device.h"
#include "parsed.h"

enum { WIDTH = 8, HEIGHT = 4, WORDS = 64, UNTOUCHED = 99 };

typedef struct Box {
    int32_t x, y;
    uint32_t width, height, swizzle;
    uint32_t step; /* from row to row; 0: 1 */
} Box;

typedef struct Tile {
    float words[WORDS];
    BulkCounters counted;
} Tile;

/* One thread has the box copied to shared memory, where all words were UNTOUCHED, waits for it, and copies shared memory out. */
static void copy_in(Box box, Tile *tile) {
    Diag diag = {0};
    const uint32_t step = box.step ? box.step : 1;
    Program *program =
        parsed_of(".version 8.0\n.target sm_90\n.address_size 64\n"
                  ".entry k(.param .align 64 .b8 map[128], .param .u64 out, .param .b32 px, .param .b32 py) {\n"
                  ".reg .b64 m, o, d; .reg .b32 x, y, i, a, s, v; .reg .pred p;\n"
                  ".shared .align 128 .b8 tile[%d]; .shared .align 8 .b64 bar;\n"
                  "mov.b64 m, map; cvta.param.u64 m, m; ld.param.b64 o, [out]; ld.param.b32 x, [px]; "
                  "ld.param.b32 y, [py]; mov.u32 s, tile; mov.u32 i, 0;\n"
                  "BEFORE: add.u32 a, s, i; st.shared.f32 [a], 0f42C60000; add.u32 i, i, 4; setp.lt.u32 p, i, %d; "
                  "@p bra BEFORE;\n"
                  "mbarrier.init.shared.b64 [bar], 1; fence.proxy.async;\n"
                  "mbarrier.arrive.expect_tx.shared.b64 _, [bar], %u;\n"
                  "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                  "[tile], [m, {x, y}], [bar];\n"
                  "WAIT: mbarrier.try_wait.parity.shared.b64 p, [bar], 0; @!p bra WAIT; mov.u32 i, 0;\n"
                  "AFTER: add.u32 a, s, i; ld.shared.b32 v, [a]; cvt.u64.u32 d, i; add.u64 d, d, o; "
                  "st.global.b32 [d], v; add.u32 i, i, 4; setp.lt.u32 p, i, %d; @p bra AFTER; ret; }\n",
                  WORDS * 4, WORDS * 4, box.width * ((box.height + step - 1) / step) * 4, WORDS * 4);
    Memory *memory = memory_new();
    Allocation *tensor = memory_allocate(memory, WIDTH * HEIGHT * sizeof(float), "tensor", false),
               *words = memory_allocate(memory, sizeof tile->words, "words", false);
    tensor->initialized = true;
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++) ((float *)(void *)tensor->host)[i] = (float)(i + 1);
    const TensorMap map = {.address = tensor->address,
                           .size = {WIDTH, HEIGHT},
                           .stride = {sizeof(float), WIDTH * sizeof(float)},
                           .box = {box.width, box.height},
                           .step = {1, step},
                           .rank = 2,
                           .element = ELEMENT_F32,
                           .swizzle = box.swizzle};
    struct {
        uint8_t map[TENSORMAP_BYTES];
        uint64_t out;
        int32_t x, y;
    } params = {.out = words->address, .x = box.x, .y = box.y};
    ck_assert_msg(tensormap_check(&map, &diag), "%s", diag.message);
    tensormap_encode(&map, params.map);
    const LaunchRequest request = {.launch.kernel = prepared(program, "k"),
                                   .launch.grid = {1, 1, 1},
                                   .launch.block = {1, 1, 1},
                                   .launch.params = (const uint8_t *)&params,
                                   .launch.memory = memory,
                                   .launch.checks = true,
                                   .launch.threads = 1,
                                   .profile = profile_find("h200", &diag),
                                   .l1 = true};
    LaunchResult result;
    ck_assert_msg(device_launch(&request, &result, &diag), "%s", diag.message);
    ck_assert_msg(result.fault.kind == FAULT_none, "%s", result.fault.message);
    memcpy(tile->words, words->host, sizeof tile->words);
    tile->counted = result.counters->bulk;
    device_result_free(&result);
    program_free(program);
    memory_free(memory);
}

static void expect_words(const Tile *tile, unsigned first, const float *words, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        ck_assert_msg(tile->words[first + i] == words[i], "word %u is %g, not %g", first + i, (double)tile->words[first + i],
                      (double)words[i]);
}

/* CUDA driver API, "cuTensorMapEncodeTiled": zeros stand for what the tensor does not have. They are copied, and read nowhere. */
START_TEST(a_box_may_begin_before_its_tensor_and_end_behind_it)
{
    static const struct {
        Box box;
        float words[16];
        uint64_t sectors;
    } rows[] = {
        {{0, 1, 8, 2, 0, 0}, {9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24}, 2},
        {{-4, 1, 8, 2, 0, 0}, {0, 0, 0, 0, 9, 10, 11, 12, 0, 0, 0, 0, 17, 18, 19, 20}, 2},
        {{4, 3, 8, 2, 0, 0}, {29, 30, 31, 32}, 1},
        {{0, -1, 8, 2, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8}, 1},
        {{-8, 0, 8, 2, 0, 0}, {0}, 0},
        /* elementStrides: every second row of four, from the second on, and of three all that begin in the tensor */
        {{0, 0, 8, 4, 0, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 17, 18, 19, 20, 21, 22, 23, 24}, 2},
        {{0, 1, 8, 4, 0, 2}, {9, 10, 11, 12, 13, 14, 15, 16, 25, 26, 27, 28, 29, 30, 31, 32}, 2},
        {{0, 2, 8, 3, 0, 2}, {17, 18, 19, 20, 21, 22, 23, 24}, 1},
        {{0, 4, 8, 2, 0, 0}, {0}, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Tile tile;
        const float untouched = UNTOUCHED;
        copy_in(rows[i].box, &tile);
        expect_words(&tile, 0, rows[i].words, 16);
        expect_words(&tile, 16, &untouched, 1);
        ck_assert_msg(tile.counted.read_sectors == rows[i].sectors, "row %zu: %llu sectors", i,
                      (unsigned long long)tile.counted.read_sectors);
        ck_assert_uint_eq(tile.counted.copies, 1);
        ck_assert_uint_eq(tile.counted.bytes, 64);
    }
}
END_TEST

/* With a swizzle of 64 bytes rows of 32 lie 64 apart, as on an H100; in the second line of 128 bytes neighbouring units of 16 change places. */
START_TEST(rows_that_are_narrower_than_the_swizzle_lie_its_span_apart)
{
    Tile tile;
    copy_in((Box){0, 0, 8, 4, 2, 0}, &tile);
    expect_words(&tile, 0, (const float[]){1, 2, 3, 4, 5, 6, 7, 8, UNTOUCHED, UNTOUCHED}, 10);
    expect_words(&tile, 16, (const float[]){9, 10, 11, 12, 13, 14, 15, 16, UNTOUCHED}, 9);
    expect_words(&tile, 32, (const float[]){21, 22, 23, 24, 17, 18, 19, 20, UNTOUCHED}, 9);
    expect_words(&tile, 48, (const float[]){29, 30, 31, 32, 25, 26, 27, 28, UNTOUCHED}, 9);
}
END_TEST

/* One thread has a box of 16 floats, 1 to 16, stored by the map of a tensor of so many; the memory that it lies in has `has`. Fault: of the launch. */
static FaultKind copy_out(uint32_t size, uint32_t has, float words[16]) {
    Diag diag = {0};
    Program *program = parsed_of(".version 8.0\n.target sm_90\n.address_size 64\n"
                                 ".entry k(.param .align 64 .b8 map[128]) {\n"
                                 ".reg .b64 m; .reg .b32 i, a, s; .reg .f32 v; .reg .pred p; .shared .align 128 .b8 tile[64];\n"
                                 "mov.b64 m, map; cvta.param.u64 m, m; mov.u32 s, tile; mov.u32 i, 0;\n"
                                 "BEFORE: shl.b32 a, i, 2; add.u32 a, a, s; add.u32 i, i, 1; cvt.rn.f32.u32 v, i; "
                                 "st.shared.f32 [a], v; setp.lt.u32 p, i, 16; @p bra BEFORE;\n"
                                 "fence.proxy.async; mov.u32 i, 0;\n"
                                 "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [m, {i}], [tile];\n"
                                 "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret; }\n");
    Memory *memory = memory_new();
    Allocation *tensor = memory_allocate(memory, has * sizeof(float), "tensor", false);
    const TensorMap map = {.address = tensor->address,
                           .size = {size},
                           .stride = {sizeof(float)},
                           .box = {16},
                           .step = {1},
                           .rank = 1,
                           .element = ELEMENT_F32};
    uint8_t params[TENSORMAP_BYTES];
    for (unsigned i = 0; i < has; i++) ((float *)(void *)tensor->host)[i] = UNTOUCHED;
    ck_assert_msg(tensormap_check(&map, &diag), "%s", diag.message);
    tensormap_encode(&map, params);
    const LaunchRequest request = {.launch.kernel = prepared(program, "k"),
                                   .launch.grid = {1, 1, 1},
                                   .launch.block = {1, 1, 1},
                                   .launch.params = params,
                                   .launch.memory = memory,
                                   .launch.checks = true,
                                   .launch.threads = 1,
                                   .profile = profile_find("h200", &diag),
                                   .l1 = true};
    LaunchResult result;
    ck_assert_msg(device_launch(&request, &result, &diag), "%s", diag.message);
    const FaultKind kind = result.fault.kind;
    memcpy(words, tensor->host, has * sizeof(float));
    device_result_free(&result);
    program_free(program);
    memory_free(memory);
    return kind;
}

/* An H200 stores all 16 bytes of which the tensor has some, also where its memory ends with it: no program sees the others. */
START_TEST(a_store_ends_with_the_memory)
{
    static const struct {
        uint32_t size, has, stored;
        FaultKind fault;
    } rows[] = {
        {5, 5, 5, FAULT_none}, {10, 10, 10, FAULT_none}, {5, 7, 7, FAULT_none},         {5, 9, 8, FAULT_none},
        {8, 8, 8, FAULT_none}, {13, 16, 16, FAULT_none}, {6, 5, 0, FAULT_out_of_bounds}}; /* the tensor itself is larger */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        float words[16];
        ck_assert_msg(copy_out(rows[i].size, rows[i].has, words) == rows[i].fault, "row %zu", i);
        for (uint32_t w = 0; !rows[i].fault && w < rows[i].has; w++)
            ck_assert_msg(words[w] == (w < rows[i].stored ? (float)(w + 1) : UNTOUCHED), "row %zu: word %u is %g", i, w,
                          (double)words[w]);
    }
}
END_TEST

SUITE("tensor", a_store_ends_with_the_memory, a_box_may_begin_before_its_tensor_and_end_behind_it,
      rows_that_are_narrower_than_the_swizzle_lie_its_span_apart)
