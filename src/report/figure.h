/* figure.h: the elements of an SVG figure: escaped text, boxes, curves, the frame with its styles for light and dark pages. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum { FIGURE_WIDTH = 720, FIGURE_MARGIN = 24, FIGURE_INNER = FIGURE_WIDTH - 2 * FIGURE_MARGIN };

/* A figure under construction. Lengths are pixels; y grows downwards. */
typedef struct Figure {
    Text body;
    double y; /* where the next element goes */
} Figure;

/* One line of text with the style classes `style`, whose anchor ("start", "middle", "end") is at x, its baseline at y. */
void figure_text(Figure *figure, double x, double y, const char *style, const char *anchor, const char *text);

void figure_box(Figure *figure, double x, double y, double width, double height, const char *style);

/* A smooth curve from above to below. */
void figure_wire(Figure *figure, double x0, double y0, double x1, double y1);

/* Text broken into lines over the whole width; moves figure->y below it. */
void figure_paragraph(Figure *figure, const char *style, const char *text);

/* A row of boxes with captions: entries are style, caption, style, caption, …, NULL; moves figure->y below it. */
void figure_legend(Figure *figure, const char *const *entries);

/* Puts the body into its frame; frees the body. title and description are plain text. */
void figure_finish(Figure *figure, const char *title, const char *description, Text *out);
