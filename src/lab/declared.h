/* declared.h: where the text of a learner's file declares what; by its words alone, since PTX does not say. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The first line, counted from 1, on which `name` stands with `mark` ("__global__") in front of it in the same declaration; 0: none. */
uint32_t declared_line(const char *text, const char *name, const char *mark);

/* The row of a table of predictions that a goal's metric is about: of "right.tile" the line PREDICT…(tile, …), else that of
 * __constant__ … tile. 0: none. */
uint32_t declared_prediction(const char *text, const char *metric);

/* The kernel from its name to the brace that closes it, with its length; NULL where it is not found. */
const char *declared_kernel(const char *text, const char *name, size_t *length);
