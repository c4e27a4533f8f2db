// What --use_fast_math changes, a kernel each, and what it leaves.
#include <math.h>
extern "C" __global__ void quotient(float *out, const float *in) { out[0] = in[0] / in[1]; }
extern "C" __global__ void reciprocal(float *out, const float *in) { out[0] = 1.0f / in[0]; }
extern "C" __global__ void root(float *out, const float *in) { out[0] = sqrtf(in[0]); }
extern "C" __global__ void sum(float *out, const float *in) { out[0] = in[0] + in[1]; }
extern "C" __global__ void functions(float *out, const float *in) {
    out[0] = sinf(in[0]);
    out[1] = cosf(in[1]);
    out[2] = log2f(in[2]);
    out[3] = exp2f(in[3]);
}
extern "C" __global__ void rounded(float *out, const float *in) {
    out[0] = __fdiv_rn(in[0], in[1]);
    out[1] = __fsqrt_rn(in[2]);
}
extern "C" __global__ void twice(double *out, const double *in) { out[0] = sqrt(in[0] / in[1]); }
