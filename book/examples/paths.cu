// The same data, read by the path that suits it.

extern "C" __global__ void scale_all(const float *__restrict__ in, const float *__restrict__ factor,
                                     float *__restrict__ out, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    float kept = factor[0];
    for (int i = thread; i < n; i += threads) out[i] = kept * in[i];
}

#define TAPS 9
#define WEIGHTS {0.03125f, 0.0625f, 0.125f, 0.1875f, 0.25f, 0.15625f, 0.09375f, 0.0625f, 0.03125f}
extern "C" {
__device__ float weights_global[TAPS] = WEIGHTS;
__constant__ float weights_constant[TAPS] = WEIGHTS; // the same numbers in constant memory
}

extern "C" __global__ void filter(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
    for (int k = 0; k < TAPS; k++) sum += weights_constant[k] * in[i + k];
    out[i] = sum;
}

extern "C" __global__ void lookup(const unsigned char *codes, const float *table, float *out, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    __shared__ float near[256];
    for (int k = threadIdx.x; k < 256; k += blockDim.x) near[k] = table[k];
    __syncthreads();
    for (int i = thread; i < n; i += threads) out[i] = near[codes[i]];
}
