#include "report/map.h"

#include <stdio.h>

#include "report/layout.h"
#include "report/paint.h"
#include "report/plain.h"
#include "report/spot.h"

enum { ROWS_ALL = 16, ROWS_FIRST = 6, ROWS_LAST = 2, WAVES_ALL = 8, WAVES_FIRST = 3, WAVES_LAST = 1 };

static void add_idle_lanes(const Access *access, Page page, Text *out) {
    if (access->active == LANES_ALL) return;
    int active = __builtin_popcount(access->active);
    text_add(out, "  %d of 32 lanes %s active: ", active, active == 1 ? "is" : "are");
    plain_lanes(out, access->active, page.columns - 34);
    text_add(out, "\n");
}

/* A sentence about the map. */
static void add_words(const char *words, Page page, Text *out) { plain_wrap(out, page.columns, "  ", words); }

/* --- sectors --- */

typedef struct SectorMap {
    const Report *report;
    const Access *access;
    const SectorLayout *layout;
    uint32_t cell_bytes; /* 1, 2 or 4 */
    bool is_marked;      /* cells say only that some lane uses them: there is no room for its number */
    size_t label;        /* columns of the address */
    Page page;
} SectorMap;

/* The lanes that touch any of these bytes of a sector. */
static uint32_t lanes_at(const SectorLayout *layout, uint64_t addr, uint32_t bytes) {
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < layout->n_ranges; i++) {
        const LaneRange *range = &layout->ranges[i];
        if (range->addr < addr + bytes && addr < range->addr + range->bytes) lanes |= 1u << range->lane;
    }
    return lanes;
}

/* A run of cells with one lane set: "| 0", or "| 0   " over two words; single bytes have one letter. */
static void add_cell(SectorMap *map, uint32_t lanes, uint32_t cells, Text *out) {
    bool byte = map->is_marked, several = (lanes & (lanes - 1)) != 0;
    char text[16];
    if (!lanes)
        snprintf(text, sizeof text, byte ? "." : " .");
    else if (several)
        snprintf(text, sizeof text, byte ? "*" : " *");
    else if (byte)
        snprintf(text, sizeof text, "#");
    else
        snprintf(text, sizeof text, "%2d", __builtin_ctz(lanes));
    if (!byte) text_add(out, "|");
    paint(out, map->page, lanes ? PAINT_USED : PAINT_IDLE, text);
    for (uint32_t i = 1; i < cells; i++) text_add(out, "   ");
}

static void add_cells(SectorMap *map, const SectorUse *sector, Text *out) {
    uint32_t element = map->access->space == SPACE_LOCAL && map->access->bytes > 4 ? 4 : map->access->bytes;
    uint32_t step = map->cell_bytes;
    if (map->is_marked) text_add(out, "|");
    for (uint32_t at = 0, wide; at < SECTOR_BYTES; at += wide) {
        uint32_t lanes = lanes_at(map->layout, sector->addr + at, step);
        wide = lanes && element > step ? element : step;
        add_cell(map, lanes, wide / step, out);
    }
    text_add(out, "|");
}

static size_t cell_columns(const SectorMap *map) {
    uint32_t cells = SECTOR_BYTES / map->cell_bytes;
    return map->is_marked ? 2 + cells : 1 + 3 * cells;
}

static void add_sector(SectorMap *map, const SectorUse *sector, Text *out) {
    LOCAL_TEXT label = {0};
    spot_add_address(map->report, map->access, sector->addr, map->label, &label);
    text_add(out, "  %-*s ", (int)map->label, text_string(&label));
    add_cells(map, sector, out);
    size_t used = 3 + map->label + cell_columns(map) + 14 + (sector->transfers > 1 ? 4 : 0);
    text_add(out, used <= map->page.columns ? " %2d of 32 used" : " %2d of 32", __builtin_popcount(sector->bytes));
    if (sector->transfers > 1) text_add(out, " x%u", sector->transfers);
    if (used + 12 < map->page.columns && sector->lanes) {
        text_add(out, sector->lanes & (sector->lanes - 1) ? "  lanes " : "  lane ");
        plain_lanes(out, sector->lanes, map->page.columns - used - 8);
    }
    text_add(out, "\n");
}

/* The distance between neighbouring rows from `first` on, or 0 where it varies. */
static uint64_t even_distance(const SectorLayout *layout, uint32_t first, uint32_t last) {
    uint64_t apart = layout->sector[first + 1].addr - layout->sector[first].addr;
    for (uint32_t i = first + 1; i < last; i++)
        if (layout->sector[i + 1].addr - layout->sector[i].addr != apart) return 0;
    return apart;
}

