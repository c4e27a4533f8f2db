// Loads through .nc that are the same in each iteration of a loop (h100-once.csv), or nearly so. Launched with 8 blocks of 256 threads.
#define KERNEL extern "C" __global__ void
#define LOOP for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
KERNEL simple(const float *in, const float *f, float *out, int n) { LOOP out[i] = in[i] * __ldg(f); }
KERNEL cond(const float *in, const float *f, float *out, int n) {
    LOOP {
        float v = in[i];
        if (v > 1) v *= __ldg(f);
        out[i] = v;
    }
}
KERNEL nested(const float *in, const float *f, float *out, int n) {
    for (int r = 0; r < 64; r++)
        for (int i = threadIdx.x; i < n; i += blockDim.x) out[r * n + i] = in[r * n + i] * __ldg(f + r);
}
KERNEL barrier(const float *in, const float *f, float *out, int n) {
    __shared__ float s[256];
    LOOP {
        s[threadIdx.x] = in[i];
        __syncthreads();
        out[i] = s[threadIdx.x ^ 1] * __ldg(f);
        __syncthreads();
    }
}
KERNEL leaves(const float *in, const float *f, float *out, int n) {
    LOOP {
        float v = in[i];
        if (v < 0) break;
        out[i] = v * __ldg(f);
    }
}
KERNEL lanes(const float *in, const float *f, float *out, int n) { LOOP out[i] = in[i] * __ldg(f + threadIdx.x) + __ldg(f + threadIdx.x + 32); }
KERNEL atom(const float *in, const float *f, float *out, int n) { LOOP atomicAdd(out + (i & 7), in[i] * __ldg(f)); }
KERNEL fence(const float *in, const float *f, float *out, int n) {
    LOOP {
        out[i] = in[i] * __ldg(f);
        __threadfence();
    }
}
KERNEL vec(const float *in, const float4 *f, float *out, int n) {
    LOOP {
        float4 w = __ldg(f);
        out[i] = in[i] * w.x + w.y * w.z + w.w;
    }
}
KERNEL vol(const float *in, const float *f, volatile float *out, int n) { LOOP out[i] = in[i] * __ldg(f); }
KERNEL many(const float *in, const float *f, float *out, int n) {
    LOOP {
        float s = 0;
        for (int k = 0; k < 16; k++) s += in[i + k * n] * __ldg(f + k);
        out[i] = s;
    }
}
