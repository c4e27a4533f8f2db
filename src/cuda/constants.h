/* constants.h: kernels that write to a __constant__ variable. clang makes PTX of it that no assembler takes, and gives up on atomic operations; both
 * are told here as the mistake that they are; what clang 19 leaves out nobody can tell. nvcc warns, and makes a trap of it. */
#pragma once

#include <stdbool.h>

#include "base/diag.h"

/* Of PTX that clang has made of the file at this path. False, with the error at the first line that writes to one: there is one. */
bool constants_unwritten(const char *ptx, const char *path, Diag *diag);

/* Of what clang says where it gives up. Whether it is for an atomic operation on one, of which diag then tells. */
bool constants_explain(const char *reason, const char *path, Diag *diag);
