/* runtime_mark.h: the object of a CUDA source that `warpscope cc` compiles asks for a name that our runtime alone has: linked with NVIDIA's by
 * whatever way, which would find no device and mostly say nothing, no program comes about. */
#pragma once

#if (defined(__CUDACC__) || defined(__CUDA__)) && !defined(__CUDA_ARCH__)
extern "C" const char link_this_program_with_warpscope_cc;
__attribute__((used)) static const char *const warpscope_runtime_mark = &link_this_program_with_warpscope_cc;
#endif
