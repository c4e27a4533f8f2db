// Lab 01 on a real GPU: checks changes() and weigh() against the host, and times them beside a plain copy.
//
//     nvcc -O3 -arch=native main.cu -o main && ./main [ELEMENTS]
#include "../timing.h"
#include "kernel.cu"

int main(int argc, char **argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 1 << 24, threads = 256, blocks = 1024;
    const size_t bytes = n * sizeof(float);
    if (n < 1) {
        fprintf(stderr, "usage: %s [ELEMENTS], at least 1\n", argv[0]);
        return 2;
    }

    std::vector<float> host(n);
    srand(32);
    for (float &value : host) value = rand() / (float)RAND_MAX;
    float *in = device_copy(host), *out;
    require(cudaMalloc(&out, bytes), "cudaMalloc");

    // Rows of 64 to 192 floats; the last may be shorter.
    std::vector<int> ends(1), row_of(n);
    std::vector<float> weights;
    for (int end = 0; end < n; ends.push_back(end)) {
        int begin = end;
        end = std::min(n, begin + 64 + rand() % 129);
        for (int i = begin; i < end; i++) row_of[i] = (int)weights.size();
        weights.push_back(rand() / (float)RAND_MAX);
    }
    const int rows = (int)weights.size();
    int *start = device_copy(ends);
    float *weight = device_copy(weights);

    printf("%d floats, in %d rows; median of 11 launches\n", n, rows);
    float copy_us = time_us([&] { require(cudaMemcpyAsync(out, in, bytes, cudaMemcpyDeviceToDevice), "copy"); });
    print_row("copy", copy_us, copy_us, 2 * bytes, "");

    require(cudaMemset(out, 0xff, bytes), "cudaMemset");
    float us = time_us([&] { changes<<<blocks, threads>>>(in, out, n); });
    require(cudaGetLastError(), "changes");
    print_row("changes", us, copy_us, 2 * bytes, judge(out, n, 0, [&](size_t i) { return i ? host[i] - host[i - 1] : host[i]; }));

    require(cudaMemset(out, 0xff, bytes), "cudaMemset");
    us = time_us([&] { weigh<<<blocks, threads>>>(in, out, start, weight, rows); });
    require(cudaGetLastError(), "weigh");
    print_row("weigh", us, copy_us, 2 * bytes, judge(out, n, 0, [&](size_t i) { return weights[row_of[i]] * host[i]; }));

    require(cudaFree(start), "cudaFree");
    require(cudaFree(weight), "cudaFree");
    require(cudaFree(in), "cudaFree");
    require(cudaFree(out), "cudaFree");
    return judged_right ? 0 : 1;
}
