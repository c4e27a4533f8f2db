#include "report/svg.h"

#include "report/figure.h"
#include "report/spot.h"
#include "report/svg_banks.h"
#include "report/svg_sectors.h"
#include "report/verdict.h"

static void add_head(Figure *figure, const Report *report, const Sample *sample) {
    const Access *access = &sample->access;
    Spot spot = spot_of(report, access->pc);
    LOCAL_TEXT title = {0}, aside = {0}, source = {0};
    spot_add(spot, &title);
    text_add(&title, ", ");
    spot_add_kind(access->space, spot_op(access), &title);
    spot_add_block(report, sample, &aside);
    text_add(&aside, ", %u byte%s a lane", access->bytes, access->bytes == 1 ? "" : "s");
    figure_text(figure, FIGURE_MARGIN, 30, "ws-title", "start", text_string(&title));
    figure_text(figure, FIGURE_WIDTH - FIGURE_MARGIN, 30, "ws-small", "end", text_string(&aside));
    figure->y = 42;
    spot_add_source(report, spot, 98, &source);
    if (source.length) {
        figure_text(figure, FIGURE_MARGIN, 50, "ws-code", "start", text_string(&source));
        figure->y = 60;
    }
}

void report_svg(const Report *report, const Sample *sample, Text *out) {
    Figure figure = {{0}, 0};
    LOCAL_TEXT title = {0}, verdict = {0};
    spot_add_sample(report, sample, &title);
    verdict_sentence(sample, &verdict);
    add_head(&figure, report, sample);
    if (sample->access.space == SPACE_SHARED)
        svg_banks(&figure, sample);
    else
        svg_sectors(&figure, report, sample);
    figure_paragraph(&figure, "", text_string(&verdict));
    figure_finish(&figure, text_string(&title), text_string(&verdict), out);
}
