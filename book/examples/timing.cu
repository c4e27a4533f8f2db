// How long does a kernel take? Warm-up, many launches in one stream, each between two events of its own, and the median.
#include <algorithm>
#include <cstdio>

__global__ void fill(float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 1.0f;
}

const int WARM_UP = 3, REPEATS = 30;

// Of the repeats the median and the quartiles, in microseconds: {low, median, high}.
static void time_fill(float *out, int n, cudaStream_t stream, float quartiles[3]) {
    cudaEvent_t begin[REPEATS], end[REPEATS];
    float times[REPEATS];
    for (int i = 0; i < WARM_UP; i++) fill<<<n / 256, 256, 0, stream>>>(out, n);
    for (int i = 0; i < REPEATS; i++) {
        cudaEventCreate(&begin[i]);
        cudaEventCreate(&end[i]);
        cudaEventRecord(begin[i], stream);
        fill<<<n / 256, 256, 0, stream>>>(out, n);
        cudaEventRecord(end[i], stream);
    }
    cudaStreamSynchronize(stream);
    for (int i = 0; i < REPEATS; i++) {
        cudaEventElapsedTime(&times[i], begin[i], end[i]);
        cudaEventDestroy(begin[i]);
        cudaEventDestroy(end[i]);
    }
    std::sort(times, times + REPEATS);
    for (int k = 0; k < 3; k++) quartiles[k] = 1000 * times[(k + 1) * REPEATS / 4];
}

int main() {
    const int n = 1 << 22;
    float *out, quartiles[3];
    cudaStream_t stream;
    if (cudaMalloc(&out, n * sizeof(float)) != cudaSuccess || cudaStreamCreate(&stream) != cudaSuccess) return 1;
    time_fill(out, n, stream, quartiles);
    printf("%.1f us, the middle half from %.1f to %.1f\n", quartiles[1], quartiles[0], quartiles[2]);
    if (cudaGetLastError() != cudaSuccess) return 1;
    cudaStreamDestroy(stream);
    cudaFree(out);
    return 0;
}
