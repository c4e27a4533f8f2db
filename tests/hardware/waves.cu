/* waves.cu: copies by one wave of blocks, whose time is not that of starting blocks. Prints h200-waves.csv (README.md); needs 8 GB of a GPU's memory.
 *     nvcc -O3 -arch=sm_90 tests/hardware/waves.cu -o waves && ./waves >tests/hardware/h200-waves.csv */
#include <algorithm>
#include <cstdio>

/* Element i * stride + load of `in` to element i + store of `out`, for all i below n. */
template <typename T> __global__ void copy(const T *in, T *out, size_t n, size_t stride, size_t load, size_t store) {
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i + store] = in[i * stride + load];
}

enum { WARM_UP = 3, REPEATS = 30 };

template <typename Launch> static void time_of(const char *kind, int width, size_t n, int parameter, Launch launch) {
    cudaEvent_t begin, end;
    float us[REPEATS];
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    for (int i = -WARM_UP; i < REPEATS; i++) {
        cudaEventRecord(begin);
        launch();
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        if (i < 0) continue;
        cudaEventElapsedTime(&us[i], begin, end);
        us[i] *= 1000;
    }
    std::sort(us, us + REPEATS);
    printf("%s_%d/%d,%zu,%.1f,%.1f,%.1f\n", kind, width, parameter, n, us[REPEATS / 4], us[REPEATS / 2], us[3 * REPEATS / 4]);
}

template <typename T> static void sweep(void *in, void *out, int blocks) {
    const int width = sizeof(T), offsets[] = {0, 1, 2, 3, 4, 8, 16, 32};
    const T *from = (const T *)in;
    T *to = (T *)out;
    size_t n = ((size_t)1 << 28) / width;
    for (int k : offsets) time_of("loads_shifted", width, n, k, [=] { copy<<<blocks, 256>>>(from, to, n, 1, k, 0); });
    for (int k : offsets) time_of("stores_shifted", width, n, k, [=] { copy<<<blocks, 256>>>(from, to, n, 1, 0, k); });
    if (width < 4) return;
    n = ((size_t)1 << 26) / width;
    for (int s = 1; s <= 64; s *= 2) time_of("loads_strided", width, n, s, [=] { copy<<<blocks, 256>>>(from, to, n, s, 0, 0); });
}

int main() {
    void *in, *out;
    int sms = 0;
    if (cudaMalloc(&in, (size_t)5 << 30) || cudaMalloc(&out, (size_t)2 << 30)) return 1;
    cudaMemset(in, 0, (size_t)5 << 30);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    printf("name,elements,low_us,median_us,high_us\n");
    sweep<char>(in, out, 8 * sms);
    sweep<short>(in, out, 8 * sms);
    sweep<float>(in, out, 8 * sms);
    sweep<double>(in, out, 8 * sms);
    sweep<float4>(in, out, 8 * sms);
    return cudaDeviceSynchronize() != cudaSuccess;
}
