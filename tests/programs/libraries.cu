// Kernels by handles: those of a library that is loaded as PTX, with its variables, and the program's own.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

#include "check.h"

static const char code[] = ".version 7.5\n.target sm_75\n.address_size 64\n"
                           ".visible .global .align 4 .u32 step = 5;\n"
                           ".visible .entry advance(.param .u64 p, .param .u32 n)\n{\n"
                           "  .reg .pred %p<2>;\n  .reg .u32 %r<8>;\n  .reg .u64 %rd<5>;\n"
                           "  ld.param.u64 %rd1, [p];\n  ld.param.u32 %r1, [n];\n"
                           "  mov.u32 %r2, %ctaid.x;\n  mov.u32 %r3, %ntid.x;\n  mov.u32 %r4, %tid.x;\n"
                           "  mad.lo.u32 %r5, %r2, %r3, %r4;\n  setp.ge.u32 %p1, %r5, %r1;\n  @%p1 bra DONE;\n"
                           "  cvta.to.global.u64 %rd2, %rd1;\n  mul.wide.u32 %rd3, %r5, 4;\n  add.u64 %rd4, %rd2, %rd3;\n"
                           "  ld.global.u32 %r6, [%rd4];\n  ld.global.u32 %r7, [step];\n  add.u32 %r6, %r6, %r7;\n"
                           "  st.global.u32 [%rd4], %r6;\nDONE:\n  ret;\n}\n"
                           ".visible .entry idle()\n{\n  ret;\n}\n";

__global__ void twice(int *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= 2;
}
__global__ void mixed(char c, double d, int *p, short s) { *p = (int)d + c + s; }

int main() {
    const int n = 100;
    int host[n], *p;
    cudaLibrary_t library;
    cudaKernel_t advance, all[2], own;
    CHECK(cudaLibraryLoadData(&library, code, nullptr, nullptr, 0, nullptr, nullptr, 0));
    unsigned count = 0;
    CHECK(cudaLibraryGetKernelCount(&count, library));
    CHECK(cudaLibraryEnumerateKernels(all, count, library));
    CHECK(cudaLibraryGetKernel(&advance, library, "advance"));
    const char *name = nullptr;
    CHECK(cudaFuncGetName(&name, (const void *)advance));
    printf("%u kernels, %s among them: %d\n", count, name, all[0] == advance || all[1] == advance);

    CHECK(cudaMalloc(&p, sizeof(host)));
    CHECK(cudaMemset(p, 0, sizeof(host)));
    int given = n;
    void *arguments[] = {&p, &given};
    CHECK(cudaLaunchKernel((const void *)advance, dim3(4), dim3(32), arguments, 0, 0));
    int *step, two = 2, was = 0;
    size_t bytes = 0;
    CHECK(cudaLibraryGetGlobal((void **)&step, &bytes, library, "step"));
    CHECK(cudaMemcpy(&was, step, sizeof(was), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(step, &two, sizeof(two), cudaMemcpyHostToDevice));
    CHECK(cudaLaunchKernel((const void *)advance, dim3(4), dim3(32), arguments, 0, 0));
    CHECK(cudaGetKernel(&own, twice));
    CHECK(cudaLaunchKernel((const void *)own, dim3(4), dim3(32), arguments, 0, 0));
    CHECK(cudaMemcpy(host, p, sizeof(host), cudaMemcpyDeviceToHost));
    printf("a step of %d in %zu bytes, then one of %d, doubled: %d and %d\n", was, bytes, two, host[0], host[n - 1]);

    cudaFuncAttributes of;
    CHECK(cudaKernelSetAttributeForDevice(advance, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000, 0));
    CHECK(cudaFuncGetAttributes(&of, (const void *)advance));
    printf("dynamic shared memory: %d\n", of.maxDynamicSharedSizeBytes);
    for (size_t i = 0; i < 5; i++) {
        size_t offset = 0, size = 0;
        const cudaError_t error = cudaFuncGetParamInfo((const void *)mixed, i, &offset, &size);
        if (error == cudaSuccess)
            printf("parameter %zu: %zu bytes at %zu\n", i, size, offset);
        else
            printf("parameter %zu: %s\n", i, cudaGetErrorName(error));
    }
    cudaGetLastError();
    printf("no such kernel: %s\n", cudaGetErrorName(cudaLibraryGetKernel(&advance, library, "retreat")));
    cudaGetLastError();
    CHECK(cudaLibraryUnload(library));
    CHECK(cudaFree(p));
    printf("ok\n");
    return 0;
}
