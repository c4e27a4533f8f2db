// Prefix sums of an array larger than a block: warps scan by shuffles, blocks leave their totals, the totals are scanned in
// turn (by the same code, as often as it takes) and added back. Inclusive and exclusive, for int and double.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#include "check.h"

constexpr int THREADS = 128, PER_THREAD = 3, PER_BLOCK = THREADS * PER_THREAD;

template <typename T> __device__ T warp_inclusive(T value) {
    int lane = threadIdx.x & 31;
    for (int d = 1; d < 32; d <<= 1) {
        T before = __shfl_up_sync(0xffffffffu, value, d);
        if (lane >= d) value += before;
    }
    return value;
}

// The sum over the threads before this one; *total is the sum over all.
template <typename T> __device__ T block_exclusive(T value, T *total) {
    __shared__ T warps[THREADS / 32];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    T inclusive = warp_inclusive(value), before = 0, all = 0;
    if (lane == 31) warps[warp] = inclusive;
    __syncthreads();
    for (int w = 0; w < THREADS / 32; w++) {
        if (w < warp) before += warps[w];
        all += warps[w];
    }
    *total = all;
    return before + inclusive - value;
}

template <typename T, bool INCLUSIVE> __global__ void scan_blocks(const T *in, T *out, T *totals, int n) {
    T items[PER_THREAD], sum = 0, total;
    int first = blockIdx.x * PER_BLOCK + threadIdx.x * PER_THREAD;
    for (int k = 0; k < PER_THREAD; k++) {
        items[k] = first + k < n ? in[first + k] : T(0);
        sum += items[k];
    }
    T running = block_exclusive(sum, &total);
    for (int k = 0; k < PER_THREAD; k++) {
        T after = running + items[k];
        if (first + k < n) out[first + k] = INCLUSIVE ? after : running;
        running = after;
    }
    if (threadIdx.x == 0) totals[blockIdx.x] = total;
}

template <typename T> __global__ void add_offsets(T *out, const T *offsets, int n) {
    T offset = offsets[blockIdx.x];
    for (int i = threadIdx.x; i < PER_BLOCK; i += blockDim.x) {
        int at = blockIdx.x * PER_BLOCK + i;
        if (at < n) out[at] += offset;
    }
}

template <typename T, bool INCLUSIVE> static void scan(const T *d_in, T *d_out, int n) {
    const int blocks = (n + PER_BLOCK - 1) / PER_BLOCK;
    T *totals;
    CHECK(cudaMalloc(&totals, blocks * sizeof(T)));
    scan_blocks<T, INCLUSIVE><<<blocks, THREADS>>>(d_in, d_out, totals, n);
    CHECK(cudaGetLastError());
    if (blocks > 1) {
        scan<T, false>(totals, totals, blocks);
        add_offsets<<<blocks, THREADS>>>(d_out, totals, n);
        CHECK(cudaGetLastError());
    }
    CHECK(cudaFree(totals));
}

template <typename T, bool INCLUSIVE> static int run(const char *name, int n) {
    std::vector<T> in(n), out(n);
    for (int i = 0; i < n; i++) in[i] = (T)(i * 29 % 97) - (T)40;
    T *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, n * sizeof(T)));
    CHECK(cudaMalloc(&d_out, n * sizeof(T)));
    CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    scan<T, INCLUSIVE>(d_in, d_out, n);
    CHECK(cudaMemcpy(out.data(), d_out, n * sizeof(T), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    T sum = 0;
    for (int i = 0; i < n; i++) {
        T expected = INCLUSIVE ? sum + in[i] : sum;
        if (out[i] != expected) {
            printf("%s, n = %d: element %d is %g, expected %g\n", name, n, i, (double)out[i], (double)expected);
            return 1;
        }
        sum += in[i];
    }
    return 0;
}

int main() {
    // 384 elements a block: one element, part of a block, just two blocks, and blocks of blocks.
    const int sizes[] = {1, 100, 385, 150001};
    for (int n : sizes) {
        if (run<int, true>("inclusive, int", n) || run<int, false>("exclusive, int", n)) return 1;
        if (run<double, true>("inclusive, double", n)) return 1;
    }
    printf("ok: scans of up to %d elements\n", sizes[3]);
    return 0;
}
