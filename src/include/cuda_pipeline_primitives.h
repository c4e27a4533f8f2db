/* cuda_pipeline_primitives.h: everything that it declares is in cuda_pipeline.h. */
#pragma once

#include "cuda_pipeline.h"
