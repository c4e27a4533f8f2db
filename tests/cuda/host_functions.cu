// What host code may call of CUDA's functions. No header of the C++ library is named: nvcc brings along what is used here.
#include <cuda_fp16.h>
#include <stdio.h>

__host__ __device__ float both_sides(float x) { return rsqrtf(x) + fabsf(-x) + max(x, 1.0f) + min(3, 4) + (isnan(x) ? 1 : 0); }
__global__ void kernel(float *p) { *p = both_sides(*p); }

int main() {
    double sine, cosine;
    sincospi(0.5, &sine, &cosine);
    printf("abs %g %g %d\n", abs(-2.5f), abs(-2.5), abs(-3));
    printf("pi %g %g %g %g\n", sinpif(0.5f), cospi(1.0), sine, cosine);
    printf("roots %g %g %g\n", rsqrtf(4.0f), rsqrt(16.0), rcbrt(8.0));
    printf("normal %.6f %.6f %.6f\n", normcdf(0.0), normcdf(1.959964), normcdfinv(0.975));
    printf("error %.6f %.6f %.6f\n", erfinv(0.5), erfcinv(1.0), erfcx(0.0));
    printf("min %d %u %lld %g %g\n", min(1, 2), max(1u, 2u), min(3ll, 2ll), max(1.5f, 2.5f), max(1, 2) / 4.0);
    printf("more %u %lld %g\n", umax(1u, 2u), llmin(1, 2), exp10(2.0));
    printf("both %g\n", both_sides(4.0f));
    float4 v = make_float4(1, 2, 3, 4);
    int2 pair = {5, 6};
    dim3 grid(2), block{3, 4};
    v.w += v.x;
    for (int *p : {&pair.x, &pair.y}) ++*p;
    printf("vectors %g %d %u %u %u %zu\n", v.w, pair.y, grid.z, block.y, block.z, alignof(float4));
    half2 halves = __floats2half2_rn(1.5f, -2.0f) + __float2half2_rn(1.0f);
    half sum = __low2half(halves) * __high2half(halves);
    printf("halves %g %g %g %d %d\n", __low2float(halves), __high2float(halves), (float)sum, (int)__half2int_rz(sum), sum < halves.x);
    printf("rounded %x %x %x\n", __half_as_ushort(__float2half_rz(2049.0f)), __half_as_ushort(__float2half_ru(2049.0f)),
           __half_as_ushort(__float2half_rd(-1e-9f)));
    printf("limits %d %d %d %d\n", INT_MAX, isnan(0.5f) ? 1 : 0, clock() >= 0, time(NULL) > 0);
    std::exit(0);
}
