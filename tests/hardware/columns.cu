// Columns read bypassing L1 by elements of 4 and 8 bytes, by blocks of 8, 16 and 32 warps, and by warps that read four of them one after the other;
// h100-columns.csv has what an H100 counted. Built with nvcc -O3 -arch=sm_90 and run as `ncu --csv --page raw --print-units base --metrics …`; it prints
// a line `RUN name` for each launch.
#include <cstdio>
template <typename T> __device__ __forceinline__ T cg(const T *p);
template <> __device__ __forceinline__ float cg(const float *p) { float v; asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(v) : "l"(p)); return v; }
template <> __device__ __forceinline__ double cg(const double *p) { double v; asm volatile("ld.global.cg.f64 %0, [%1];" : "=d"(v) : "l"(p)); return v; }
template <> __device__ __forceinline__ float2 cg(const float2 *p) { float2 v; asm volatile("ld.global.cg.v2.f32 {%0,%1}, [%2];" : "=f"(v.x), "=f"(v.y) : "l"(p)); return v; }
template <typename T> __device__ void columns(const T *in, T *out, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) out[(size_t)col * rows + row] = cg(&in[(size_t)row * cols + col]);
}
extern "C" __global__ void floats(const float *in, float *out, int rows, int cols) { columns(in, out, rows, cols); }
extern "C" __global__ void doubles(const double *in, double *out, int rows, int cols) { columns(in, out, rows, cols); }
extern "C" __global__ void pairs(const float2 *in, float2 *out, int rows, int cols) { columns(in, out, rows, cols); }
// each warp reads four neighbouring columns one after the other
extern "C" __global__ void four(const float *in, float *out, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x, col = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
    float s = 0;
    for (int k = 0; k < 4; k++) s += cg(&in[(size_t)row * cols + col + k]);
    out[(size_t)(col / 4) * rows + row] = s;
}
int main() {
    void *in, *out; size_t bytes = (size_t)1 << 29; cudaMalloc(&in, bytes); cudaMalloc(&out, bytes); cudaMemset(in, 0, bytes);
#define GO(kernel, T, n, bx, by, gy) do { kernel<<<dim3(n / bx, gy), dim3(bx, by)>>>((const T *)in, (T *)out, n, n); cudaError_t e = cudaDeviceSynchronize(); printf("RUN " #kernel " N=%d %dx%d: %s\n", n, bx, by, cudaGetErrorString(e)); } while (0)
    for (int n : {2080, 3200, 6400}) for (int by : {8, 16, 32}) { GO(floats, float, n, 32, by, n / by); GO(doubles, double, n, 32, by, n / by); GO(pairs, float2, n, 32, by, n / by); }
    for (int n : {2080, 3200, 6400}) for (int by : {8, 16}) GO(four, float, n, 32, by, n / 4 / by);
    return 0;
}
