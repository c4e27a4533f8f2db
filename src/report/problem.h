/* problem.h: what is wrong as lines by which editors jump, in gcc's form: "kernel.cu:14:9: error: text". */
#pragma once

#include "report/report.h"
#include "report/spot.h"

/* Appends the line, or without a line number "file: error: text"; a column that is unknown is 1. severity: "error", "warning", "note". */
void problem_add(Spot spot, const char *severity, const char *text, Text *out);

/* The launch's faults as errors, what to do as notes. */
void problem_faults(const Report *report, Text *out);

/* Where no fault cut the launch short, each line of the source that moves more than it must, as a warning. */
void problem_lines(const Report *report, Text *out);

/* What a compiler wrote: nvcc's "kernel.cu(14): error: text" in gcc's form, all other lines as they are. */
void problem_compiled(const char *messages, Text *out);
