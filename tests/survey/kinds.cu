// Accesses of which the assembler makes something else, or does not. What it makes of each kernel stands in tests/survey/run.
#define KERNEL extern "C" __global__ void
#define SHARED __shared__ int s[1024]; int t = threadIdx.x;
#define FILLED SHARED s[t] = v * t; s[t + 512] = v; __syncthreads();
#define END __syncthreads(); o[t] = s[t ^ 1];
KERNEL joined_stores(int *o, int v) { SHARED s[2 * t] = v; s[2 * t + 1] = t; END }
KERNEL joined_loads(int *o, int v) { SHARED s[t] = v; __syncthreads(); o[t] = s[2 * t] * s[2 * t + 1]; }
KERNEL joined_across(int *o, int v) { FILLED int a = s[2 * t]; if (a > v) o[t + 32] = a; o[t] = a + s[2 * t + 1]; }
#define LOAD(x) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(x) : "r"(at))
KERNEL loaded_again(int *o, int v) { FILLED int at = (int)__cvta_generic_to_shared(&s[t ^ 3]), a, b; LOAD(a); o[t] = a; LOAD(b); o[t + 32] = b; }
KERNEL shorts(short *o, int v) { __shared__ short s[1024]; int t = threadIdx.x; s[t] = v; __syncthreads(); o[t] = s[2 * t] + s[2 * t + 1]; }
KERNEL read_only(int *o, const int *__restrict__ p, int v) { int t = threadIdx.x; o[t] = p[t] + v; }
KERNEL guarded(int *o, const int *p, int v) { int t = threadIdx.x; if (t < v) o[t] = p[t]; }
KERNEL combined(int *o, int v) { SHARED s[t] = 0; __syncthreads(); atomicMax(&s[5], t * v); END }
KERNEL counted(int *o, int v) { SHARED s[t] = 0; __syncthreads(); atomicAdd(&s[t & v], 1); END }
KERNEL in_a_loop(int *o, int v) { SHARED s[t] = 0; __syncthreads(); atomicAdd((float *)&s[t & v], 1.f); END }
__constant__ int k[64];
KERNEL constants(int *o, int v) { int t = threadIdx.x; o[t] = k[3] + k[t & v]; }
#define PACK(use) float4 a; asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(a.x), "=f"(a.y), "=f"(a.z), "=f"(a.w) : "l"(p + threadIdx.x)); o[threadIdx.x] = use;
KERNEL one_of_four(float *o, const float4 *p) { PACK(a.y) }
KERNEL half_of_four(float *o, const float4 *p) { PACK(a.z + a.w) }
KERNEL two_of_four(float *o, const float4 *p) { PACK(a.y + a.z) }
KERNEL three_of_four(float *o, const float4 *p) { PACK(a.x + a.y + a.w) }
#define GLOBAL(x, type) asm volatile("ld." type "global.f32 %0, [%1];" : "=f"(x) : "l"(p))
KERNEL none(float *o, const float *p) { float a; GLOBAL(a, ""); o[0] = 1; }
KERNEL none_in_sum(float *o, const float *p, int v) { float a, s = 0; for (int i = 0; i < v; i++, p++) { GLOBAL(a, ""); s += a; } o[0] = v; }
KERNEL none_but_volatile(float *o, const float *p) { float a; GLOBAL(a, "volatile."); o[0] = 1; }
