// What is loaded, moved and copied without being used: padding, components that nobody asks for, values that are thrown away. Nothing is to be
// told of any of it.
#include <cstdio>

struct Padded {
    char kind;
    double weight;
};
struct Small {
    short a;
    int b;
};
struct __align__(16) Vec3 {
    float x, y, z;
};
struct __align__(8) Tagged {
    float value;
    char tag;
};

__device__ void set(Padded &it, int i) { it.kind = i, it.weight = i; }
__device__ void set(Small &it, int i) { it.a = i, it.b = i; }
__device__ void set(Vec3 &it, int i) { it.x = i, it.y = i, it.z = i; }
__device__ void set(Tagged &it, int i) { it.value = i, it.tag = i; }
__device__ void set(float4 &it, int i) { it.x = i, it.y = i, it.z = i; }
__device__ void set(int2 &it, int i) { it.y = i; }
__device__ float get(const Padded &it) { return it.weight + it.kind; }
__device__ float get(const Small &it) { return it.a + it.b; }
__device__ float get(const Vec3 &it) { return it.x + it.z; }
__device__ float get(const Tagged &it) { return it.value + it.tag; }
__device__ float get(const float4 &it) { return it.x + it.y + it.z; }
__device__ float get(const int2 &it) { return it.y; }

template <class T> __global__ void fill(T *items) { set(items[threadIdx.x], threadIdx.x); }

template <class T> __global__ void turn(const T *items, T *turned, float *out) {
    __shared__ T tile[32];
    int i = threadIdx.x;
    T item = items[i];
    tile[i] = item;
    __syncthreads();
    T other = tile[31 - i];
    turned[i] = other;
    out[i] = get(other) + get(item);
}

template <class T> __global__ void move(const T *items, T *moved) {
    if (threadIdx.x == 0)
        for (int i = 0; i < 32; i++) moved[i] = items[31 - i];
}

// The value of a lane that does not take part is thrown away.
__global__ void neighbours(int *out, int n) {
    int t = threadIdx.x;
    unsigned mask = __ballot_sync(0xffffffff, t < n);
    if (t >= n) return;
    int value = t, other = __shfl_down_sync(mask, value, 1);
    out[t] = t + 1 < n ? other : -1;
    for (int distance = 16; distance > 0; distance /= 2) {
        int more = __shfl_down_sync(mask, value, distance);
        if (t + distance < n) value += more;
    }
    if (t == 0) out[31] = value;
}

// One lane has the value, and all get it.
__global__ void handed_round(int *out) {
    int base;
    if (threadIdx.x == 0) base = atomicAdd(out, 32);
    base = __shfl_sync(0xffffffff, base, 0);
    out[1 + (base + threadIdx.x) % 32] = threadIdx.x;
}

// Rows past the end have sums too, of which none is stored.
__global__ void past_the_end(float *out, int n) {
    __shared__ float tile[32];
    if (threadIdx.x < n) tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 4; k++) sum += tile[threadIdx.x] * k;
    if (threadIdx.x < n) out[threadIdx.x] = sum;
}

// What is read ahead is used only where it was written.
__global__ void read_ahead(float *out, const float *in, int n) {
    float next = in[threadIdx.x], sum = 0;
    for (int k = 0; k < n; k++) {
        float now = next;
        next = in[32 * (k + 1) + threadIdx.x];
        sum += now;
    }
    out[threadIdx.x] = sum;
}

__global__ void fill_rows(float *to, int n) {
    for (int k = 0; k < n; k++) to[32 * k + threadIdx.x] = k;
}

template <class T> void structures() {
    T *items, *others, host[32];
    float *out;
    cudaMalloc(&items, sizeof host), cudaMalloc(&others, sizeof host), cudaMalloc(&out, 128);
    fill<<<1, 32>>>(items);
    turn<<<1, 32>>>(items, others, out);
    move<<<1, 32>>>(others, items);
    turn<<<1, 32>>>(items, others, out);
    cudaMemcpy(items, others, sizeof host, cudaMemcpyDeviceToDevice);
    turn<<<1, 32>>>(items, others, out);
    cudaMemcpy(host, others, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(items), cudaFree(others), cudaFree(out);
}

int main() {
    int *out, sum;
    float *rows, *sums;
    structures<Padded>(), structures<Small>(), structures<Vec3>(), structures<Tagged>(), structures<float4>(), structures<int2>();
    cudaMalloc(&out, 256), cudaMalloc(&rows, 4096), cudaMalloc(&sums, 128);
    cudaMemset(out, 0, 256);
    neighbours<<<1, 32>>>(out, 11);
    cudaMemcpy(&sum, out + 31, 4, cudaMemcpyDeviceToHost);
    cudaMemset(out, 0, 256);
    handed_round<<<1, 32>>>(out);
    past_the_end<<<1, 32>>>(sums, 20);
    fill_rows<<<1, 32>>>(rows, 8);
    read_ahead<<<1, 32>>>(sums, rows, 8);
    printf("%d %s\n", sum, cudaGetErrorName(cudaDeviceSynchronize())); // 0 + 1 + … + 10
    cudaFree(out), cudaFree(rows), cudaFree(sums);
}
