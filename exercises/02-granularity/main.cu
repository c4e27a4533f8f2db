// Lab 02 on a real GPU: checks denoise() and join() against the host, and times them beside a plain copy.
//
//     nvcc -O3 -arch=native main.cu -o main && ./main [ELEMENTS]
#include "../timing.h"
#include "kernel.cu"

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
    float *in = device_copy(host), *out;
    require(cudaMalloc(&out, bytes), "cudaMalloc");

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
    return judged_right ? 0 : 1;
}
