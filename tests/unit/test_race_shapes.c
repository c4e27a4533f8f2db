/* Rows that a warp wrote in each shape (observe/race_rows.h), read or written again by its lanes in order, four rows at once: races are found where
 * other lanes wrote some of the granules, though the lane that begins each row wrote the row's first. */
#include "observe/race_rows.h"
#include "watched.h"

enum { ROWS = 4, SHAPES = ROW_FALLING + 2, WIDTHS = 4, WORD = 4, WIDEST = 16, FIRST_ROW = 4, BYTES = 1024 };

/* How a row is written: by so many lanes, so many granules each, the first at this place, the others so much further on, in granules and lanes. */
typedef struct RowStore {
    int granules, place, step, lanes, count;
} RowStore;

static const RowStore row_stores[SHAPES] = {
    [ROW_WHOLE] = {1, 0, 1, 1, 8},     [ROW_WHOLE + 1] = {2, 0, 2, 1, 4},    [ROW_WHOLE + 2] = {4, 0, 4, 1, 2},
    [ROW_WHOLE + 3] = {8, 0, 8, 1, 1}, [ROW_MASKED] = {1, 0, 2, 2, 4},       [ROW_MASKED + 1] = {1, 1, 2, 2, 4},
    [ROW_APART] = {1, 0, 2, 1, 4},     [ROW_APART + 1] = {1, 1, 2, 1, 4},    [ROW_WIDE] = {2, 0, 4, 2, 2},
    [ROW_WIDE + 1] = {2, 2, 4, 2, 2},  [ROW_WIDE + 2] = {2, 0, 4, 1, 2},     [ROW_WIDE + 3] = {2, 2, 4, 1, 2},
    [ROW_FALLING] = {1, 0, 1, -1, 8},  [ROW_FALLING + 1] = {2, 0, 2, -1, 4},
};

static void widen(Watched *w, uint32_t pc, uint32_t bytes) {
    w->insns[pc].type = bytes == 1 ? TYPE_u8 : bytes == 2 ? TYPE_u16 : TYPE_u32;
    w->insns[pc].vec = (uint8_t)(bytes <= WORD ? 1 : bytes / WORD);
}

/* A launch with granules of so many bytes, in which ST_GLOBAL4 stores so many of them at once, and LD_GLOBAL_LATE and ST_GLOBAL access as many as this. */
static Watched *begin(uint32_t granule, uint32_t stored, uint32_t accessed, Allocation **buffer) {
    Watched *w = watched_new(0);
    widen(w, LD_GLOBAL, granule);
    widen(w, ST_GLOBAL4, granule * stored);
    widen(w, LD_GLOBAL_LATE, granule * accessed);
    widen(w, ST_GLOBAL, granule * accessed);
    *buffer = watched_buffer(w, BYTES, "buffer", true);
    watched_launch(w);
    watched_block(w, 0, 0, WARP_LANES, 0);
    return w;
}

/* Lane l at base + l * stride. No byte of what it stores is as another lane stores it, or it itself earlier. */
static bool access_at(Watched *w, uint32_t pc, uint32_t active, uint64_t base, int64_t stride) {
    const uint32_t from = pc == ST_GLOBAL4 ? 1 : 1 + WARP_LANES;
    uint64_t addr[WARP_LANES];
    uint32_t values[WARP_LANES];
    for (uint32_t l = 0; l < WARP_LANES; l++) addr[l] = base + (uint64_t)(stride * (int64_t)l);
    for (uint32_t l = 0; l < WARP_LANES; l++) values[l] = (from + l) * 0x01010101u;
    return watched_access(w, pc, 0, active, addr, values);
}

static uint32_t shape_at(const Allocation *buffer, uint64_t row) { return row_shape(allocation_rows_of(buffer, false)[row]); }

/* One row, its first granule that is written by this lane. wrote: by which lane each is. False: there are no such lanes. */
static bool write_row(Watched *w, const RowStore *row, uint32_t granule, uint64_t address, int first, int *wrote) {
    const int last = first + row->lanes * (row->count - 1);
    const int64_t stride = (int64_t)row->step / row->lanes * (int64_t)granule;
    uint32_t active = 0;
    if (last < 0 || last >= WARP_LANES || first >= WARP_LANES) return false;
    for (int k = 0; k < row->count; k++) {
        active |= 1u << (first + k * row->lanes);
        for (int i = 0; i < row->granules; i++) wrote[row->place + k * row->step + i] = first + k * row->lanes;
    }
    FINE(access_at(w, ST_GLOBAL4, active, address + (uint64_t)row->place * granule - (uint64_t)(stride * first), stride));
    return true;
}

