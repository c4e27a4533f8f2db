// Lab 10 on a real GPU: checks edges() against the host, and times it beside a copy of as many bytes.
//
//     nvcc -O3 -arch=native main.cu -o main && ./main [ELEMENTS]
#include "../timing.h"
#include "kernel.cu"

int main(int argc, char **argv) {
    const int most = argc > 1 ? atoi(argv[1]) : 1 << 26, outlines = most / (3 * POINTS), floats = outlines * 3 * POINTS, n = outlines * POINTS;
    if (outlines < 1) {
        fprintf(stderr, "usage: %s [ELEMENTS], %d at least\n", argv[0], 3 * POINTS);
        return 2;
    }
    std::vector<float> host(floats);
    srand(32);
    for (float &value : host) value = rand() / (float)RAND_MAX;
    float *points = device_copy(host), *lengths, *other;
    const size_t copied = (size_t)(floats + n) / 2 * sizeof(float);
    require(cudaMalloc(&lengths, n * sizeof(float)), "cudaMalloc");
    require(cudaMalloc(&other, copied), "cudaMalloc");

    printf("%d outlines of %d points; median of 11 launches\n", outlines, POINTS);
    const float copy_us = time_us([&] { require(cudaMemcpyAsync(other, points, copied, cudaMemcpyDeviceToDevice), "copy"); });
    print_row("copy", copy_us, copy_us, 2 * copied, "");

    int sms = 0;
    require(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0), "cudaDeviceGetAttribute");
    require(cudaMemset(lengths, 0xff, n * sizeof(float)), "cudaMemset");
    const float us = time_us([&] { edges<<<sms, THREADS>>>(points, lengths, outlines); });
    require(cudaGetLastError(), "edges");
    print_row("edges", us, copy_us, 2 * copied, judge(lengths, n, 1e-5, [&](size_t i) {
                  const size_t next = i % POINTS == POINTS - 1 ? i + 1 - POINTS : i + 1;
                  double sum = 0;
                  for (int k = 0; k < 3; k++) sum += ((double)host[3 * next + k] - host[3 * i + k]) * ((double)host[3 * next + k] - host[3 * i + k]);
                  return sum;
              }));
    for (float *memory : {points, lengths, other}) require(cudaFree(memory), "cudaFree");
    return judged_right ? 0 : 1;
}
