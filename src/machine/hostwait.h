/* hostwait.h: blocks that wait for what the host sets, in memory that both have, while the host goes on beside the launch. */
#pragma once

#include "machine/deadlock.h"

/* The first warp that waits so, of the lowest of these blocks that has one; NULL: none does. */
Warp *hostwait_first(const Worker *worker, const Waiting *waiting);

/* Lets the host go on for a moment, where these blocks have looked at memory of both. */
void hostwait_share(Worker *worker, const Waiting *waiting);

/* Lets the host go on until something that these blocks poll has changed, or for a moment (launch.h). False: it never will, or there is none. */
bool hostwait_ended(Worker *worker, const Waiting *waiting);
