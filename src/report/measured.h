/* measured.h: a launch on a GPU for people, in 80 columns of a terminal. */
#pragma once

#include "report/page.h"
#include "report/report.h"

void report_measured_table(const MeasuredReport *report, Page page, Text *out);
