/* Which bytes a Fourier transform reads and writes (runtime/transform.h). */
#include <stdlib.h>
#include <string.h>

#include "runtime/transform.h"
#include "suite.h"

typedef struct SideRow {
    TransformKind kind;
    bool dense, in_place;
    size_t n[3], batch;
    TransformLayout layout;
    size_t extent, boxes; /* by hand, like the box that each is as large as */
    Box box;
} SideRow;

/* Of the input, whose real numbers have 4 bytes, complex ones 8. */
static const SideRow rows[] = {
    {TRANSFORM_COMPLEX, true, false, {1, 1, 1}, 1, {{0}, 0, 0}, 8, 1, {8, 1, 1}},
    {TRANSFORM_COMPLEX, true, true, {1, 2, 4}, 3, {{0}, 0, 0}, 192, 1, {192, 1, 1}},
    {TRANSFORM_FROM_REAL, true, false, {1, 4, 6}, 2, {{0}, 0, 0}, 192, 1, {192, 1, 1}},
    {TRANSFORM_FROM_REAL, true, true, {1, 4, 6}, 2, {{0}, 0, 0}, 248, 1, {24, 8, 1}},          /* rows of 6 numbers, 8 apart */
    {TRANSFORM_TO_REAL, true, true, {1, 4, 7}, 2, {{0}, 0, 0}, 256, 1, {256, 1, 1}},           /* rows of 4 */
    {TRANSFORM_COMPLEX, false, false, {1, 1, 12}, 5, {{1, 1, 12}, 5, 1}, 480, 1, {480, 1, 1}}, /* columns side by side */
    {TRANSFORM_COMPLEX, false, false, {1, 1, 12}, 5, {{1, 1, 12}, 7, 1}, 656, 1, {40, 12, 1}},
    {TRANSFORM_COMPLEX, false, false, {1, 4, 6}, 3, {{1, 4, 8}, 1, 40}, 880, 1, {48, 4, 3}},
    {TRANSFORM_COMPLEX, false, true, {3, 4, 5}, 2, {{3, 5, 7}, 2, 211}, 3216, 6, {8, 5, 4}},
    {TRANSFORM_COMPLEX, false, false, {2, 2, 4}, 1, {{2, 0, 4}, 1, 1}, 64, 1, {64, 1, 1}},      /* planes in one place */
    {TRANSFORM_COMPLEX, false, false, {1, 1, 16}, 10, {{1, 1, 16}, 1, 4}, 416, 1, {416, 1, 1}}, /* overlapping: 9 * 32 + 128 */
    {TRANSFORM_COMPLEX, false, false, {1, 1, 16}, 5, {{1, 1, 16}, 3, 6}, 560, 1, {8, 24, 1}},   /* every third to 3 * 23 */
    {TRANSFORM_COMPLEX, false, false, {1, 1, 4}, 2, {{1, 1, 4}, 2, 3}, 80, 2, {8, 4, 1}},       /* 0 2 4 6, 3 5 7 9 */
};

static TransformShape shape_of(const SideRow *row) {
    TransformShape shape = {.kind = row->kind, .dense = row->dense, .batch = row->batch, .layouts = {row->layout, row->layout}};
    memcpy(shape.n, row->n, sizeof shape.n);
    return shape;
}

START_TEST(boxes_are_few_and_as_large_as_the_layout_says)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const TransformShape shape = shape_of(&rows[i]);
        size_t boxes = 0;
        ck_assert_uint_eq(transform_extent(&shape, TRANSFORM_IN, rows[i].in_place), rows[i].extent);
        for (;; boxes++) {
            Side at = {0};
            Box box;
            if (!transform_box(&shape, TRANSFORM_IN, rows[i].in_place, boxes, &at, &box)) break;
            ck_assert_msg(memcmp(&box, &rows[i].box, sizeof box) == 0, "row %zu: %zu in %zu in %zu", i, box.width, box.height,
                          box.depth);
        }
        ck_assert_uint_eq(boxes, rows[i].boxes);
    }
}
END_TEST

