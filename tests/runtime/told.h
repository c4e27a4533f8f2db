#pragma once
__device__ inline float after(const float *from, int i) {
    int next = i + 1;
    return from[next];
}

/* Not inlined. */
__device__ __noinline__ float apart(const float *from, int i) {
    int next = i + 1;
    return from[next];
}
