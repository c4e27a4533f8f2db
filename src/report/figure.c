#include "report/figure.h"

#include <stdbool.h>
#include <string.h>

#include "base/visible.h"
#include "report/plain.h"

/* On a light page, on a dark one. */
enum { NONE, INK, SOFT, FAINT, INVERSE, PAPER, LANE, OUTLINE, OFF, GROUND, HATCH, USED, LATE, LATE_EDGE, IDLE };

static const char *const colours[][2] = {
    [INK] = {"#1b2733", "#e4e8ed"},       [SOFT] = {"#52606e", "#a3b0bd"},  [FAINT] = {"#8794a1", "#73808d"},
    [INVERSE] = {"#ffffff", "#0b141d"},   [PAPER] = {"#ffffff", "#14191f"}, [LANE] = {"#e6eef8", "#22303e"},
    [OUTLINE] = {"#54779c", "#7d9dbd"},   [OFF] = {"#a9b5c1", "#56636f"},   [GROUND] = {"#f1f5f9", "#1c252e"},
    [HATCH] = {"#a3b6c9", "#4d6275"},     [USED] = {"#2b6cb0", "#6cb0f5"},  [LATE] = {"#b93a0e", "#f59a57"},
    [LATE_EDGE] = {"#5c1a02", "#ffe2cc"}, [IDLE] = {"#d3dbe3", "#323d48"},
};

/* Classes are prefixed, since the styles of a figure that stands inside a page hold for the whole page. */
static const struct {
    const char *selector, *same; /* what is the same on every page */
    int fill, stroke;
} styles[] = {
    {"text", "font-family:'Helvetica Neue',Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif;font-size:12px;", INK,
     NONE},
    {".ws-title", "font-size:15px;font-weight:bold;", NONE, NONE},
    {".ws-code", "font-family:Menlo,Consolas,'Liberation Mono','DejaVu Sans Mono',monospace;font-size:11px;", NONE, NONE},
    {".ws-small", "font-size:10px;", SOFT, NONE},
    {".ws-number", "font-size:10px;", NONE, NONE},
    {".ws-absent", "font-size:10px;", FAINT, NONE},
    {".ws-bright", "font-size:10px;", INVERSE, NONE},
    {".ws-tight", "font-size:8px;", INVERSE, NONE},
    {".ws-paper", "", PAPER, NONE},
    {".ws-lane", "", LANE, OUTLINE},
    {".ws-off", "fill:none;stroke-dasharray:2 2;", NONE, OFF},
    {".ws-ground", "", GROUND, NONE},
    {".ws-lines", "stroke-width:1;", NONE, HATCH},
    {".ws-edge", "fill:none;", NONE, OUTLINE},
    {".ws-wire", "fill:none;stroke-opacity:0.55;", NONE, USED},
    {".ws-used", "", USED, NONE},
    {".ws-late", "stroke-width:1.6;", LATE, LATE_EDGE},
    {".ws-idle", "fill:none;", NONE, IDLE},
    {".ws-brace", "fill:none;", NONE, SOFT},
};

static void add_styles(bool dark, Text *out) {
    for (size_t i = 0; i < sizeof styles / sizeof *styles; i++) {
        if (dark && !styles[i].fill && !styles[i].stroke) continue;
        text_add(out, ".ws %s{%s", styles[i].selector, dark ? "" : styles[i].same);
        if (styles[i].fill) text_add(out, "fill:%s;", colours[styles[i].fill][dark]);
        if (styles[i].stroke) text_add(out, "stroke:%s;", colours[styles[i].stroke][dark]);
        text_add(out, "}\n");
    }
}

/* Escapes for XML; control characters and invalid UTF-8 become U+FFFD. */
static void figure_escape(Text *out, const char *bytes, size_t count) {
    const char *at = bytes, *end = bytes + count;
    while (at < end) {
        const char *start = at;
        uint32_t code = visible_decode(&at, end);
        if (code == '&')
            text_add(out, "&amp;");
        else if (code == '<')
            text_add(out, "&lt;");
        else if (code == '>')
            text_add(out, "&gt;");
        else if (code == '"')
            text_add(out, "&quot;");
        else if (code == '\t' || code == '\n')
            text_add(out, " ");
        else if (code == UNICODE_BAD || visible_is_unsafe(code))
            text_add(out, "\xef\xbf\xbd");
        else
            text_add_bytes(out, start, (size_t)(at - start));
    }
}

