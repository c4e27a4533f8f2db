// What one kernel does depends on texels that nothing has written, and another one writes past the end of a surface's row: the emulator names both.
#include <cstdio>
#include <cuda_runtime.h>

#include "check.h"

__global__ void look(cudaTextureObject_t from) {
    if (tex2D<float>(from, threadIdx.x, 0) > 1e9f) printf("large\n");
}

__global__ void fill(cudaSurfaceObject_t to) { surf2Dwrite(1.0f, to, (int)(threadIdx.x * sizeof(float)), 1); }

int main() {
    const cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    cudaArray_t from, to;
    CHECK(cudaMallocArray(&from, &f, 32, 2));
    CHECK(cudaMallocArray(&to, &f, 31, 2, cudaArraySurfaceLoadStore));
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = from;
    cudaTextureDesc d = {};
    cudaTextureObject_t t;
    cudaSurfaceObject_t s;
    CHECK(cudaCreateTextureObject(&t, &r, &d, NULL));
    r.res.array.array = to;
    CHECK(cudaCreateSurfaceObject(&s, &r));
    look<<<1, 32>>>(t);
    fill<<<1, 32>>>(s);
    const cudaError_t error = cudaDeviceSynchronize();
    printf("%s: %s\n", error == cudaErrorIllegalAddress ? "ok" : "wrong", cudaGetErrorName(error));
    return error != cudaErrorIllegalAddress;
}
