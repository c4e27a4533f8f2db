/* drift.h: whether lanes of a warp can have been at different iterations of a loop in one access. */
#pragma once

#include "report/report.h"

/* Whether the compiler, by unrolling, made several instructions of the sample's access, and one of them lies in a loop that lanes may leave
 * one by one, its branch depending on the lane or on what was loaded, and not all lanes took part each time. Then what looks like one iteration may be several. False where the source
 * line accesses its buffer at several places, or is not known. */
bool drift_is_possible(const Report *report, const Sample *sample);
