/* launch.h: what kernel<<<grid, block, bytes, stream>>>(…) turns into. */
#pragma once

#include "../cuda_runtime_api.h"

extern "C" {
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0, struct CUstream_st *stream = 0);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream);
}
