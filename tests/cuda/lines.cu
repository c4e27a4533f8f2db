#include <cuda_runtime.h>

extern "C" __global__ void lines(float *out, const float *in) {
    int i = threadIdx.x;
    float a = in[i];
    float b = __ldg(&in[i + 32]);
    out[i] = a + b;
}
