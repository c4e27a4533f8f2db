// Prefix sums within a block: Hillis and Steele's with two buffers, and Blelloch's work-efficient one with and without padding
// against bank conflicts. Each block scans its own row, so many rows of odd lengths are scanned at once.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#include "check.h"

// Inclusive: after step d, element i holds the sum of the 2d elements that end with it.
__global__ void scan_hillis_steele(const int *in, int *out, int n) {
    extern __shared__ int buffers[]; // two of n
    int tid = threadIdx.x, from = 0, to = 1;
    const int *row = in + (size_t)blockIdx.x * n;
    if (tid < n) buffers[tid] = row[tid];
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        if (tid < n) {
            int value = buffers[from * n + tid];
            if (tid >= d) value += buffers[from * n + tid - d];
            buffers[to * n + tid] = value;
        }
        from = 1 - from;
        to = 1 - to;
        __syncthreads();
    }
    if (tid < n) out[(size_t)blockIdx.x * n + tid] = buffers[from * n + tid];
}

// One word of padding after every 32 keeps strides that are powers of two out of one bank.
template <bool PADDED> __device__ int slot(int i) { return PADDED ? i + i / 32 : i; }

// Exclusive, of 2 * blockDim.x elements, of which the row has n: a tree of sums upwards, then what lies before downwards.
template <bool PADDED> __device__ void scan_tree(const int *in, int *out, int n, int *tree) {
    const int tid = threadIdx.x, size = 2 * blockDim.x;
    const size_t row = (size_t)blockIdx.x * n;
    int left = tid, right = tid + blockDim.x;
    tree[slot<PADDED>(left)] = left < n ? in[row + left] : 0;
    tree[slot<PADDED>(right)] = right < n ? in[row + right] : 0;

    int stride = 1;
    for (int d = size / 2; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) {
            int a = slot<PADDED>(stride * (2 * tid + 1) - 1), b = slot<PADDED>(stride * (2 * tid + 2) - 1);
            tree[b] += tree[a];
        }
        stride *= 2;
    }
    if (tid == 0) tree[slot<PADDED>(size - 1)] = 0;
    for (int d = 1; d < size; d *= 2) {
        stride /= 2;
        __syncthreads();
        if (tid < d) {
            int a = slot<PADDED>(stride * (2 * tid + 1) - 1), b = slot<PADDED>(stride * (2 * tid + 2) - 1);
            int sum = tree[a];
            tree[a] = tree[b];
            tree[b] += sum;
        }
    }
    __syncthreads();
    if (left < n) out[row + left] = tree[slot<PADDED>(left)];
    if (right < n) out[row + right] = tree[slot<PADDED>(right)];
}

__global__ void scan_blelloch(const int *in, int *out, int n) {
    extern __shared__ int tree[];
    scan_tree<false>(in, out, n, tree);
}
__global__ void scan_blelloch_padded(const int *in, int *out, int n) {
    extern __shared__ int tree[];
    scan_tree<true>(in, out, n, tree);
}

static int verify(const char *kernel, const std::vector<int> &in, const int *d_out, int rows, int n, bool inclusive) {
    std::vector<int> out(in.size());
    CHECK(cudaMemcpy(out.data(), d_out, out.size() * sizeof(int), cudaMemcpyDeviceToHost));
    for (int r = 0; r < rows; r++) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            int expected = inclusive ? sum + in[r * n + i] : sum;
            if (out[r * n + i] != expected) {
                printf("%s: row %d, element %d is %d, expected %d\n", kernel, r, i, out[r * n + i], expected);
                return 1;
            }
            sum += in[r * n + i];
        }
    }
    return 0;
}

int main() {
    const int rows = 19, n = 451, half = 256; // a tree of 512 leaves
    std::vector<int> in(rows * n);
    for (int i = 0; i < rows * n; i++) in[i] = i * 17 % 201 - 60;
    int *d_in, *d_out;
    const size_t bytes = in.size() * sizeof(int);
    CHECK(cudaMalloc(&d_in, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    CHECK(cudaMemcpy(d_in, in.data(), bytes, cudaMemcpyHostToDevice));

    scan_hillis_steele<<<rows, 480, 2 * n * sizeof(int)>>>(d_in, d_out, n);
    CHECK(cudaGetLastError());
    if (verify("Hillis-Steele", in, d_out, rows, n, true)) return 1;

    CHECK(cudaMemset(d_out, 0xff, bytes));
    scan_blelloch<<<rows, half, 2 * half * sizeof(int)>>>(d_in, d_out, n);
    CHECK(cudaGetLastError());
    if (verify("Blelloch", in, d_out, rows, n, false)) return 1;

    CHECK(cudaMemset(d_out, 0xff, bytes));
    scan_blelloch_padded<<<rows, half, (2 * half + 2 * half / 32) * sizeof(int)>>>(d_in, d_out, n);
    CHECK(cudaGetLastError());
    if (verify("Blelloch, padded", in, d_out, rows, n, false)) return 1;

    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    printf("ok: %d rows of %d scanned 3 ways\n", rows, n);
    return 0;
}