void figure_text(Figure *figure, double x, double y, const char *style, const char *anchor, const char *text) {
    text_add(&figure->body, "<text x=\"%.1f\" y=\"%.1f\"", x, y);
    if (style[0]) text_add(&figure->body, " class=\"%s\"", style);
    if (strcmp(anchor, "start") != 0) text_add(&figure->body, " text-anchor=\"%s\"", anchor);
    text_add(&figure->body, ">");
    figure_escape(&figure->body, text, strlen(text));
    text_add(&figure->body, "</text>\n");
}

void figure_box(Figure *figure, double x, double y, double width, double height, const char *style) {
    text_add(&figure->body, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" class=\"%s\"/>\n", x, y, width, height,
             style);
}

void figure_wire(Figure *figure, double x0, double y0, double x1, double y1) {
    double bend = (y1 - y0) * 0.5;
    text_add(&figure->body, "<path d=\"M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f\" class=\"ws-wire\"/>\n", x0, y0, x0, y0 + bend,
             x1, y1 - bend, x1, y1);
}

void figure_paragraph(Figure *figure, const char *style, const char *text) {
    enum { LINE_COLUMNS = 104 }; /* a line of 12-pixel text is about 6.3 pixels a letter */
    for (size_t length; *text; text += length + strspn(text + length, " ")) {
        length = plain_break(text, LINE_COLUMNS);
        LOCAL_TEXT line = {0};
        text_add_bytes(&line, text, length);
        figure_text(figure, FIGURE_MARGIN, figure->y + 12, style, "start", text_string(&line));
        figure->y += 17;
    }
}

void figure_legend(Figure *figure, const char *const *entries) {
    double x = FIGURE_MARGIN;
    for (; entries[0]; entries += 2) {
        if (strcmp(entries[0], "ws-hatch") == 0) {
            figure_box(figure, x, figure->y, 14, 11, "ws-ground");
            text_add(&figure->body, "<rect x=\"%.2f\" y=\"%.2f\" width=\"14\" height=\"11\" fill=\"url(#ws-hatch)\"/>\n", x,
                     figure->y);
            figure_box(figure, x, figure->y, 14, 11, "ws-edge");
        } else {
            figure_box(figure, x, figure->y, 14, 11, entries[0]);
        }
        figure_text(figure, x + 19, figure->y + 9.5, "ws-small", "start", entries[1]);
        x += 19 + 5.6 * (double)strlen(entries[1]) + 18;
    }
    figure->y += 20;
}

void figure_finish(Figure *figure, const char *title, const char *description, Text *out) {
    int height = (int)(figure->y + FIGURE_MARGIN / 2);
    text_add(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ws\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" "
        "aria-labelledby=\"ws-t ws-d\">\n<title id=\"ws-t\">",
        FIGURE_WIDTH, height, FIGURE_WIDTH, height);
    figure_escape(out, title, strlen(title));
    text_add(out, "</title>\n<desc id=\"ws-d\">");
    figure_escape(out, description, strlen(description));
    text_add(out, "</desc>\n<style>\n");
    add_styles(false, out);
    text_add(out, "@media (prefers-color-scheme: dark){\n");
    add_styles(true, out);
    text_add(out, "}\n</style>\n");
    text_add(out, "<defs><pattern id=\"ws-hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
                  "patternTransform=\"rotate(45)\"><path d=\"M0 0V5\" class=\"ws-lines\"/></pattern></defs>\n");
    text_add(out, "<rect width=\"%d\" height=\"%d\" class=\"ws-paper\"/>\n", FIGURE_WIDTH, height);
    text_add_bytes(out, text_string(&figure->body), figure->body.length);
    text_add(out, "</svg>\n");
    text_free(&figure->body);
}
