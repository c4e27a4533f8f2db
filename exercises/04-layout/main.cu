// Lab 04 on a real GPU: checks advance() and normalise() against the host and times them, at three sizes or at one.
//
//     nvcc -O3 main.cu -o main && ./main [STRUCTURES]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "kernel.cu"

#define CHECK(call)                                                                            \
    do {                                                                                       \
        cudaError_t status = (call);                                                           \
        if (status != cudaSuccess) {                                                           \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(status));  \
            exit(1);                                                                           \
        }                                                                                      \
    } while (0)

static const int TURNS = 20;

// Time of one launch in milliseconds: the mean of TURNS, after one that warms up.
template <typename Launch> static float time_of(Launch launch) {
    cudaEvent_t start, stop;
    float ms;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    launch();
    CHECK(cudaEventRecord(start));
    for (int i = 0; i < TURNS; i++) launch();
    CHECK(cudaEventRecord(stop));
    CHECK(cudaGetLastError());
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    return ms / TURNS;
}

static unsigned blocks(size_t threads) { return (unsigned)((threads + BLOCK - 1) / BLOCK); }

static bool show(const char *name, float ms, double bytes, bool is_right) {
    printf("%-16s %10.4f %10.1f  %s\n", name, ms, bytes / ms / 1e6, is_right ? "right" : "WRONG");
    return is_right;
}

static bool close_to(const std::vector<float> &got, const std::vector<float> &expected, float tolerance) {
    for (size_t i = 0; i < expected.size(); i++)
        if (!(fabsf(got[i] - expected[i]) <= tolerance)) {
            printf("float %zu is %g and should be %g\n", i, got[i], expected[i]);
            return false;
        }
    return true;
}

static bool run_advance(int n) {
    const int capacity = (n + 31) / 32 * 32;
    const float seconds = 0.25f;
    std::vector<float> before((size_t)n * FIELDS), after(before.size());
    for (size_t i = 0; i < before.size(); i++) before[i] = (float)(i % 1021) / 64;
    float *particles, *storage;
    CHECK(cudaMalloc(&particles, before.size() * sizeof(float)));
    CHECK(cudaMalloc(&storage, (size_t)capacity * FIELDS * sizeof(float)));
    CHECK(cudaMemcpy(particles, before.data(), before.size() * sizeof(float), cudaMemcpyHostToDevice));

    pack<<<blocks(before.size()), BLOCK>>>(particles, storage, n, capacity);
    advance<<<blocks(n), BLOCK>>>(storage, seconds, n, capacity);
    unpack<<<blocks(before.size()), BLOCK>>>(storage, particles, n, capacity);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(after.data(), particles, after.size() * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        for (int k = X; k <= Z; k++) before[(size_t)i * FIELDS + k] += before[(size_t)i * FIELDS + VX + k] * seconds;
    bool is_right = close_to(after, before, 0.0f);

    float ms = time_of([&] { advance<<<blocks(n), BLOCK>>>(storage, seconds, n, capacity); });
    CHECK(cudaFree(particles));
    CHECK(cudaFree(storage));
    return show("advance", ms, 9.0 * sizeof(float) * n, is_right);
}

template <typename Structure>
static bool run_normalise(const char *name, void (*kernel)(const Structure *, Structure *, int), int n) {
    const size_t floats = sizeof(Structure) / sizeof(float);
    std::vector<float> before(n * floats), after(before.size());
    for (size_t i = 0; i < before.size(); i++) before[i] = 1 + (float)(i % 1021) / 64;
    Structure *in, *out;
    CHECK(cudaMalloc(&in, before.size() * sizeof(float)));
    CHECK(cudaMalloc(&out, before.size() * sizeof(float)));
    CHECK(cudaMemcpy(in, before.data(), before.size() * sizeof(float), cudaMemcpyHostToDevice));

    float ms = time_of([&] { kernel<<<blocks(n), BLOCK>>>(in, out, n); });
    CHECK(cudaMemcpy(after.data(), out, after.size() * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        float *v = &before[i * floats];
        double squares = 0;
        for (size_t k = 0; k < floats; k++) squares += (double)v[k] * v[k];
        for (size_t k = 0; k < floats; k++) v[k] = (float)(v[k] / sqrt(squares));
    }
    bool is_right = close_to(after, before, 1e-6f);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return show(name, ms, 2.0 * sizeof(Structure) * n, is_right);
}

int main(int argc, char **argv) {
    const int only = argc > 1 ? atoi(argv[1]) : 0; // 0: all sizes
    if (only < 0 || only > 1 << 26 || (argc > 1 && only == 0)) {
        fprintf(stderr, "usage: %s [STRUCTURES]\n", argv[0]);
        return 2;
    }
    printf("%-16s %10s %10s\n", "kernel", "ms", "GB/s used");
    bool all_right = true;
    for (int size = 1 << 14; size <= 1 << 22; size <<= 4) {
        const int n = only ? only : size + 1;
        printf("%d structures\n", n);
        all_right &= run_advance(n);
        all_right &= run_normalise("normalise_points", normalise_points, n);
        all_right &= run_normalise("normalise_bodies", normalise_bodies, n);
        if (only) break;
    }
    return all_right ? 0 : 1;
}
