// Lab 07 on a real GPU: checks scale_all(), filter() and lookup() against the host, and times them beside a plain copy.
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
    const int n = argc > 1 ? atoi(argv[1]) : 1 << 24, threads = 256, blocks = 1024;
    const size_t bytes = (size_t)n * sizeof(float);
    if (n < 1) {
        fprintf(stderr, "usage: %s [ELEMENTS]\n", argv[0]);
        return 2;
    }

    std::vector<float> host(n + TAPS - 1), table(256);
    std::vector<unsigned char> codes(n);
    srand(32);
    for (float &value : host) value = rand() / (float)RAND_MAX;
    for (float &value : table) value = rand() / (float)RAND_MAX;
    for (unsigned char &code : codes) code = rand() >> 8;
    const float weights[TAPS] = WEIGHTS, factor = 2.5f;
    float *in, *out, *device_table, *device_factor;
    unsigned char *device_codes;
    require(cudaMalloc(&in, host.size() * sizeof(float)), "cudaMalloc");
    require(cudaMalloc(&out, bytes), "cudaMalloc");
    require(cudaMalloc(&device_table, 256 * sizeof(float)), "cudaMalloc");
    require(cudaMalloc(&device_factor, sizeof(float)), "cudaMalloc");
    require(cudaMalloc(&device_codes, n), "cudaMalloc");
    require(cudaMemcpy(in, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
    require(cudaMemcpy(device_table, table.data(), 256 * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
    require(cudaMemcpy(device_factor, &factor, sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
    require(cudaMemcpy(device_codes, codes.data(), n, cudaMemcpyHostToDevice), "cudaMemcpy");

    printf("%d elements; median of 11 launches\n", n);
    float copy_us = time_us([&] { require(cudaMemcpyAsync(out, in, bytes, cudaMemcpyDeviceToDevice), "copy"); });
    print_row("copy", copy_us, copy_us, 2 * bytes, "");

    require(cudaMemset(out, 0xff, bytes), "cudaMemset");
    float us = time_us([&] { scale_all<<<blocks, threads>>>(in, device_factor, out, n); });
    require(cudaGetLastError(), "scale_all");
    print_row("scale_all", us, copy_us, 2 * bytes, judge(out, n, [&](size_t i) { return factor * host[i]; }));

    require(cudaMemset(out, 0xff, bytes), "cudaMemset");
    us = time_us([&] { filter<<<(n - 1) / threads + 1, threads>>>(in, out, n); });
    require(cudaGetLastError(), "filter");
    print_row("filter", us, copy_us, 2 * bytes, judge(out, n, [&](size_t i) {
                  float sum = 0;
                  for (int k = 0; k < TAPS; k++) sum += weights[k] * host[i + k];
                  return sum;
              }));

    require(cudaMemset(out, 0xff, bytes), "cudaMemset");
    us = time_us([&] { lookup<<<blocks, threads>>>(device_codes, device_table, out, n); });
    require(cudaGetLastError(), "lookup");
    print_row("lookup", us, copy_us, bytes + n, judge(out, n, [&](size_t i) { return table[codes[i]]; }));

    for (void *memory : {(void *)in, (void *)out, (void *)device_table, (void *)device_factor, (void *)device_codes})
        require(cudaFree(memory), "cudaFree");
    return 0;
}
