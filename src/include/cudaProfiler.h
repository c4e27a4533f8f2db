/* cudaProfiler.h: what it declares is in cuda.h. */
#pragma once

#include "cuda.h"
