// Experiments on what L1 keeps and what meets on the way to L2; h200-orders.csv has what an H200 counted. Built with nvcc -O3 -arch=sm_90 and
// run as `ncu --csv --page raw --print-units base --metrics …`; it prints a line `RUN number name` for each launch.
#include <cstdio>
#include <cstdlib>
__device__ __forceinline__ float cg(const float *p) { float v; asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(v) : "l"(p)); return v; }
__device__ __forceinline__ float ca(const float *p) { float v; asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(v) : "l"(p)); return v; }
#define W (threadIdx.x / 32)
#define LANE (threadIdx.x % 32)

// each warp reads one sector of each of L lines S lines apart; every Q warps the next sector; blocks B floats apart
__global__ void share(const float *in, float *out, int L, int S, int Q, int B) {
    float v = 0;
    if (LANE < L) v = cg(in + LANE * S * 32 + (W / Q & 3) * 8 + blockIdx.x * B);
    out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
// each warp reads a whole line: warps of one group of Q the same, and the next group the next, K times on
template <int K> __global__ void again(const float *in, float *out, int Q, int step) {
    float v[K];
#pragma unroll
    for (int k = 0; k < K; k++) v[k] = cg(in + (blockIdx.x * (blockDim.x / 32) + W) / Q * 32 + LANE + k * step);
    float s = 0;
#pragma unroll
    for (int k = 0; k < K; k++) s += v[k];
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
// every thread walks C elements of its own, U loads at a time
template <int U> __global__ void walk(const float *in, float *out, int C) {
    size_t t = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    float s = 0;
    for (int c = 0; c < C; c += U) {
        float v[U];
#pragma unroll
        for (int k = 0; k < U; k++) v[k] = ca(in + t * C + c + k);
#pragma unroll
        for (int k = 0; k < U; k++) s += v[k];
    }
    out[t] = s;
}
template <int U> __global__ void walkw(const float *in, float *out, int C) {
    size_t t = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    for (int c = 0; c < C; c += U) {
        float v[U];
#pragma unroll
        for (int k = 0; k < U; k++) v[k] = ca(in + t * C + c + k);
#pragma unroll
        for (int k = 0; k < U; k++) out[t * C + c + k] = v[k] * 2.5f;
    }
}
// columns bypassing L1, as a transpose reads them
__global__ void columns(const float *in, float *out, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) out[(size_t)col * rows + row] = cg(&in[(size_t)row * cols + col]);
}
__global__ void columns_t(const float *in, float *out, int rows, int cols) { // reads only
    int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
    float v = cg(&in[(size_t)row * cols + col]);
    if (v == 12345.678f) out[0] = v;
}
// all SMs read the same n lines one after the other; D: each load waits for the one before
__global__ void stream(const float *in, float *out, int n, int D) {
    float s = 0; int add = 0;
    for (int i = 0; i < n; i++) {
        float v = ca(in + (size_t)i * 32 + LANE + (size_t)W * 32 * n + add);
        if (D) add = v == 12345.678f;
        s += v;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void where(unsigned *out) { unsigned s; asm volatile("mov.u32 %0, %%smid;" : "=r"(s)); if (!threadIdx.x) out[blockIdx.x] = s; }
static void check(const char *what) { cudaError_t e = cudaDeviceSynchronize(); if (e != cudaSuccess) { printf("%s: %s\n", what, cudaGetErrorString(e)); exit(1); } }
#define RUN(kernel, g, b, name, ...) do { kernel<<<g, b>>>(__VA_ARGS__); check(#kernel); printf("RUN %d %s\n", number++, name); } while (0)
int main() {
    float *in, *out; unsigned *w; int number = 0; char n[200];
    size_t bytes = (size_t)1 << 30;
    cudaMalloc(&in, bytes); cudaMalloc(&out, bytes); cudaMalloc(&w, 4096); cudaMemset(in, 0, bytes);
    printf("in %p out %p\n", (void *)in, (void *)out);
    where<<<264, 1024>>>(w); unsigned h[264]; cudaMemcpy(h, w, sizeof h, cudaMemcpyDeviceToHost);
    printf("SMID1024"); for (int i = 0; i < 264; i++) printf(" %u", h[i]); printf("\n");
    where<<<264, 32>>>(w); cudaMemcpy(h, w, sizeof h, cudaMemcpyDeviceToHost);
    printf("SMID32"); for (int i = 0; i < 264; i++) printf(" %u", h[i]); printf("\n");
    number = 2;
    int Ss[] = {1, 2, 3, 4, 8, 16, 32, 33, 64, 100, 400}, Ls[] = {1, 2, 4, 8, 12, 16, 20, 24, 28, 30, 32};
    for (int S : Ss) for (int L : Ls) { sprintf(n, "share W=4 Q=4 G=1 L=%d S=%d", L, S); RUN(share, 1, 128, n, in, out, L, S, 4, 0); }
    int Ws[] = {1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32};
    for (int wn : Ws) for (int L : {1, 4, 16, 32}) { sprintf(n, "share W=%d Q=32 G=1 L=%d S=64", wn, L); RUN(share, 1, 32 * wn, n, in, out, L, 64, 32, 0); }
    for (int Q : {1, 2, 4, 8}) for (int L : {1, 4, 16, 32}) for (int S : {1, 33, 64, 400}) { sprintf(n, "share W=32 Q=%d G=1 L=%d S=%d", Q, L, S); RUN(share, 1, 1024, n, in, out, L, S, Q, 0); }
    for (int L : {1, 2, 4, 8, 16, 32}) for (int G : {132, 264, 1056}) for (int B : {0, 8}) { sprintf(n, "share W=1 Q=32 G=%d L=%d S=64 B=%d", G, L, B); RUN(share, G, 32, n, in, out, L, 64, 32, B); }
    for (int L : {1, 2, 4, 8, 16, 32}) for (int G : {132, 264}) { sprintf(n, "share W=8 Q=32 G=%d L=%d S=64", G, L); RUN(share, G, 256, n, in, out, L, 64, 32, 0); }
    for (int wn : {1, 2, 4, 8, 32}) for (int G : {1, 132, 4096}) for (int step : {0, 1, 32}) {
        sprintf(n, "again K=9 W=%d Q=1 G=%d step=%d", wn, G, step); RUN(again<9>, G, 32 * wn, n, in, out, 1, step);
        sprintf(n, "again K=2 W=%d Q=1 G=%d step=%d", wn, G, step); RUN(again<2>, G, 32 * wn, n, in, out, 1, step); }
    for (int G : {1, 132, 4096}) for (int Q : {2, 4, 8}) { sprintf(n, "again K=1 W=8 Q=%d G=%d", Q, G); RUN(again<1>, G, 256, n, in, out, Q, 0);
        sprintf(n, "again K=4 W=8 Q=%d G=%d step=4096", Q, G); RUN(again<4>, G, 256, n, in, out, Q, 4096); }
    for (int b : {32, 64, 128, 256}) for (int per : {1, 2, 4, 8}) for (int C : {16, 32, 256}) {
        int G = 132 * per; if (b * per > 2048) continue;
        sprintf(n, "walk U=1 G=%d b=%d C=%d", G, b, C); RUN(walk<1>, G, b, n, in, out, C);
        sprintf(n, "walk U=4 G=%d b=%d C=%d", G, b, C); RUN(walk<4>, G, b, n, in, out, C);
        sprintf(n, "walkw U=1 G=%d b=%d C=%d", G, b, C); RUN(walkw<1>, G, b, n, in, out, C);
        sprintf(n, "walkw U=4 G=%d b=%d C=%d", G, b, C); RUN(walkw<4>, G, b, n, in, out, C); }
    for (int N : {1024, 2048, 2080, 3200, 6400, 12800}) { sprintf(n, "columns N=%d 32x32", N); RUN(columns, dim3(N / 32, N / 32), dim3(32, 32), n, in, out, N, N);
        sprintf(n, "columns_t N=%d 32x32", N); RUN(columns_t, dim3(N / 32, N / 32), dim3(32, 32), n, in, out, N, N); }
    for (int g : {1, 2, 4, 8, 16, 32}) { sprintf(n, "columns N=2048 rows=%d blocks of a grid", g); RUN(columns_t, dim3(g, 8), dim3(32, 32), n, in, out, 2048, 2048); }
    for (int m : {16, 64, 256, 1024}) for (int b : {32, 256, 1024}) for (int D : {0, 1}) if ((size_t)m * b * 4 < bytes) { sprintf(n, "stream n=%d b=%d D=%d G=132", m, b, D); RUN(stream, 132, b, n, in, out, m, D);
        sprintf(n, "stream n=%d b=%d D=%d G=1056", m, b, D); RUN(stream, 1056, b, n, in, out, m, D); }
    return 0;
}
