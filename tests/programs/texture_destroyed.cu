// A kernel reads a texture object that the program has destroyed: the emulator says so, and ends the launch.
#include <cstdio>
#include <cuda_runtime.h>

#include "check.h"

__global__ void read(cudaTextureObject_t t, float *out) { out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x); }

int main() {
    float *data, *out;
    CHECK(cudaMalloc(&data, 128));
    CHECK(cudaMalloc(&out, 128));
    CHECK(cudaMemset(data, 0, 128));
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = data;
    r.res.linear.desc = cudaCreateChannelDesc<float>();
    r.res.linear.sizeInBytes = 128;
    cudaTextureDesc d = {};
    cudaTextureObject_t t;
    CHECK(cudaCreateTextureObject(&t, &r, &d, NULL));
    read<<<1, 32>>>(t, out);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaDestroyTextureObject(t));
    read<<<1, 32>>>(t, out);
    const cudaError_t error = cudaDeviceSynchronize();
    printf("%s: %s\n", error == cudaErrorIllegalAddress ? "ok" : "wrong", cudaGetErrorName(error));
    return error != cudaErrorIllegalAddress;
}
