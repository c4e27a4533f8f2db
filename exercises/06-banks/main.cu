// Lab 06 as a whole program: checks reverse(), channels() and histogram() against the host and times them beside a plain copy.
//
//     nvcc -O3 -arch=native main.cu -o main && ./main [ELEMENTS]
#include "../timing.h"
#include "kernel.cu"

// Runs a kernel on random elements, compares what it wrote with `expected(in)` and prints a line. True where it is right.
template <typename Element, typename Expected>
static bool try_kernel(const char *name, void (*kernel)(const Element *, Element *, int), unsigned blocks, int argument, size_t elements,
                       Expected expected) {
    std::vector<Element> host(elements);
    unsigned random = 32;
    for (Element &value : host) value = (Element)(random = 1664525 * random + 1013904223);
    const std::vector<Element> right = expected(host);
    const size_t in_bytes = host.size() * sizeof(Element), out_bytes = right.size() * sizeof(Element);
    Element *in = device_copy(host), *out;
    require(cudaMalloc(&out, in_bytes), "cudaMalloc");
    const float copy_us = time_us([&] { require(cudaMemcpyAsync(out, in, in_bytes, cudaMemcpyDeviceToDevice), "copy"); });
    require(cudaMemset(out, 0xff, out_bytes), "cudaMemset");
    const float us = time_us([&] { kernel<<<blocks, THREADS>>>(in, out, argument); });
    require(cudaGetLastError(), name);
    std::vector<Element> got(right.size());
    require(cudaMemcpy(got.data(), out, out_bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    const bool is_right = got == right;
    printf("%-10s %10.1f us %8.0f GB/s   copy of the input %8.1f us   %s\n", name, us, (in_bytes + out_bytes) / us / 1000, copy_us,
           is_right ? "right" : "WRONG");
    require(cudaFree(in), "cudaFree");
    require(cudaFree(out), "cudaFree");
    return is_right;
}

static int reversed_slowly(int i) {
    int result = 0;
    for (int bit = 1; bit < SEGMENT; bit *= 2) result = 2 * result + (i & bit ? 1 : 0);
    return result;
}

int main(int argc, char **argv) {
    const int elements = argc > 1 ? atoi(argv[1]) : 1 << 24;
    if (elements < SEGMENT) {
        fprintf(stderr, "usage: %s [ELEMENTS], %d or more\n", argv[0], SEGMENT);
        return 2;
    }
    const int segments = elements / SEGMENT;
    printf("%d segments of %d elements, %d values; median of 11 launches\n", segments, SEGMENT, elements);
    bool right = try_kernel("reverse", reverse, segments, segments, (size_t)segments * SEGMENT, [](const std::vector<float> &in) {
        std::vector<float> out(in.size());
        for (size_t i = 0; i < in.size(); i++) out[i - i % SEGMENT + reversed_slowly(i % SEGMENT)] = in[i];
        return out;
    });
    right = try_kernel("channels", channels, segments, segments, (size_t)segments * SEGMENT, [](const std::vector<double> &in) {
        std::vector<double> out(in.size());
        for (size_t i = 0; i < in.size(); i++)
            out[i - i % SEGMENT + i % CHANNELS * MOMENTS + i % SEGMENT / CHANNELS] = in[i];
        return out;
    }) && right;
    const unsigned blocks = (unsigned)((elements + VALUES - 1) / VALUES);
    right = try_kernel("histogram", histogram, blocks, elements, elements, [=](const std::vector<unsigned> &in) {
        std::vector<unsigned> sums(blocks * LEVELS);
        for (size_t i = 0; i < in.size(); i++) sums[i / VALUES * LEVELS + (in[i] >> 28)] += in[i];
        return sums;
    }) && right;
    return right ? 0 : 1;
}
