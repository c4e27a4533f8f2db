// What functions that PTX calls approximate give: reads the operands that approximate.py makes, and prints the results, as bits in hexadecimal; a line
// for each function.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

#include "../programs/check.h"

static const int OPERANDS_MOST = 512;

#define FUNCTIONS                                                                                                             \
    FUNCTION(sin, 32, "r", "sin.approx.f32")                                                                                  \
    FUNCTION(sin_ftz, 32, "r", "sin.approx.ftz.f32")                                                                          \
    FUNCTION(cos, 32, "r", "cos.approx.f32") FUNCTION(cos_ftz, 32, "r", "cos.approx.ftz.f32")                                 \
        FUNCTION(lg2, 32, "r", "lg2.approx.f32") FUNCTION(lg2_ftz, 32, "r", "lg2.approx.ftz.f32")                             \
            FUNCTION(ex2, 32, "r", "ex2.approx.f32") FUNCTION(ex2_ftz, 32, "r", "ex2.approx.ftz.f32")                         \
                FUNCTION(rcp, 32, "r", "rcp.approx.f32") FUNCTION(rcp_ftz, 32, "r", "rcp.approx.ftz.f32")                     \
                    FUNCTION(sqrt, 32, "r", "sqrt.approx.f32") FUNCTION(sqrt_ftz, 32, "r", "sqrt.approx.ftz.f32")             \
                        FUNCTION(rsqrt, 32, "r", "rsqrt.approx.f32") FUNCTION(rsqrt_ftz, 32, "r", "rsqrt.approx.ftz.f32")     \
                            FUNCTION(tanh, 32, "r", "tanh.approx.f32") FUNCTION(tanh_f16, 16, "h", "tanh.approx.f16")         \
                                FUNCTION(tanh_bf16, 16, "h", "tanh.approx.bf16") FUNCTION(ex2_f16, 16, "h", "ex2.approx.f16") \
                                    FUNCTION(ex2_bf16, 16, "h", "ex2.approx.ftz.bf16")                                        \
                                        FUNCTION(tanh_f16x2, 32, "r", "tanh.approx.f16x2")                                    \
                                            FUNCTION(tanh_bf16x2, 32, "r", "tanh.approx.bf16x2")                              \
                                                FUNCTION(ex2_f16x2, 32, "r", "ex2.approx.f16x2")                              \
                                                    FUNCTION(ex2_bf16x2, 32, "r", "ex2.approx.ftz.bf16x2")                    \
                                                        FUNCTION(rcp_f64, 64, "l", "rcp.approx.ftz.f64")                      \
                                                            FUNCTION(rsqrt_f64, 64, "l", "rsqrt.approx.f64")                  \
                                                                FUNCTION(rsqrt_ftz_f64, 64, "l", "rsqrt.approx.ftz.f64")      \
                                                                    QUOTIENT(div, "div.approx.f32")                           \
                                                                        QUOTIENT(div_ftz, "div.approx.ftz.f32")               \
                                                                            QUOTIENT(div_full, "div.full.f32")                \
                                                                                QUOTIENT(div_full_ftz, "div.full.ftz.f32")

#define FUNCTION(name, bits, letter, ptx)                                                          \
    __global__ void name##_kernel(uint64_t *values) {                                              \
        uint##bits##_t r, a = (uint##bits##_t)values[threadIdx.x];                                 \
        asm("{ .reg .b" #bits " a, r; mov.b" #bits " a, %1; " ptx " r, a; mov.b" #bits " %0, r; }" \
            : "=" letter(r)                                                                        \
            : letter(a));                                                                          \
        values[threadIdx.x] = r;                                                                   \
    }
// The dividend is the lower half of an operand.
#define QUOTIENT(name, ptx)                                                                        \
    __global__ void name##_kernel(uint64_t *values) {                                              \
        uint32_t r, a = (uint32_t)values[threadIdx.x], b = (uint32_t)(values[threadIdx.x] >> 32);  \
        asm("{ .reg .b32 a, b, r; mov.b32 a, %1; mov.b32 b, %2; " ptx " r, a, b; mov.b32 %0, r; }" \
            : "=r"(r)                                                                              \
            : "r"(a), "r"(b));                                                                     \
        values[threadIdx.x] = r;                                                                   \
    }
FUNCTIONS
#undef FUNCTION
#undef QUOTIENT

#define FUNCTION(name, bits, letter, ptx) {ptx, name##_kernel},
#define QUOTIENT(name, ptx) {ptx, name##_kernel},
static const struct {
    const char *name;
    void (*kernel)(uint64_t *values);
} functions[] = {FUNCTIONS};

int main() {
    static uint64_t values[OPERANDS_MOST], *on_device;
    char name[64];
    int count;
    CHECK(cudaMalloc(&on_device, sizeof(values)));
    while (scanf("%63s %d", name, &count) == 2) {
        for (int i = 0; i < count; i++)
            if (scanf("%lx", &values[i]) != 1) return 1;
        CHECK(cudaMemcpy(on_device, values, sizeof(values), cudaMemcpyHostToDevice));
        for (const auto &function : functions)
            if (strcmp(function.name, name) == 0) function.kernel<<<1, count>>>(on_device);
        CHECK(cudaMemcpy(values, on_device, sizeof(values), cudaMemcpyDeviceToHost));
        printf("%s", name);
        for (int i = 0; i < count; i++) printf(" %lx", values[i]);
        printf("\n");
    }
    return 0;
}
