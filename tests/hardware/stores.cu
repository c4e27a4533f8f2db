// Stores of several warps to the same sectors: which of them leave their SM together (one launch a line of `names`)
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define G extern "C" __global__ void
static __device__ __forceinline__ unsigned now() { unsigned c; asm volatile("mov.u32 %0, %%clock;" : "=r"(c)::"memory"); return c; }
// Warp w stores at n * period + w * delay, `twice` by the same warp `delay` apart: the same line (`fresh` 0) or one of its own for each n.
G meet(int *o, int lanes, int stride, int iters, int period, int delay, int fresh, int twice, int apart) {
    __shared__ unsigned begin;
    int w = threadIdx.x >> 5, lane = threadIdx.x & 31;
    if (threadIdx.x == 0) begin = now();
    __syncthreads();
    volatile int *p = o + blockIdx.x * (1 << 18);
    unsigned from = begin + 2000 + w * delay;
    for (int n = 0; n < iters; n++, from += period) {
        volatile int *to = p + (fresh ? n * 32 * stride : 0) + lane * stride + w * apart;
        while ((int)(now() - from) < 0) {}
        if (lane < lanes) *to = n;
        if (!twice) continue;
        while ((int)(now() - from - delay) < 0) {}
        if (lane < lanes) *to = n + 1;
    }
}
// Loops without a clock. kind: 0 store; 1 sum in memory; 2 a load that hits, of another line; 3 a load of a line of the warp's own; 4 barrier; 5 a load that all warps share, fresh lines
G loops(int *o, const int *x, int lanes, int stride, int iters, int kind, int lines, int work) {
    int w = threadIdx.x >> 5, lane = threadIdx.x & 31;
    volatile int *p = o + blockIdx.x * (1 << 18) + lane * stride;
    const volatile int *q = x + blockIdx.x * (1 << 16);
    int acc = w;
    for (int n = 0; n < iters; n++) {
        volatile int *to = p + (lines > 1 ? n % lines * 32 * stride : 0);
        if (kind == 1) acc = *to + n;
        if (kind == 2) acc += q[0];
        if (kind == 3) acc += q[(n * (blockDim.x >> 5) + w) * 32 + lane];
        if (kind == 4) __syncthreads();
        if (kind == 5) acc += q[n * 32 + lane];
        for (int k = 0; k < work; k++) asm volatile("mad.lo.s32 %0, %0, %0, %0;" : "+r"(acc));
        if (lane < lanes) *to = acc;
    }
}
// PolyBench's shape: blocks of 32 x 8, of which every row of threads does the same
G rows(float *tmp, const float *a, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; j < n; j++) tmp[i] += a[i * n + j] * x[j];
}
G columns(float *y, const float *a, const float *tmp, int n) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < n; i++) y[j] += a[i * n + j] * tmp[i];
}
// One word of each warp, after a sum of a row: rows of `each` 32s
G sums(float *y, const float *a, int each) {
    int row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5), lane = threadIdx.x & 31;
    float s = 0;
    for (int k = 0; k < each; k++) s += a[(size_t)row * each * 32 + k * 32 + lane];
    for (int d = 16; d; d >>= 1) s += __shfl_xor_sync(~0u, s, d);
    if (lane == 0) y[row] = s;
}
static int *o, *x;
static FILE *names;
static void ended(const char *name) { cudaError_t e = cudaDeviceSynchronize(); if (e) { fprintf(stderr, "%s: %s\n", name, cudaGetErrorString(e)); exit(1); } fprintf(names, "%s\n", name); }
static void m(int grid, int warps, int lanes, int stride, int period, int delay, int fresh, int twice, int apart) {
    char name[200];
    snprintf(name, sizeof name, "meet/g%d/w%d/lanes%d/stride%d/period%d/delay%d/fresh%d/twice%d/apart%d", grid, warps, lanes, stride, period, delay, fresh, twice, apart);
    meet<<<grid, warps * 32>>>(o, lanes, stride, 64, period, delay, fresh, twice, apart);
    ended(name);
}
static void l(int grid, int warps, int lanes, int stride, int kind, int lines, int work) {
    char name[200];
    snprintf(name, sizeof name, "loops/g%d/w%d/lanes%d/stride%d/kind%d/lines%d/work%d", grid, warps, lanes, stride, kind, lines, work);
    loops<<<grid, warps * 32>>>(o, x, lanes, stride, 64, kind, lines, work);
    ended(name);
}
int main(int argc, char **argv) {
    const char *group = argc > 1 ? argv[1] : "A";
    names = fopen(argv[2], "w");
    cudaMalloc(&o, 256 << 20); cudaMalloc(&x, 256 << 20);
    cudaMemset(o, 0, 256 << 20); cudaMemset(x, 0, 256 << 20);
    if (!strcmp(group, "A")) {
        int delays[] = {0, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024}, lanes[] = {32, 1, 16};
        for (int k = 0; k < 3; k++) for (int d : delays) m(1, 2, lanes[k], 1, 4000, d, 1, 0, 0);
        for (int k = 0; k < 2; k++) for (int d : delays) m(1, 1, lanes[k], 1, 4000, d, 1, 1, 0);
        for (int k = 0; k < 2; k++) for (int d = 0; d <= 128; d = d ? 2 * d : 2) m(1, 8, lanes[k], 1, 4000, d, 1, 0, 0);
        for (int w = 4; w <= 32; w *= 2) for (int d = 0; d <= 32; d += 16) m(1, w, 32, 1, 4000, d, 1, 0, 0);
        for (int d = 0; d <= 64; d += 16) m(132, 2, 32, 1, 4000, d, 1, 0, 0);
        for (int d = 0; d <= 64; d += 16) m(1, 2, 32, 1, 4000, d, 0, 0, 0);
    } else if (!strcmp(group, "B")) {
        for (int kind = 0; kind < 6; kind++) for (int w = 1; w <= 32; w *= 2) { l(1, w, 32, 1, kind, 1, 0); l(1, w, 1, 1, kind, 1, 0); l(32, w, 32, 1, kind, 1, 0); }
        for (int kind = 0; kind < 3; kind++) for (int work = 1; work <= 256; work *= 4) { l(1, 8, 32, 1, kind, 1, work); l(1, 1, 32, 1, kind, 1, work); }
    } else if (!strcmp(group, "C")) {
        for (int y = 1; y <= 8; y *= 2) {
            char name[80];
            dim3 block(32, y);
            snprintf(name, sizeof name, "rows/y%d", y); rows<<<32, block>>>((float *)o, (float *)x, (float *)x + (1 << 25), 512); ended(name);
            snprintf(name, sizeof name, "columns/y%d", y); columns<<<32, block>>>((float *)o, (float *)x, (float *)x + (1 << 25), 512); ended(name);
            for (int each = 1; each <= 64; each *= 4) { snprintf(name, sizeof name, "sums/y%d/each%d", y, each); sums<<<1024, block>>>((float *)o, (float *)x, each); ended(name); }
        }
        for (int w = 2; w <= 8; w *= 4) for (int s = 2; s <= 32; s *= 2) { m(1, w, 32, s, 4000, 0, 1, 0, 0); m(1, w, 32, s, 4000, 16, 1, 0, 0); l(1, w, 32, s, 0, 1, 0); }
        for (int w = 1; w <= 8; w *= 8) for (int k = 2; k <= 32; k *= 2) l(1, w, 32, 1, 0, k, 0);
        for (int d = 0; d <= 32; d += 16) { m(1, 4, 8, 1, 4000, d, 1, 0, 8); m(1, 4, 1, 1, 4000, d, 1, 0, 1); m(1, 4, 1, 1, 4000, d, 1, 0, 8); m(1, 8, 4, 1, 4000, d, 1, 0, 4); m(1, 4, 16, 1, 4000, d, 1, 0, 8); m(1, 2, 16, 2, 4000, d, 1, 0, 1); m(1, 2, 4, 8, 4000, d, 1, 0, 1); }
    }
    fclose(names);
}
