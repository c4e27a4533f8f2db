/* lines.cu: how long L1 keeps a line, and which stores of a warp, or of warps of a block, reach L2 together. One launch a line of the file that is named, in
 * that order: the names of h200-lines.csv (README.md).
 *     nvcc -O3 -std=c++17 -arch=sm_90a tests/hardware/lines.cu -o lines && ncu --clock-control none --csv --page raw --metrics … ./lines names */
#include <cstdio>
#include <cstdlib>
#include <cstring>
static __device__ __forceinline__ float ld(const float *p) {
    float v;
    asm volatile("ld.global.f32 %0, [%1];" : "=f"(v) : "l"(p) : "memory");
    return v;
}
static __device__ __forceinline__ void st(float *p, float v) {
    asm volatile("st.global.f32 [%0], %1;" ::"l"(p), "f"(v) : "memory");
}
// Each warp loads K lines of its own, `apart` lines from warp to warp, and all of them again once they are there; or, AGAIN false, only once.
template <int K, bool AGAIN> __global__ void again(const float *p, float *o, int apart) {
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
    const float *q = p + (size_t)warp * apart * 32;
    float v[K], s = 0;
#pragma unroll
    for (int k = 0; k < K; k++) v[k] = ld(q + k * 32 + lane);
#pragma unroll
    for (int k = 0; k < K; k++) s += v[k];
    int z = s != 0;
#pragma unroll
    for (int k = 0; k < K && AGAIN; k++) s += ld(q + k * 32 + (lane ^ 1) + z);
    if (s != 0) o[0] = s;
}
// The plate of book/examples/plate.cu. EDGE 0: neither left nor right is loaded; 1: as there; 2: both from the thread's own line. STORE: as there, or no store.
template <int DOWN, int EDGE, int STORE> __global__ void plate(const float *now, float *next, int rows, int cols) {
    int first = (blockIdx.y * blockDim.y + threadIdx.y) * DOWN, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col < 1 || col >= cols - 1) return;
    float c[DOWN + 2], s = 0;
#pragma unroll
    for (int i = 0; i < DOWN + 2; i++) c[i] = ld(now + min(max(first + i - 1, 0), rows - 1) * cols + col);
