#include "report/map.h"

#include <stdio.h>
#include <string.h>

#include "report/layout.h"
#include "report/paint.h"
#include "report/plain.h"
#include "report/spot.h"

enum { ROWS_ALL = 16, ROWS_FIRST = 6, ROWS_LAST = 2, WAVES_ALL = 8, WAVES_FIRST = 3, WAVES_LAST = 1 };

static void add_idle_lanes(const Access *access, Text *out) {
    if (access->active == LANES_ALL) return;
    text_add(out, "  %d of 32 lanes are active: ", __builtin_popcount(access->active));
    plain_lanes(out, access->active, 46);
    text_add(out, "\n");
}

/* --- sectors --- */

typedef struct SectorMap {
    const Report *report;
    const Access *access;
    const SectorLayout *layout;
    uint32_t cell_bytes; /* 1, 2 or 4 */
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
    bool byte = map->cell_bytes == 1, several = (lanes & (lanes - 1)) != 0;
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
    if (step == 1) text_add(out, "|");
    for (uint32_t at = 0, wide; at < SECTOR_BYTES; at += wide) {
        uint32_t lanes = lanes_at(map->layout, sector->addr + at, step);
        wide = lanes && element > step ? element : step;
        add_cell(map, lanes, wide / step, out);
    }
    text_add(out, "|");
}

