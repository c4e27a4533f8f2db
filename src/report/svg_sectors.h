/* svg_sectors.h: 32 lanes above, the sectors they touch below, one strip in order of address. */
#pragma once

#include "report/figure.h"
#include "report/report.h"

/* Begins at figure->y and leaves it below what was drawn. The sample is of global or local memory. */
void svg_sectors(Figure *figure, const Report *report, const Sample *sample);
