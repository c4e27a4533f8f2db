/* map.h: lanes over sectors, or over banks, in the columns of a page.
 *
 * Sectors: a row is a sector, a cell 4 bytes of it (elements of 1 and 2 bytes: a cell each); in a cell stands the lane that uses it.
 *     'in'+0    | 0| 1| 2| 3| 4| 5| 6| 7| 32 of 32 used  lanes 0-7
 * Banks: a row is a wavefront, a column a bank; lane numbers are read from top to bottom, as the banks' are.
 * Below PAGE_COLUMNS banks stand close together, and elements of 2 bytes are marked by # as single bytes are. */
#pragma once

#include "report/page.h"
#include "report/report.h"

void report_map(const Report *report, const Sample *sample, Page page, Text *out);
