/* matrix.h: ldmatrix and stmatrix: the warp moves one, two or four matrices of 8 rows, of 16 bytes each, between shared memory and registers. The lanes
 * 8 m to 8 m + 7 have the addresses of matrix m's rows; lane l has two neighbouring elements of row l / 4 (PTX ISA, "ldmatrix"), or with .trans of
 * column l / 4. */
#pragma once

#include "machine/warp.h"

/* False after a fault. active: all lanes of the warp, or it is one. */
bool warp_matrix(Warp *warp, const Step *step, uint32_t active);
