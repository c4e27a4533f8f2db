/* launch.h: what kernel<<<grid, block, bytes, stream>>>(…) turns into. */
#pragma once

#include "../cuda_runtime_api.h"
#include "runtime_mark.h"

extern "C" {
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                         struct CUstream_st *stream = 0) __asm__("__cudaPushCallConfiguration_ptsz");
#else
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0, struct CUstream_st *stream = 0);
#endif
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream);
}
