/* table.h: a launch for people, in 80 columns of a terminal. */
#pragma once

#include "report/page.h"
#include "report/report.h"

void report_table(const Report *report, Page page, Text *out);
