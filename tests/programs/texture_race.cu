// A texture of bytes over a buffer that the same kernel writes: of two blocks each reads what the other one writes.
#include "check.h"
#include <cstdio>

__global__ void exchange(cudaTextureObject_t bytes, unsigned *words, unsigned *out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    words[i] = 7;
    out[i] = tex1Dfetch<unsigned char>(bytes, (i + 32) % 64 * 4);
}

int main() {
    unsigned *words, *out;
    CHECK(cudaMalloc(&words, 256));
    CHECK(cudaMalloc(&out, 256));
    CHECK(cudaMemset(words, 3, 256));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = words;
    resource.res.linear.sizeInBytes = 256;
    resource.res.linear.desc = cudaCreateChannelDesc<unsigned char>();
    cudaTextureDesc sampling = {};
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
    exchange<<<2, 32>>>(texture, words, out);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFree(words));
    CHECK(cudaFree(out));
    puts("ok");
}
