// Data that a kernel only reads, read as one writes it at first.

extern "C" __global__ void plain(float *in, float *out) {
    out[threadIdx.x] = in[threadIdx.x];
}

extern "C" __global__ void only_const(const float *in, float *out) {
    out[threadIdx.x] = in[threadIdx.x];
}

extern "C" __global__ void with_ldg(const float *in, float *out) {
    out[threadIdx.x] = __ldg(&in[threadIdx.x]);
}

extern "C" __global__ void promised(const float *__restrict__ in, float *__restrict__ out) {
    out[threadIdx.x] = in[threadIdx.x];
}

// out[i] = factor[0] * in[i].
extern "C" __global__ void scale_all(const float *in, const float *factor, float *out, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    for (int i = thread; i < n; i += threads) out[i] = factor[0] * in[i];
}

extern "C" __global__ void scale_ldg(const float *in, const float *factor, float *out, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    for (int i = thread; i < n; i += threads) out[i] = __ldg(factor) * in[i];
}

extern "C" __global__ void scale_promised(const float *__restrict__ in, const float *__restrict__ factor,
                                          float *__restrict__ out, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    for (int i = thread; i < n; i += threads) out[i] = factor[0] * in[i];
}

#define TAPS 9
#define WEIGHTS {0.03125f, 0.0625f, 0.125f, 0.1875f, 0.25f, 0.15625f, 0.09375f, 0.0625f, 0.03125f}
extern "C" {
__device__ float weights_global[TAPS] = WEIGHTS;
__constant__ float weights_constant[TAPS] = WEIGHTS; // the same numbers in constant memory
}

// out[i] = weights[0] * in[i] + … + weights[8] * in[i + 8].
extern "C" __global__ void filter(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
    for (int k = 0; k < TAPS; k++) sum += weights_global[k] * in[i + k];
    out[i] = sum;
}

extern "C" __global__ void filter_ldg(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
    for (int k = 0; k < TAPS; k++) sum += __ldg(&weights_global[k]) * in[i + k];
    out[i] = sum;
}

// out[i] = table[codes[i]]; the table has 256 floats.
extern "C" __global__ void lookup(const unsigned char *codes, const float *table, float *out, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    for (int i = thread; i < n; i += threads) out[i] = table[codes[i]];
}

extern "C" __global__ void lookup_ldg(const unsigned char *codes, const float *table, float *out, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    for (int i = thread; i < n; i += threads) out[i] = __ldg(&table[codes[i]]);
}
