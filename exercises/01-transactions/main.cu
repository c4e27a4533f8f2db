// Lab 01 on a real GPU: checks changes() and weigh() against the host, and times them beside a plain copy.
//
//     nvcc -O3 main.cu -o main && ./main [ELEMENTS]
#include <algorithm>
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
        if (found[i] != expected(i)) {
            snprintf(text, sizeof text, "WRONG: element %zu is %g, should be %g", i, found[i], expected(i));
            return text;
        }
    return "right";
}

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
    float *in, *out;
    require(cudaMalloc(&in, bytes), "cudaMalloc");
    require(cudaMalloc(&out, bytes), "cudaMalloc");
    require(cudaMemcpy(in, host.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");

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
    int *start;
    float *weight;
    require(cudaMalloc(&start, ends.size() * sizeof(int)), "cudaMalloc");
    require(cudaMalloc(&weight, rows * sizeof(float)), "cudaMalloc");
    require(cudaMemcpy(start, ends.data(), ends.size() * sizeof(int), cudaMemcpyHostToDevice), "cudaMemcpy");
    require(cudaMemcpy(weight, weights.data(), rows * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");

    printf("%d floats, in %d rows; median of 11 launches\n", n, rows);
    float copy_us = time_us([&] { require(cudaMemcpyAsync(out, in, bytes, cudaMemcpyDeviceToDevice), "copy"); });
    print_row("copy", copy_us, copy_us, 2 * bytes, "");

    require(cudaMemset(out, 0xff, bytes), "cudaMemset");
    float us = time_us([&] { changes<<<blocks, threads>>>(in, out, n); });
    require(cudaGetLastError(), "changes");
    print_row("changes", us, copy_us, 2 * bytes, judge(out, n, [&](size_t i) { return i ? host[i] - host[i - 1] : host[i]; }));

    require(cudaMemset(out, 0xff, bytes), "cudaMemset");
    us = time_us([&] { weigh<<<blocks, threads>>>(in, out, start, weight, rows); });
    require(cudaGetLastError(), "weigh");
    print_row("weigh", us, copy_us, 2 * bytes, judge(out, n, [&](size_t i) { return weights[row_of[i]] * host[i]; }));

    require(cudaFree(start), "cudaFree");
    require(cudaFree(weight), "cudaFree");
    require(cudaFree(in), "cudaFree");
    require(cudaFree(out), "cudaFree");
    return 0;
}
