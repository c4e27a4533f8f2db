// Lab 07 on a real GPU: checks smooth_columns() against the host, and times it beside a plain copy.
//
//     nvcc -O3 -arch=native main.cu -o main && ./main [ELEMENTS]
#include "../timing.h"
#include "kernel.cu"

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
    float *in = device_copy(host), *device_weights = device_copy(weights), *out;
    require(cudaMalloc(&out, bytes), "cudaMalloc");

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
    print_row("smooth_columns", us, copy_us, 2 * bytes, judge(out, n, 1e-5, smoothed));

    smooth(in); // the same matrix for both
    require(cudaGetLastError(), "smooth_columns");
    printf("smooth_columns where out is in: %s\n", judge(in, n, 1e-5, smoothed));

    for (float *memory : {in, out, device_weights}) require(cudaFree(memory), "cudaFree");
    return judged_right ? 0 : 1;
}
