// An independent solution: rotated rows, swizzled channels, counters by the warp.
#include "given.inc"

extern "C" __global__ void reverse(const float *in, float *out, int segments) {
    __shared__ float s[32][32];
    const float *p = in + (size_t)blockIdx.x * 1024;
    float *q = out + (size_t)blockIdx.x * 1024;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int r = warp; r < 32; r += 8) s[r][(lane + r) % 32] = p[r * 32 + lane];
    __syncthreads();
    for (int r = warp; r < 32; r += 8) {
        int row = __brev(lane) >> 27, col = __brev(r) >> 27;
        q[r * 32 + lane] = s[row][(col + row) % 32];
    }
}

extern "C" __global__ void channels(const double *in, double *out, int segments) {
    __shared__ double s[1024];
    in += (size_t)blockIdx.x * 1024, out += (size_t)blockIdx.x * 1024;
    for (int i = threadIdx.x; i < 1024; i += 256) {
        int moment = i >> 4, c = i & 15;
        s[moment * 16 + ((c + moment) & 15)] = in[i];
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 1024; i += 256) {
        int c = i >> 6, moment = i & 63;
        out[i] = s[moment * 16 + ((c + moment) & 15)];
    }
}

extern "C" __global__ void histogram(const unsigned *values, unsigned *counts, int n) {
    __shared__ unsigned c[16][256];
    unsigned t = threadIdx.x;
    for (int l = 0; l < 16; l++) c[l][t] = 0;
    unsigned end = min(n, (int)(blockIdx.x + 1) * 4096);
    for (unsigned i = blockIdx.x * 4096 + t; i < end; i += 256) c[values[i] >> 28][t]++;
    __syncthreads();
    for (int half = 128; half >= 32; half /= 2) {
        for (int k = t; k < 16 * half; k += 256) c[k / half][k % half] += c[k / half][k % half + half];
        __syncthreads();
    }
    for (int l = t / 32; l < 16; l += 8) {
        unsigned sum = c[l][t % 32];
        for (int m = 1; m < 32; m *= 2) sum += __shfl_xor_sync(0xffffffff, sum, m);
        if (t % 32 == 0) counts[blockIdx.x * 16 + l] = sum;
    }
}
