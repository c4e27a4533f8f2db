// What the labs' whole programs share: errors of the runtime, times, and how results are judged.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void require(cudaError_t status, const char *what) {
    if (status == cudaSuccess) return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    exit(1);
}

// Median time of one launch in microseconds: of eleven, behind one that does not count, as the first is slower than the rest.
template <typename Launch> static float time_us(Launch launch) {
    const int repeats = 11;
    std::vector<float> times;
    cudaEvent_t begin, end;
    require(cudaEventCreate(&begin), "cudaEventCreate");
    require(cudaEventCreate(&end), "cudaEventCreate");
    launch();
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

// A copy of the host's elements on the device; the caller frees.
template <typename Element> static Element *device_copy(const std::vector<Element> &host) {
    Element *device;
    require(cudaMalloc(&device, host.size() * sizeof(Element)), "cudaMalloc");
    require(cudaMemcpy(device, host.data(), host.size() * sizeof(Element), cudaMemcpyHostToDevice), "cudaMemcpy");
    return device;
}

// A kernel that is wrong has no time: it need not do the work.
inline void print_row(const char *name, float us, float copy_us, size_t bytes, const char *remark) {
    if (remark[0] == 'W') {
        printf("%-14s %s\n", name, remark);
        return;
    }
    printf("%-14s %10.1f us %8.0f GB/s %8.2f of the copy   %s\n", name, us, bytes / us / 1000, copy_us / us, remark);
}

// Of all that was judged: what a program's exit status says.
static bool judged_right = true;

// "right", or where the first wrong element is.
template <typename Expected> static const char *judge(const float *device, size_t count, double tolerance, Expected expected) {
    static char text[80];
    std::vector<float> found(count);
    require(cudaMemcpy(found.data(), device, count * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
    for (size_t i = 0; i < count; i++)
        if (!(std::fabs((double)found[i] - expected(i)) <= tolerance)) { // NaN is wrong too
            snprintf(text, sizeof text, "WRONG: element %zu is %g, should be %g", i, found[i], (double)expected(i));
            judged_right = false;
            return text;
        }
    return "right";
}
