// Pictures of four bytes a pixel: grey, brightness with saturation, a mirror, a box blur in shared memory and an edge
// detector; vector types, 2-D blocks and small integers.
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#include "check.h"

const int RADIUS = 2, BLOCK_X = 24, BLOCK_Y = 10; // 240 threads: no whole number of warps a row

__host__ __device__ inline unsigned char grey(uchar4 p) {
    return (unsigned char)((77 * p.x + 150 * p.y + 29 * p.z + 128) >> 8);
}

__host__ __device__ inline unsigned char clamped(int value) {
    return (unsigned char)(value < 0 ? 0 : value > 255 ? 255 : value);
}

__host__ __device__ inline uchar4 brighten(uchar4 p, int by) {
    return make_uchar4(clamped(p.x + by), clamped(p.y + by), clamped(p.z - by), p.w);
}

__global__ void to_grey(const uchar4 *in, unsigned char *out, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) out[i] = grey(in[i]);
}

__global__ void brighten_and_mirror(const uchar4 *in, uchar4 *out, int width, int height, int by) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[y * width + (width - 1 - x)] = brighten(in[y * width + x], by);
}

// The mean of the (2 RADIUS + 1)^2 pixels around, the edge repeated beyond the picture.
__global__ void blur(const unsigned char *in, unsigned char *out, int width, int height) {
    __shared__ unsigned char tile[BLOCK_Y + 2 * RADIUS][BLOCK_X + 2 * RADIUS];
    const int left = blockIdx.x * BLOCK_X - RADIUS, top = blockIdx.y * BLOCK_Y - RADIUS;
    for (int y = threadIdx.y; y < BLOCK_Y + 2 * RADIUS; y += BLOCK_Y) {
        for (int x = threadIdx.x; x < BLOCK_X + 2 * RADIUS; x += BLOCK_X) {
            int from_x = min(max(left + x, 0), width - 1), from_y = min(max(top + y, 0), height - 1);
            tile[y][x] = in[from_y * width + from_x];
        }
    }
    __syncthreads();
    int x = blockIdx.x * BLOCK_X + threadIdx.x, y = blockIdx.y * BLOCK_Y + threadIdx.y;
    if (x >= width || y >= height) return;
    int sum = 0;
    for (int j = 0; j <= 2 * RADIUS; j++) {
        for (int i = 0; i <= 2 * RADIUS; i++) sum += tile[threadIdx.y + j][threadIdx.x + i];
    }
    out[y * width + x] = (unsigned char)(sum / ((2 * RADIUS + 1) * (2 * RADIUS + 1)));
}

__host__ __device__ inline short2 gradient(const unsigned char *in, int i, int width) {
    int right = in[i - width + 1] + 2 * in[i + 1] + in[i + width + 1],
        left = in[i - width - 1] + 2 * in[i - 1] + in[i + width - 1];
    int below = in[i + width - 1] + 2 * in[i + width] + in[i + width + 1];
    int above = in[i - width - 1] + 2 * in[i - width] + in[i - width + 1];
    return make_short2((short)(right - left), (short)(below - above));
}

__global__ void edges(const unsigned char *in, short2 *out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    bool inside = x > 0 && y > 0 && x < width - 1 && y < height - 1;
    out[y * width + x] = inside ? gradient(in, y * width + x, width) : make_short2(0, 0);
}

template <typename T> static std::vector<T> download(const T *d_values, int count) {
    std::vector<T> values(count);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(values.data(), d_values, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
}

static int same(const char *filter, int i, int got, int expected) {
    if (got == expected) return 0;
    printf("%s: pixel %d is %d, expected %d\n", filter, i, got, expected);
    return 1;
}

int main() {
    const int width = 213, height = 97, pixels = width * height;
    std::vector<uchar4> picture(pixels);
    for (int i = 0; i < pixels; i++) {
        int x = i % width, y = i / width;
        picture[i] =
            make_uchar4((unsigned char)(x * 3 + y), (unsigned char)(x * y / 7), (unsigned char)(i * 2654435761u >> 24), 200);
    }
    uchar4 *d_picture, *d_bright;
    unsigned char *d_grey, *d_blur;
    short2 *d_edges;
    CHECK(cudaMalloc(&d_picture, pixels * sizeof(uchar4)));
    CHECK(cudaMalloc(&d_bright, pixels * sizeof(uchar4)));
    CHECK(cudaMalloc(&d_grey, pixels));
    CHECK(cudaMalloc(&d_blur, pixels));
    CHECK(cudaMalloc(&d_edges, pixels * sizeof(short2)));
    CHECK(cudaMemcpy(d_picture, picture.data(), pixels * sizeof(uchar4), cudaMemcpyHostToDevice));
    const dim3 block(BLOCK_X, BLOCK_Y), grid((width + BLOCK_X - 1) / BLOCK_X, (height + BLOCK_Y - 1) / BLOCK_Y);
    to_grey<<<(pixels + 127) / 128, 128>>>(d_picture, d_grey, pixels);
    brighten_and_mirror<<<grid, block>>>(d_picture, d_bright, width, height, 60);
    blur<<<grid, block>>>(d_grey, d_blur, width, height);
    edges<<<grid, block>>>(d_grey, d_edges, width, height);

    const std::vector<unsigned char> greys = download(d_grey, pixels), blurred = download(d_blur, pixels);
    const std::vector<uchar4> bright = download(d_bright, pixels);
    const std::vector<short2> gradients = download(d_edges, pixels);
    for (int i = 0; i < pixels; i++) {
        int x = i % width, y = i / width, sum = 0;
        if (same("grey", i, greys[i], grey(picture[i]))) return 1;
        uchar4 expected = brighten(picture[y * width + width - 1 - x], 60), got = bright[i];
        if (same("red", i, got.x, expected.x) || same("green", i, got.y, expected.y)) return 1;
        if (same("blue", i, got.z, expected.z) || same("alpha", i, got.w, 200)) return 1;
        for (int j = -RADIUS; j <= RADIUS; j++) {
            for (int k = -RADIUS; k <= RADIUS; k++) {
                int from_x = std::min(std::max(x + k, 0), width - 1), from_y = std::min(std::max(y + j, 0), height - 1);
                sum += greys[from_y * width + from_x];
            }
        }
        if (same("blur", i, blurred[i], sum / 25)) return 1;
        bool inside = x > 0 && y > 0 && x < width - 1 && y < height - 1;
        short2 edge = inside ? gradient(greys.data(), i, width) : make_short2(0, 0);
        if (same("edge.x", i, gradients[i].x, edge.x) || same("edge.y", i, gradients[i].y, edge.y)) return 1;
    }
    for (void *p : {(void *)d_picture, (void *)d_bright, (void *)d_grey, (void *)d_blur, (void *)d_edges}) CHECK(cudaFree(p));
    printf("ok: %d pixels through 4 filters\n", pixels);
    return 0;
}
