// Blocks whose warps load U words each and then use them, over and over: cycles of a round trip, by how many warps, and whether these share lines
#include <cstdio>
static __device__ __forceinline__ unsigned now() { unsigned c; asm volatile("mov.u32 %0, %%clock;" : "=r"(c)::"memory"); return c; }
// KIND 0: all warps the same lines, again and again; 1: each warp its own, again and again; 2: all warps the same lines, new ones each time, which all blocks share;
// 3: each warp its own, new ones each time; 4: as 2 and, beside each, a word of a line of the warp's own that is in L1 (a product without tiles)
template <int U, int KIND> __global__ void trip(const float *x, float *y, unsigned *cycles, int n0, int work) {
    int w = threadIdx.x >> 5, lane = threadIdx.x & 31, warps = blockDim.x >> 5;
    float acc = w, r[U], q[U];
    __syncthreads();
    unsigned c = now();
#pragma unroll 1
    for (int n = 0; n < n0; n++) {
#pragma unroll
        for (int u = 0; u < U; u++) {
            size_t line = KIND == 0 ? u : KIND == 1 ? w * U + u : KIND == 2 || KIND == 4 ? n * U + u : ((size_t)(blockIdx.x * n0 + n) * warps + w) * U + u;
            asm volatile("ld.global.f32 %0, [%1];" : "=f"(r[u]) : "l"(x + line * 32 + lane) : "memory");
            if (KIND == 4) asm volatile("ld.global.f32 %0, [%1];" : "=f"(q[u]) : "l"(x + (1 << 26) + (w * 8 + (n * U + u >> 5) % 8) * 32 + (n * U + u) % 32) : "memory");
        }
#pragma unroll
        for (int u = 0; u < U; u++) acc = acc * r[u] + (KIND == 4 ? q[u] : 1.f);
        for (int k = 0; k < work; k++) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(acc));
    }
    c = now() - c;
    y[blockIdx.x * blockDim.x + threadIdx.x] = acc;
    if (threadIdx.x == 0) cycles[blockIdx.x] = c / n0;
}
static float *x, *y; static unsigned *c, h[264]; static char *big;
template <int U, int KIND> void run(int grid, int warps, int work) {
    const int n0 = KIND == 3 ? (grid == 1 ? 64 : 16) : 64;
    cudaMemset(big, 1, 128 << 20);
    trip<U, KIND><<<grid, warps * 32>>>(x, y, c, n0, work);
    cudaError_t e = cudaDeviceSynchronize();
    cudaMemcpy(h, c, sizeof h, cudaMemcpyDeviceToHost);
    unsigned long long sum = 0;
    for (int i = 0; i < grid; i++) sum += h[i];
    printf("U%d/kind%d/g%d/w%d/work%d,%u,%llu%s\n", U, KIND, grid, warps, work, h[0], sum / grid, e ? cudaGetErrorString(e) : "");
}
template <int U> void all() {
    for (int grid = 1; grid <= 264; grid = grid == 1 ? 132 : grid * 2)
        for (int w = 1; w <= 32; w = w == 1 ? 4 : w * 2)
            for (int work = 0; work <= 64; work += 64) { run<U, 0>(grid, w, work); run<U, 1>(grid, w, work); run<U, 2>(grid, w, work); if (grid <= 132) run<U, 3>(grid, w, work); run<U, 4>(grid, w, work); }
}
int main() {
    cudaMalloc(&x, (size_t)1 << 30); cudaMalloc(&y, 4 << 20); cudaMalloc(&c, 4096); cudaMalloc(&big, 128 << 20);
    cudaMemset(x, 0, (size_t)1 << 30);
    all<1>(); all<4>(); all<16>(); all<32>();
}
