/* exceptions.h: what is not compared with the GPU, and why. One list. */
#pragma once

#include "plan.h"

/* What is compared of a result: the value itself, or what the case's exceptions leave of it. `guard`: the lane's guard is true. */
uint64_t case_seen(const Case *test, unsigned result, uint64_t value, bool guard);

/* The list as text: how many cases, and why. */
void exceptions_list(const Plan *plan, Text *out);
