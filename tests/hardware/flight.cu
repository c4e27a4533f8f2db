// How many loads a warp has in flight: cycles of a round in which it makes U loads of new lines, and H of lines that are in L1, and then uses them all.
#include <cstdio>
template <int U, int H> __global__ void round_trip(const float *__restrict__ x, float *y, unsigned *cycles, int n0) {
    int w = threadIdx.x >> 5, lane = threadIdx.x & 31, warps = blockDim.x >> 5;
    float acc = w;
    __syncthreads();
    unsigned c = clock();
#pragma unroll 1
    for (int n = 0; n < n0; n++) {
        const float *mine = x + (((size_t)blockIdx.x * n0 + n) * warps + w) * (U * 32) + lane, *near = x + (1 << 26) + w * 32 + (n & 31);
        float r[U], q[H + 1];
#pragma unroll
        for (int u = 0; u < U; u++) {
            r[u] = __ldcg(mine + u * 32);
            if (u < H) q[u] = near[u * 1024];
        }
#pragma unroll
        for (int u = 0; u < U; u++) acc = acc * r[u] + (u < H ? q[u] : 1.f);
    }
    c = clock() - c;
    y[blockIdx.x * blockDim.x + threadIdx.x] = acc;
    if (threadIdx.x == 0) cycles[blockIdx.x] = c / n0;
}
// SHARED: all warps of a block the same lines.
template <int U, int SHARED> __global__ void round_trip_l1(const float *x, float *y, unsigned *cycles, int n0) {
    int w = threadIdx.x >> 5, lane = threadIdx.x & 31, warps = blockDim.x >> 5;
    float acc = w;
    __syncthreads();
    unsigned c = clock();
#pragma unroll 1
    for (int n = 0; n < n0; n++) {
        const float *mine = x + (((size_t)blockIdx.x * n0 + n) * (SHARED ? 1 : warps) + (SHARED ? 0 : w)) * (U * 32) + lane;
        float r[U];
#pragma unroll
        for (int u = 0; u < U; u++) r[u] = mine[u * 32];
#pragma unroll
        for (int u = 0; u < U; u++) acc = acc * r[u] + 1.f;
    }
    c = clock() - c;
    y[blockIdx.x * blockDim.x + threadIdx.x] = acc;
    if (threadIdx.x == 0) cycles[blockIdx.x] = c / n0;
}
static float *x, *y; static unsigned *c, h[264]; static char *big;
template <typename F> static void timed(const char *kind, int U, int H, F f, int grid, int warps) {
    cudaMemset(big, 1, 128 << 20);
    f<<<grid, warps * 32>>>(x, y, c, 32);
    cudaError_t e = cudaDeviceSynchronize();
    cudaMemcpy(h, c, sizeof h, cudaMemcpyDeviceToHost);
    unsigned long long sum = 0;
    for (int i = 0; i < grid; i++) sum += h[i];
    printf("%s/U%d/H%d/g%d/w%d,%u,%llu%s\n", kind, U, H, grid, warps, h[0], sum / grid, e ? cudaGetErrorString(e) : "");
    fflush(stdout);
}
template <int U> static void all() {
    for (int grid = 1; grid <= 132; grid += 131)
        for (int w = 1; w <= 32; w = w == 1 ? 8 : w * 4) {
            if (grid * w * U > 132 * 8 * 64) continue;
            timed("cg", U, 0, round_trip<U, 0>, grid, w); timed("cg", U, U, round_trip<U, U>, grid, w);
            timed("ca", U, 0, round_trip_l1<U, 0>, grid, w); timed("ca-shared", U, 1, round_trip_l1<U, 1>, grid, w);
        }
}
int main() {
    cudaMalloc(&x, (size_t)1 << 30); cudaMalloc(&y, 4 << 20); cudaMalloc(&c, 4096); cudaMalloc(&big, 128 << 20);
    cudaMemset(x, 0, (size_t)1 << 30);
    all<1>(); all<4>(); all<8>(); all<12>(); all<16>(); all<20>(); all<24>(); all<32>(); all<48>(); all<64>();
}
