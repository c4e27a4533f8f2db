// Loads of shared memory with branches between them, loads that repeat each other, shorts: how many requests and wavefronts they are. Run under ncu, whose rows are
// h100-across.csv (README.md); tests/joins holds the emulator to them.
#define KERNEL extern "C" __global__ void
#define FILLED                                                                                          \
    __shared__ __align__(16) float s[4096], b[1024];                                                     \
    int t = threadIdx.x;                                                                                 \
    for (int i = t; i < 4096; i += blockDim.x) s[i] = in[i], b[i & 1023] = in[i + 64];                   \
    __syncthreads();                                                                                     \
    float *p = &s[4 * t], sum = 0;
#define LONG(x) for (int k = 0; k < 12; k++) x = x * x + 0.25f * k;
KERNEL x_if(float *in, float *o, int v) { FILLED float a = p[0]; if (a > 0.5f) sum += a * a; o[t] = sum + a * p[1]; }
KERNEL x_if_store(float *in, float *o, int v) { FILLED float a = p[0]; if (a > 0.5f) o[t + 512] = a; o[t] = sum + a * p[1]; }
KERNEL x_if_long(float *in, float *o, int v) { FILLED float a = p[0], y = a; if (a > 0.5f) { LONG(y) o[t + 512] = y; } o[t] = y + a * p[1]; }
KERNEL x_else(float *in, float *o, int v) { FILLED float a = p[0], y = 1; if (a > 0.5f) y = sqrtf(a); else o[t + 512] = a; o[t] = y + p[1]; }
KERNEL x_four(float *in, float *o, int v) { FILLED for (int i = 0; i < 4; i++) { float a = p[i]; if (a > 0.5f) o[t + 512 * (i + 1)] = a; else sum += a; } o[t] = sum; }
KERNEL x_four_guards(float *in, float *o, int v) { FILLED for (int i = 0; i < 4; i++) if (t + i < v) sum += p[i]; o[t] = sum; }
KERNEL x_loop(float *in, float *o, int v) { FILLED for (int n = 0; n < v; n++) { const float *q = &s[(n & 15) * 4]; float a = q[0]; if (a > 0.5f) sum += a; else o[t + n] = a; sum += q[1]; } o[t] = sum; }
KERNEL x_inner_loop(float *in, float *o, int v) { FILLED float a = p[0]; for (int n = 0; n < v; n++) a = a * 0.5f + n; o[t] = a + p[1]; }
KERNEL x_gpair(float *in, float *o, int v) { FILLED float a = p[0]; if (a > 0.5f) o[t + 512] = in[t] + a; o[t] = p[1] + a; }
KERNEL x_store_between(float *in, float *o, int v) { FILLED float a = p[0]; if (a > 0.5f) b[t] = a; float c = p[1]; __syncthreads(); o[t] = a + c + b[t ^ 1]; }
KERNEL x_second_in_if(float *in, float *o, int v) { FILLED float a = p[0]; if (a > 0.5f) sum = p[1] * a; o[t] = sum + a; }
KERNEL x_second_in_long(float *in, float *o, int v) { FILLED float a = p[0]; if (t & 1) { sum = p[1] * a; LONG(sum) } o[t] = sum + a; }
KERNEL x_again(float *in, float *o, int v) { FILLED float a = s[t ^ 5]; o[t + 512] = a; atomicAdd(&o[1], a); o[t] = s[t ^ 5] + 1; }
KERNEL x_minmax(float *in, float *o, int v) { FILLED float least = p[0], most = p[0]; for (int i = 1; i < 4; i++) { float a = p[i]; if (a < least) least = a; if (a > most) most = a; } o[t] = most - least; }
KERNEL x_shorts_added(float *in, short *o, int v) { __shared__ __align__(16) short h[1024]; int t = threadIdx.x; for (int i = t; i < 1024; i += blockDim.x) h[i] = (short)i; __syncthreads(); o[t] = h[2 * t] + h[2 * t + 1]; }
KERNEL x_shorts_copied(float *in, short *o, int v) { __shared__ __align__(16) short h[1024]; int t = threadIdx.x; for (int i = t; i < 1024; i += blockDim.x) h[i] = (short)i; __syncthreads(); o[t] = h[2 * t]; o[t + 512] = h[2 * t + 1]; }
KERNEL x_shorts_floats(float *in, float *o, int v) { __shared__ __align__(16) short h[1024]; int t = threadIdx.x; for (int i = t; i < 1024; i += blockDim.x) h[i] = (short)i; __syncthreads(); o[t] = (float)h[2 * t] * (float)h[2 * t + 1]; }
KERNEL x_return(float *in, float *o, int v) { FILLED float a = p[0]; if (a > 100) return; o[t] = a + p[1]; }
KERNEL x_switch(float *in, float *o, int v) { FILLED float a = p[0]; switch (v) { case 1: sum = a; break; case 2: sum = a * a; break; case 3: o[t + 512] = a; break; case 4: sum = -a; break; default: sum = 7; } o[t] = sum + p[1]; }
int main() {
    float *in, *o;
    cudaMalloc(&in, 1 << 20), cudaMalloc(&o, 1 << 20), cudaMemset(in, 0, 1 << 20);
#define RUN(kernel) kernel<<<1, 256>>>(in, (decltype(o))o, 3), cudaDeviceSynchronize();
#define RUN_SHORT(kernel) kernel<<<1, 256>>>(in, (short *)o, 3), cudaDeviceSynchronize();
    RUN(x_if) RUN(x_if_store) RUN(x_if_long) RUN(x_else) RUN(x_four) RUN(x_four_guards) RUN(x_loop) RUN(x_inner_loop) RUN(x_gpair) RUN(x_store_between)
    RUN(x_second_in_if) RUN(x_second_in_long) RUN(x_again) RUN(x_minmax) RUN_SHORT(x_shorts_added) RUN_SHORT(x_shorts_copied) RUN(x_shorts_floats) RUN(x_return) RUN(x_switch)
    return cudaDeviceSynchronize() != cudaSuccess;
}
