// Loads of four floats of which not all are used, and loads of which nothing is: what an H200 counts of them stands in h200-narrow.csv. Launched with 32 blocks of 128 threads.
#define KERNEL extern "C" __global__ void
#define INDEX const int i = threadIdx.x + blockIdx.x * blockDim.x
#define LOAD(type, kind, address) float x, y, z, w; asm volatile(type ".v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : kind(address))
#define GLOBAL(name, value) KERNEL name(const float4 *in, float *out) { INDEX; LOAD("ld.global", "l", in + i); out[i] = value; }
GLOBAL(one, y)
GLOBAL(half_first, x + y)
GLOBAL(half_second, z + w)
GLOBAL(two_inside, y + z)
GLOBAL(two_outside, x + w)
GLOBAL(three, x + y + z)
GLOBAL(four, x + y + z + w)
GLOBAL(nothing, i)
KERNEL unused_sum(const float4 *in, float *out) {
    INDEX;
    float sum = 0;
    for (int k = 0; k < 4; k++) {
        float value;
        asm volatile("ld.global.f32 %0, [%1];" : "=f"(value) : "l"((const float *)in + i + 32 * k));
        sum += value;
    }
    out[i] = i;
}
KERNEL unused_volatile(const float4 *in, float *out) {
    INDEX;
    float value;
    asm volatile("ld.volatile.global.f32 %0, [%1];" : "=f"(value) : "l"((const float *)in + i));
    out[i] = i;
}
#define SHARED(name, value) \
    KERNEL name(const float4 *in, float *out) { \
        __shared__ float4 s[128]; \
        INDEX; \
        s[threadIdx.x ^ 1] = in[i]; \
        __syncthreads(); \
        LOAD("ld.shared", "r", (int)__cvta_generic_to_shared(s + threadIdx.x)); \
        out[i] = value; \
    }
SHARED(shared_one, y)
SHARED(shared_half, z + w)
SHARED(shared_two, x + w)
SHARED(shared_three, x + y + z)
SHARED(shared_four, x + y + z + w)