#pragma unroll
    for (int i = 0; i < DOWN; i++) {
        int row = first + i;
        if (row < 1 || row >= rows - 1) continue;
        const float *at = now + row * cols + col;
        float x;
        if (EDGE == 1)
            x = ld(at - 1) + ld(at + 1);
        else if (EDGE == 2)
            x = ld(now + row * cols + (col ^ 1)) + ld(now + row * cols + (col ^ 2));
        else
            x = 0;
        x += c[i] + c[i + 1] + c[i + 2];
        if (STORE)
            st(next + row * cols + col, x);
        else
            s += x;
    }
    if (s != 0) next[0] = s;
}
// One block of W warps goes ROUNDS times around N lines, `step` lines apart; LANES lanes load
__global__ void around(const float *p, float *o, int n, int rounds, int step, int lanes) {
    extern __shared__ float shared[];
    int w = threadIdx.x >> 5, W = blockDim.x >> 5, lane = threadIdx.x & 31;
    float s = 0;
    for (int r = 0; r < rounds; r++) {
        for (int k = w; k < n; k += W)
            if (lane < lanes) s += ld(p + (size_t)k * step * 32 + lane + (s != 0));
        __syncthreads();
    }
    if (s != 0) {
        shared[0] = s;
        o[0] = shared[w];
    }
}
// N lines are loaded, then M others loaded (kind 0) or stored whole (1) or in part (2: 5 words), then the N again, in the same or the other order
__global__ void scan(const float *p, float *o, int n, int m, int kind, int back) {
    int lane = threadIdx.x & 31;
    float s = 0;
    for (int k = 0; k < n; k++) s += ld(p + k * 32 + lane + (s != 0));
    for (int k = 0; k < m; k++) {
        if (kind == 0)
            s += ld(p + (k + n) * 32 + lane + (s != 0));
        else if (kind == 1)
            st(o + k * 32 + lane, s);
        else if (lane < 5)
            st(o + k * 32 + lane, s);
    }
    for (int k = 0; k < n; k++) s += ld(p + (back ? n - 1 - k : k) * 32 + lane + (s != 0));
    if (s != 0) o[0] = s;
}
// Each warp walks n lines of its own; in each iteration it loads a new one, and what it loaded `keep` iterations ago again; kind 1: stores a line besides; 2: stores 5 words of one;
// 3: loads one sector of a further line; 4: stores a sector
__global__ void __launch_bounds__(256, 8) keeps(const float *p, float *o, int n, int keep, int kind) {
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
    const float *q = p + (size_t)warp * n * 32 + lane;
    const float *r = p + (32 << 20) + (size_t)warp * n * 32 + lane;
    float *t = o + (size_t)warp * n * 32 + lane;
    float s = 0;
    for (int k = 0; k < n; k++) {
        s += ld(q + k * 32 + (s != 0));
        if (k >= keep) s += ld(q + (k - keep) * 32 + (s != 0));
        if (kind == 1) st(t + k * 32, s);
        if (kind == 2 && lane < 5) st(t + k * 32, s);
        if (kind == 3 && lane < 8) s += ld(r + k * 32);
        if (kind == 4 && lane < 8) st(t + k * 32, s);
    }
    if (s != 0) o[0] = s;
}
// --- stores ---
// Warps w and w + apart of a block store the halves (ways 2) or quarters (4) of the same sectors; load: the value is loaded before
template <int LOAD> __global__ void halves(float *o, const float *p, int apart, int ways) {
    int warp = threadIdx.x >> 5, lane = threadIdx.x & 31, W = blockDim.x >> 5;
    int part = warp / apart % ways, group = warp / (apart * ways) * apart + warp % apart;
    size_t line = (size_t)blockIdx.x * (W / ways) + group;
    float v = LOAD ? ld(p + (size_t)blockIdx.x * blockDim.x + threadIdx.x) : 1;
    st(o + line * 32 * ways + ways * lane + part, v);
}
// A thread's element is i + shift. kind 0: one store; 1: two, to arrays `other` apart; 2: what was loaded; 3: elements 2i and 2i + 1 + shift; 4: i + shift and the next one;
// 5: four times the block's elements; 6: elements 3i, 3i + 1, 3i + 2 + shift; 7: i, then i + shift
__global__ void shifted(float *o, const float *p, int shift, int kind, int other) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (kind == 0) st(o + i + shift, 1);
    if (kind == 1) {
        st(o + i + shift, 1);
        st(o + other + i + shift, 2);
    }
    if (kind == 2) st(o + i + shift, ld(p + i));
    if (kind == 3) {
        st(o + 2 * i + shift, 1);
        st(o + 2 * i + 1 + shift, 2);
    }
    if (kind == 4) {
        st(o + i + shift, 1);
        st(o + i + shift + 1, 2);
    }
    if (kind == 6) {
        st(o + 3 * i + shift, 1);
        st(o + 3 * i + 1 + shift, 2);
        st(o + 3 * i + 2 + shift, 3);
    }
    if (kind == 7) {
        st(o + i, 1);
        st(o + i + shift, 2);
    }
    if (kind == 5)
        for (int k = 0; k < 4; k++) st(o + ((size_t)blockIdx.x * 4 + k) * blockDim.x + threadIdx.x + shift, k);
}
static float *p, *o;
static FILE *names;
static void ended(const char *name) {
    cudaError_t e = cudaDeviceSynchronize();
    if (e) {
        fprintf(stderr, "%s: %s\n", name, cudaGetErrorString(e));
        exit(1);
    }
    fprintf(names, "%s\n", name);
    fflush(names);
}
static char name[200];
template <int K, bool AGAIN = true> static void a(int g, int b, int apart) {
    again<K, AGAIN><<<g, b>>>(p, o, apart);
    snprintf(name, sizeof name, "%s/K%d/g%d/b%d/apart%d", AGAIN ? "again" : "once", K, g, b, apart);
    ended(name);
}
template <int DOWN, int EDGE, int STORE> static void pl(int gx, int gy) {
    plate<DOWN, EDGE, STORE><<<dim3(gx, gy), dim3(32, 8)>>>(p, o, 4096, 4096);
    snprintf(name, sizeof name, "plate/down%d/edge%d/store%d/g%d_%d", DOWN, EDGE, STORE, gx, gy);
    ended(name);
}
static void ar(int w, int n, int step, int lanes, int shared) {
    cudaFuncSetAttribute(around, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    around<<<1, 32 * w, shared>>>(p, o, n, 3, step, lanes);
    snprintf(name, sizeof name, "around/w%d/n%d/step%d/lanes%d/shared%d", w, n, step, lanes, shared);
    ended(name);
}
static void sc(int n, int m, int kind, int back) {
    scan<<<1, 32>>>(p, o, n, m, kind, back);
    snprintf(name, sizeof name, "scan/n%d/m%d/kind%d/back%d", n, m, kind, back);
    ended(name);
}
template <int LOAD> static void h(int g, int b, int apart, int ways) {
    halves<LOAD><<<g, b>>>(o, p, apart, ways);
    snprintf(name, sizeof name, "halves/load%d/g%d/b%d/apart%d/ways%d", LOAD, g, b, apart, ways);
    ended(name);
}
static void sh(int g, int b, int shift, int kind) {
    shifted<<<g, b>>>(o, p, shift, kind, 1 << 24);
    snprintf(name, sizeof name, "shifted/g%d/b%d/shift%d/kind%d", g, b, shift, kind);
    ended(name);
}
static void ke(int g, int keep, int kind) {
    keeps<<<g, 256>>>(p, o, g == 132 ? 400 : 64, keep, kind);
    snprintf(name, sizeof name, "keeps/g%d/keep%d/kind%d", g, keep, kind);
    ended(name);
}
// clang-format off
static void all() {
    // again: one warp, a block an SM, eight blocks an SM, several waves
    a<10>(1, 32, 10); a<10>(132, 256, 10); a<4>(1056, 256, 4); a<10>(1056, 256, 10); a<16>(1056, 256, 16); a<24>(1056, 256, 24); a<10>(8192, 256, 10); a<16>(8192, 256, 16);
    // shared by warps
    a<10, false>(132, 256, 8); a<10, false>(1056, 256, 8); a<10, false>(8192, 256, 8); a<10, false>(132, 256, 0); a<10, false>(132, 1024, 0); a<10, false>(132, 256, 1);
    a<10>(1056, 256, 8);
    // the plate
    pl<8, 0, 0>(128, 64); pl<8, 2, 0>(128, 64); pl<8, 1, 0>(128, 64); pl<8, 0, 1>(128, 64); pl<8, 2, 1>(128, 64); pl<8, 1, 1>(128, 64); pl<8, 0, 0>(132, 8);
    pl<8, 2, 0>(132, 8); pl<8, 1, 0>(132, 8); pl<8, 2, 1>(132, 8); pl<8, 1, 1>(132, 8); pl<8, 1, 1>(132, 4); pl<8, 1, 1>(132, 2); pl<8, 1, 1>(132, 1); pl<8, 1, 0>(132, 4);
    pl<8, 2, 1>(132, 4); pl<4, 1, 1>(128, 128); pl<2, 1, 1>(128, 256);
    // how many lines there are
    for (int n : {1600, 1700, 1728, 1760, 1792, 1856, 1920, 1984, 2048, 2176}) ar(1, n, 1, 32, 0); ar(1, 1700, 1, 8, 0); ar(1, 1856, 1, 8, 0); ar(8, 1600, 1, 32, 0);
    ar(8, 1856, 1, 32, 0); ar(32, 1600, 1, 32, 0); ar(32, 1856, 1, 32, 0); ar(1, 1024, 2, 32, 0); ar(1, 1024, 8, 32, 0); ar(1, 1024, 32, 32, 0); ar(1, 1600, 32, 32, 0);
    ar(1, 1600, 7, 32, 0); ar(1, 1600, 1, 32, 16 << 10); ar(1, 1400, 1, 32, 40 << 10); ar(1, 1000, 1, 32, 100 << 10); ar(1, 600, 1, 32, 160 << 10);
    ar(1, 200, 1, 32, 200 << 10); ar(1, 100, 1, 32, 220 << 10);
    // what gives way
    for (int m : {500, 700, 800, 900, 1100, 1400}) sc(1000, m, 0, 0); sc(1000, 900, 0, 1); sc(1000, 1400, 0, 1);
    for (int m : {500, 800, 1100}) { sc(1000, m, 1, 0); sc(1000, m, 2, 0); } for (int k : {4, 12, 18, 22, 24, 26, 28, 30, 32}) ke(1056, k, 0);
    for (int k : {4, 8, 10, 12, 14, 16}) { ke(1056, k, 1); ke(1056, k, 3); } for (int k : {8, 12, 16}) { ke(1056, k, 2); ke(1056, k, 4); ke(132, 8 * k, 0); }
    // stores
    for (int d : {1, 2, 4, 8, 16}) h<0>(1024, 1024, d, 2); for (int d : {1, 2, 4}) h<0>(4096, 256, d, 2); h<0>(132, 256, 1, 2); h<0>(132, 256, 4, 2); h<0>(1, 256, 4, 2);
    h<0>(132, 1024, 16, 2); h<0>(4096, 256, 1, 4); h<0>(4096, 256, 2, 4); h<0>(4096, 64, 1, 2); h<0>(4096, 128, 2, 2); h<1>(4096, 256, 1, 2); h<1>(4096, 256, 4, 2);
    h<1>(1024, 1024, 16, 2); h<1>(4096, 256, 1, 4); for (int k : {0, 1, 2, 3, 4, 5}) { sh(4096, 256, 1, k); } sh(4096, 256, 4, 0); sh(4096, 256, 8, 0);
    // --- the second time, to see whether the rules that the first led to say what comes ---
    for (int k : {3, 6}) for (int s : {1, 2, 3, 4}) sh(4096, 256, s, k);
    for (int k : {3, 6}) { sh(4096, 64, 1, k); sh(1024, 1024, 1, k); sh(132, 256, 1, k); sh(1, 32, 1, k); } for (int s : {4, 8, 16, 20, 28, 32}) sh(4096, 256, s, 7);
    // a block of 32 warps: 8 KB of 256 go to shared memory, and 8 more: 1920 lines
    for (int n : {1888, 1920, 1952, 2016, 2080}) ar(32, n, 1, 32, 0);
    // 2 x (24 + 1) KB: 64; 2 x (45 + 1): 100
    for (int n : {1472, 1504, 1536}) ar(32, n, 1, 32, 24 << 10); for (int n : {1184, 1216, 1248}) ar(32, n, 1, 32, 45 << 10);
    for (int n : {1728, 1744, 1776, 1824}) ar(4, n, 1, 32, 0);
    // what goes to shared memory
    for (int w : {2, 4, 6, 8, 10, 12, 16, 20, 24, 28}) ar(w, 200, 1, 32, 0);
    for (int s : {1, 2, 4, 6, 8, 12, 16, 20, 24}) { ar(8, 200, 1, 32, s << 10); ar(16, 200, 1, 32, s << 10); } for (int s : {1, 4, 8, 16}) { ar(4, 200, 1, 32, s << 10); ar(32, 200, 1, 32, s << 10); } sc(1200, 528, 0, 0); sc(1200, 560, 0, 0); sc(1200, 560, 1, 0); sc(1200, 560, 2, 0); sc(600, 1128, 0, 0); sc(600, 1160, 0, 0); sc(600, 1200, 2, 0); for (int k : {2, 6, 10, 14, 20}) ke(1056, k, 0); for (int k : {2, 6, 11}) ke(1056, k, 1); a<8>(1056, 256, 8); a<12>(1056, 256, 12); a<20>(1056, 256, 20); a<8>(8192, 256, 8); a<12>(8192, 256, 12); a<16>(2112, 256, 16); a<4>(8192, 256, 4); pl<8, 1, 1>(64, 64); pl<8, 2, 1>(64, 64); pl<4, 2, 1>(128, 128); pl<6, 1, 1>(128, 85);
}
// clang-format on

int main(int argc, char **argv) {
    names = fopen(argv[1], "w");
    cudaMalloc(&p, 256 << 20);
    cudaMalloc(&o, 256 << 20);
    cudaMemset(p, 0, 256 << 20);
    cudaMemset(o, 0, 256 << 20);
    all();
    fclose(names);
}
