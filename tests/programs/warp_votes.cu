// What the lanes of a warp can tell each other: every shuffle, vote, match and mask, in whole warps, in parts of warps, and
// where only some lanes arrive. Each warp writes down what each lane saw; the host works the same out.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#include "check.h"

#define FULL 0xffffffffu

enum Fact {
    BROADCAST,
    ROTATED,
    UP,
    DOWN,
    BUTTERFLY,
    PART_UP,
    PART_FIRST,
    ALL,
    ANY,
    BALLOT,
    MATCHED,
    MATCH_ALL,
    SUBSET,
    LEADER,
    LEFT,
    FACTS
};
static const char *const fact_names[FACTS] = {
    "broadcast", "rotated", "up",        "down",      "butterfly",          "up in parts of 8", "first of part", "all",
    "any",       "ballot",  "match any", "match all", "ballot of a subset", "leader",           "lanes before"};

__global__ void ask(const int *in, unsigned int *out, double *sums) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    const int value = in[i];
    unsigned int facts[FACTS];
    facts[BROADCAST] = __shfl_sync(FULL, value, 5);
    facts[ROTATED] = __shfl_sync(FULL, value, lane + 7);
    facts[UP] = __shfl_up_sync(FULL, value, 3);
    facts[DOWN] = __shfl_down_sync(FULL, value, 9);
    facts[BUTTERFLY] = __shfl_xor_sync(FULL, value, 21);
    facts[PART_UP] = __shfl_up_sync(FULL, value, 2, 8);
    facts[PART_FIRST] = __shfl_sync(FULL, value, 0, 4);
    facts[ALL] = __all_sync(FULL, value > -3);
    facts[ANY] = __any_sync(FULL, value == 4);
    facts[BALLOT] = __ballot_sync(FULL, value & 1);
    facts[MATCHED] = __match_any_sync(FULL, value);
    int same;
    __match_all_sync(FULL, value >> 8, &same);
    facts[MATCH_ALL] = same;

    // Only lanes with a multiple of 3 arrive here; the first of them speaks for all.
    facts[SUBSET] = facts[LEADER] = 0;
    const unsigned int subset = 0x49249249;
    if (lane % 3 == 0) {
        facts[SUBSET] = __ballot_sync(subset, value > 0);
        facts[LEADER] = __shfl_sync(subset, value * 10, __ffs(subset) - 1);
    }
    __syncwarp();
    facts[LEFT] = __popc(facts[MATCHED] & ((1u << lane) - 1));
    for (int f = 0; f < FACTS; f++) out[i * FACTS + f] = facts[f];

    // 64-bit values are exchanged too.
    double sum = value + 0.5;
    for (int mask = 1; mask < 32; mask <<= 1) sum += __shfl_xor_sync(FULL, sum, mask);
    long long packed = __shfl_sync(FULL, ((long long)value << 32) | lane, 31 - lane);
    sums[i] = sum + (double)(packed >> 32) + (double)(int)packed;
}

// What lane `lane` of a warp with these 32 values should have seen.
static void expect(const int *v, int lane, unsigned int *facts, double *sum) {
    for (int f = 0; f < FACTS; f++) facts[f] = 0;
    facts[BROADCAST] = v[5];
    facts[ROTATED] = v[(lane + 7) % 32];
    facts[UP] = v[lane >= 3 ? lane - 3 : lane];
    facts[DOWN] = v[lane + 9 < 32 ? lane + 9 : lane];
    facts[BUTTERFLY] = v[lane ^ 21];
    facts[PART_UP] = v[lane % 8 >= 2 ? lane - 2 : lane];
    facts[PART_FIRST] = v[lane / 4 * 4];
    facts[ALL] = facts[MATCH_ALL] = 1;
    *sum = 0;
    for (int l = 0; l < 32; l++) {
        if (v[l] <= -3) facts[ALL] = 0;
        if (v[l] == 4) facts[ANY] = 1;
        if (v[l] & 1) facts[BALLOT] |= 1u << l;
        if (v[l] == v[lane]) facts[MATCHED] |= 1u << l;
        if (v[l] == v[lane] && l < lane) facts[LEFT]++;
        if (v[l] >> 8 != v[0] >> 8) facts[MATCH_ALL] = 0;
        if (lane % 3 == 0 && l % 3 == 0 && v[l] > 0) facts[SUBSET] |= 1u << l;
        *sum += v[l] + 0.5;
    }
    if (lane % 3 == 0) facts[LEADER] = v[0] * 10;
    *sum += v[31 - lane] + (31 - lane);
}

int main() {
    const int blocks = 7, threads = 96, n = blocks * threads;
    std::vector<int> in(n);
    for (int i = 0; i < n; i++) in[i] = i * 13 % 29 - (i / 32 % 3) * 3;
    for (int i = 0; i < 32; i++) in[i] = 4, in[32 + i] = i; // a warp of equal values, one of different ones
    std::vector<unsigned int> out(n * FACTS);
    std::vector<double> sums(n);

    int *d_in;
    unsigned int *d_out;
    double *d_sums;
    CHECK(cudaMalloc(&d_in, n * sizeof(int)));
    CHECK(cudaMalloc(&d_out, out.size() * sizeof(unsigned int)));
    CHECK(cudaMalloc(&d_sums, n * sizeof(double)));
    CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    ask<<<blocks, threads>>>(d_in, d_out, d_sums);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), d_out, out.size() * sizeof(unsigned int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(sums.data(), d_sums, n * sizeof(double), cudaMemcpyDeviceToHost));

    for (int i = 0; i < n; i++) {
        unsigned int facts[FACTS];
        double sum;
        expect(&in[i / 32 * 32], i % 32, facts, &sum);
        for (int f = 0; f < FACTS; f++) {
            if (out[i * FACTS + f] != facts[f]) {
                printf("thread %d: %s is 0x%x, expected 0x%x\n", i, fact_names[f], out[i * FACTS + f], facts[f]);
                return 1;
            }
        }
        if (sums[i] != sum) {
            printf("thread %d: sum is %g, expected %g\n", i, sums[i], sum);
            return 1;
        }
    }
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    CHECK(cudaFree(d_sums));
    printf("ok: %d facts seen by %d lanes\n", FACTS, n);
    return 0;
}