static void add_skipped(SectorMap *map, uint32_t first, uint32_t count, Text *out) {
    uint64_t apart = even_distance(map->layout, first - 1, first + count);
    LOCAL_TEXT label = {0};
    text_add(&label, "  %-*s ", (int)map->label, "...");
    LOCAL_TEXT words =
        text_from(apart ? "%u more, each %s bytes after the one before" : "%u more", count, plain_number(apart).text);
    plain_wrap(out, map->page.columns, text_string(&label), text_string(&words));
}

/* 8 to 22, and at most what the cells and "32 of 32" leave; an address takes 14 at least. */
static size_t label_columns(const SectorMap *map) {
    size_t widest = 8, left = map->page.columns - 3 - cell_columns(map) - 9;
    if (map->layout->counted > map->layout->n_sectors) left -= 4; /* " x32" */
    size_t most = left < 14 ? 14 : left < 22 ? left : 22;
    for (uint32_t i = 0; i < map->layout->n_sectors; i++) {
        LOCAL_TEXT label = {0};
        spot_add_address(map->report, map->access, map->layout->sector[i].addr, most, &label);
        if (label.length > widest) widest = label.length;
    }
    return widest < most ? widest : most;
}

/* True when lanes share bytes, so that some cell has a star. */
static bool is_crowded(const SectorMap *map) {
    for (uint32_t i = 0; i < map->layout->n_ranges; i++) {
        uint32_t lanes = lanes_at(map->layout, map->layout->ranges[i].addr, 1);
        if (lanes & (lanes - 1)) return true;
    }
    return false;
}

static void add_legend(const SectorMap *map, Text *out) {
    LOCAL_TEXT words = text_from("A row is a 32-byte sector, a cell ");
    plain_count(&words, map->cell_bytes, "byte");
    text_add(&words, map->is_marked ? ": # used by a lane, . not used" : " with the lane that uses them");
    if (is_crowded(map)) text_add(&words, "; * stands for several lanes");
    add_words(text_string(&words), map->page, out);
}

static void add_total(const SectorLayout *layout, Page page, Text *out) {
    uint32_t moved = layout->counted * SECTOR_BYTES;
    LOCAL_TEXT words = {0};
    plain_count(&words, layout->counted, "sector");
    text_add(&words, " = %u bytes moved, %u of them used (%s)", moved, layout->unique_bytes,
             plain_percent(layout->unique_bytes, moved).text);
    add_words(text_string(&words), page, out);
    if (layout->counted > layout->n_sectors)
        add_words("x: updates of one address are serialised, and each moves the sector", page, out);
}

static void add_sector_map(const Report *report, const Sample *sample, Page page, Text *out) {
    SectorLayout layout;
    layout_sectors(sample, &layout);
    uint32_t bytes = sample->access.bytes;
    SectorMap map = {
        .report = report, .access = &sample->access, .layout = &layout, .cell_bytes = bytes < 4 ? bytes : 4, .page = page};
    map.is_marked = bytes == 1 || (bytes == 2 && page.columns < PAGE_COLUMNS);
    map.label = label_columns(&map);
    add_legend(&map, out);
    bool all = layout.n_sectors <= ROWS_ALL;
    uint32_t skipped = all ? 0 : layout.n_sectors - ROWS_FIRST - ROWS_LAST;
    for (uint32_t i = 0; i < layout.n_sectors; i++) {
        if (all || i < ROWS_FIRST || i >= layout.n_sectors - ROWS_LAST)
            add_sector(&map, &layout.sector[i], out);
        else if (i == ROWS_FIRST)
            add_skipped(&map, i, skipped, out);
    }
    add_total(&layout, page, out);
}

/* --- banks --- */

/* A column a bank; two columns where the page has them. */
typedef struct BankMap {
    const BankLayout *layout;
    Page page;
    bool is_dense;
} BankMap;

enum { BANK_LABEL = 14 };

static void add_gap(const BankMap *map, const char *gap, Text *out) {
    if (!map->is_dense) text_add(out, "%s", gap);
}

/* What stands in front of the banks; where their columns have gaps, the first gap is behind it. */
static void add_bank_label(const BankMap *map, const char *label, Text *out) {
    text_add(out, "%-*s", BANK_LABEL + map->is_dense, label);
}

/* Numbers below each other's tens. digit: 10 for the tens, 1 for the units. */
static void add_bank_numbers(const BankMap *map, const char *label, int digit, Text *out) {
    add_bank_label(map, label, out);
    for (int bank = 0; bank < BANKS; bank++) {
        add_gap(map, " ", out);
        if (digit == 10 && bank < 10)
            text_add(out, " ");
        else
            text_add(out, "%d", digit == 10 ? bank / 10 : bank % 10);
    }
    text_add(out, "\n");
}

