// Lab 08 on a real GPU: checks the four products against the host and times them.
//
//     nvcc -O3 main.cu -o main && ./main [M N K]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "kernel.cu"

typedef void Kernel(const float *a, const float *b, float *c, int m, int n, int k);

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

// Odd numbers from -15 to 15, divided by 16: sums of up to 74,565 of their products are exact in float, in any order.
static std::vector<float> small_odds(size_t count) {
    std::vector<float> values(count);
    for (float &value : values) value = (2 * (rand() / 8 % 16) - 15) / 16.0f;
    return values;
}

static std::vector<float> product(const std::vector<float> &a, const std::vector<float> &b, int m, int n, int k) {
    std::vector<float> c((size_t)m * n);
    for (size_t row = 0; row < (size_t)m; row++)
        for (size_t i = 0; i < (size_t)k; i++)
            for (size_t col = 0; col < (size_t)n; col++) c[row * n + col] += a[row * k + i] * b[i * n + col];
    return c;
}

static float *on_device(const std::vector<float> &host) {
    float *device;
    require(cudaMalloc(&device, host.size() * sizeof(float)), "cudaMalloc");
    require(cudaMemcpy(device, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
    return device;
}

// Compares and ends the table's line. True where all elements are right.
static bool judge(const float *device, const std::vector<float> &expected, int n) {
    std::vector<float> found(expected.size());
    require(cudaMemcpy(found.data(), device, found.size() * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
    for (size_t i = 0; i < found.size(); i++)
        if (found[i] != expected[i]) {
            printf("   WRONG: C(%zu, %zu) is %g, should be %g\n", i / n, i % n, found[i], expected[i]);
            return false;
        }
    printf("   right\n");
    return true;
}

int main(int argc, char **argv) {
    const int m = argc > 3 ? atoi(argv[1]) : 1024, n = argc > 3 ? atoi(argv[2]) : 1024, k = argc > 3 ? atoi(argv[3]) : 1024;
    if (m < 1 || n < 1 || k < 1 || argc == 2 || argc == 3) {
        fprintf(stderr, "usage: %s [M N K]\n", argv[0]);
        return 2;
    }
    srand(32);
    const std::vector<float> a = small_odds((size_t)m * k), b = small_odds((size_t)k * n), c = product(a, b, m, n, k);
    std::vector<float> b_transposed(b.size());
    for (size_t i = 0; i < b.size(); i++) b_transposed[i % n * k + i / n] = b[i];
    float *device_a = on_device(a), *device_b = on_device(b), *device_bt = on_device(b_transposed), *device_c = on_device(c);
    const struct {
        const char *name;
        Kernel *kernel;
        const float *b;
    } kernels[] = {{"matmul_rows", matmul_rows, device_b},
                   {"matmul_cols", matmul_cols, device_b},
                   {"matmul_tiled", matmul_tiled, device_b},
                   {"matmul_abt", matmul_abt, device_bt}};

    const dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE), block(TILE, TILE);
    bool all_right = true;
    float rows_us = 0;
    printf("m = %d, n = %d, k = %d; median of 11 launches\n", m, n, k);
    printf("%-14s %12s %10s %16s\n", "kernel", "us", "GFLOP/s", "of matmul_rows");
    for (const auto &one : kernels) {
        require(cudaMemset(device_c, 0xff, c.size() * sizeof(float)), "cudaMemset"); // no element is a number
        const float us = time_us([&] { one.kernel<<<grid, block>>>(device_a, one.b, device_c, m, n, k); });
        require(cudaGetLastError(), one.name);
        if (one.kernel == matmul_rows) rows_us = us;
        printf("%-14s %12.1f %10.0f %15.2fx", one.name, us, 2.0 * m * n * k / us / 1000, rows_us / us);
        all_right = judge(device_c, c, n) && all_right;
    }
    for (float *device : {device_a, device_b, device_bt, device_c}) require(cudaFree(device), "cudaFree");
    return all_right ? 0 : 1;
}
