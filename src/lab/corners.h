/* corners.h: shapes at which a kernel decides otherwise than at all that were tried. How sizes become parameters, block and grid is found out from the
 * launches; what the kernel makes of them, by conditions.h: so thousands of shapes can be looked at in the time of one launch. */
#pragma once

#include "lab/running.h"

typedef struct Corners Corners;

/* kernel: of the lab's program. */
Corners *corners_new(const Lab *lab, const char *kernel, uint32_t n_sizes);
void corners_free(Corners *corners);

/* These sizes are tried next; and what they became, by every launch of the kernel. */
void corners_try(Corners *corners, const uint32_t *sizes);
void corners_launched(Corners *corners, const LabCase *c);

/* Behind a number of trials: false where nothing is known of what the kernel decides. */
bool corners_known(Corners *corners);

/* Of as many shapes as a warp has lanes those that are worth a trial, as bits: together they decide all that is new among them. What was found before is new
 * again behind corners_again, unless a launch has come to it. */
void corners_again(Corners *corners);
uint32_t corners_find(Corners *corners, const uint32_t (*sizes)[LAB_SIZES]);
