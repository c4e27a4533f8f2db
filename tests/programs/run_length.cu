// Run-length coding of text and back: where runs begin, a scan for their numbers, their starts and lengths; then each character
// finds its run again by binary search.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <string>
#include <vector>

#include "check.h"

// Each block scans 4 flags a thread; sums[b] is its total.
const int THREADS = 64, ITEMS = 4, SPAN = THREADS * ITEMS;

__device__ inline int begins(const char *text, int i) { return i == 0 || text[i] != text[i - 1]; }

__global__ void number_runs(const char *text, int n, int *number, int *sums) {
    __shared__ int totals[THREADS];
    const int first = blockIdx.x * SPAN + threadIdx.x * ITEMS;
    int own = 0;
    for (int k = 0; k < ITEMS; k++) own += first + k < n && begins(text, first + k);
    totals[threadIdx.x] = own;
    __syncthreads();
    for (int d = 1; d < THREADS; d *= 2) {
        int before = threadIdx.x >= d ? totals[threadIdx.x - d] : 0;
        __syncthreads();
        totals[threadIdx.x] += before;
        __syncthreads();
    }
    int running = totals[threadIdx.x] - own;
    for (int k = 0; k < ITEMS && first + k < n; k++) {
        running += begins(text, first + k);
        number[first + k] = running; // counts from 1 within the block
    }
    if (threadIdx.x == THREADS - 1) sums[blockIdx.x] = totals[threadIdx.x];
}

// One thread: there are few blocks.
__global__ void scan_sums(int *sums, int blocks) {
    int before = 0;
    for (int b = 0; b < blocks; b++) {
        int sum = sums[b];
        sums[b] = before;
        before += sum;
    }
    sums[blocks] = before;
}

__global__ void write_runs(const char *text, int n, const int *number, const int *sums, char *symbols, int *starts) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) starts[sums[(n + SPAN - 1) / SPAN]] = n; // the end of the last run
    if (i >= n || !begins(text, i)) return;
    int run = number[i] + sums[i / SPAN] - 1;
    symbols[run] = text[i];
    starts[run] = i;
}

__global__ void expand(const char *symbols, const int *starts, int runs, char *text, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int low = 0, high = runs; // starts[low] <= i < starts[high]
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (starts[middle] <= i)
            low = middle;
        else
            high = middle;
    }
    text[i] = symbols[low];
}

int main() {
    std::string text;
    for (unsigned int i = 0, state = 3; text.size() < 20000; i++) {
        state = state * 69069u + 1u;
        text += std::string(1 + (state >> 16) % (i % 10 == 0 ? 90 : 6), (char)('a' + (state >> 24) % 20));
    }
    const int n = (int)text.size(), blocks = (n + SPAN - 1) / SPAN;
    std::vector<char> expected_symbols;
    std::vector<int> expected_starts;
    for (int i = 0; i < n; i++) {
        if (i > 0 && text[i] == text[i - 1]) continue;
        expected_symbols.push_back(text[i]);
        expected_starts.push_back(i);
    }
    expected_starts.push_back(n);

    char *d_text, *d_symbols;
    int *d_number, *d_sums, *d_starts, runs;
    CHECK(cudaMalloc(&d_text, n));
    CHECK(cudaMalloc(&d_symbols, n));
    CHECK(cudaMalloc(&d_number, n * sizeof(int)));
    CHECK(cudaMalloc(&d_sums, (blocks + 1) * sizeof(int)));
    CHECK(cudaMalloc(&d_starts, (n + 1) * sizeof(int)));
    CHECK(cudaMemcpy(d_text, text.data(), n, cudaMemcpyHostToDevice));
    number_runs<<<blocks, THREADS>>>(d_text, n, d_number, d_sums);
    scan_sums<<<1, 1>>>(d_sums, blocks);
    write_runs<<<(n + 127) / 128, 128>>>(d_text, n, d_number, d_sums, d_symbols, d_starts);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&runs, d_sums + blocks, sizeof(int), cudaMemcpyDeviceToHost));
    if (runs != (int)expected_symbols.size()) {
        printf("%d runs, expected %zu\n", runs, expected_symbols.size());
        return 1;
    }
    std::vector<char> symbols(runs);
    std::vector<int> starts(runs + 1);
    CHECK(cudaMemcpy(symbols.data(), d_symbols, runs, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(starts.data(), d_starts, (runs + 1) * sizeof(int), cudaMemcpyDeviceToHost));
    for (int r = 0; r <= runs; r++) {
        if (starts[r] != expected_starts[r] || (r < runs && symbols[r] != expected_symbols[r])) {
            printf("run %d starts at %d, expected %d\n", r, starts[r], expected_starts[r]);
            return 1;
        }
    }

    CHECK(cudaMemset(d_text, '?', n));
    expand<<<(n + 95) / 96, 96>>>(d_symbols, d_starts, runs, d_text, n);
    CHECK(cudaGetLastError());
    std::string back(n, ' ');
    CHECK(cudaMemcpy(&back[0], d_text, n, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        if (back[i] != text[i]) {
            printf("character %d is '%c', expected '%c'\n", i, back[i], text[i]);
            return 1;
        }
    }
    CHECK(cudaFree(d_text));
    CHECK(cudaFree(d_symbols));
    CHECK(cudaFree(d_number));
    CHECK(cudaFree(d_sums));
    CHECK(cudaFree(d_starts));
    printf("ok: %d characters in %d runs, and back\n", n, runs);
    return 0;
}
