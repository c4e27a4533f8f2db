#include "statistics.h"

static __constant__ int threads_per_block;
static int launches = 0;
__managed__ unsigned int below;

static __global__ void sum_up(const float *samples, int n, float limit) {
    unsigned int mine = 0;
    for (int i = blockIdx.x * threads_per_block + threadIdx.x; i < n; i += gridDim.x * threads_per_block)
        mine += samples[i] <= limit;
    atomicAdd(&below, mine);
}

// The samples are multiples of 1/64 from 0 to 256: halve the interval until it is one of them.
float device_quantile(const float *samples, int n, double share) {
    const int threads = 160;
    CHECK(cudaMemcpyToSymbol(threads_per_block, &threads, sizeof(threads)));
    int low = 0, high = 256 * 64;
    while (low < high) {
        const int middle = (low + high) / 2;
        below = 0;
        sum_up<<<7, threads>>>(samples, n, middle / 64.0f);
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
        launches++;
        if (below >= share * n)
            high = middle;
        else
            low = middle + 1;
    }
    return low / 64.0f;
}

int launches_made() { return launches; }
