/* keeps.cu: what L2 keeps of what is read and written. Run under ncu, whose rows are h200-keeps.csv (README.md); caches are flushed before each launch.
 *     nvcc -O3 -arch=sm_90 tests/hardware/keeps.cu -o keeps && ncu --csv --clock-control none --metrics dram__bytes_read.sum,… ./keeps */
#include <cstdio>
#define G extern "C" __global__ void
#define EACH(n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += gridDim.x * blockDim.x)
G k_store(float4 *o, int n) { EACH(n) o[i] = make_float4(i, i, i, i); }
G k_store_twice(float4 *o, int n) { for (int k = 0; k < 2; k++) EACH(n) o[i] = make_float4(i, k, i, i); }
G k_store_sector(int *o, int n) { EACH(n) o[(i & ~7) * 4 + (i & 7)] = i; }
G k_store_word(int *o, int n) { EACH(n) o[i * 32] = i; }
G k_copy(float4 *o, int n) { EACH(n / 2) o[n / 2 + i] = o[i]; }
G k_read(const float4 *o, int n, float *r) { float s = 0; EACH(n) s += __ldcg(o + i).x; if (s == 1.5f) *r = s; }
G k_read_twice(const float4 *o, int n, float *r) { float s = 0; for (int k = 0; k < 2; k++) EACH(n) s += __ldcg(o + i).x; if (s == 1.5f) *r = s; }
/* The second time another SM reads it. */
G k_read_others(const float4 *o, int n, float *r) {
    float s = 0;
    for (int k = 0; k < 2; k++)
        for (int i = (blockIdx.x + k * 37) % gridDim.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += __ldcg(o + i).x;
    if (s == 1.5f) *r = s;
}
G k_read_back(float4 *o, int n, float *r) {
    float s = 0;
    EACH(n) o[i] = make_float4(i, i, i, i);
    __syncthreads();
    EACH(n) s += __ldcg(o + i).x;
    if (s == 1.5f) *r = s;
}
G k_random(const float *o, int n, float *r) { float s = 0; for (int k = 0; k < 32; k++) s += __ldcg(o + ((unsigned)((blockIdx.x * blockDim.x + threadIdx.x) * 32 + k) * 2654435761u >> 3) % n); if (s == 1.5f) *r = s; }
static void ended(const char *name, int mb) { cudaError_t e = cudaDeviceSynchronize(); if (e) fprintf(stderr, "%s %d: %s\n", name, mb, cudaGetErrorString(e)); }
int main() {
    char *o; float *r; cudaMalloc(&o, 256 << 20); cudaMalloc(&r, 64); cudaMemset(o, 0, 256 << 20);
    for (int mb : {8, 16, 24, 32, 40, 48, 64, 96}) {
        int n = mb << 16;
        k_store<<<264, 1024>>>((float4 *)o, n); ended("store", mb);
        k_store_twice<<<264, 1024>>>((float4 *)o, n); ended("store_twice", mb);
        k_copy<<<264, 1024>>>((float4 *)o, n); ended("copy", mb);
        k_read_twice<<<264, 1024>>>((const float4 *)o, n, r); ended("read_twice", mb);
        k_read_others<<<264, 1024>>>((const float4 *)o, n, r); ended("read_others", mb);
        k_read_back<<<264, 1024>>>((float4 *)o, n, r); ended("read_back", mb);
        k_store_sector<<<264, 1024>>>((int *)o, mb << 16); ended("store_sector", mb);
        k_store_word<<<264, 1024>>>((int *)o, mb << 13); ended("store_word", mb);
        k_random<<<264, 1024>>>((const float *)o, mb << 18, r); ended("random", mb);
    }
}
