// Merge sort: each block sorts a tile by ranks, then pairs of runs are merged, every thread finding its own place to begin by a
// binary search along a diagonal ("merge path"). Stable, for any length.
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <utility>
#include <vector>

#include "check.h"

constexpr int TILE = 96, PER_THREAD = 7;

struct Record {
    short key;
    unsigned short origin;
};

// An element's place in its tile is the number of those that come before it.
__global__ void sort_tiles(const Record *in, Record *out, int n) {
    __shared__ Record tile[TILE];
    const int base = blockIdx.x * TILE, count = min(TILE, n - base), tid = threadIdx.x;
    if (tid < count) tile[tid] = in[base + tid];
    __syncthreads();
    if (tid >= count) return;
    const Record mine = tile[tid];
    int rank = 0;
    for (int i = 0; i < count; i++) rank += tile[i].key < mine.key || (tile[i].key == mine.key && i < tid);
    out[base + rank] = mine;
}

// How many of the first `diagonal` elements of the merged run come from a; on a tie those of a go first.
__device__ int split(const Record *a, int a_count, const Record *b, int b_count, int diagonal) {
    int low = max(0, diagonal - b_count), high = min(diagonal, a_count);
    while (low < high) {
        int middle = (low + high) / 2;
        if (a[middle].key <= b[diagonal - 1 - middle].key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

__global__ void merge_runs(const Record *__restrict__ in, Record *__restrict__ out, int n, int run) {
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * PER_THREAD;
    // A thread's piece may reach into the next pair of runs.
    for (int at = first, end = min(first + PER_THREAD, n); at < end;) {
        const int pair = at / (2 * run) * (2 * run);
        const int a_count = min(run, n - pair), b_count = min(run, n - pair - a_count);
        const Record *a = in + pair, *b = a + a_count;
        const int stop = min(end, pair + a_count + b_count);
        int i = split(a, a_count, b, b_count, at - pair), j = at - pair - i;
        for (; at < stop; at++) {
            bool from_a = j >= b_count || (i < a_count && a[i].key <= b[j].key);
            out[at] = from_a ? a[i++] : b[j++];
        }
    }
}

int main() {
    const int n = 20011;
    std::vector<Record> records(n), got(n);
    unsigned int state = 1;
    for (int i = 0; i < n; i++) {
        state = state * 1103515245u + 12345u;
        records[i].key = (short)((int)(state >> 16) % 3001 - 1500); // many equal keys: stability shows
        records[i].origin = (unsigned short)i;
    }
    Record *d_from, *d_to;
    CHECK(cudaMalloc(&d_from, n * sizeof(Record)));
    CHECK(cudaMalloc(&d_to, n * sizeof(Record)));
    CHECK(cudaMemcpy(d_to, records.data(), n * sizeof(Record), cudaMemcpyHostToDevice));

    sort_tiles<<<(n + TILE - 1) / TILE, TILE>>>(d_to, d_from, n);
    CHECK(cudaGetLastError());
    const int threads = 64, blocks = (n + threads * PER_THREAD - 1) / (threads * PER_THREAD);
    for (int run = TILE; run < n; run *= 2) {
        merge_runs<<<blocks, threads>>>(d_from, d_to, n, run);
        CHECK(cudaGetLastError());
        std::swap(d_from, d_to);
    }
    CHECK(cudaMemcpy(got.data(), d_from, n * sizeof(Record), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_from));
    CHECK(cudaFree(d_to));

    std::stable_sort(records.begin(), records.end(), [](const Record &x, const Record &y) { return x.key < y.key; });
    for (int i = 0; i < n; i++) {
        if (got[i].key != records[i].key || got[i].origin != records[i].origin) {
            printf("record %d is (%d, %u), expected (%d, %u)\n", i, got[i].key, got[i].origin, records[i].key,
                   records[i].origin);
            return 1;
        }
    }
    printf("ok: %d records sorted, keys %d to %d\n", n, got[0].key, got[n - 1].key);
    return 0;
}
