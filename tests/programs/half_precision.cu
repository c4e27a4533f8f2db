// Half precision: conversions with every rounding, arithmetic on one and on two halves at a time, comparisons, special
// values, and a dot product that adds in float. The host rounds to half by itself.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <vector>

#include "check.h"

__global__ void to_half(const float *in, __half *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = __float2half(in[i]);
}

// y = a x + y on pairs; `__restrict__` and a tail of one when n is odd.
__global__ void axpy(__half a, const __half *__restrict__ x, __half *__restrict__ y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const __half2 *x2 = reinterpret_cast<const __half2 *>(x);
    __half2 *y2 = reinterpret_cast<__half2 *>(y);
    if (i < n / 2) y2[i] = __hfma2(__half2half2(a), x2[i], y2[i]);
    if (i == 0 && n % 2) y[n - 1] = __hfma(a, x[n - 1], y[n - 1]);
}

__global__ void dot(const __half *x, const __half *y, float *sum, int n) {
    float mine = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) mine += __half2float(x[i]) * __half2float(y[i]);
    for (int d = 16; d > 0; d /= 2) mine += __shfl_down_sync(0xffffffffu, mine, d);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}

struct Facts {
    __half sum, difference, product, quotient, negative, largest, root, nearest, toward_zero, up, down;
    __half2 pair, swapped;
    int less, equal_zeros, nan, unordered, infinite, as_int, from_short;
};

__global__ void facts(float one, float third, Facts *f) {
    __half a = __float2half(one * 1.5f), b = __float2half(third);
    f->sum = __hadd(a, b);
    f->difference = a - b;
    f->product = a * b;
    f->quotient = a / __float2half(one * 4.0f);
    f->negative = __hneg(a);
    f->largest = a > b ? a : b;
    f->root = hsqrt(__float2half(one * 2.25f));
    f->nearest = __float2half_rn(third);
    f->toward_zero = __float2half_rz(-third);
    f->up = __float2half_ru(third);
    f->down = __float2half_rd(third);
    f->pair = __hadd2(__floats2half2_rn(one, 2.0f), __halves2half2(a, b));
    f->swapped = __lowhigh2highlow(__halves2half2(a, b));
    f->less = __hlt(b, a);
    f->equal_zeros = __heq(__float2half(0.0f * one), __float2half(-0.0f * one));
    __half nan = __float2half(sqrtf(-one));
    f->nan = __hisnan(nan);
    f->unordered = __hne(nan, nan) ? 1 : 0;
    f->infinite = __hisinf(__float2half(one * 70000.0f));
    f->as_int = __half2int_rn(__float2half(one * 2.5f));
    f->from_short = (int)__half2float(__short2half_rn((short)(one * -2049.0f)));
}

// The half nearest to x, ties to even, as a double; |x| < 65520.
static double rounded(double x) {
    int exponent;
    std::frexp(x, &exponent);
    double unit = std::ldexp(1.0, std::max(exponent - 11, -24));
    return std::nearbyint(x / unit) * unit;
}

static int same(const char *what, double got, double expected) {
    if (got == expected) return 0;
    printf("%s is %.10g, expected %.10g\n", what, got, expected);
    return 1;
}

static double value(__half h) { return (double)__half2float(h); }

int main() {
    const int n = 3001;
    std::vector<float> in(n);
    for (int i = 0; i < n; i++) in[i] = std::ldexp((float)(i * 2477 % 4099) - 2049.0f, i % 30 - 26); // down to subnormal halves
    float *d_in, *d_sum;
    __half *d_x, *d_y;
    Facts *d_facts;
    CHECK(cudaMalloc(&d_in, n * sizeof(float)));
    CHECK(cudaMalloc(&d_sum, sizeof(float)));
    CHECK(cudaMalloc(&d_x, n * sizeof(__half)));
    CHECK(cudaMalloc(&d_y, n * sizeof(__half)));
    CHECK(cudaMalloc(&d_facts, sizeof(Facts)));
    CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    to_half<<<(n + 127) / 128, 128>>>(d_in, d_x, n);
    std::vector<__half> x(n), y(n), got(n);
    CHECK(cudaMemcpy(x.data(), d_x, n * sizeof(__half), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        if (same("converted", value(x[i]), rounded(in[i]))) return 1;
    }

    for (int i = 0; i < n; i++) x[i] = __float2half((float)(i % 41 - 20)), y[i] = __float2half((float)(i % 13) * 0.125f);
    CHECK(cudaMemcpy(d_x, x.data(), n * sizeof(__half), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_y, y.data(), n * sizeof(__half), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_sum, 0, sizeof(float)));
    dot<<<1, 96>>>(d_x, d_y, d_sum, n);
    axpy<<<(n / 2 + 127) / 128, 128>>>(__float2half(2.25f), d_x, d_y, n);
    float sum = 0, expected_sum = 0;
    CHECK(cudaMemcpy(&sum, d_sum, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(got.data(), d_y, n * sizeof(__half), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        expected_sum += value(x[i]) * value(y[i]);
        if (same("a x + y", value(got[i]), rounded(2.25 * value(x[i]) + value(y[i])))) return 1;
    }
    if (same("dot product", sum, expected_sum)) return 1;

    Facts f;
    facts<<<1, 1>>>(1.0f, 1.0f / 3.0f, d_facts);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&f, d_facts, sizeof(f), cudaMemcpyDeviceToHost));
    const double third = rounded(1.0f / 3.0f),
                 unit = std::ldexp(1.0, -12); // halves from 1/4 to 1/2 lie 2^-12 apart; third is below 1/3
    if (same("sum", value(f.sum), rounded(1.5 + third)) || same("difference", value(f.difference), rounded(1.5 - third)) ||
        same("product", value(f.product), rounded(1.5 * third)) || same("quotient", value(f.quotient), 0.375) ||
        same("negative", value(f.negative), -1.5) || same("largest", value(f.largest), 1.5) ||
        same("root", value(f.root), 1.5) || same("nearest", value(f.nearest), third) ||
        same("toward zero", value(f.toward_zero), -third) || same("up", value(f.up), third + unit) ||
        same("down", value(f.down), third) || same("pair.x", value(__low2half(f.pair)), 2.5) ||
        same("pair.y", value(__high2half(f.pair)), rounded(2.0 + third)) ||
        same("swapped.x", value(__low2half(f.swapped)), third) || same("swapped.y", value(__high2half(f.swapped)), 1.5) ||
        same("less", f.less, 1) || same("zeros are equal", f.equal_zeros, 1) || same("nan", f.nan, 1) ||
        same("nan differs from nan", f.unordered, 0) || same("infinite", f.infinite, 1) || same("2.5 as int", f.as_int, 2) ||
        same("-2049 as half", f.from_short, -2048))
        return 1;
    for (void *p : {(void *)d_in, (void *)d_sum, (void *)d_x, (void *)d_y, (void *)d_facts}) CHECK(cudaFree(p));
    printf("ok: %d halves, dot product %g\n", n, sum);
    return 0;
}
