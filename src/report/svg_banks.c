#include "report/svg_banks.h"

#include <stdio.h>
#include <string.h>

#include "report/layout.h"
#include "report/plain.h"

enum { ROW_HEIGHT = 20, LABELS_WIDTH = 92, WAVES_ALL = 16, WAVES_FIRST = 10, WAVES_LAST = 2 };

static const double cell_width = (double)(FIGURE_INNER - LABELS_WIDTH) / BANKS;

static double bank_x(uint32_t bank) { return FIGURE_MARGIN + LABELS_WIDTH + bank * cell_width; }

static void draw_head(Figure *figure) {
    figure_text(figure, FIGURE_MARGIN, figure->y + 12, "ws-small", "start", "bank");
    for (uint32_t bank = 0; bank < BANKS; bank++) {
        char number[8];
        snprintf(number, sizeof number, "%u", bank);
        figure_text(figure, bank_x(bank) + cell_width / 2, figure->y + 12, "ws-small", "middle", number);
    }
    figure->y += 20;
}

/* Banks from `bank` on that serve one element of these lanes. */
static uint32_t element_banks(const BankRow *row, uint32_t bank, uint32_t words) {
    uint32_t count = 1;
    while (count < words && bank + count < BANKS && row->lanes[bank + count] == row->lanes[bank]) count++;
    return count;
}

static void draw_row(Figure *figure, const BankRow *row, uint32_t words, bool late) {
    for (uint32_t bank = 0, wide; bank < BANKS; bank += wide) {
        uint32_t lanes = row->lanes[bank];
        wide = lanes ? element_banks(row, bank, words) : 1;
        double x = bank_x(bank), width = wide * cell_width;
        if (!lanes) {
            figure_box(figure, x + 0.5, figure->y + 0.5, width - 1, ROW_HEIGHT - 1, "ws-idle");
            continue;
        }
        char text[8];
        snprintf(text, sizeof text, lanes & (lanes - 1) ? "%d+" : "%d", __builtin_ctz(lanes));
        double inset = late ? 1.5 : 0.75;
        figure_box(figure, x + inset, figure->y + inset, width - 2 * inset, ROW_HEIGHT - 2 * inset,
                   late ? "ws-late" : "ws-used");
        figure_text(figure, x + width / 2, figure->y + 13.5, strlen(text) > 2 ? "ws-tight" : "ws-bright", "middle", text);
    }
}

/* "3", "5-6", and what is wrong with it. */
static void draw_label(Figure *figure, uint32_t row, uint32_t wavefronts, bool late) {
    char text[40];
    if (wavefronts == 1)
        snprintf(text, sizeof text, "wavefront %u", row + 1);
    else
        snprintf(text, sizeof text, "waves %u-%u", row * wavefronts + 1, (row + 1) * wavefronts);
    figure_text(figure, FIGURE_MARGIN, figure->y + 14, "ws-number", "start", text);
    if (late) figure_text(figure, FIGURE_MARGIN + LABELS_WIDTH - 6, figure->y + 14, "ws-number", "end", "!");
}

static void draw_group(Figure *figure, uint32_t group) {
    LOCAL_TEXT text = text_from("lanes ");
    plain_lanes(&text, group, 20);
    figure_text(figure, FIGURE_MARGIN, figure->y + 13, "ws-small", "start", text_string(&text));
    figure->y += 18;
}

static void draw_skipped(Figure *figure, uint32_t waves) {
    char text[40];
    snprintf(text, sizeof text, "... %u more wavefronts ...", waves);
    figure_text(figure, bank_x(0), figure->y + 15, "ws-small", "start", text);
    figure->y += ROW_HEIGHT + 2;
}

static void draw_legend(Figure *figure, bool idle, bool late, bool shared) {
    const char *legend[9] = {"ws-used", "the lane that the bank serves"};
    uint32_t n = 2;
    if (late) {
        legend[n++] = "ws-late";
        legend[n++] = "! served late: a bank conflict";
    }
    if (idle) {
        legend[n++] = "ws-idle";
        legend[n++] = "bank idle";
    }
    legend[n] = NULL;
    figure_legend(figure, legend);
    if (shared) figure_paragraph(figure, "ws-small", "+ and further lanes, which want the same word and get it at once");
}

void svg_banks(Figure *figure, const Sample *sample) {
    const Access *access = &sample->access;
    BankLayout layout;
    bool any_late = false, any_shared = false, any_idle = false;
    layout_banks(access, &layout);
    draw_head(figure);
    for (uint32_t i = 0; i < layout.n_rows; i++) {
        const BankRow *row = &layout.row[i];
        bool late = i > 0 && row->group == row[-1].group;
        bool shown = layout.n_rows <= WAVES_ALL || i < WAVES_FIRST || i >= layout.n_rows - WAVES_LAST;
        bool after_skip = layout.n_rows > WAVES_ALL && i == layout.n_rows - WAVES_LAST;
        any_late |= late;
        for (uint32_t bank = 0; bank < BANKS; bank++) {
            any_shared |= (row->lanes[bank] & (row->lanes[bank] - 1)) != 0;
            any_idle |= !row->lanes[bank];
        }
        if (!shown) {
            if (i == WAVES_FIRST) draw_skipped(figure, (layout.n_rows - WAVES_FIRST - WAVES_LAST) * layout.row_wavefronts);
            continue;
        }
        if (row->group != LANES_ALL && (!late || after_skip)) draw_group(figure, row->group);
        draw_label(figure, i, layout.row_wavefronts, late);
        draw_row(figure, row, access->bytes > 4 ? access->bytes / 4 : 1, late);
        figure->y += ROW_HEIGHT + 2;
    }
    figure->y += 10;
    draw_legend(figure, any_idle, any_late, any_shared);
    BankCount count = banks_count(access);
    LOCAL_TEXT total = {0};
    plain_count(&total, count.wavefronts, "wavefront");
    text_add(&total, ", ");
    plain_count(&total, count.conflicts, "bank conflict");
    figure_paragraph(figure, "ws-small", text_string(&total));
}
