// The kernels of h200-times.csv, beside those of kernels.cu: each leans on one part of the device.
#include "kernels.cu"

#define TID (blockIdx.x * blockDim.x + threadIdx.x)
extern "C" {
__global__ void empty(float *o) {
    if (o == nullptr) o[0] = 1;
}
__global__ void copy1(const float *in, float *out) {
    unsigned i = TID;
    out[i] = in[i];
}
__global__ void copy2(const float2 *in, float2 *out) {
    unsigned i = TID;
    out[i] = in[i];
}
__global__ void copy4(const float4 *in, float4 *out) {
    unsigned i = TID;
    out[i] = in[i];
}
__global__ void copy_ilp4(const float *__restrict__ in, float *__restrict__ out) {
    unsigned i = blockIdx.x * blockDim.x * 4 + threadIdx.x;
    float v[4];
#pragma unroll
    for (int k = 0; k < 4; k++) v[k] = in[i + k * blockDim.x];
#pragma unroll
    for (int k = 0; k < 4; k++) out[i + k * blockDim.x] = v[k];
}
__global__ void copy_grid(const float *in, float *out, unsigned n) {
#pragma unroll 1
    for (unsigned i = TID; i < n; i += gridDim.x * blockDim.x) out[i] = in[i];
}
__global__ void copy_grid4(const float4 *in, float4 *out, unsigned n) {
#pragma unroll 1
    for (unsigned i = TID; i < n; i += gridDim.x * blockDim.x) out[i] = in[i];
}
__global__ void fill1(float *out) { out[TID] = 1; }
__global__ void fill4(float4 *out) { out[TID] = make_float4(1, 2, 3, 4); }
__global__ void read_stride(const float *in, float *out, unsigned s) {
    size_t i = TID;
    out[i] = in[i * s];
}
__global__ void write_stride(const float *in, float *out, unsigned s) {
    size_t i = TID;
    out[i * s] = in[i];
}
__global__ void offset(const float *in, float *out, unsigned s) {
    size_t i = TID;
    out[i] = in[i + s];
}
__global__ void saxpy(const float *x, float *y, float a) {
    unsigned i = TID;
    y[i] = a * x[i] + y[i];
}
__global__ void add(const float *x, const float *y, float *z) {
    unsigned i = TID;
    z[i] = x[i] + y[i];
}
__global__ void stencil3(const float *x, float *y) {
    unsigned i = TID + 1;
    y[i] = x[i - 1] + x[i] + x[i + 1];
}
__global__ void stencil5(const float *x, float *y, unsigned w) {
    unsigned c = blockIdx.x * blockDim.x + threadIdx.x + 1, r = blockIdx.y * blockDim.y + threadIdx.y + 1;
    unsigned i = r * w + c;
    y[i] = x[i] + x[i - 1] + x[i + 1] + x[i - w] + x[i + w];
}
struct Three {
    float a, b, c;
};
__global__ void aos3(Three *p) {
    unsigned i = TID;
    p[i].a *= 2;
    p[i].b *= 2;
    p[i].c *= 2;
}
struct Eight {
    float a, b, c, d, e, f, g, h;
};
__global__ void aos8(const Eight *p, float *o) {
    unsigned i = TID;
    o[i] = p[i].c;
}
__global__ void gather_hash(const float *in, float *out, unsigned mask) {
    unsigned i = TID;
    out[i] = in[(i * 2654435761u >> 3) & mask];
}
__global__ void broadcast(const float *in, float *out) { out[TID] = in[0]; }
__global__ void rows_loop(const float *in, float *out, unsigned m) { // a thread a row
    unsigned r = TID;
#pragma unroll 1
    for (unsigned c = 0; c < m; c++) out[(size_t)r * m + c] = in[(size_t)r * m + c];
}
__global__ void l2_loop(const float4 *in, float *out, unsigned n, unsigned skew) { // all blocks read all n
    float s = 0;
#pragma unroll 1
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
        float4 v = in[(i + blockIdx.x * skew) & (n - 1)];
        s += v.x + v.y + v.z + v.w;
    }
    out[TID] = s;
}
__global__ void l1_loop(const float *in, float *out, unsigned times) {
    float s = 0;
#pragma unroll 4
    for (unsigned i = 0; i < times; i++) s += in[((i & 7) * 256 + threadIdx.x) & 2047];
    out[TID] = s;
}
__global__ void l1_cols(const float *in, float *out, unsigned times) { // 32 lines a request, all hits
    float s = 0;
#pragma unroll 4
    for (unsigned i = 0; i < times; i++) s += in[(threadIdx.x & 31) * 32 + (i & 31)];
    out[TID] = s;
}
__global__ void shared_stride(float *out, unsigned stride, unsigned times) {
    __shared__ float t[2048];
    for (unsigned i = threadIdx.x; i < 2048; i += blockDim.x) t[i] = i;
    __syncthreads();
    float s = 0;
#pragma unroll 4
    for (unsigned i = 0; i < times; i++) s += t[(threadIdx.x * stride + i) & 2047];
    out[TID] = s;
}
__global__ void fma_chain(float *out, float a, unsigned times) {
    float x = threadIdx.x;
#pragma unroll 16
    for (unsigned i = 0; i < times; i++) x = x * a + 1.5f;
    out[TID] = x;
}
__global__ void fma_four(float *out, float a, unsigned times) {
    float x = threadIdx.x, y = x + 1, z = x + 2, w = x + 3;
#pragma unroll 8
    for (unsigned i = 0; i < times; i++) {
        x = x * a + 1.5f;
        y = y * a + 1.5f;
        z = z * a + 1.5f;
        w = w * a + 1.5f;
    }
    out[TID] = x + y + z + w;
}
__global__ void chase(const unsigned *in, unsigned *out, unsigned stride, unsigned mask, unsigned times) {
    unsigned p = threadIdx.x;
#pragma unroll 1
    for (unsigned i = 0; i < times; i++) p = (p + in[p] + stride) & mask;
    out[TID] = p;
}
__global__ void barriers(float *out, unsigned times) {
    float x = threadIdx.x;
#pragma unroll 1
    for (unsigned i = 0; i < times; i++) {
        x += 1;
        __syncthreads();
    }
    out[TID] = x;
}
__global__ void mm_naive(const float *a, const float *b, float *c, unsigned n) {
    unsigned r = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (unsigned i = 0; i < n; i++) s += a[r * n + i] * b[i * n + k];
    c[r * n + k] = s;
}
__global__ void mm_swapped(const float *a, const float *b, float *c, unsigned n) { // neighbouring lanes in neighbouring rows
    unsigned k = blockIdx.y * blockDim.y + threadIdx.y, r = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (unsigned i = 0; i < n; i++) s += a[r * n + i] * b[i * n + k];
    c[r * n + k] = s;
}
}
template <int T> __global__ void mm_tile(const float *a, const float *b, float *c, unsigned n) {
    __shared__ float x[T][T], y[T][T];
    unsigned r = blockIdx.y * T + threadIdx.y, k = blockIdx.x * T + threadIdx.x;
    float s = 0;
    for (unsigned t = 0; t < n; t += T) {
        x[threadIdx.y][threadIdx.x] = a[r * n + t + threadIdx.x];
        y[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + k];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < T; i++) s += x[threadIdx.y][i] * y[i][threadIdx.x];
        __syncthreads();
    }
    c[r * n + k] = s;
}
template __global__ void mm_tile<16>(const float *, const float *, float *, unsigned);
template __global__ void mm_tile<32>(const float *, const float *, float *, unsigned);
extern "C" {
// 64 x 64 tile, 16-byte global accesses, 256 threads; a float4 column block is turned through shared memory.
__global__ void tile64v4(const float *in, float *out, unsigned n) {
    __shared__ float t[64][65];
    unsigned x = threadIdx.x % 16, y = threadIdx.x / 16;
#pragma unroll
    for (int k = 0; k < 64; k += 16) {
        float4 v = *(const float4 *)&in[(size_t)(blockIdx.y * 64 + y + k) * n + blockIdx.x * 64 + 4 * x];
        t[y + k][4 * x] = v.x;
        t[y + k][4 * x + 1] = v.y;
        t[y + k][4 * x + 2] = v.z;
        t[y + k][4 * x + 3] = v.w;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 64; k += 16) {
        float4 v = make_float4(t[4 * x][y + k], t[4 * x + 1][y + k], t[4 * x + 2][y + k], t[4 * x + 3][y + k]);
        *(float4 *)&out[(size_t)(blockIdx.x * 64 + y + k) * n + blockIdx.y * 64 + 4 * x] = v;
    }
}
__global__ void reduce_divergent(const float *in, float *out) {
    __shared__ float t[256];
    unsigned i = threadIdx.x;
    t[i] = in[TID];
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        if (i % (2 * s) == 0) t[i] += t[i + s];
        __syncthreads();
    }
    if (i == 0) out[blockIdx.x] = t[0];
}
__global__ void reduce_strided(const float *in, float *out) {
    __shared__ float t[256];
    unsigned i = threadIdx.x;
    t[i] = in[TID];
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        unsigned k = 2 * s * i;
        if (k < blockDim.x) t[k] += t[k + s];
        __syncthreads();
    }
    if (i == 0) out[blockIdx.x] = t[0];
}
__global__ void reduce_sequential(const float *in, float *out) {
    __shared__ float t[256];
    unsigned i = threadIdx.x;
    t[i] = in[TID];
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (i < s) t[i] += t[i + s];
        __syncthreads();
    }
    if (i == 0) out[blockIdx.x] = t[0];
}
__global__ void reduce_shuffle(const float *in, float *out, unsigned n) {
    __shared__ float t[32];
    float v = 0;
    for (unsigned i = TID; i < n; i += gridDim.x * blockDim.x) v += in[i];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) t[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = threadIdx.x < blockDim.x / 32 ? t[threadIdx.x] : 0;
        for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
        if (threadIdx.x == 0) atomicAdd(out, v);
    }
}
__global__ void atomic_one(const float *in, float *out) { atomicAdd(out, in[TID]); }
__global__ void atomic_warp(const float *in, float *out) {
    float v = in[TID];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}
