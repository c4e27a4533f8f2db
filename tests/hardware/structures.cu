/* structures.cu: what structures cost that are larger than a sector, or have a field more than is needed, and what a stride costs reading
 * alone. Prints h100-structures.csv (README.md): nvcc -O3 -arch=sm_90 tests/hardware/structures.cu -o structures && ./structures */
#include <algorithm>
#include <cstdio>

enum { WARM_UP = 3, REPEATS = 20, THREADS = 256 };

/* Each kernel has n elements, structures or points. */
using Kernel = void (*)(float *a, float *out, size_t n, size_t stride);

__device__ static size_t thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void read_strided(float *a, float *out, size_t n, size_t stride) {
    float sum = 0;
    for (size_t i = thread_number(); i < n; i += gridDim.x * blockDim.x) sum += a[i * stride];
    if (sum == 7) out[thread_number()] = sum;
}

template <int FIELDS> __global__ void sum_structures(float *a, float *out, size_t, size_t) {
    float sum = 0;
    for (int k = 0; k < FIELDS; k++) sum += a[thread_number() * FIELDS + k];
    out[thread_number()] = sum;
}

template <int FIELDS> __global__ void sum_arrays(float *a, float *out, size_t n, size_t) {
    float sum = 0;
    for (int k = 0; k < FIELDS; k++) sum += a[k * n + thread_number()];
    out[thread_number()] = sum;
}

template <int FIELDS> __global__ void twice_structures(float *a, float *, size_t, size_t) {
    for (int k = 0; k < FIELDS; k++) a[thread_number() * FIELDS + k] *= 2;
}

template <int FIELDS> __global__ void twice_arrays(float *a, float *, size_t n, size_t) {
    for (int k = 0; k < FIELDS; k++) a[k * n + thread_number()] *= 2;
}

template <int FIELDS> __global__ void twice_vectors(float *a, float *, size_t, size_t) {
    float4 *points = (float4 *)a, p = points[thread_number()];
    points[thread_number()] = make_float4(2 * p.x, 2 * p.y, 2 * p.z, FIELDS == 4 ? 2 * p.w : p.w);
}

static float *from, *to;

/* The launches follow each other, with no wait between them. */
static void time_kernel(const char *name, int parameter, Kernel kernel, size_t blocks, size_t n) {
    cudaEvent_t begin[WARM_UP + REPEATS], end[WARM_UP + REPEATS];
    float us[REPEATS];
    for (int i = 0; i < WARM_UP + REPEATS; i++) {
        cudaEventCreate(&begin[i]);
        cudaEventCreate(&end[i]);
        cudaEventRecord(begin[i]);
        kernel<<<blocks, THREADS>>>(from, to, n, parameter);
        cudaEventRecord(end[i]);
    }
    cudaDeviceSynchronize();
    for (int i = 0; i < REPEATS; i++) cudaEventElapsedTime(&us[i], begin[WARM_UP + i], end[WARM_UP + i]);
    std::sort(us, us + REPEATS);
    printf("%s/%d,%.1f\n", name, parameter, us[REPEATS / 2] * 1000);
}

template <int FIELDS> static void time_sums() {
    size_t blocks = ((size_t)1 << 26) / FIELDS / THREADS;
    time_kernel("sum_structures", FIELDS, sum_structures<FIELDS>, blocks, blocks * THREADS);
    time_kernel("sum_arrays", FIELDS, sum_arrays<FIELDS>, blocks, blocks * THREADS);
}

template <int FIELDS> static void time_points() {
    size_t n = (size_t)1 << 24;
    time_kernel("twice_structures", FIELDS, twice_structures<FIELDS>, n / THREADS, n);
    time_kernel("twice_arrays", FIELDS, twice_arrays<FIELDS>, n / THREADS, n);
    time_kernel("twice_vectors", FIELDS, twice_vectors<FIELDS>, n / THREADS, n);
}

int main() {
    if (cudaMalloc(&from, (size_t)5 << 30) || cudaMalloc(&to, (size_t)1 << 30)) return 1;
    cudaMemset(from, 0, (size_t)5 << 30);
    printf("name,median_us\n");
    for (int stride : {1, 8, 32, 64}) time_kernel("read", stride, read_strided, 1056, (size_t)1 << 24);
    time_sums<8>();
    time_sums<16>();
    time_sums<32>();
    time_sums<33>();
    time_points<3>();
    time_points<4>();
    return cudaDeviceSynchronize() != cudaSuccess;
}
