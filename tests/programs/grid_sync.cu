// A cooperative launch: all blocks of the grid wait for each other inside a kernel. Jacobi's method makes all its sweeps in one
// launch, with a sum over the grid between them; and the number of blocks comes from the device's occupancy.
#include <algorithm>
#include <cmath>
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#include "check.h"

namespace cg = cooperative_groups;

const int THREADS = 128, SWEEPS = 25;

// 4 x[i] - x[i - 1] - x[i + 1] = b[i], with zeros beyond the ends. changes[s]: the sum of |change| in sweep s.
__global__ void jacobi(const double *b, double *x, double *next, double *changes, int n, int sweeps) {
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    __shared__ double part[THREADS];
    for (int s = 0; s < sweeps; s++) {
        double change = 0.0;
        for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size()) {
            double left = i > 0 ? x[i - 1] : 0.0, right = i + 1 < n ? x[i + 1] : 0.0;
            next[i] = 0.25 * (b[i] + left + right);
            change += fabs(next[i] - x[i]);
        }
        part[block.thread_rank()] = change;
        block.sync();
        for (int stride = THREADS / 2; stride > 0; stride /= 2) {
            if (block.thread_rank() < stride) part[block.thread_rank()] += part[block.thread_rank() + stride];
            block.sync();
        }
        if (block.thread_rank() == 0) atomicAdd(&changes[s], part[0]);
        grid.sync();
        double *swap = x;
        x = next;
        next = swap;
    }
}

// Blocks hand a token on: block k adds to what block k - 1 left, one grid barrier after another.
__global__ void relay(int *token) {
    cg::grid_group grid = cg::this_grid();
    for (int turn = 0; turn < gridDim.x; turn++) {
        if (blockIdx.x == turn && threadIdx.x == 0) *token = *token * 3 + turn;
        grid.sync();
    }
}

int main() {
    const int n = 3001;
    int cooperative = 0, processors = 0, per_processor = 0;
    CHECK(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0));
    CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, jacobi, THREADS, 0));
    if (!cooperative || per_processor < 1) {
        printf("no cooperative launch: %d, %d blocks a multiprocessor\n", cooperative, per_processor);
        return 1;
    }
    const int blocks = std::min(processors * per_processor, 7);

    std::vector<double> b(n), x(n, 0.0), next(n), changes(SWEEPS, 0.0);
    for (int i = 0; i < n; i++) b[i] = i % 17 - 8;
    double *d_b, *d_x, *d_next, *d_changes;
    CHECK(cudaMalloc(&d_b, n * sizeof(double)));
    CHECK(cudaMalloc(&d_x, n * sizeof(double)));
    CHECK(cudaMalloc(&d_next, n * sizeof(double)));
    CHECK(cudaMalloc(&d_changes, SWEEPS * sizeof(double)));
    CHECK(cudaMemcpy(d_b, b.data(), n * sizeof(double), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_x, 0, n * sizeof(double)));
    CHECK(cudaMemset(d_changes, 0, SWEEPS * sizeof(double)));

    int count = n, sweeps = SWEEPS;
    void *arguments[] = {&d_b, &d_x, &d_next, &d_changes, &count, &sweeps};
    CHECK(cudaLaunchCooperativeKernel((void *)jacobi, dim3(blocks), dim3(THREADS), arguments, 0, nullptr));
    std::vector<double> got(n), got_changes(SWEEPS);
    CHECK(cudaMemcpy(got.data(), SWEEPS % 2 ? d_next : d_x, n * sizeof(double), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(got_changes.data(), d_changes, SWEEPS * sizeof(double), cudaMemcpyDeviceToHost));

    for (int s = 0; s < SWEEPS; s++, x.swap(next)) {
        for (int i = 0; i < n; i++) {
            next[i] = 0.25 * (b[i] + (i > 0 ? x[i - 1] : 0.0) + (i + 1 < n ? x[i + 1] : 0.0));
            changes[s] += std::fabs(next[i] - x[i]);
        }
    }
    for (int i = 0; i < n; i++) {
        if (got[i] != x[i]) {
            printf("x[%d] is %.17g, expected %.17g\n", i, got[i], x[i]);
            return 1;
        }
    }
    for (int s = 0; s < SWEEPS; s++) {
        if (std::fabs(got_changes[s] - changes[s]) > 1e-9 * changes[0]) {
            printf("sweep %d changed %.12g, expected %.12g\n", s, got_changes[s], changes[s]);
            return 1;
        }
    }

    int *d_token, token = 1, expected = 1;
    CHECK(cudaMalloc(&d_token, sizeof(int)));
    CHECK(cudaMemcpy(d_token, &token, sizeof(int), cudaMemcpyHostToDevice));
    void *relay_arguments[] = {&d_token};
    CHECK(cudaLaunchCooperativeKernel(relay, 5, 33, relay_arguments));
    CHECK(cudaMemcpy(&token, d_token, sizeof(int), cudaMemcpyDeviceToHost));
    for (int turn = 0; turn < 5; turn++) expected = expected * 3 + turn;
    if (token != expected) {
        printf("the token is %d, expected %d\n", token, expected);
        return 1;
    }
    for (void *p : {(void *)d_b, (void *)d_x, (void *)d_next, (void *)d_changes, (void *)d_token}) CHECK(cudaFree(p));
    printf("ok: %d sweeps, the token is %d\n", SWEEPS, token);
    return 0;
}