/* Accesses four rows in order, 1 << width granules a lane, which were written in this shape. Whether that races; false as well where there are no such
 * rows. */
static bool races(uint32_t shape, uint32_t granule, uint32_t width, uint32_t pc, bool synchronised) {
    const RowStore *row = &row_stores[shape];
    const uint32_t bytes = granule << width, stored = (uint32_t)row->granules;
    const int lanes = MARKS_ROW >> width, from = width ? 7 : 0;
    Allocation *buffer;
    bool exist = bytes <= WIDEST && stored * granule <= WIDEST, raced = false;
    Watched *w = begin(granule, exist ? stored : 1, exist ? 1u << width : 1, &buffer);
    const uint64_t start = buffer->address + (uint64_t)FIRST_ROW * MARKS_ROW * granule;
    for (int r = 0; exist && r < ROWS; r++) {
        int wrote[MARKS_ROW] = {-1, -1, -1, -1, -1, -1, -1, -1};
        const int first = from + r * lanes;
        exist = write_row(w, row, granule, start + (uint64_t)r * MARKS_ROW * granule, first, wrote);
        for (int i = 0; i < MARKS_ROW; i++) raced |= wrote[i] >= 0 && wrote[i] != first + (i >> width) && !synchronised;
    }
    if (exist) {
        ck_assert_uint_eq(buffer->marks_granule, granule);
        /* lanes of which each other one is masked are told from their predecessors, which the first row's first has none of */
        const bool in_shape = shape != ROW_MASKED + 1 && shape != ROW_WIDE + 1;
        for (uint64_t r = 0; in_shape && r < ROWS; r++) ck_assert_uint_eq(shape_at(buffer, FIRST_ROW + r), shape);
        if (synchronised) watched_warp_sync(w, 0, ALL);
        const uint32_t active = (uint32_t)((UINT64_C(1) << ROWS * lanes) - 1) << from;
        const bool fine = access_at(w, pc, active, start - (uint64_t)from * bytes, bytes);
        ck_assert_msg(fine == !raced, "granules of %u, %u a lane: '%s'", granule, 1u << width, w->fault.message);
    }
    watched_free(w);
    return exist && raced;
}

START_TEST(rows_of_each_shape_race_with_lanes_that_wrote_none_but_the_first_of_their_granules)
{
    uint32_t raced = 0;
    for (uint32_t granule = 1; granule <= WORD; granule += WORD - 1)
        for (uint32_t width = 0; width < WIDTHS; width++)
            for (int stores = 0; stores < 2; stores++) {
                const uint32_t pc = stores ? ST_GLOBAL : LD_GLOBAL_LATE;
                raced += races((uint32_t)_i, granule, width, pc, false);
                races((uint32_t)_i, granule, width, pc, true);
            }
    ck_assert_uint_ge(raced, 4); /* by loads and stores, of granules of bytes and words */
}
END_TEST

/* The first lane of each row is masked: the rows' first marks are by lanes 4, 8, 12 and 16, as whose lanes the first of the rows are in order. */
START_TEST(pairs_by_each_other_lane_race_with_pairs_in_order_by_all_lanes)
{
    const uint32_t even = 0x55554u, pair = 2 * WORD, pc = _i ? ST_GLOBAL : LD_GLOBAL_LATE;
    Allocation *buffer;
    Watched *w = begin(WORD, 2, 2, &buffer);
    FINE(access_at(w, ST_GLOBAL4, even, buffer->address + 13 * pair, pair));
    for (uint64_t r = 0; r < ROWS; r++) ck_assert_uint_eq(shape_at(buffer, FIRST_ROW + r), ROW_WIDE + 1);
    RACE(access_at(w, pc, ALL << 4, buffer->address + 12 * pair, pair));
    ck_assert_uint_eq(w->fault.lane, 5); /* its pair, 17, is by lane 4 */
    watched_free(w);
}
END_TEST

SUITE_REPEATED("race_shapes", 2,
               REPEATED(SHAPES, rows_of_each_shape_race_with_lanes_that_wrote_none_but_the_first_of_their_granules),
               pairs_by_each_other_lane_race_with_pairs_in_order_by_all_lanes)
