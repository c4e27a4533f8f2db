/* Rows that a warp wrote or read in each shape (observe/race_rows.h), read or written again by its lanes in order, four rows at once: races are found where
 * other lanes accessed some of the granules, though the lane that begins each row accessed the row's first. */
#include "observe/race_rows.h"
#include "watched.h"

enum { ROWS = 4, SHAPES = ROW_FALLING + 2, WIDTHS = 4, WORD = 4, WIDEST = 16, FIRST_ROW = 4, BYTES = 1024 };

/* How a row is accessed: by so many lanes, so many granules each, the first at this place, the others so much further on, in granules and lanes. */
typedef struct RowLanes {
    int granules, place, step, lanes, count;
} RowLanes;

static const RowLanes row_lanes[SHAPES] = {
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

/* A launch with granules of so many bytes, in which ST_GLOBAL4 and LD_GLOBAL4 access so many of them at once, LD_GLOBAL_LATE and ST_GLOBAL as many as
 * this. */
static Watched *begin(uint32_t granule, uint32_t before, uint32_t accessed, Allocation **buffer) {
    Watched *w = watched_new(0);
    widen(w, LD_GLOBAL, granule);
    widen(w, ST_GLOBAL4, granule * before);
    widen(w, LD_GLOBAL4, granule * before);
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

static uint32_t shape_at(const Allocation *buffer, bool reads, uint64_t row) {
    return (uint32_t)row_shape(allocation_rows_of(buffer, reads)[row]);
}

/* Granules of so many bytes are accessed by one instruction, then, 1 << width a lane, by another. */
typedef struct Trial {
    uint32_t granule, width, before, pc;
    bool synchronised;
} Trial;

/* One row, its first granule that is accessed by this lane. by: the lane of each. False: there are no such lanes. */
static bool access_row(Watched *w, const RowLanes *row, const Trial *trial, uint64_t address, int first, int *by) {
    const int last = first + row->lanes * (row->count - 1);
    const int64_t stride = (int64_t)row->step / row->lanes * (int64_t)trial->granule;
    uint32_t active = 0;
    if (last < 0 || last >= WARP_LANES || first >= WARP_LANES) return false;
    for (int k = 0; k < row->count; k++) {
        active |= 1u << (first + k * row->lanes);
        for (int i = 0; i < row->granules; i++) by[row->place + k * row->step + i] = first + k * row->lanes;
    }
    FINE(access_at(w, trial->before, active, address + (uint64_t)row->place * trial->granule - (uint64_t)(stride * first),
                   stride));
    return true;
}

/* Accesses four rows in order which were accessed in this shape. Whether that races; false as well where there are no such rows. */
static bool races(uint32_t shape, const Trial *trial) {
    const RowLanes *row = &row_lanes[shape];
    const uint32_t granule = trial->granule, width = trial->width, bytes = granule << width, before = (uint32_t)row->granules;
    const bool reads = trial->before == LD_GLOBAL4;
    const int lanes = MARKS_ROW >> width, from = width ? 7 : 0;
    Allocation *buffer;
    bool exist = bytes <= WIDEST && before * granule <= WIDEST, raced = false;
    Watched *w = begin(granule, exist ? before : 1, exist ? 1u << width : 1, &buffer);
    const uint64_t start = buffer->address + (uint64_t)FIRST_ROW * MARKS_ROW * granule;
    for (int r = 0; exist && r < ROWS; r++) {
        int by[MARKS_ROW] = {-1, -1, -1, -1, -1, -1, -1, -1};
        const int first = from + r * lanes;
        exist = access_row(w, row, trial, start + (uint64_t)r * MARKS_ROW * granule, first, by);
        for (int i = 0; i < MARKS_ROW; i++) raced |= by[i] >= 0 && by[i] != first + (i >> width) && !trial->synchronised;
    }
    if (exist) {
        ck_assert_uint_eq(buffer->marks_granule, granule);
        /* lanes of which each other one is masked are told from their predecessors, which the first row's first has none of;
         * what a lane reads alone is marked granule by granule */
        const bool in_shape = shape != ROW_MASKED + 1 && shape != ROW_WIDE + 1 && !(reads && row->count == 1);
        for (uint64_t r = 0; in_shape && r < ROWS; r++) ck_assert_uint_eq(shape_at(buffer, reads, FIRST_ROW + r), shape);
        if (trial->synchronised) watched_warp_sync(w, 0, ALL);
        const uint32_t active = (uint32_t)((UINT64_C(1) << ROWS * lanes) - 1) << from;
        const bool fine = access_at(w, trial->pc, active, start - (uint64_t)from * bytes, bytes);
        ck_assert_msg(fine == !raced, "granules of %u, %u a lane: '%s'", granule, 1u << width, w->fault.message);
    }
    watched_free(w);
    return exist && raced;
}

START_TEST(rows_of_each_shape_race_with_lanes_that_accessed_none_but_the_first_of_their_granules)
{
    static const uint32_t ways[][2] = {{ST_GLOBAL4, LD_GLOBAL_LATE}, {ST_GLOBAL4, ST_GLOBAL}, {LD_GLOBAL4, ST_GLOBAL}};
    uint32_t raced = 0;
    for (uint32_t granule = 1; granule <= WORD; granule += WORD - 1)
        for (uint32_t width = 0; width < WIDTHS; width++)
            for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
                raced += races((uint32_t)_i, &(Trial){granule, width, ways[i][0], ways[i][1], false});
                races((uint32_t)_i, &(Trial){granule, width, ways[i][0], ways[i][1], true});
            }
    ck_assert_uint_ge(raced, 6); /* by loads and stores, of granules of bytes and words */
}
END_TEST

/* The first lane of each row is masked: the rows' first marks are by lanes 4, 8, 12 and 16, as whose lanes the first of the rows are in order. */
START_TEST(pairs_by_each_other_lane_race_with_pairs_in_order_by_all_lanes)
{
    const uint32_t even = 0x55554u, pair = 2 * WORD, pc = _i ? ST_GLOBAL : LD_GLOBAL_LATE;
    Allocation *buffer;
    Watched *w = begin(WORD, 2, 2, &buffer);
    FINE(access_at(w, ST_GLOBAL4, even, buffer->address + 13 * pair, pair));
    for (uint64_t r = 0; r < ROWS; r++) ck_assert_uint_eq(shape_at(buffer, false, FIRST_ROW + r), ROW_WIDE + 1);
    RACE(access_at(w, pc, ALL << 4, buffer->address + 12 * pair, pair));
    ck_assert_uint_eq(w->fault.lane, 5); /* its pair, 17, is by lane 4 */
    watched_free(w);
}
END_TEST

SUITE_REPEATED("race_shapes", 2,
               REPEATED(SHAPES, rows_of_each_shape_race_with_lanes_that_accessed_none_but_the_first_of_their_granules),
               pairs_by_each_other_lane_race_with_pairs_in_order_by_all_lanes)
