// An independent solution: four loads into registers first, a warp for each row of a tile, matrices by a table of places.
#define ROWS_BLOCK 16
#define MATRICES_BLOCK 4
#include "given.inc"

extern "C" __global__ void rotate(const float *in, float *out, int rows, int cols) {
    __shared__ float t[TILE * 33];
    int tx = threadIdx.x, ty = threadIdx.y, nb = (rows + TILE - 1) / TILE;
    long long r0 = (long long)(blockIdx.x % nb) * TILE, c0 = (long long)(blockIdx.x / nb) * TILE;
    float first = 0, second = 0;
    bool inside = c0 + tx < cols;
    if (inside && r0 + ty < rows) first = in[(r0 + ty) * cols + c0 + tx];
    if (inside && r0 + ty + 16 < rows) second = in[(r0 + ty + 16) * cols + c0 + tx];
    t[tx * 33 + 31 - ty] = first;
    t[tx * 33 + 15 - ty] = second;
    __syncthreads();
    long long to = rows - 32 - r0 + tx;
    if (to >= 0) {
        if (c0 + ty < cols) out[(c0 + ty) * rows + to] = t[ty * 33 + tx];
        if (c0 + ty + 16 < cols) out[(c0 + ty + 16) * rows + to] = t[(ty + 16) * 33 + tx];
    }
}

extern "C" __global__ void mirror(const float *packed, float *out, int n) {
    __shared__ float t[33 * 32];
    float kept[4];
    int a, b;
    tile_of(blockIdx.x, &a, &b);
    a *= 32, b *= 32;
    for (int q = 0; q < 4; q++) {
        long long y = a + 4 * threadIdx.y + q, x = b + threadIdx.x;
        kept[q] = y < n && x <= y ? packed[(y * y + y >> 1) + x] : -1.0f;
        t[threadIdx.x * 33 + 4 * threadIdx.y + q] = kept[q];
    }
    __syncthreads();
    for (int q = 0; q < 4; q++) {
        int y = a + 4 * threadIdx.y + q, x = b + threadIdx.x;
        if (y < n && x <= y) out[(long long)n * y + x] = kept[q];
        int u = b + 4 * threadIdx.y + q, v = a + threadIdx.x;
        if (v < n && u < v) out[(long long)n * u + v] = t[(4 * threadIdx.y + q) * 33 + threadIdx.x];
    }
}

extern "C" __global__ void flip_small(float *matrices, int count) {
    float hold[3];
    float *mine = matrices + (size_t)blockIdx.x * (4 * 144);
    int limit = (count - (int)blockIdx.x * 4) * 144;
    int n = 0;
    for (int e = threadIdx.x; e < 576 && e < limit; e += 256) {
        int m = e / 144, r = e % 144;
        hold[n++] = mine[m * 144 + r % 12 * 12 + r / 12];
    }
    __syncthreads();
    n = 0;
    for (int e = threadIdx.x; e < 576 && e < limit; e += 256) mine[e] = hold[n++];
}
