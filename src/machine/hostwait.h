/* hostwait.h: blocks that wait for what the host sets, in memory that both have, while the host goes on beside the launch. */
#pragma once

#include "machine/deadlock.h"

/* The first warp that waits so, of the lowest of these blocks that has one; NULL: none does. */
Warp *hostwait_first(const Worker *worker, const Waiting *waiting);

/* The address that such a warp polls; of several the one that it looked at last, where that is the host's too. */
uint64_t hostwait_address(const Warp *warp);

/* Lets the host go on for a moment, where these blocks have looked at memory of both. */
AwaitedEnd hostwait_share(Worker *worker, const Waiting *waiting);

/* Lets the host and launches beside this one go on until something that these blocks poll has changed, or for a moment. */
AwaitedEnd hostwait_ended(Worker *worker, const Waiting *waiting);
