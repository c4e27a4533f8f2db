/* cuda_pipeline.h: copies from global to shared memory that need no register on sm_80 and newer; on older devices, as with nvcc, plain
 * copies that are done at once. */
#pragma once

#include "warpscope_cuda.h"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
/* clang's own instruction, since assembly is what no lane may leave out to clang: a loop with it would not be unrolled. */
#define WARPSCOPE_ASYNC_COPY(kind, bytes)                                                        \
    __nvvm_cp_async_##kind##_shared_global_##bytes((__attribute__((address_space(3))) void *)to, \
                                                   (const __attribute__((address_space(1))) void *)from)
WARPSCOPE_DEVICE void __pipeline_memcpy_async(void *to, const void *from, size_t bytes) {
    if (bytes == 4) WARPSCOPE_ASYNC_COPY(ca, 4);
    if (bytes == 8) WARPSCOPE_ASYNC_COPY(ca, 8);
    if (bytes == 16) WARPSCOPE_ASYNC_COPY(cg, 16);
}
#undef WARPSCOPE_ASYNC_COPY
WARPSCOPE_DEVICE void __pipeline_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <size_t Left = 0> WARPSCOPE_DEVICE void warpscope_pipeline_wait() {
    asm volatile("cp.async.wait_group %0;" ::"n"(Left) : "memory");
}
WARPSCOPE_DEVICE void __pipeline_wait_prior(size_t left) {
    switch (left) {
    case 0: warpscope_pipeline_wait<0>(); break;
    case 1: warpscope_pipeline_wait<1>(); break;
    case 2: warpscope_pipeline_wait<2>(); break;
    case 3: warpscope_pipeline_wait<3>(); break;
    case 4: warpscope_pipeline_wait<4>(); break;
    case 5: warpscope_pipeline_wait<5>(); break;
    case 6: warpscope_pipeline_wait<6>(); break;
    case 7: warpscope_pipeline_wait<7>(); break;
    default: warpscope_pipeline_wait<8>(); break;
    }
}
#else
WARPSCOPE_DEVICE void __pipeline_memcpy_async(void *to, const void *from, size_t bytes) {
    if (bytes == 4) *(unsigned int *)to = *(const unsigned int *)from;
    if (bytes == 8) *(uint2 *)to = *(const uint2 *)from;
    if (bytes == 16) *(uint4 *)to = *(const uint4 *)from;
}
WARPSCOPE_DEVICE void __pipeline_commit() {}
WARPSCOPE_DEVICE void __pipeline_wait_prior(size_t) {}
#endif
