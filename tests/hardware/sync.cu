// Whether loads in front of and behind __syncwarp() are in flight together: cycles of a loop's iteration by one warp of a block
#include <cstdio>
#define G extern "C" __global__ void
static __device__ __forceinline__ unsigned now() { unsigned c; asm volatile("mov.u32 %0, %%clock;" : "=r"(c)::"memory"); return c; }
#define BEGIN __shared__ int s[64]; int t = threadIdx.x, acc = 0, n0 = 64; s[t] = t; s[t + 32] = 0; __syncwarp(); const int *p = x + blockIdx.x * (1 << 16) + t; unsigned c = now();
#define END c = now() - c; y[blockIdx.x * 32 + t] = acc + s[t ^ 1]; if (t == 0) cycles[blockIdx.x] = c / n0;
#define A (const int *__restrict__ x, int *y, unsigned *cycles)
#define LD(r, at) asm volatile("ld.global.s32 %0, [%1];" : "=r"(r) : "l"(p + (at)) : "memory")
G one A { BEGIN for (int n = 0; n < n0; n++) { int a; LD(a, n * 512); acc += a; } END }
G two A { BEGIN for (int n = 0; n < n0; n++) { int a, b; LD(a, n * 512); LD(b, n * 512 + 128); acc += a + b; } END }
G two_syncwarp A { BEGIN for (int n = 0; n < n0; n++) { int a, b; LD(a, n * 512); __syncwarp(); LD(b, n * 512 + 128); acc += a + b; } END }
G two_syncthreads A { BEGIN for (int n = 0; n < n0; n++) { int a, b; LD(a, n * 512); __syncthreads(); LD(b, n * 512 + 128); acc += a + b; } END }
G four_syncwarp A { BEGIN for (int n = 0; n < n0; n++) { int a, b, d, e; LD(a, n * 512); __syncwarp(); LD(b, n * 512 + 128); __syncwarp(); LD(d, n * 512 + 256); __syncwarp(); LD(e, n * 512 + 384); acc += a + b + d + e; } END }
G four A { BEGIN for (int n = 0; n < n0; n++) { int a, b, d, e; LD(a, n * 512); LD(b, n * 512 + 128); LD(d, n * 512 + 256); LD(e, n * 512 + 384); acc += a + b + d + e; } END }
// through shared memory: what was loaded is stored there in front of the barrier
G through A { BEGIN for (int n = 0; n < n0; n++) { int a, b; LD(a, n * 512); s[t] = a; __syncwarp(); acc += s[t ^ 1]; LD(b, n * 512 + 128); acc += b; } END }
G through_after A { BEGIN for (int n = 0; n < n0; n++) { int a, b; LD(a, n * 512); __syncwarp(); LD(b, n * 512 + 128); s[t] = a; __syncwarp(); acc += s[t ^ 1] + b; } END }
G plain_syncwarp A { BEGIN
#pragma unroll 1
    for (int n = 0; n < n0; n++) { int a = p[n * 512]; __syncwarp(); int b = p[n * 512 + 128]; __syncwarp(); acc += a + b; } END }
G plain_unrolled A { BEGIN
#pragma unroll 4
    for (int n = 0; n < n0; n++) { int a = p[n * 512]; __syncwarp(); acc += a; } END }
G store_syncwarp A { BEGIN
#pragma unroll 4
    for (int n = 0; n < n0; n++) { int a = p[n * 512]; s[t] = a; __syncwarp(); acc += s[t ^ 1]; __syncwarp(); } END }
G half_syncwarp A { BEGIN for (int n = 0; n < n0; n++) { int a, b; LD(a, n * 512); if (t < 16) { __syncwarp(0xffff); LD(b, n * 512 + 128); acc += b; } acc += a; } END }
G ballot A { BEGIN for (int n = 0; n < n0; n++) { int a, b; LD(a, n * 512); acc += __ballot_sync(~0u, t + n & 1); LD(b, n * 512 + 128); acc += a + b; } END }
G fence_block A { BEGIN for (int n = 0; n < n0; n++) { int a, b; LD(a, n * 512); __threadfence_block(); LD(b, n * 512 + 128); acc += a + b; } END }
G fence A { BEGIN for (int n = 0; n < n0; n++) { int a, b; LD(a, n * 512); __threadfence(); LD(b, n * 512 + 128); acc += a + b; } END }
G store_between A { BEGIN for (int n = 0; n < n0; n++) { int a, b; LD(a, n * 512); y[4096 + blockIdx.x * 32 + t] = n; LD(b, n * 512 + 128); acc += a + b; } END }
G store_syncwarp_between A { BEGIN for (int n = 0; n < n0; n++) { int a, b; LD(a, n * 512); y[4096 + blockIdx.x * 32 + t] = n; __syncwarp(); LD(b, n * 512 + 128); acc += a + b; } END }
int main() {
    int *x, *y; unsigned *c, h[132];
    cudaMalloc(&x, 256 << 20); cudaMalloc(&y, 1 << 20); cudaMalloc(&c, 4096); cudaMemset(x, 0, 256 << 20);
    int *big; cudaMalloc(&big, 256 << 20);
#define R(k) for (int grid = 1; grid <= 132; grid *= 132) { cudaMemset(big, 1, 256 << 20); k<<<grid, 32>>>(x, y, c); cudaError_t e = cudaDeviceSynchronize(); cudaMemcpy(h, c, sizeof h, cudaMemcpyDeviceToHost); printf("%s,%d,%u%s%s\n", #k, grid, h[0], e ? " " : "", e ? cudaGetErrorString(e) : ""); }
    R(one) R(one) R(two) R(two_syncwarp) R(two_syncthreads) R(four) R(four_syncwarp) R(through) R(through_after) R(plain_syncwarp) R(plain_unrolled) R(store_syncwarp) R(half_syncwarp) R(ballot) R(fence_block) R(fence) R(store_between) R(store_syncwarp_between)
}
