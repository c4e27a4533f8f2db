// Rows with a pitch, and volumes: 2-D and 3-D allocations, fills and copies, whole and in part, between host and device and
// within the device.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#include "check.h"

__global__ void add_to_rows(float *data, size_t pitch, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float *row = (float *)((char *)data + y * pitch);
    row[x] += 1000.0f * y;
}

__global__ void add_to_volume(cudaPitchedPtr volume, cudaExtent extent) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
    if (x >= extent.width / sizeof(int)) return;
    char *slice = (char *)volume.ptr + z * volume.pitch * extent.height;
    int *row = (int *)(slice + y * volume.pitch);
    row[x] += 100 * y + 10000 * z;
}

template <typename T, typename F> static int expect(const char *what, const std::vector<T> &got, int width, F expected) {
    for (size_t i = 0; i < got.size(); i++) {
        T wanted = expected((int)i % width, (int)i / width);
        if (got[i] != wanted) {
            printf("%s: element (%d, %d) is %g, expected %g\n", what, (int)i % width, (int)i / width, (double)got[i],
                   (double)wanted);
            return 1;
        }
    }
    return 0;
}

static int planes() {
    const int width = 77, height = 41;
    const size_t row = width * sizeof(float);
    std::vector<float> in(width * height), out(width * height, -1.0f);
    for (size_t i = 0; i < in.size(); i++) in[i] = (float)(i % width);
    float *d_a, *d_b;
    size_t pitch_a, pitch_b;
    CHECK(cudaMallocPitch(&d_a, &pitch_a, row, height));
    CHECK(cudaMallocPitch((void **)&d_b, &pitch_b, row, height));
    if (pitch_a < row || pitch_a % sizeof(float) != 0) {
        printf("a pitch of %zu bytes for rows of %zu\n", pitch_a, row);
        return 1;
    }
    CHECK(cudaMemcpy2D(d_a, pitch_a, in.data(), row, row, height, cudaMemcpyHostToDevice));
    add_to_rows<<<dim3((width + 31) / 32, (height + 3) / 4), dim3(32, 4)>>>(d_a, pitch_a, width, height);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy2D(d_b, pitch_b, d_a, pitch_a, row, height, cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy2DAsync(out.data(), row, d_b, pitch_b, row, height, cudaMemcpyDeviceToHost, 0));
    CHECK(cudaStreamSynchronize(0));
    auto value = [](int x, int y) { return x + 1000.0f * y; };
    if (expect("plane", out, width, value)) return 1;

    // A window of 20 x 10 whose corner is (8, 5), filled with zero bytes; another one copied to the corner (50, 30).
    char *window = (char *)d_b + 5 * pitch_b + 8 * sizeof(float);
    CHECK(cudaMemset2D(window, pitch_b, 0, 20 * sizeof(float), 10));
    char *source = (char *)d_a + 5 * pitch_a + 8 * sizeof(float), *target = (char *)d_b + 30 * pitch_b + 50 * sizeof(float);
    CHECK(cudaMemcpy2D(target, pitch_b, source, pitch_a, 20 * sizeof(float), 10, cudaMemcpyDefault));
    CHECK(cudaMemcpy2D(out.data(), row, d_b, pitch_b, row, height, cudaMemcpyDeviceToHost));
    auto windows = [&](int x, int y) {
        if (x >= 8 && x < 28 && y >= 5 && y < 15) return 0.0f;
        if (x >= 50 && x < 70 && y >= 30 && y < 40) return value(x - 42, y - 25);
        return value(x, y);
    };
    if (expect("windows", out, width, windows)) return 1;
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    return 0;
}

static int volumes() {
    const int width = 45, height = 13, depth = 7;
    const cudaExtent extent = make_cudaExtent(width * sizeof(int), height, depth);
    std::vector<int> in(width * height * depth), out(in.size(), -1);
    for (size_t i = 0; i < in.size(); i++) in[i] = (int)(i % width);
    cudaPitchedPtr d_a, d_b;
    CHECK(cudaMalloc3D(&d_a, extent));
    CHECK(cudaMalloc3D(&d_b, extent));

    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(in.data(), width * sizeof(int), width, height);
    copy.dstPtr = d_a;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    add_to_volume<<<dim3((width + 31) / 32, height, depth), 32>>>(d_a, extent);
    CHECK(cudaGetLastError());

    // A box of 30 x 6 x 3 from (10, 4, 2) goes to (1, 2, 3) of a volume of bytes 0x11.
    CHECK(cudaMemset3D(d_b, 0x11, extent));
    cudaMemcpy3DParms box = {};
    box.srcPtr = d_a;
    box.srcPos = make_cudaPos(10 * sizeof(int), 4, 2);
    box.dstPtr = d_b;
    box.dstPos = make_cudaPos(1 * sizeof(int), 2, 3);
    box.extent = make_cudaExtent(30 * sizeof(int), 6, 3);
    box.kind = cudaMemcpyDeviceToDevice;
    CHECK(cudaMemcpy3D(&box));

    cudaMemcpy3DParms back = {};
    back.srcPtr = d_b;
    back.dstPtr = make_cudaPitchedPtr(out.data(), width * sizeof(int), width, height);
    back.extent = extent;
    back.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3DAsync(&back, 0));
    CHECK(cudaDeviceSynchronize());
    auto value = [&](int x, int line) {
        int y = line % height, z = line / height;
        if (x < 1 || x >= 31 || y < 2 || y >= 8 || z < 3 || z >= 6) return 0x11111111;
        return (x + 9) + 100 * (y + 2) + 10000 * (z - 1);
    };
    if (expect("volume", out, width, value)) return 1;
    CHECK(cudaFree(d_a.ptr));
    CHECK(cudaFree(d_b.ptr));
    return 0;
}

int main() {
    if (planes() || volumes()) return 1;
    printf("ok: planes and volumes\n");
    return 0;
}
