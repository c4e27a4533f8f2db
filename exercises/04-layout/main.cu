// Lab 04 as a whole program: checks warm(), potential() and the kernels that move images against the host and times them, at three sizes or at
// one.
//
//     nvcc -O3 -arch=native main.cu -o main && ./main [STRUCTURES]
#include "../timing.h"
#include "kernel.cu"

static unsigned blocks(size_t threads) { return (unsigned)((threads + BLOCK - 1) / BLOCK); }

// Compares floats of the device with what they should be, frees them and prints a line.
static bool compare(const char *name, float us, double bytes, float *device, const std::vector<float> &expected) {
    std::vector<float> got(expected.size());
    require(cudaMemcpy(got.data(), device, got.size() * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
    require(cudaFree(device), "cudaFree");
    size_t wrong = 0;
    while (wrong < got.size() && got[wrong] == expected[wrong]) wrong++;
    const bool right = wrong == got.size();
    printf("%-14s %10.2f us %8.0f GB/s used   %s\n", name, us, bytes / us / 1000, right ? "right" : "WRONG");
    if (!right) printf("    float %zu is %g and should be %g\n", wrong, got[wrong], expected[wrong]);
    return right;
}

static bool run_particles(int n) {
    const int capacity = (n + 31) / 32 * 32, listed = (n + 1) / 2;
    const float seconds = 0.25f;
    std::vector<float> before((size_t)n * FIELDS), potentials(listed);
    for (size_t i = 0; i < before.size(); i++) before[i] = (float)(i * 7919 % 1021) / 64;
    std::vector<int> order(listed);
    for (int i = 0; i < listed; i++) order[i] = (int)((long long)i * 40503 % n);
    float *particles = device_copy(before), *storage, *out;
    int *list;
    require(cudaMalloc(&storage, (size_t)capacity * FIELDS * sizeof(float)), "cudaMalloc");
    require(cudaMalloc(&out, listed * sizeof(float)), "cudaMalloc");
    require(cudaMalloc(&list, listed * sizeof(int)), "cudaMalloc");
    require(cudaMemcpy(list, order.data(), listed * sizeof(int), cudaMemcpyHostToDevice), "cudaMemcpy");

    pack<<<blocks(before.size()), BLOCK>>>(particles, storage, n, capacity);
    const float potential_us = time_us([&] { potential<<<blocks(listed), BLOCK>>>(storage, list, out, listed, capacity); });
    require(cudaGetLastError(), "potential");
    for (int i = 0; i < listed; i++) {
        const float *p = &before[(size_t)order[i] * FIELDS];
        potentials[i] = p[CHARGE] * (p[X] + p[Y] + p[Z]);
    }
    warm<<<blocks(n), BLOCK>>>(storage, seconds, n, capacity);
    unpack<<<blocks(before.size()), BLOCK>>>(storage, particles, n, capacity);
    for (int i = 0; i < n; i++) before[(size_t)i * FIELDS + HEAT] += before[(size_t)i * FIELDS + POWER] * seconds;
    const float warm_us = time_us([&] { warm<<<blocks(n), BLOCK>>>(storage, seconds, n, capacity); });
    require(cudaGetLastError(), "warm");
    require(cudaFree(storage), "cudaFree");
    require(cudaFree(list), "cudaFree");
    bool right = compare("warm", warm_us, 12.0 * n, particles, before);
    return compare("potential", potential_us, 24.0 * listed, out, potentials) && right;
}

static bool run_image(const char *name, void (*kernel)(const float *, float *, int), int bands, bool to_planes, int n) {
    std::vector<float> before((size_t)n * bands), after(before.size());
    for (size_t i = 0; i < before.size(); i++) before[i] = (float)(i % 16777213);
    for (int i = 0; i < n; i++)
        for (int band = 0; band < bands; band++) {
            const size_t pixel = (size_t)i * bands + band, plane = (size_t)band * n + i;
            after[to_planes ? plane : pixel] = before[to_planes ? pixel : plane];
        }
    float *in = device_copy(before), *out;
    require(cudaMalloc(&out, after.size() * sizeof(float)), "cudaMalloc");
    const float us = time_us([&] { kernel<<<blocks(n), BLOCK>>>(in, out, n); });
    require(cudaGetLastError(), name);
    require(cudaFree(in), "cudaFree");
    return compare(name, us, 8.0 * n * bands, out, after);
}

int main(int argc, char **argv) {
    const int only = argc > 1 ? atoi(argv[1]) : 0; // 0: all sizes
    if (only < 0 || only > 1 << 26 || (argc > 1 && only == 0)) {
        fprintf(stderr, "usage: %s [STRUCTURES]\n", argv[0]);
        return 2;
    }
    bool right = true;
    for (int size = 1 << 15; size <= 1 << 23; size <<= 4) {
        const int n = only ? only : size;
        printf("%d particles, images of %d pixels\n", n, n);
        right &= run_particles(n);
        right &= run_image("split_colours", split_colours, 3, true, n);
        right &= run_image("weave_colours", weave_colours, 3, false, n);
        right &= run_image("weave_bands", weave_bands, 9, false, n);
        if (only) break;
    }
    return right ? 0 : 1;
}
