// Lab 00 on a real GPU: checks add() against the host, and times it beside a plain copy.
//
//     nvcc -O3 -arch=native main.cu -o main && ./main [ELEMENTS]
#include "../timing.h"
#include "kernel.cu"

int main(int argc, char **argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 1 << 24, threads = 256, blocks = (n + threads - 1) / threads;
    const size_t bytes = n * sizeof(float);
    if (n < 1) {
        fprintf(stderr, "usage: %s [ELEMENTS], at least 1\n", argv[0]);
        return 2;
    }

    std::vector<float> one(n), other(n);
    srand(32);
    for (int i = 0; i < n; i++) {
        one[i] = rand() / (float)RAND_MAX;
        other[i] = rand() / (float)RAND_MAX;
    }
    float *a = device_copy(one), *b = device_copy(other), *out;
    require(cudaMalloc(&out, bytes), "cudaMalloc");

    printf("%d floats; median of 11 launches\n", n);
    float copy_us = time_us([&] { require(cudaMemcpyAsync(out, a, bytes, cudaMemcpyDeviceToDevice), "copy"); });
    print_row("copy", copy_us, copy_us, 2 * bytes, "");

    require(cudaMemset(out, 0xff, bytes), "cudaMemset");
    float us = time_us([&] { add<<<blocks, threads>>>(a, b, out, n); });
    require(cudaGetLastError(), "add");
    // Three arrays where the copy moves two: a copy of as many bytes takes half as long again.
    print_row("add", us, 1.5f * copy_us, 3 * bytes, judge(out, n, 0, [&](size_t i) { return one[i] + other[i]; }));

    require(cudaFree(a), "cudaFree");
    require(cudaFree(b), "cudaFree");
    require(cudaFree(out), "cudaFree");
    return judged_right ? 0 : 1;
}