static void add_sector(SectorMap *map, const SectorUse *sector, Text *out) {
    Text label = {0};
    spot_add_address(map->report, map->access, sector->addr, map->label, &label);
    text_add(out, "  %-*s ", (int)map->label, text_string(&label));
    text_free(&label);
    add_cells(map, sector, out);
    text_add(out, map->cell_bytes == 2 ? " %2d of 32" : " %2d of 32 used", __builtin_popcount(sector->bytes));
    if (sector->transfers > 1) text_add(out, " x%u", sector->transfers);
    size_t cells = map->cell_bytes == 1 ? 2 + SECTOR_BYTES : 1 + SECTOR_BYTES / map->cell_bytes * 3;
    size_t left = map->page.columns - (3 + map->label + cells + 14) - (sector->transfers > 1 ? 4 : 0);
    if (map->cell_bytes != 2 && left > 12 && sector->lanes) {
        text_add(out, sector->lanes & (sector->lanes - 1) ? "  lanes " : "  lane ");
        plain_lanes(out, sector->lanes, left - 8);
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
    text_add(out, "  %-*s ", (int)map->label, "...");
    text_add(out, apart ? "%u more, each %s bytes after the one before\n" : "%u more\n", count, plain_number(apart).text);
}

static size_t label_columns(const SectorMap *map) {
    size_t widest = 8, most = map->cell_bytes == 2 ? 14 : 22;
    for (uint32_t i = 0; i < map->layout->n_sectors; i++) {
        Text label = {0};
        spot_add_address(map->report, map->access, map->layout->sector[i].addr, most, &label);
        if (label.length > widest) widest = label.length;
        text_free(&label);
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
    if (map->cell_bytes == 1)
        text_add(out, "  A row is a 32-byte sector, a cell is 1 byte: # used by a lane, . not used");
    else
        text_add(out, "  A row is a 32-byte sector, a cell %u bytes with the lane that uses them", map->cell_bytes);
    text_add(out, is_crowded(map) ? ";\n  * stands for several lanes\n" : "\n");
}

static void add_total(const SectorLayout *layout, Text *out) {
    uint32_t moved = layout->counted * SECTOR_BYTES;
    text_add(out, "  ");
    plain_count(out, layout->counted, "sector");
    text_add(out, " = %u bytes moved, %u of them used (%s)\n", moved, layout->unique_bytes,
             plain_percent(layout->unique_bytes, moved).text);
    if (layout->counted > layout->n_sectors)
        text_add(out, "  x: lanes that update one address take turns, and each turn moves the sector\n");
}

static void add_sector_map(const Report *report, const Sample *sample, Page page, Text *out) {
    SectorLayout layout;
    layout_sectors(sample, &layout);
    uint32_t bytes = sample->access.bytes;
    SectorMap map = {
        .report = report, .access = &sample->access, .layout = &layout, .cell_bytes = bytes < 4 ? bytes : 4, .page = page};
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
    add_total(&layout, out);
}

/* --- banks --- */

/* Numbers below each other's tens, two columns a bank. digit: 10 for the tens, 1 for the units. */
static void add_bank_numbers(const char *label, int digit, Text *out) {
    text_add(out, "%-14s", label);
    for (int bank = 0; bank < BANKS; bank++) {
        if (digit == 10 && bank < 10)
            text_add(out, "  ");
        else
            text_add(out, " %d", digit == 10 ? bank / 10 : bank % 10);
    }
    text_add(out, "\n");
}

/* Nothing is written where no lane of the row has tens. */
static void add_wave_tens(const BankRow *row, Text *out) {
    uint32_t any = 0;
    for (int bank = 0; bank < BANKS; bank++) any |= row->lanes[bank] && __builtin_ctz(row->lanes[bank]) >= 10;
    if (!any) return;
    text_add(out, "%-14s", "");
    for (int bank = 0; bank < BANKS; bank++) {
        int lane = row->lanes[bank] ? __builtin_ctz(row->lanes[bank]) : 0;
        if (lane >= 10)
            text_add(out, " %d", lane / 10);
        else
            text_add(out, "  ");
    }
    while (out->data[out->length - 1] == ' ') out->data[--out->length] = 0;
    text_add(out, "\n");
}

/* wavefronts: those that the row stands for. */
static void add_wave(const BankRow *row, uint32_t index, uint32_t wavefronts, Page page, Text *out) {
    char label[32];
    add_wave_tens(row, out);
    if (wavefronts == 1)
        snprintf(label, sizeof label, "  wavefront %2u", index + 1);
    else
        snprintf(label, sizeof label, "  waves %u-%u", index * wavefronts + 1, (index + 1) * wavefronts);
    text_add(out, "%-14s", label);
    bool shared = false;
    for (int bank = 0; bank < BANKS; bank++) {
        uint32_t lanes = row->lanes[bank];
        char unit[2] = {lanes ? (char)('0' + __builtin_ctz(lanes) % 10) : '.', 0};
        text_add(out, shared ? "+" : " ");
        paint(out, page, lanes ? PAINT_USED : PAINT_IDLE, unit);
        shared = (lanes & (lanes - 1)) != 0;
    }
    text_add(out, shared ? "+\n" : "\n");
}

static void add_bank_head(const BankLayout *layout, Text *out) {
    bool shared = false;
    for (uint32_t i = 0; i < layout->n_rows; i++)
        for (int bank = 0; bank < BANKS; bank++) shared |= (layout->row[i].lanes[bank] & (layout->row[i].lanes[bank] - 1)) != 0;
    text_add(out, "  A column is a bank; below it the lane that it serves, read downwards as well\n");
    if (shared) text_add(out, "  + and further lanes, which want the same word\n");
    add_bank_numbers("  bank", 10, out);
    add_bank_numbers("", 1, out);
    text_add(out, "%-15s---------------------------------------------------------------\n", "");
}

static void add_bank_row(const BankLayout *layout, uint32_t i, Page page, Text *out) {
    const BankRow *row = &layout->row[i];
    bool after_skip = layout->n_rows > WAVES_ALL && i == layout->n_rows - WAVES_LAST;
    if (row->group != LANES_ALL && (i == 0 || after_skip || row->group != layout->row[i - 1].group)) {
        text_add(out, "  lanes ");
        plain_lanes(out, row->group, 20);
        text_add(out, "\n");
    }
    add_wave(row, i, layout->row_wavefronts, page, out);
}

static void add_bank_map(const Sample *sample, Page page, Text *out) {
    BankLayout layout;
    layout_banks(&sample->access, &layout);
    BankCount count = banks_count(&sample->access);
    add_bank_head(&layout, out);
    bool all = layout.n_rows <= WAVES_ALL;
    for (uint32_t i = 0; i < layout.n_rows; i++) {
        if (all || i < WAVES_FIRST || i >= layout.n_rows - WAVES_LAST)
            add_bank_row(&layout, i, page, out);
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
    spot_add_sample(report, sample, out);
    text_add(out, ", %u byte%s a lane\n", sample->access.bytes, sample->access.bytes == 1 ? "" : "s");
    add_idle_lanes(&sample->access, out);
    if (sample->access.space == SPACE_SHARED)
        add_bank_map(sample, page, out);
    else
        add_sector_map(report, sample, page, out);
}
