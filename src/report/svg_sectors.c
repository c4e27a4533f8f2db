#include "report/svg_sectors.h"

#include <stdio.h>

#include "report/layout.h"
#include "report/plain.h"
#include "report/spot.h"

enum {
    LANE_HEIGHT = 20,
    WIRES_HEIGHT = 84,
    STRIP_HEIGHT = 34,
    WITH_UNTOUCHED = 16, /* as many sectors at most: then the untouched ones of touched lines are drawn too */
    STRIP_SECTORS = 128,
};

typedef struct Strip {
    uint32_t count;
    SectorUse box[STRIP_SECTORS];
    bool fetched[STRIP_SECTORS];
    double x[STRIP_SECTORS];
    double width; /* of a sector */
    double y;
} Strip;

static uint64_t line_of(const SectorUse *sector) { return sector->addr / LINE_BYTES; }

static uint32_t count_lines(const SectorLayout *layout) {
    uint32_t lines = 0;
    for (uint32_t i = 0; i < layout->n_sectors; i++)
        lines += i == 0 || line_of(&layout->sector[i]) != line_of(&layout->sector[i - 1]);
    return lines;
}

/* The sectors to draw, in order of address; as many as there is room for. */
static void strip_choose(Strip *strip, const SectorLayout *layout) {
    bool untouched = count_lines(layout) * LINE_SECTORS <= WITH_UNTOUCHED;
    for (uint32_t i = 0; i < layout->n_sectors && strip->count < STRIP_SECTORS; i++) {
        const SectorUse *sector = &layout->sector[i];
        bool new_line = i == 0 || line_of(sector) != line_of(sector - 1);
        bool line_ends = i + 1 == layout->n_sectors || line_of(sector) != line_of(sector + 1);
        uint64_t from = new_line ? line_of(sector) * LINE_BYTES : sector[-1].addr + SECTOR_BYTES;
        uint64_t to = line_ends ? (line_of(sector) + 1) * LINE_BYTES : sector->addr + SECTOR_BYTES;
        for (uint64_t addr = from; untouched && addr < sector->addr; addr += SECTOR_BYTES)
            strip->box[strip->count++] = (SectorUse){.addr = addr};
        strip->fetched[strip->count] = true;
        strip->box[strip->count++] = *sector;
        for (uint64_t addr = sector->addr + SECTOR_BYTES; untouched && addr < to; addr += SECTOR_BYTES)
            strip->box[strip->count++] = (SectorUse){.addr = addr};
    }
}

static bool starts_line(const Strip *strip, uint32_t i) {
    return i > 0 && line_of(&strip->box[i]) != line_of(&strip->box[i - 1]);
}

/* Sectors of one line stand close, lines apart. */
static void strip_place(Strip *strip) {
    double near = strip->count <= WITH_UNTOUCHED ? 3
                  : strip->count <= 64           ? 1
                                                 : 0,
           far = strip->count <= WARP_LANES ? 8 : 2, gaps = 0, x = FIGURE_MARGIN;
    for (uint32_t i = 1; i < strip->count; i++) gaps += starts_line(strip, i) ? far : near;
    strip->width = (FIGURE_INNER - gaps) / strip->count;
    for (uint32_t i = 0; i < strip->count; i++) {
        if (i > 0) x += starts_line(strip, i) ? far : near;
        strip->x[i] = x;
        x += strip->width;
    }
}

/* The place in the strip of a byte's left edge, or -1 where it is not drawn. */
static double strip_x(const Strip *strip, uint64_t addr) {
    for (uint32_t i = 0; i < strip->count; i++)
        if (addr - strip->box[i].addr < SECTOR_BYTES)
            return strip->x[i] + strip->width * (double)(addr - strip->box[i].addr) / SECTOR_BYTES;
    return -1;
}

static void draw_lanes(Figure *figure, const Access *access) {
    double width = (double)FIGURE_INNER / WARP_LANES;
    figure_text(figure, FIGURE_MARGIN, figure->y + 10, "ws-small", "start", "the warp's lanes");
    figure->y += 16;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        bool on = access->active >> lane & 1;
        double x = FIGURE_MARGIN + lane * width;
        char number[8];
        snprintf(number, sizeof number, "%u", lane);
        figure_box(figure, x + 1, figure->y, width - 2, LANE_HEIGHT, on ? "ws-lane" : "ws-off");
        figure_text(figure, x + width / 2, figure->y + 14, on ? "ws-number" : "ws-absent", "middle", number);
    }
    figure->y += LANE_HEIGHT;
}

static void draw_wires(Figure *figure, const SectorLayout *layout, const Strip *strip) {
    double width = (double)FIGURE_INNER / WARP_LANES;
    for (uint32_t i = 0; i < layout->n_ranges; i++) {
        const LaneRange *range = &layout->ranges[i];
        double x = strip_x(strip, range->addr);
        if (x < 0) continue;
        figure_wire(figure, FIGURE_MARGIN + (range->lane + 0.5) * width, figure->y,
                    x + strip->width * range->bytes / SECTOR_BYTES / 2, strip->y);
    }
}

static void draw_sector(Figure *figure, const Strip *strip, uint32_t i) {
    double x = strip->x[i], width = strip->width;
    if (!strip->fetched[i]) {
        figure_box(figure, x, strip->y, width, STRIP_HEIGHT, "ws-off");
        return;
    }
    figure_box(figure, x, strip->y, width, STRIP_HEIGHT, "ws-ground");
    text_add(&figure->body, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%d\" fill=\"url(#ws-hatch)\"/>\n", x, strip->y,
             width, STRIP_HEIGHT);
}

