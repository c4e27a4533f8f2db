// Shared variables, pointers and blocks of which messages say what they are: -DSHAPE=1 ... 15.
#include <cstdio>
#include <cstdlib>
struct State { int n; float f; };
struct View { float *p; int n; };
struct Shape { __host__ __device__ virtual float area() const { return 1; } };
struct Square : Shape { __host__ __device__ float area() const override { return 4; } };
__global__ void shared(const int *in, int *out) {
    int t = threadIdx.x;
#if SHAPE == 1
    __shared__ int box[1];
    if (t == 0) box[0] = in[5];
    out[t] = box[0];
#elif SHAPE == 2
    __shared__ State state;
    if (t == 0) state.n = in[1];
    out[t] = state.n;
#elif SHAPE == 3
    __shared__ int total;
    if (t == 0) total = in[0];
    __syncthreads();
    if (t == 33) total = in[1];
    out[t] = total;
#elif SHAPE == 4
    out[t] = 1 + __shfl_down_sync(~0u, t, 1);
#elif SHAPE == 5
    out[t] = ((const char *)in)[256 + t];
#endif
}
__global__ void view(View v, float *out) { out[threadIdx.x] = v.p[threadIdx.x]; }
__global__ void rows(float **r, float *out) { out[threadIdx.x] = r[threadIdx.x % 2][threadIdx.x]; }
__global__ void area(const Shape *s, float *out) { out[threadIdx.x] = s->area(); }
__device__ __noinline__ int down(int n, volatile int *p) { return n ? p[n % 2] + down(n - 1, p) : *p; }
__global__ void deep(int *out, int n) { out[2] = down(n, out); }
__device__ int twice(int n) { return 2 * n; }
__global__ void apply(int *out, int (*f)(int)) { out[threadIdx.x] = f(threadIdx.x); }
__global__ void copy(const float *p, float *out) { out[threadIdx.x] = p[threadIdx.x]; }
__device__ float *never_set;
__global__ void lost(float *out) { out[threadIdx.x] = never_set[threadIdx.x]; }
int main() {
    int *in, *out;
    float *host = (float *)calloc(64, sizeof *host);
    cudaMalloc(&in, 256);
    cudaMalloc(&out, 256);
    cudaMemset(in, 0x11, 256);
    cudaMemset(out, 0, 256);
#if SHAPE <= 5
    shared<<<1, SHAPE == 4 ? 20 : 64>>>(in, out);
#elif SHAPE == 6
    view<<<1, 32>>>(View{host, 64}, (float *)out);
#elif SHAPE == 7
    float *both[2] = {host, host + 32}, **r;
    cudaMalloc(&r, sizeof both);
    cudaMemcpy(r, both, sizeof both, cudaMemcpyHostToDevice);
    rows<<<1, 32>>>(r, (float *)out);
#elif SHAPE == 8
    Square square;
    Shape *s;
    cudaMalloc(&s, sizeof square);
    cudaMemcpy(s, &square, sizeof square, cudaMemcpyHostToDevice);
    area<<<1, 32>>>(s, (float *)out);
#elif SHAPE == 9
    cudaDeviceSetLimit(cudaLimitStackSize, 64 << 10);
    deep<<<1, 1>>>(out, 300);
#elif SHAPE == 10
    deep<<<1, 1>>>(out, 3000);
#elif SHAPE == 11
    apply<<<1, 32>>>(out, nullptr);
#elif SHAPE == 12
    apply<<<1, 32>>>(out, twice);
#elif SHAPE == 13
    float own[32] = {0};
    copy<<<1, 32>>>(own, (float *)out);
#elif SHAPE == 14
    float *lent;
    cudaMalloc(&lent, 128);
    cudaMemset(lent, 0, 128);
    cudaFree(lent);
    copy<<<1, 32>>>(lent, (float *)out);
#elif SHAPE == 15
    lost<<<1, 32>>>((float *)out);
#elif SHAPE == 16
    copy<<<1, 32>>>(nullptr, (float *)out);
#elif SHAPE == 17
    float *both[2];
    cudaMalloc(&both[0], 128);
    cudaMalloc(&both[1], 128);
    rows<<<1, 16>>>(both, (float *)out);
#endif
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    free(host);
    return 0;
}
