// Floating point: the math library, half precision, conversions, roundings.
#include <cuda_fp16.h>

#define UNARY(X)                                                                                                                    \
    X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(asinh) X(acosh) X(atanh) X(exp) X(exp2) X(exp10)           \
    X(expm1) X(log) X(log2) X(log10) X(log1p) X(sqrt) X(cbrt) X(rsqrt) X(floor) X(ceil) X(trunc) X(round) X(rint) X(fabs) X(erf)     \
    X(erfc) X(tgamma) X(lgamma) X(logb)
#define BINARY(X) X(pow) X(atan2) X(fmod) X(hypot) X(fmin) X(fmax) X(fdim) X(copysign) X(remainder) X(nextafter)

#define KERNEL(name)                                                                                                                \
    extern "C" __global__ void name##_double(const double *in, double *out, int n) {                                                \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                              \
        if (i < n) out[i] = name(in[i]);                                                                                            \
    }                                                                                                                               \
    extern "C" __global__ void name##_float(const float *in, float *out, int n) {                                                   \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                              \
        if (i < n) out[i] = name##f(in[i]);                                                                                         \
    }
UNARY(KERNEL)

#define KERNEL2(name)                                                                                                               \
    extern "C" __global__ void name##_double(const double *a, const double *b, double *out, int n) {                                \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                              \
        if (i < n) out[i] = name(a[i], b[i]);                                                                                       \
    }                                                                                                                               \
    extern "C" __global__ void name##_float(const float *a, const float *b, float *out, int n) {                                    \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                              \
        if (i < n) out[i] = name##f(a[i], b[i]);                                                                                    \
    }
BINARY(KERNEL2)

extern "C" __global__ void arithmetic_float(const float *a, const float *b, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float *o = out + 10 * i;
    o[0] = a[i] + b[i];
    o[1] = a[i] - b[i];
    o[2] = a[i] * b[i];
    o[3] = a[i] / b[i];
    o[4] = sqrtf(fabsf(a[i]));
    o[5] = fmaf(a[i], b[i], 1.0f);
    o[6] = 1.0f / b[i];
    o[7] = fminf(a[i], b[i]);
    o[8] = __fadd_rz(a[i], b[i]);
    o[9] = __fmul_ru(a[i], b[i]);
}

extern "C" __global__ void arithmetic_double(const double *a, const double *b, double *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double *o = out + 8 * i;
    o[0] = a[i] + b[i];
    o[1] = a[i] - b[i];
    o[2] = a[i] * b[i];
    o[3] = a[i] / b[i];
    o[4] = sqrt(fabs(a[i]));
    o[5] = fma(a[i], b[i], 1.0);
    o[6] = (float)a[i];
    o[7] = fmax(a[i], b[i]);
}

extern "C" __global__ void conversions(const double *in, long long *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double d = in[i];
    float f = (float)d;
    long long *o = out + 12 * i;
    o[0] = (int)d;
    o[1] = (long long)d;
    o[2] = (unsigned)fabs(d);
    o[3] = (int)f;
    o[4] = __float2int_rn(f);
    o[5] = __float2int_ru(f);
    o[6] = __float2int_rd(f);
    o[7] = (long long)(float)(int)d;
    o[8] = (short)(int)f;
    o[9] = __float_as_int((float)(long long)d);
    o[10] = __double_as_longlong((double)(unsigned)fabs(d));
    o[11] = lrint(d);
}

extern "C" __global__ void half_arithmetic(const __half *a, const __half *b, __half *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    __half *o = out + 5 * i;
    o[0] = __hadd(a[i], b[i]);
    o[1] = __hsub(a[i], b[i]);
    o[2] = __hmul(a[i], b[i]);
    o[3] = __hfma(a[i], b[i], a[i]);
    o[4] = __hlt(a[i], b[i]) ? a[i] : b[i];
}

extern "C" __global__ void half_pairs(const __half2 *a, const __half2 *b, __half2 *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = __hfma2(a[i], b[i], __hadd2(a[i], b[i]));
}

extern "C" __global__ void half_conversions(const float *in, __half *halves, float *back, int *whole, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    __half h = __float2half(in[i]);
    halves[2 * i] = h;
    halves[2 * i + 1] = __float2half_rz(in[i]);
    back[i] = __half2float(h);
    whole[i] = __half2int_rn(h);
}

// Mandelbrot: long data-dependent loops in float.
extern "C" __global__ void mandelbrot(unsigned short *out, int width, int height, int limit) {
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height) return;
    float cx = __fmaf_rn((float)px, 3.0f / 64, -2.25f), cy = __fmaf_rn((float)py, 3.0f / 64, -1.5f), x = 0, y = 0;
    int n = 0;
    while (n < limit && __fmaf_rn(x, x, __fmul_rn(y, y)) < 4.0f) {
        float t = __fadd_rn(__fmaf_rn(x, x, -__fmul_rn(y, y)), cx);
        y = __fmaf_rn(__fmul_rn(2.0f, x), y, cy);
        x = t;
        n++;
    }
    out[py * width + px] = (unsigned short)n;
}

extern "C" __global__ void fast_math(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float *o = out + 8 * i;
    o[0] = __expf(in[i]);
    o[1] = __logf(fabsf(in[i]) + 0.5f);
    o[2] = __sinf(in[i]);
    o[3] = __cosf(in[i]);
    o[4] = __fdividef(1.0f, fabsf(in[i]) + 1.0f);
    o[5] = rsqrtf(fabsf(in[i]) + 1.0f);
    o[6] = __powf(fabsf(in[i]) + 0.5f, 1.5f);
    o[7] = __saturatef(in[i]);
}
