/* updates.h: races of a statement with itself. `x += 1` loads and stores apart, and no barrier can stand between the two. */
#pragma once

#include <stdbool.h>

#include "machine/fault.h"
#include "ptx/program.h"

/* A race whose instructions are of such a statement gets the hint that helps; others are left alone: false. */
bool updates_hint(const Program *program, Fault *fault);
