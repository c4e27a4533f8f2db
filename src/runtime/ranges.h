/* ranges.h: what is advised of ranges of managed memory. Internal to src/runtime. */
#pragma once

#include "runtime/context.h"

/* Of memory that is new: what was known of what was there before. */
void ranges_forget(Context *context, uint64_t address, uint64_t bytes);
