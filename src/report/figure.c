#include "report/figure.h"

#include <string.h>

#include "report/words.h"

/* Classes are prefixed, since the styles of a figure that stands inside a page hold for the whole page. */
static const char figure_style[] =
    ".ws text{font-family:'Helvetica Neue',Helvetica,Arial,'Liberation Sans','DejaVu "
    "Sans',sans-serif;font-size:12px;fill:#1b2733}\n"
    ".ws .ws-title{font-size:15px;font-weight:bold}\n"
    ".ws .ws-code{font-family:Menlo,Consolas,'Liberation Mono','DejaVu Sans Mono',monospace;font-size:11px}\n"
    ".ws .ws-small{font-size:10px;fill:#52606e}\n"
    ".ws .ws-number{font-size:10px}\n"
    ".ws .ws-absent{font-size:10px;fill:#8794a1}\n"
    ".ws .ws-bright{font-size:10px;fill:#ffffff}\n"
    ".ws .ws-tight{font-size:8px;fill:#ffffff}\n"
    ".ws .ws-paper{fill:#ffffff}\n"
    ".ws .ws-lane{fill:#e6eef8;stroke:#54779c}\n"
    ".ws .ws-off{fill:none;stroke:#a9b5c1;stroke-dasharray:2 2}\n"
    ".ws .ws-ground{fill:#f1f5f9}\n"
    ".ws .ws-lines{stroke:#a3b6c9;stroke-width:1}\n"
    ".ws .ws-edge{fill:none;stroke:#54779c}\n"
    ".ws .ws-wire{fill:none;stroke:#2b6cb0;stroke-opacity:0.55}\n"
    ".ws .ws-used{fill:#2b6cb0}\n"
    ".ws .ws-late{fill:#b93a0e;stroke:#5c1a02;stroke-width:1.6}\n"
    ".ws .ws-idle{fill:none;stroke:#d3dbe3}\n"
    ".ws .ws-brace{fill:none;stroke:#52606e}\n"
    "@media (prefers-color-scheme: dark){\n"
    ".ws text{fill:#e4e8ed}\n"
    ".ws .ws-small{fill:#a3b0bd}\n"
    ".ws .ws-absent{fill:#73808d}\n"
    ".ws .ws-bright,.ws .ws-tight{fill:#0b141d}\n"
    ".ws .ws-paper{fill:#14191f}\n"
    ".ws .ws-lane{fill:#22303e;stroke:#7d9dbd}\n"
    ".ws .ws-off{stroke:#56636f}\n"
    ".ws .ws-ground{fill:#1c252e}\n"
    ".ws .ws-lines{stroke:#4d6275}\n"
    ".ws .ws-edge{stroke:#7d9dbd}\n"
    ".ws .ws-wire{stroke:#6cb0f5}\n"
    ".ws .ws-used{fill:#6cb0f5}\n"
    ".ws .ws-late{fill:#f59a57;stroke:#ffe2cc}\n"
    ".ws .ws-idle{stroke:#323d48}\n"
    ".ws .ws-brace{stroke:#a3b0bd}\n"
    "}\n";

void figure_escape(Text *out, const char *bytes, size_t count) {
    const char *at = bytes, *end = bytes + count;
    while (at < end) {
        const char *start = at;
        uint32_t code = words_decode(&at, end);
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
        else if (code == UNICODE_BAD || words_is_unsafe(code))
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
    while (*text) {
        size_t length = strlen(text);
        if (length > LINE_COLUMNS) {
            length = LINE_COLUMNS;
            while (length > 0 && text[length] != ' ') length--;
            if (!length) length = strcspn(text, " ");
        }
        Text line = {0};
        text_add_bytes(&line, text, length);
        figure_text(figure, FIGURE_MARGIN, figure->y + 12, style, "start", text_string(&line));
        text_free(&line);
        figure->y += 17;
        text += length;
        while (*text == ' ') text++;
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
    text_add(out, "</desc>\n<style>\n%s</style>\n", figure_style);
    text_add(out, "<defs><pattern id=\"ws-hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
                  "patternTransform=\"rotate(45)\"><path d=\"M0 0V5\" class=\"ws-lines\"/></pattern></defs>\n");
    text_add(out, "<rect width=\"%d\" height=\"%d\" class=\"ws-paper\"/>\n", FIGURE_WIDTH, height);
    text_add_bytes(out, text_string(&figure->body), figure->body.length);
    text_add(out, "</svg>\n");
    text_free(&figure->body);
}
