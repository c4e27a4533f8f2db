// What the record sweeps over: stride, offset, width of an access, layout, and the kind of load.
__global__ void strided(const float *in, float *out, int n, int step) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[(size_t)i * step];
}

__global__ void shifted(const float *in, float *out, int n, int offset) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i + offset];
}

template <typename T> __device__ void copy(const T *in, T *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
__global__ void copy1(const char *in, char *out, int n) { copy(in, out, n); }
__global__ void copy2(const short *in, short *out, int n) { copy(in, out, n); }
__global__ void copy4(const float *in, float *out, int n) { copy(in, out, n); }
__global__ void copy8(const double *in, double *out, int n) { copy(in, out, n); }
__global__ void copy16(const float4 *in, float4 *out, int n) { copy(in, out, n); }

struct Point {
    float x, y, z;
};
// Points of three floats, as an array of structures and as three arrays: all are read, all are written.
__global__ void structures(const Point *in, Point *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i].x = in[i].x + 1;
    out[i].y = in[i].y + 1;
    out[i].z = in[i].z + 1;
}
__global__ void arrays(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = in[i] + 1;
    out[i + n] = in[i + n] + 1;
    out[i + 2 * n] = in[i + 2 * n] + 1;
}

// Nine neighbours, by the plain load, by __ldg and bypassing L1.
template <typename Load> __device__ void blur(float *out, int n, Load load) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = 0; k < 9; k++) sum += load(i + k);
    out[i] = sum / 9;
}
__global__ void blur_plain(const float *in, float *out, int n) {
    blur(out, n, [=](int i) { return in[i]; });
}
__global__ void blur_ldg(const float *in, float *out, int n) {
    blur(out, n, [=](int i) { return __ldg(&in[i]); });
}
__global__ void blur_past_l1(const float *in, float *out, int n) {
    blur(out, n, [=](int i) { return __ldcg(&in[i]); });
}
