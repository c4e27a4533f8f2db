// Keeping what passes a test: in order, by counting, scanning the blocks' counts and writing; without order, by one atomic a
// warp, by one for the lanes that happen to be together, and for a partition into two ends of one array.
#include <algorithm>
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#include "check.h"

namespace cg = cooperative_groups;

const int BLOCK = 192, WARPS = BLOCK / 32;

__host__ __device__ inline bool keep(int value) { return value % 7 < 3; }

__global__ void count(const int *in, int n, int *counts) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int kept = __syncthreads_count(i < n && keep(in[i]));
    if (threadIdx.x == 0) counts[blockIdx.x] = kept;
}

// One warp turns counts into offsets, 32 at a time; the total comes last.
__global__ void offsets(int *counts, int blocks) {
    int before = 0;
    for (int first = 0; first < blocks; first += 32) {
        int i = first + threadIdx.x, mine = i < blocks ? counts[i] : 0, sum = mine;
        for (int d = 1; d < 32; d *= 2) {
            int other = __shfl_up_sync(0xffffffffu, sum, d);
            if (threadIdx.x >= d) sum += other;
        }
        if (i < blocks) counts[i] = before + sum - mine;
        before += __shfl_sync(0xffffffffu, sum, 31);
    }
    if (threadIdx.x == 0) counts[blocks] = before;
}

__global__ void write_in_order(const int *in, int n, const int *offsets, int *out) {
    __shared__ int warp_counts[WARPS];
    int i = blockIdx.x * BLOCK + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int value = i < n ? in[i] : 0;
    bool kept = i < n && keep(value);
    unsigned int votes = __ballot_sync(0xffffffffu, kept);
    if (lane == 0) warp_counts[warp] = __popc(votes);
    __syncthreads();
    int at = offsets[blockIdx.x] + __popc(votes & ((1u << lane) - 1));
    for (int w = 0; w < warp; w++) at += warp_counts[w];
    if (kept) out[at] = value;
}

__global__ void write_by_warp(const int *in, int n, int *total, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    bool kept = i < n && keep(in[i]);
    unsigned int votes = __ballot_sync(0xffffffffu, kept);
    int base = 0;
    if (lane == 0 && votes) base = atomicAdd(total, __popc(votes));
    base = __shfl_sync(0xffffffffu, base, 0);
    if (kept) out[base + __popc(votes << (31 - lane) << 1)] = in[i];
}

__global__ void write_coalesced(const int *in, int n, int *total, int *out) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        if (!keep(in[i])) continue;
        cg::coalesced_group group = cg::coalesced_threads();
        int base = 0;
        if (group.thread_rank() == 0) base = atomicAdd(total, group.size());
        out[group.shfl(base, 0) + group.thread_rank()] = in[i];
    }
}

// Kept ones from the front, the others from the back.
__global__ void partition(const int *in, int n, int *front, int *back, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int at = keep(in[i]) ? atomicAdd(front, 1) : n - 1 - atomicAdd(back, 1);
    out[at] = in[i];
}

static int compare(const char *kernel, std::vector<int> got, std::vector<int> expected, bool ordered) {
    if (!ordered) {
        std::sort(got.begin(), got.end());
        std::sort(expected.begin(), expected.end());
    }
    for (size_t i = 0; i < expected.size(); i++) {
        if (got[i] != expected[i]) {
            printf("%s: element %zu is %d, expected %d\n", kernel, i, got[i], expected[i]);
            return 1;
        }
    }
    return 0;
}

static std::vector<int> download(const int *d_values, int n) {
    std::vector<int> values(n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(values.data(), d_values, n * sizeof(int), cudaMemcpyDeviceToHost));
    return values;
}

int main() {
    const int n = 30013, blocks = (n + BLOCK - 1) / BLOCK;
    std::vector<int> in(n), kept, others;
    for (int i = 0; i < n; i++) in[i] = (int)((i * 2654435761u) >> 8);
    for (int value : in) (keep(value) ? kept : others).push_back(value);
    const int expected = (int)kept.size();
    int *d_in, *d_out, *d_counts, *d_totals;
    CHECK(cudaMalloc(&d_in, n * sizeof(int)));
    CHECK(cudaMalloc(&d_out, n * sizeof(int)));
    CHECK(cudaMalloc(&d_counts, (blocks + 1) * sizeof(int)));
    CHECK(cudaMalloc(&d_totals, 4 * sizeof(int)));
    CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_totals, 0, 4 * sizeof(int)));

    count<<<blocks, BLOCK>>>(d_in, n, d_counts);
    offsets<<<1, 32>>>(d_counts, blocks);
    write_in_order<<<blocks, BLOCK>>>(d_in, n, d_counts, d_out);
    int in_order = download(d_counts + blocks, 1)[0];
    if (in_order != expected) {
        printf("%d elements are kept in order, expected %d\n", in_order, expected);
        return 1;
    }
    if (compare("write_in_order", download(d_out, expected), kept, true)) return 1;
    CHECK(cudaMemset(d_out, 0, n * sizeof(int)));
    write_by_warp<<<blocks, BLOCK>>>(d_in, n, d_totals, d_out);
    if (compare("write_by_warp", download(d_out, expected), kept, false)) return 1;
    CHECK(cudaMemset(d_out, 0, n * sizeof(int)));
    write_coalesced<<<25, 100>>>(d_in, n, d_totals + 1, d_out);
    if (compare("write_coalesced", download(d_out, expected), kept, false)) return 1;
    partition<<<blocks, BLOCK>>>(d_in, n, d_totals + 2, d_totals + 3, d_out);
    const std::vector<int> both = download(d_out, n), totals = download(d_totals, 4);
    if (compare("partition, kept", std::vector<int>(both.begin(), both.begin() + expected), kept, false) ||
        compare("partition, others", std::vector<int>(both.begin() + expected, both.end()), others, false) ||
        compare("totals", totals, {expected, expected, expected, n - expected}, true))
        return 1;
    for (int *p : {d_in, d_out, d_counts, d_totals}) CHECK(cudaFree(p));
    printf("ok: %d of %d kept, 4 times\n", expected, n);
    return 0;
}
