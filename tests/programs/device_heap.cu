// Memory that kernels allocate themselves: malloc and new in threads, lists that live on from one launch to the next, one
// allocation shared by a block, and the heap's size as a limit.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#include "check.h"

struct Node {
    int value;
    Node *next;
    __device__ Node(int v, Node *n) : value(v), next(n) {}
};

// Thread i makes a list of i % 7 nodes with values i, i + 1, …, the largest first.
__global__ void make_lists(Node **lists, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    lists[i] = nullptr;
    for (int k = 0; k < i % 7; k++) lists[i] = new Node(i + k, lists[i]);
}

__global__ void sum_and_free(Node **lists, int *sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int sum = 0;
    for (Node *node = lists[i], *next; node; node = next) {
        sum = sum * 3 + node->value;
        next = node->next;
        delete node;
    }
    sums[i] = sum;
}

// One thread allocates for its block, all fill and read, one frees. Every thread also has 40 bytes of its own.
__global__ void shared_allocation(long long *sums, int per_thread) {
    __shared__ int *data;
    if (threadIdx.x == 0) data = (int *)malloc(blockDim.x * per_thread * sizeof(int));
    __syncthreads();
    if (!data) return;
    for (int k = 0; k < per_thread; k++) data[k * blockDim.x + threadIdx.x] = blockIdx.x + k * threadIdx.x;
    double *own = (double *)malloc(5 * sizeof(double));
    for (int k = 0; k < 5; k++) own[k] = k * threadIdx.x;
    __syncthreads();
    int left = (threadIdx.x + 1) % blockDim.x;
    long long sum = (long long)(own[1] + own[4]);
    for (int k = 0; k < per_thread; k++) sum += data[k * blockDim.x + left];
    free(own);
    sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) free(data);
}

__global__ void too_much(void **given) { *given = malloc((size_t)1 << 40); }

int main() {
    const size_t heap = 16 << 20;
    size_t limit = 0;
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, heap));
    CHECK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
    if (limit < heap) {
        printf("the heap has %zu bytes, expected %zu\n", limit, heap);
        return 1;
    }

    const int n = 777;
    Node **d_lists;
    int *d_sums;
    std::vector<int> sums(n);
    CHECK(cudaMalloc(&d_lists, n * sizeof(Node *)));
    CHECK(cudaMalloc(&d_sums, n * sizeof(int)));
    make_lists<<<(n + 63) / 64, 64>>>(d_lists, n);
    sum_and_free<<<(n + 95) / 96, 96>>>(d_lists, d_sums, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(sums.data(), d_sums, n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        int expected = 0;
        for (int k = i % 7 - 1; k >= 0; k--) expected = expected * 3 + i + k;
        if (sums[i] != expected) {
            printf("list %d sums to %d, expected %d\n", i, sums[i], expected);
            return 1;
        }
    }

    const int blocks = 6, threads = 90, per_thread = 11;
    long long *d_totals, totals[blocks * threads];
    CHECK(cudaMalloc(&d_totals, sizeof(totals)));
    CHECK(cudaMemset(d_totals, 0xff, sizeof(totals)));
    shared_allocation<<<blocks, threads>>>(d_totals, per_thread);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(totals, d_totals, sizeof(totals), cudaMemcpyDeviceToHost));
    for (int i = 0; i < blocks * threads; i++) {
        int block = i / threads, left = (i % threads + 1) % threads;
        long long expected = 5 * (i % threads);
        for (int k = 0; k < per_thread; k++) expected += block + k * left;
        if (totals[i] != expected) {
            printf("thread %d sums to %lld, expected %lld\n", i, totals[i], expected);
            return 1;
        }
    }

    void *given = d_sums;
    too_much<<<1, 1>>>((void **)d_lists);
    CHECK(cudaMemcpy(&given, d_lists, sizeof(given), cudaMemcpyDeviceToHost));
    if (given) {
        printf("a kernel was given a tebibyte\n");
        return 1;
    }
    CHECK(cudaFree(d_lists));
    CHECK(cudaFree(d_sums));
    CHECK(cudaFree(d_totals));
    printf("ok: %d lists and %d blocks\n", n, blocks);
    return 0;
}
