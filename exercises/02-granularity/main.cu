// Lab 02 on a real GPU: checks denoise() and join() against the host, and times them beside a plain copy.
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
    printf("%-10s %10.1f us %8.0f GB/s %8.2f of the copy   %s\n", name, us, bytes / us / 1000, copy_us / us, remark);
}

// "right", or where the first wrong element is.
template <typename Expected> static const char *judge(const float *device, size_t count, double tolerance, Expected expected) {
    static char text[80];
    std::vector<float> found(count);
    require(cudaMemcpy(found.data(), device, count * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
    for (size_t i = 0; i < count; i++)
        if (!(fabs((double)found[i] - expected(i)) <= tolerance)) {
            snprintf(text, sizeof text, "WRONG: element %zu is %g, should be %g", i, found[i], (double)expected(i));
            return text;
        }
    return "right";
}

int main(int argc, char **argv) {
    const int moments = (argc > 1 ? atoi(argv[1]) : 1 << 24) / 8, n = 8 * moments;
    const int pixels = moments, frames = 6, threads = 256, blocks = 1056;
    const size_t bytes = n * sizeof(float);
    if (moments < 1) {
        fprintf(stderr, "usage: %s [ELEMENTS], at least 8\n", argv[0]);
        return 2;
    }

    std::vector<float> host(n);
    srand(32);
    for (float &value : host) value = rand() / (float)RAND_MAX;
    float *in, *out;
    require(cudaMalloc(&in, bytes), "cudaMalloc");
    require(cudaMalloc(&out, bytes), "cudaMalloc");
    require(cudaMemcpy(in, host.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");

    printf("%d floats: 8 frames of %d pixels, or 8 tracks of %d moments; median of 11 launches\n", n, pixels, moments);
    float copy_us = time_us([&] { require(cudaMemcpyAsync(out, in, bytes, cudaMemcpyDeviceToDevice), "copy"); });
    print_row("copy", copy_us, copy_us, 2 * bytes, "");

    require(cudaMemset(out, 0xff, bytes), "cudaMemset");
    float us = time_us([&] { denoise<<<blocks, threads>>>(in, out, frames, pixels); });
    require(cudaGetLastError(), "denoise");
    auto mean = [&](size_t i) { return (host[i] + host[i + pixels] + host[i + 2 * pixels]) / 3; };
    print_row("denoise", us, copy_us, bytes / 8 * 14, judge(out, (size_t)frames * pixels, 2e-7, mean));

    require(cudaMemset(out, 0xff, bytes), "cudaMemset");
    us = time_us([&] { join<<<blocks, threads>>>(in, out, moments); });
    require(cudaGetLastError(), "join");
    auto joined = [&](size_t i) { return host[i % 8 * moments + i / 8]; };
    print_row("join", us, copy_us, 2 * bytes, judge(out, n, 0, joined));

    require(cudaFree(in), "cudaFree");
    require(cudaFree(out), "cudaFree");
    return 0;
}
