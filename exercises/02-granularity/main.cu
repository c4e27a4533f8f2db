// Lab 02 on a real GPU: checks smooth() and weave() against the host, and times them beside a plain copy.
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
template <typename Element, typename Expected>
static const char *judge(const Element *device, size_t count, double tolerance, Expected expected) {
    static char text[80];
    std::vector<Element> found(count);
    require(cudaMemcpy(found.data(), device, count * sizeof(Element), cudaMemcpyDeviceToHost), "cudaMemcpy");
    for (size_t i = 0; i < count; i++)
        if (!(fabs((double)found[i] - expected(i)) <= tolerance)) {
            snprintf(text, sizeof text, "WRONG: element %zu is %g, should be %g", i, (double)found[i], (double)expected(i));
            return text;
        }
    return "right";
}

int main(int argc, char **argv) {
    const int columns = 256, rows = (argc > 1 ? atoi(argv[1]) : 1 << 24) / columns;
    const int n = rows * columns, pixels = n / 3, threads = 256;
    const size_t bytes = n * sizeof(float);
    if (rows < 1) {
        fprintf(stderr, "usage: %s [ELEMENTS], at least %d\n", argv[0], columns);
        return 2;
    }
    int multiprocessors;
    require(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "cudaDeviceGetAttribute");

    std::vector<float> host(n);
    std::vector<unsigned char> planes(n);
    srand(32);
    for (float &value : host) value = rand() / (float)RAND_MAX;
    for (unsigned char &value : planes) value = rand() >> 3;
    float *in, *out;
    require(cudaMalloc(&in, bytes), "cudaMalloc");
    require(cudaMalloc(&out, bytes), "cudaMalloc");
    require(cudaMemcpy(in, host.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");

    printf("%d floats in %d rows, %d pixels of 3 bytes; median of 11 launches\n", n, rows, pixels);
    float copy_us = time_us([&] { require(cudaMemcpyAsync(out, in, bytes, cudaMemcpyDeviceToDevice), "copy"); });
    print_row("copy", copy_us, copy_us, 2 * bytes, "of floats");

    require(cudaMemset(out, 0xff, bytes), "cudaMemset");
    float us = time_us([&] { smooth<<<multiprocessors, 1024>>>(in, out, rows, columns); });
    require(cudaGetLastError(), "smooth");
    auto smoothed = [&](size_t i) {
        int row = i / columns, column = i % columns;
        float left = host[column > 0 ? i - 1 : i], right = host[column < columns - 1 ? i + 1 : i];
        float above = host[row > 0 ? i - columns : i], below = host[row < rows - 1 ? i + columns : i];
        return (host[i] + left + right + above + below) / 5;
    };
    print_row("smooth", us, copy_us, 2 * bytes, judge(out, n, 1e-6, smoothed));

    const unsigned char *byte_in = (const unsigned char *)in;
    unsigned char *byte_out = (unsigned char *)out;
    require(cudaMemcpy(in, planes.data(), n, cudaMemcpyHostToDevice), "cudaMemcpy");
    copy_us = time_us([&] { require(cudaMemcpyAsync(out, in, 3 * pixels, cudaMemcpyDeviceToDevice), "copy"); });
    print_row("copy", copy_us, copy_us, 6 * (size_t)pixels, "of bytes");
    require(cudaMemset(out, 0xff, bytes), "cudaMemset");
    us = time_us([&] { weave<<<8 * multiprocessors, threads>>>(byte_in, byte_out, pixels); });
    require(cudaGetLastError(), "weave");
    auto woven = [&](size_t i) { return planes[i % 3 * pixels + i / 3]; };
    print_row("weave", us, copy_us, 6 * (size_t)pixels, judge(byte_out, 3 * (size_t)pixels, 0, woven));

    require(cudaFree(in), "cudaFree");
    require(cudaFree(out), "cudaFree");
    return 0;
}
