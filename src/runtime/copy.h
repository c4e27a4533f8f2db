/* copy.h: copies as the calls describe them. Internal to src/runtime. */
#pragma once

#include "runtime/work.h"

/* The copy between boxes of pitched memory or arrays; one of nothing has an empty box. */
cudaError_t copy_described(const Context *context, const struct cudaMemcpy3DParms *given, bool async, Work *work);