/* Nothing is written where no lane of the row has tens. */
static void add_wave_tens(const BankMap *map, const BankRow *row, Text *out) {
    uint32_t any = 0;
    for (int bank = 0; bank < BANKS; bank++) any |= row->lanes[bank] && __builtin_ctz(row->lanes[bank]) >= 10;
    if (!any) return;
    add_bank_label(map, "", out);
    for (int bank = 0; bank < BANKS; bank++) {
        int lane = row->lanes[bank] ? __builtin_ctz(row->lanes[bank]) : 0;
        add_gap(map, " ", out);
        if (lane >= 10)
            text_add(out, "%d", lane / 10);
        else
            text_add(out, " ");
    }
    while (out->data[out->length - 1] == ' ') out->data[--out->length] = 0;
    text_add(out, "\n");
}

/* wavefronts: those that the row stands for. */
static void add_wave(const BankMap *map, const BankRow *row, uint32_t index, uint32_t wavefronts, Text *out) {
    char label[32];
    add_wave_tens(map, row, out);
    if (wavefronts == 1)
        snprintf(label, sizeof label, "  wavefront %2u", index + 1);
    else
        snprintf(label, sizeof label, "  waves %u-%u", index * wavefronts + 1, (index + 1) * wavefronts);
    add_bank_label(map, label, out);
    bool shared = false;
    for (int bank = 0; bank < BANKS; bank++) {
        uint32_t lanes = row->lanes[bank];
        char unit[2] = {lanes ? (char)('0' + __builtin_ctz(lanes) % 10) : '.', 0};
        add_gap(map, shared ? "+" : " ", out);
        paint(out, map->page, lanes ? PAINT_USED : PAINT_IDLE, unit);
        shared = (lanes & (lanes - 1)) != 0;
    }
    add_gap(map, shared ? "+" : "", out);
    text_add(out, "\n");
}

static void add_bank_head(const BankMap *map, Text *out) {
    bool shared = false;
    for (uint32_t i = 0; i < map->layout->n_rows; i++)
        for (int bank = 0; bank < BANKS; bank++) {
            uint32_t lanes = map->layout->row[i].lanes[bank];
            shared |= (lanes & (lanes - 1)) != 0;
        }
    add_words("A column is a bank; below it the lane that it serves, read downwards as well", map->page, out);
    if (shared && map->is_dense)
        add_words("where several lanes want the same word, the first of them", map->page, out);
    else if (shared)
        add_words("+ and further lanes, which want the same word", map->page, out);
    add_bank_numbers(map, "  bank", 10, out);
    add_bank_numbers(map, "", 1, out);
    text_add(out, "%*s%.*s\n", BANK_LABEL + 1, "", map->is_dense ? BANKS : 2 * BANKS - 1,
             "---------------------------------------------------------------");
}

static void add_bank_row(const BankMap *map, uint32_t i, Text *out) {
    const BankLayout *layout = map->layout;
    const BankRow *row = &layout->row[i];
    bool after_skip = layout->n_rows > WAVES_ALL && i == layout->n_rows - WAVES_LAST;
    if (row->group != LANES_ALL && (i == 0 || after_skip || row->group != layout->row[i - 1].group)) {
        text_add(out, "  lanes ");
        plain_lanes(out, row->group, 20);
        text_add(out, "\n");
    }
    add_wave(map, row, i, layout->row_wavefronts, out);
}

static void add_bank_map(const Sample *sample, Page page, Text *out) {
    BankLayout layout;
    layout_banks(&sample->access, &layout);
    BankCount count = banks_count(&sample->access);
    const BankMap map = {.layout = &layout, .page = page, .is_dense = page.columns < PAGE_COLUMNS};
    add_bank_head(&map, out);
    bool all = layout.n_rows <= WAVES_ALL;
    for (uint32_t i = 0; i < layout.n_rows; i++) {
        if (all || i < WAVES_FIRST || i >= layout.n_rows - WAVES_LAST)
            add_bank_row(&map, i, out);
        else if (i == WAVES_FIRST)
            text_add(out, "  ...          %u more wavefronts\n",
                     (layout.n_rows - WAVES_FIRST - WAVES_LAST) * layout.row_wavefronts);
    }
    text_add(out, "  ");
    plain_count(out, count.wavefronts, "wavefront");
    text_add(out, ", ");
    plain_count(out, count.conflicts, "bank conflict");
    text_add(out, "\n");
}

void report_map(const Report *report, const Sample *sample, Page page, Text *out) {
    LOCAL_TEXT head = {0};
    spot_add_sample(report, sample, &head);
    text_add(&head, ", ");
    plain_count(&head, sample->access.bytes, "byte");
    text_add(&head, " a lane");
    plain_wrap(out, page.columns, "", text_string(&head));
    add_idle_lanes(&sample->access, page, out);
    if (sample->access.space == SPACE_SHARED)
        add_bank_map(sample, page, out);
    else
        add_sector_map(report, sample, page, out);
}
