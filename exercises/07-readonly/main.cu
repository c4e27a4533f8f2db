// Lab 07 on a real GPU: checks smooth_columns() against the host, and times it beside a plain copy.
//
//     nvcc -O3 main.cu -o main && ./main [ELEMENTS]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "kernel.cu"

static void require(cudaError_t status, const char *what) {
    if (status == cudaSuccess) return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    exit(1);
}

// Median time of one launch in microseconds.
template <typename Launch> static float time_us(Launch launch) {
    const int repeats = 11;
    std::vector<float> times;
    cudaEvent_t begin, end;
    require(cudaEventCreate(&begin), "cudaEventCreate");
    require(cudaEventCreate(&end), "cudaEventCreate");
    launch(); // the first launch is slower than the rest
    for (int i = 0; i < repeats; i++) {
        float milliseconds = 0;
        require(cudaEventRecord(begin), "cudaEventRecord");
        launch();
        require(cudaEventRecord(end), "cudaEventRecord");
        require(cudaEventSynchronize(end), "cudaEventSynchronize");
        require(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
        times.push_back(1000 * milliseconds);
    }
    require(cudaEventDestroy(begin), "cudaEventDestroy");
    require(cudaEventDestroy(end), "cudaEventDestroy");
    std::sort(times.begin(), times.end());
    return times[repeats / 2];
}

static void print_row(const char *name, float us, float copy_us, size_t bytes, const char *remark) {
    printf("%-14s %10.1f us %8.0f GB/s %8.2f of the copy   %s\n", name, us, bytes / us / 1000, copy_us / us, remark);
}

// "right", or where the first wrong element is.
template <typename Expected> static const char *judge(const float *device, size_t count, Expected expected) {
    static char text[80];
    std::vector<float> found(count);
    require(cudaMemcpy(found.data(), device, count * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
    for (size_t i = 0; i < count; i++)
        if (!(std::fabs(found[i] - expected(i)) <= 1e-5f)) { // NaN is wrong too
            snprintf(text, sizeof text, "WRONG: element %zu is %g, should be %g", i, found[i], expected(i));
            return text;
        }
    return "right";
}

int main(int argc, char **argv) {
    const int most = argc > 1 ? atoi(argv[1]) : 1 << 25, rows = 64, cols = most / rows, n = rows * cols, threads = 128;
    const size_t bytes = (size_t)n * sizeof(float);
    if (cols < 1) {
        fprintf(stderr, "usage: %s [ELEMENTS], %d at least\n", argv[0], rows);
        return 2;
    }

    std::vector<float> host(n);
    srand(32);
    for (float &value : host) value = rand() / (float)RAND_MAX;
    const std::vector<float> weights = {0.25f, 0.5f, 0.25f};
    float *in, *out, *device_weights;
    require(cudaMalloc(&in, bytes), "cudaMalloc");
    require(cudaMalloc(&out, bytes), "cudaMalloc");
    require(cudaMalloc(&device_weights, weights.size() * sizeof(float)), "cudaMalloc");
    require(cudaMemcpy(in, host.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    require(cudaMemcpy(device_weights, weights.data(), weights.size() * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");

    printf("%d x %d floats; median of 11 launches\n", rows, cols);
    float copy_us = time_us([&] { require(cudaMemcpyAsync(out, in, bytes, cudaMemcpyDeviceToDevice), "copy"); });
    print_row("copy", copy_us, copy_us, 2 * bytes, "");

    const auto smooth = [&](float *to) { smooth_columns<<<(cols - 1) / threads + 1, threads>>>(in, device_weights, to, rows, cols); };
    const auto smoothed = [&](size_t i) {
        const float above = i >= (size_t)cols ? host[i - cols] : 0.0f, below = i + cols < (size_t)n ? host[i + cols] : 0.0f;
        return weights[0] * above + weights[1] * host[i] + weights[2] * below;
    };
    require(cudaMemset(out, 0xff, bytes), "cudaMemset");
    const float us = time_us([&] { smooth(out); });
    require(cudaGetLastError(), "smooth_columns");
    print_row("smooth_columns", us, copy_us, 2 * bytes, judge(out, n, smoothed));

    smooth(in); // the same matrix for both
    require(cudaGetLastError(), "smooth_columns");
    printf("smooth_columns where out is in: %s\n", judge(in, n, smoothed));

    for (float *memory : {in, out, device_weights}) require(cudaFree(memory), "cudaFree");
    return 0;
}
