/* counts.h: the numbers of a launch by the names that lab.goals and suites use.
 *
 *     global.load.sectors, instructions, …   any number of `warpscope launch --json`, by its path
 *     global.load.lines, global.store.lines  distinct lines of 128 bytes of each request, summed over requests
 *     needed_bytes                           what any right kernel must read and write, as the suite says: lab_measure
 *     unread                                 the part of what it must read that the launch did not load, 0 at best
 *     shared_bytes                           of shared memory that a block takes, static and dynamic
 *     warp_imbalance                         instructions of the busiest warp, divided by those of the average warp of the launch: 1 at
 *                                            best; as many as there are warps when one does all the work
 *     access_imbalance                       the same for requests to global memory */
#pragma once

#include "lab/running.h"

/* The value of a name; report is the launch as JSON. False when the launch has no such number. */
bool counts_find(const LabCase *c, const json_t *report, const char *name, double *value);