__global__ void atomic_bins(const unsigned *in, unsigned *out, unsigned mask) {
    atomicAdd(&out[(in[TID] + TID) * 2654435761u >> 8 & mask], 1u);
}
__global__ void shared_bins(const unsigned *in, unsigned *out) {
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < 16; k++) {
        unsigned i = (blockIdx.x * 16 + k) * 256 + threadIdx.x;
        atomicAdd(&own[(in[i] + i) * 2654435761u >> 24], 1u);
    }
    __syncthreads();
    atomicAdd(&out[threadIdx.x], own[threadIdx.x]);
}
__global__ void scan_block(const float *in, float *out) {
    __shared__ float t[256];
    unsigned i = threadIdx.x;
    t[i] = in[TID];
    __syncthreads();
    for (unsigned d = 1; d < 256; d *= 2) {
        float v = i >= d ? t[i - d] : 0;
        __syncthreads();
        t[i] += v;
        __syncthreads();
    }
    out[TID] = t[i];
}
__global__ void local_array(const float *in, float *out, unsigned k) {
    float a[64];
    for (int i = 0; i < 64; i++) a[(i * k) & 63] = in[TID] + i;
    float s = 0;
    for (int i = 0; i < 64; i++) s += a[(i * k + threadIdx.x) & 63];
    out[TID] = s;
}
__global__ void diverge8(const float *in, float *out, unsigned times) {
    float v = in[TID];
    unsigned way = threadIdx.x % 8;
#pragma unroll 1
    for (unsigned i = 0; i < times; i++) {
        if (way == 0)
            v = v * 1.1f + 1;
        else if (way == 1)
            v = v / 3.3f;
        else if (way == 2)
            v = sqrtf(v);
        else if (way == 3)
            v = v * v;
        else if (way == 4)
            v = v - 7;
        else if (way == 5)
            v = fabsf(v) + 2;
        else if (way == 6)
            v = v * 0.3f - v * v;
        else
            v = 1 / v;
    }
    out[TID] = v;
}
}
