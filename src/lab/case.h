/* case.h: a case beyond what suites see of it (lab.h): its report and its end. */
#pragma once

#include "lab/running.h"
#include "report/report.h"

Report case_report(const LabCase *c);

void case_free(LabCase *c);
