/* long_launch.h: says of a launch that has been running for long, on standard error where that is a terminal, which kernel it is and where. A line of its own each
 * time, after some seconds, twice as many, and so on, which stays; and, from a fifth of that time on, how many of its blocks have ended, behind the cursor, which is erased
 * at the end: what the program has printed is left alone. A thread of its own watches it; the launch is neither changed nor held up. */
#pragma once

#include "device/device.h"

typedef struct LongLaunch LongLaunch;

/* after_s: seconds until the first line. NULL where standard error is no terminal, after_s is not above 0 or no thread can be started: then nothing is
 * ever said. It lasts as long as the process. */
LongLaunch *long_launch_new(double after_s);

/* Around a launch, which gets its sights from it; there may be several at once. still may be NULL. */
void long_launch_watch(LongLaunch *still, LaunchRequest *request);
void long_launch_leave(LongLaunch *still, const LaunchRequest *request);
