// Variables that live on the device: constants and globals, with and without initialisers, scalars, arrays, structs and
// pointers; written and read by name, in part, asynchronously, and by address.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#include "check.h"

struct Settings {
    double gain;
    int offset;
    char name[12];
};

__constant__ Settings settings = {1.5, 3, "initial"};
__constant__ float weights[64];
__device__ int counter = 5;
__device__ int grid_of_numbers[4][6] = {{1, 2, 3}, {4}, {}, {7, 8, 9, 10, 11, 12}};
__device__ float *buffer;
static __device__ unsigned char flags[100];
namespace deep {
__device__ long long total;
}

__global__ void use_all(int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        buffer[i] = (float)settings.gain * weights[i % 64] + settings.offset + settings.name[i % 7];
        atomicAdd(&counter, 1);
        atomicAdd((unsigned long long *)&deep::total, (unsigned long long)i);
    }
    if (i < 100) flags[i] = (unsigned char)(i + 1);
    if (i < 24) grid_of_numbers[i / 6][i % 6] *= 10;
}

#define EXPECT(what, got, wanted)                                                 \
    if ((got) != (wanted)) {                                                      \
        printf("%s is %g, expected %g\n", what, (double)(got), (double)(wanted)); \
        return 1;                                                                 \
    }

static int one_round(const Settings &expected, const float *expected_weights, int n, int before) {
    float *d_buffer;
    CHECK(cudaMalloc(&d_buffer, n * sizeof(float)));
    CHECK(cudaMemcpyToSymbol(buffer, &d_buffer, sizeof(d_buffer)));
    use_all<<<(n + 95) / 96, 96>>>(n);
    CHECK(cudaGetLastError());
    float *got = (float *)malloc(n * sizeof(float));
    CHECK(cudaMemcpy(got, d_buffer, n * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        float wanted = (float)expected.gain * expected_weights[i % 64] + expected.offset + expected.name[i % 7];
        if (got[i] != wanted) {
            printf("element %d is %g, expected %g\n", i, got[i], wanted);
            return 1;
        }
    }
    free(got);
    CHECK(cudaFree(d_buffer));
    int count;
    CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof(count)));
    EXPECT("counter", count, before + n)
    return 0;
}

int main() {
    const int n = 1111;
    float host_weights[64];
    for (int i = 0; i < 64; i++) host_weights[i] = (float)i * 0.5f;

    // What was initialised is there; what was not is zero.
    Settings now;
    int numbers[4][6];
    CHECK(cudaMemcpyFromSymbol(&now, settings, sizeof(now)));
    EXPECT("gain", now.gain, 1.5)
    EXPECT("the name's first letter", now.name[0], 'i')
    long long total = -1;
    CHECK(cudaMemcpyFromSymbol(&total, deep::total, sizeof(total)));
    EXPECT("total", total, 0)

    CHECK(cudaMemcpyToSymbol(weights, host_weights, sizeof(host_weights)));
    if (one_round(now, host_weights, n, 5)) return 1;
    CHECK(cudaMemcpyFromSymbol(numbers, grid_of_numbers, sizeof(numbers)));
    const int expected[4][6] = {{10, 20, 30, 0, 0, 0}, {40, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, {70, 80, 90, 100, 110, 120}};
    for (int i = 0; i < 24; i++) EXPECT("a number", numbers[i / 6][i % 6], expected[i / 6][i % 6])

    // Parts of symbols, by offsets; the second half of the weights, one member, one row.
    for (int i = 32; i < 64; i++) host_weights[i] = -1.0f * i;
    CHECK(cudaMemcpyToSymbol(weights, host_weights + 32, 32 * sizeof(float), 32 * sizeof(float)));
    now.offset = -20;
    CHECK(cudaMemcpyToSymbol(settings, &now.offset, sizeof(int), offsetof(Settings, offset), cudaMemcpyHostToDevice));
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    now.gain = 4.0;
    CHECK(cudaMemcpyToSymbolAsync(settings, &now.gain, sizeof(double), 0, cudaMemcpyHostToDevice, stream));
    CHECK(cudaStreamSynchronize(stream));
    if (one_round(now, host_weights, n, 5 + n)) return 1;
    int row[6];
    CHECK(cudaMemcpyFromSymbolAsync(row, grid_of_numbers, sizeof(row), 3 * sizeof(row), cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaStreamDestroy(stream));
    EXPECT("the last number", row[5], 1200)
    CHECK(cudaMemcpyFromSymbol(&total, deep::total, sizeof(total)));
    EXPECT("total", total, (long long)n * (n - 1))

    // By address and size, as any other memory.
    void *address;
    size_t size;
    unsigned char some[100];
    CHECK(cudaGetSymbolAddress(&address, flags));
    CHECK(cudaGetSymbolSize(&size, flags));
    EXPECT("size", size, 100u)
    CHECK(cudaMemset((char *)address + 10, 0xaa, 5));
    CHECK(cudaMemcpy(some, address, size, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 100; i++) EXPECT("a flag", some[i], i >= 10 && i < 15 ? 0xaa : i + 1)
    CHECK(cudaGetSymbolSize(&size, settings));
    EXPECT("size", size, sizeof(Settings))
    printf("ok: symbols written, read and counted to %d\n", 5 + 2 * n);
    return 0;
}
