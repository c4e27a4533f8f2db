/* required.h: whether a file has the kernels that its lab asks for. */
#pragma once

#include <stdbool.h>

#include "lab/running.h"

/* Exactly the kernels of lab.goals: what is missing cannot be graded, and what is too much may hide something. False with diag set. */
bool required_kernels(const Lab *lab, Diag *diag);