/* The bytes that lanes use; each element once, apart from its neighbours where there is room. */
static void draw_used(Figure *figure, const SectorLayout *layout, const Strip *strip) {
    for (uint32_t i = 0; i < layout->n_ranges; i++) {
        const LaneRange *range = &layout->ranges[i];
        double x = strip_x(strip, range->addr), width = strip->width * range->bytes / SECTOR_BYTES;
        bool drawn = x < 0;
        for (uint32_t k = 0; k < i; k++) drawn |= layout->ranges[k].addr == range->addr;
        if (drawn) continue;
        double apart = width >= 5 ? 1 : 0;
        figure_box(figure, x + apart, strip->y + 1, width - 2 * apart, STRIP_HEIGHT - 2, "ws-used");
    }
}

static void draw_edges(Figure *figure, const Strip *strip) {
    for (uint32_t i = 0; i < strip->count; i++) {
        if (!strip->fetched[i]) continue;
        char used[32];
        figure_box(figure, strip->x[i], strip->y, strip->width, STRIP_HEIGHT, "ws-edge");
        snprintf(used, sizeof used, strip->width >= 76 ? "%d of 32 used" : "%d/32", __builtin_popcount(strip->box[i].bytes));
        if (strip->width >= 32)
            figure_text(figure, strip->x[i] + strip->width / 2, strip->y + STRIP_HEIGHT + 12, "ws-small", "middle", used);
    }
}

/* A brace under each 128-byte line, with its address where there is room for it. */
static void draw_lines(Figure *figure, const Report *report, const Access *access, const Strip *strip) {
    double free_from = 0, y = strip->y + STRIP_HEIGHT + (strip->width >= 32 ? 18 : 6);
    for (uint32_t first = 0, end; first < strip->count; first = end) {
        for (end = first + 1; end < strip->count && line_of(&strip->box[end]) == line_of(&strip->box[first]);) end++;
        double x0 = strip->x[first], x1 = strip->x[end - 1] + strip->width;
        text_add(&figure->body, "<path d=\"M%.1f %.1fv5H%.1fv-5\" class=\"ws-brace\"/>\n", x0, y, x1);
        LOCAL_TEXT label = {0};
        spot_add_address(report, access, strip->box[first].addr, 30, &label);
        double width = 5.7 * (double)label.length;
        bool last = end == strip->count;
        double x = x0 + width > FIGURE_WIDTH - FIGURE_MARGIN ? FIGURE_WIDTH - FIGURE_MARGIN - width : x0;
        if (x >= free_from) {
            figure_text(figure, last && x < x0 ? FIGURE_WIDTH - FIGURE_MARGIN : x0, y + 17, "ws-small",
                        last && x < x0 ? "end" : "start", text_string(&label));
            free_from = x + width + 12;
        }
    }
    figure->y = y + 32;
}

/* Explains what the figure shows, and nothing else. */
static void draw_legend(Figure *figure, const Access *access, const Strip *strip) {
    bool unused = false, unfetched = false;
    const char *legend[9] = {"ws-used", "bytes that a lane uses"};
    uint32_t n = 2;
    for (uint32_t i = 0; i < strip->count; i++) {
        unused |= strip->fetched[i] && strip->box[i].bytes != UINT32_MAX;
        unfetched |= !strip->fetched[i];
    }
    if (unused) {
        legend[n++] = "ws-hatch";
        legend[n++] = access->kind == ACCESS_LOAD ? "fetched, not used" : "in a sector written, not used";
    }
    if (unfetched) {
        legend[n++] = "ws-off";
        legend[n++] = access->kind == ACCESS_LOAD ? "not fetched" : "in no sector written";
    }
    if (access->active != LANES_ALL) {
        legend[n++] = "ws-off";
        legend[n++] = "inactive lane";
    }
    legend[n] = NULL;
    figure_legend(figure, legend);
}

void svg_sectors(Figure *figure, const Report *report, const Sample *sample) {
    const Access *access = &sample->access;
    SectorLayout layout;
    Strip strip = {0};
    layout_sectors(sample, &layout);
    strip_choose(&strip, &layout);
    strip_place(&strip);
    draw_lanes(figure, access);
    strip.y = figure->y + WIRES_HEIGHT;
    for (uint32_t i = 0; i < strip.count; i++) draw_sector(figure, &strip, i);
    draw_used(figure, &layout, &strip);
    draw_edges(figure, &strip);
    draw_wires(figure, &layout, &strip);
    draw_lines(figure, report, access, &strip);
    draw_legend(figure, access, &strip);
    LOCAL_TEXT total = {0};
    plain_count(&total, layout.counted, "sector");
    text_add(&total, " of 32 bytes: %u bytes moved, %u used (%s); a brace is a 128-byte line", layout.counted * SECTOR_BYTES,
             layout.unique_bytes, plain_percent(layout.unique_bytes, layout.counted * SECTOR_BYTES).text);
    if (layout.counted > layout.n_sectors) text_add(&total, "; updates of one address are serialised, each moves the sector");
    if (layout.n_sectors > STRIP_SECTORS) text_add(&total, "; the first %d sectors are drawn", STRIP_SECTORS);
    figure_paragraph(figure, "ws-small", text_string(&total));
}
