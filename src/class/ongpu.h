/* ongpu.h: the kernels of a class on this computer's GPU, behind their grading. Points come of the grading alone: nothing here changes them.
 *
 * A kernel that the emulated device found to be right, with every access checked, runs on the GPU from the PTX that was checked, in the sandbox,
 * as far as there is one with a GPU (grade/sandbox says how far). One submission at a time, and none beside another class's, of whatever user.
 *
 * "measured" of a result is one of
 *     {"device", "driver", "clock_mhz", "kernels", "goals"}    as the lab's program says it (lab/speed.h); kernels: those that ran
 *     {"unable": why}                                          and what of the above is known; nobody's fault: the next call tries again
 *     {"skipped": why}                                         no kernel may run there */
#pragma once

#include "class/class.h"

/* Finds the GPU. False with a message where there is none. */
bool ongpu_find(GpuInfo *gpu, Diag *diag);

/* How many submissions of the share are to be measured: graded, and neither measured nor skipped. */
size_t ongpu_count(const Class *class);

/* Measures them, as class_grade grades; of `progress` graded is measured, and ungraded could not be. */
bool ongpu_measure(const Class *class, void (*tell)(const ClassProgress *progress), ClassProgress *progress, int *interrupted,
                   Diag *diag);

/* Whether the result is one that ongpu_count counts. */
bool ongpu_is_wanted(const json_t *result);

/* "measured" in a line: "right; rows_speed 0.909 of the copy, passed". Nothing where it is NULL. */
void ongpu_add(const json_t *measured, Text *out);

/* What came of the measured goal: its share of a copy's speed. False where there is none. */
bool ongpu_value(const json_t *measured, const char *goal, double *value);