/* Each number by itself, of a layout that is not dense. */
static void mark(const TransformShape *shape, size_t count, size_t one, uint8_t *bytes) {
    const TransformLayout *layout = &shape->layouts[TRANSFORM_IN];
    for (size_t b = 0; b < shape->batch; b++)
        for (size_t i = 0; i < shape->n[0] * shape->n[1]; i++)
            for (size_t k = 0; k < count; k++) {
                const size_t line = i / shape->n[1] * layout->embed[1] + i % shape->n[1];
                memset(bytes + (b * layout->distance + layout->stride * (line * layout->embed[2] + k)) * one, 1, one);
            }
}

START_TEST(boxes_hold_the_numbers_and_nothing_else)
{
    enum { ROOM = 1 << 16 };
    static uint8_t expected[ROOM], found[ROOM];
    for (unsigned i = 0; i < 2048; i++) {
        const unsigned gap = i >> 9 & 1, apart = i >> 10 & 1;
        TransformShape shape = {
            .kind = i % 3, .n = {1 + (i & 1), 1 + (i >> 1 & 3), 1 + (i >> 3 & 3)}, .batch = 1 + (i >> 5 & 1)};
        TransformLayout layout = {{2, shape.n[1] + gap, shape.n[2] + gap}, 1 + (i >> 6 & 3), apart ? 200 : 1 + (i >> 8 & 1)};
        shape.layouts[TRANSFORM_IN] = shape.layouts[TRANSFORM_OUT] = layout;
        memset(expected, 0, sizeof expected);
        memset(found, 0, sizeof found);
        const bool real = shape.kind == TRANSFORM_FROM_REAL;
        mark(&shape, shape.kind == TRANSFORM_TO_REAL ? shape.n[2] / 2 + 1 : shape.n[2], real ? 4 : 8, expected);
        Side at = {0};
        Box box;
        for (size_t j = 0; transform_box(&shape, TRANSFORM_IN, false, j, &at, &box); j++, at = (Side){0})
            for (size_t line = 0, end = 0; line < box.height * box.depth; line++) {
                const size_t from = at.address + line / box.height * at.slice + line % box.height * at.pitch;
                ck_assert_msg(from >= end, "layout %u: box %zu overlaps itself", i, j);
                end = from + box.width;
                memset(found + from, 1, box.width);
            }
        ck_assert_msg(memcmp(found, expected, sizeof found) == 0, "layout %u", i);
        const size_t extent = transform_extent(&shape, TRANSFORM_IN, false);
        ck_assert(expected[extent - 1] && !expected[extent]);
    }
}
END_TEST

START_TEST(what_no_memory_holds_is_as_large_as_nothing_is)
{
    const size_t huge = (size_t)1 << 40;
    const SideRow many[] = {
        {TRANSFORM_COMPLEX, true, false, {huge, huge, 1}, 1, {{0}, 0, 0}, 0, 0, {0, 0, 0}},
        {TRANSFORM_COMPLEX, true, false, {1, 1, huge}, huge, {{0}, 0, 0}, 0, 0, {0, 0, 0}},
        {TRANSFORM_COMPLEX, false, false, {1, 2, 2}, 1, {{1, 2, huge}, huge, 0}, 0, 0, {0, 0, 0}},
        {TRANSFORM_FROM_REAL, false, false, {2, 1, 2}, 1, {{1, huge, huge}, 1, 0}, 0, 0, {0, 0, 0}},
        {TRANSFORM_TO_REAL, false, false, {1, 1, 2}, 3, {{1, 1, 2}, 1, SIZE_MAX / 2}, 0, 0, {0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
        const TransformShape shape = shape_of(&many[i]);
        ck_assert_msg(transform_extent(&shape, TRANSFORM_IN, false) == SIZE_MAX, "row %zu", i);
    }
}
END_TEST

SUITE("runtime transform", boxes_are_few_and_as_large_as_the_layout_says, boxes_hold_the_numbers_and_nothing_else,
      what_no_memory_holds_is_as_large_as_nothing_is)
