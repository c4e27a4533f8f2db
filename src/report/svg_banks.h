/* svg_banks.h: 32 columns of banks, a row for each wavefront, in each cell the lane that the bank serves. */
#pragma once

#include "observe/counters.h"
#include "report/figure.h"

/* Begins at figure->y and leaves it below what was drawn. The sample is of shared memory. */
void svg_banks(Figure *figure, const Sample *sample);
