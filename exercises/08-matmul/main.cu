// Lab 08 on a real GPU: checks the products against the host and times them.
//
//     nvcc -O3 -arch=native main.cu -o main && ./main [M N K]
#include "../timing.h"
#include "kernel.cu"

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

static std::vector<float> transposed(const std::vector<float> &matrix, int rows, int cols) {
    std::vector<float> result(matrix.size());
    for (size_t i = 0; i < matrix.size(); i++) result[i % cols * rows + i / cols] = matrix[i];
    return result;
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
    const std::vector<float> a_turned = transposed(a, m, k), b_turned = transposed(b, k, n), c_turned = transposed(c, m, n);
    // The symmetric product: S has n rows, and A is m x n.
    const std::vector<float> wide = small_odds((size_t)m * n), half = small_odds((size_t)n * (n + 1) / 2);
    std::vector<float> whole((size_t)n * n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) whole[(size_t)i * n + j] = whole[(size_t)j * n + i] = half[(size_t)i * (i + 1) / 2 + j];
    const std::vector<float> symmetric = product(wide, whole, m, n, n);

    float *device_a = device_copy(a), *device_b = device_copy(b), *device_at = device_copy(a_turned), *device_bt = device_copy(b_turned);
    float *device_wide = device_copy(wide), *device_half = device_copy(half), *device_c = device_copy(c);
    bool all_right = true;
    printf("m = %d, n = %d, k = %d (times_symmetric: k = n); median of 11 launches\n", m, n, k);
    printf("%-16s %12s %10s\n", "kernel", "us", "GFLOP/s");
    const auto show = [&](const char *name, int depth, const std::vector<float> &expected, int across, auto launch) {
        require(cudaMemset(device_c, 0xff, c.size() * sizeof(float)), "cudaMemset"); // no element is a number
        const float us = time_us(launch);
        require(cudaGetLastError(), name);
        printf("%-16s %12.1f %10.0f", name, us, 2.0 * m * n * depth / us / 1000);
        all_right = judge(device_c, expected, across) && all_right;
    };
    const auto grid = [&](int tile) { return dim3((n + tile - 1) / tile, (m + tile - 1) / tile); };
    show("small_blocks", k, c, n, [&] { small_blocks<<<grid(8), dim3(8, 8)>>>(device_a, device_b, device_c, m, n, k); });
    show("lanes_down", k, c, n, [&] { lanes_down<<<grid(32), dim3(32, 32)>>>(device_at, device_b, device_c, m, n, k); });
    show("b_sideways", k, c, n, [&] { b_sideways<<<grid(16), dim3(16, 16)>>>(device_a, device_bt, device_c, m, n, k); });
    show("product_turned", k, c_turned, m,
         [&] { product_turned<<<grid(TILE), dim3(SIDE, SIDE)>>>(device_a, device_b, device_c, m, n, k); });
    show("times_symmetric", n, symmetric, n,
         [&] { times_symmetric<<<grid(TILE), dim3(SIDE, SIDE)>>>(device_wide, device_half, device_c, m, n); });
    for (float *device : {device_a, device_b, device_at, device_bt, device_wide, device_half, device_c})
        require(cudaFree(device), "cudaFree");
    return all_right ? 0 : 1;
}
