// More dynamic shared memory than the 48 KB that any kernel may have: it is refused until the kernel's attribute allows it.
// Each block sieves its own stretch of numbers for primes, a byte a number.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#include "check.h"

// Primes from first = blockIdx.x * span up to and without first + span; primes[0, known) are those whose squares matter.
__global__ void sieve(const int *primes, int known, int span, unsigned int *counts, int *largest) {
    extern __shared__ unsigned char composite[];
    __shared__ unsigned int count;
    __shared__ int top;
    const int first = blockIdx.x * span;
    for (int i = threadIdx.x; i < span; i += blockDim.x) composite[i] = first + i < 2;
    if (threadIdx.x == 0) count = top = 0;
    __syncthreads();
    for (int p = 0; p < known; p++) {
        const int prime = primes[p];
        int from = (first + prime - 1) / prime * prime; // the first multiple here, but never the prime itself
        if (from < prime * prime) from = prime * prime;
        for (int m = from + threadIdx.x * prime; m < first + span; m += blockDim.x * prime) composite[m - first] = 1;
    }
    __syncthreads();
    unsigned int mine = 0;
    for (int i = threadIdx.x; i < span; i += blockDim.x) {
        if (!composite[i]) {
            mine++;
            atomicMax(&top, first + i);
        }
    }
    atomicAdd(&count, mine);
    __syncthreads();
    if (threadIdx.x == 0) {
        counts[blockIdx.x] = count;
        largest[blockIdx.x] = top;
    }
}

int main() {
    const int span = 60013, blocks = 3, limit = span * blocks; // 60013 bytes: 58.6 KB
    std::vector<bool> composite(limit, false);
    std::vector<int> primes;
    composite[0] = composite[1] = true;
    for (int i = 2; i < limit; i++) {
        if (composite[i]) continue;
        if ((long)i * i < limit) primes.push_back(i);
        for (long m = (long)i * i; m < limit; m += i) composite[m] = true;
    }

    int most = 0;
    CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    if (most < span + 64) {
        printf("a block may have %d bytes of shared memory, expected %d\n", most, span + 64);
        return 1;
    }
    int *d_primes, *d_largest, largest[blocks];
    unsigned int *d_counts, counts[blocks];
    CHECK(cudaMalloc(&d_primes, primes.size() * sizeof(int)));
    CHECK(cudaMalloc(&d_counts, sizeof(counts)));
    CHECK(cudaMalloc(&d_largest, sizeof(largest)));
    CHECK(cudaMemcpy(d_primes, primes.data(), primes.size() * sizeof(int), cudaMemcpyHostToDevice));

    sieve<<<blocks, 224, span>>>(d_primes, (int)primes.size(), span, d_counts, d_largest);
    cudaError_t refused = cudaGetLastError();
    if (refused != cudaErrorInvalidValue) {
        printf("the first launch: %s, expected cudaErrorInvalidValue\n", cudaGetErrorName(refused));
        return 1;
    }
    CHECK(cudaFuncSetAttribute(sieve, cudaFuncAttributeMaxDynamicSharedMemorySize, span));
    CHECK(cudaFuncSetAttribute(sieve, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared));
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, sieve));
    if (attributes.maxDynamicSharedSizeBytes != span) {
        printf("dynamic shared memory: %d bytes, expected %d\n", attributes.maxDynamicSharedSizeBytes, span);
        return 1;
    }
    sieve<<<blocks, 224, span>>>(d_primes, (int)primes.size(), span, d_counts, d_largest);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(counts, d_counts, sizeof(counts), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(largest, d_largest, sizeof(largest), cudaMemcpyDeviceToHost));

    unsigned int total = 0;
    for (int b = 0; b < blocks; b++) {
        unsigned int expected = 0;
        int top = 0;
        for (int i = b * span; i < (b + 1) * span; i++) {
            if (!composite[i]) expected++, top = i;
        }
        if (counts[b] != expected || largest[b] != top) {
            printf("block %d: %u primes up to %d, expected %u up to %d\n", b, counts[b], largest[b], expected, top);
            return 1;
        }
        total += expected;
    }
    CHECK(cudaFree(d_primes));
    CHECK(cudaFree(d_counts));
    CHECK(cudaFree(d_largest));
    printf("ok: %u primes below %d\n", total, limit);
    return 0;
}
