/* svg.h: the map of one access (map.h) as an SVG figure, for light and dark pages and for a printed book. */
#pragma once

#include "report/report.h"

void report_svg(const Report *report, const Sample *sample, Text *out);
