// An independent solution: a block's threads counted along the tile, float4 in the small matrices, tiles written row by row by warps.
#define ROWS_BLOCK 4
#define MATRICES_BLOCK 8
#include "given.inc"

extern "C" __global__ void rotate(const float *in, float *out, int rows, int cols) {
    __shared__ float square[TILE][TILE + 1];
    unsigned t = threadIdx.y * 32 + threadIdx.x, wide = (cols + 31) / 32;
    unsigned top = blockIdx.x / wide * 32, left = blockIdx.x % wide * 32;
    for (unsigned k = t; k < 1024; k += 128) {
        unsigned y = top + k / 32, x = left + k % 32;
        if (y >= (unsigned)rows || x >= (unsigned)cols) continue;
        square[k % 32][k / 32] = __ldg(in + ((size_t)y * cols + x));
    }
    __syncthreads();
    for (unsigned k = t; k < 1024; k += 128) {
        unsigned x = top + k % 32, y = left + k / 32;
        if (x < (unsigned)rows && y < (unsigned)cols) out[(size_t)y * rows + (rows - 1 - x)] = square[k / 32][k % 32];
    }
}

extern "C" __global__ void mirror(const float *packed, float *out, int n) {
    __shared__ float square[TILE][TILE + 1];
    int big, little;
    tile_of(blockIdx.x, &big, &little);
    unsigned t = threadIdx.y * 32 + threadIdx.x;
    for (unsigned k = t; k < 1024; k += 256) {
        unsigned y = big * 32 + k / 32, x = little * 32 + k % 32;
        if (y >= (unsigned)n || x > y) continue;
        float v = __ldg(packed + ((unsigned long long)y * (y + 1) / 2 + x));
        square[k / 32][k % 32] = v;
        out[(unsigned long long)y * n + x] = v;
    }
    __syncthreads();
    for (unsigned k = t; k < 1024; k += 256) {
        unsigned x = big * 32 + k % 32, y = little * 32 + k / 32;
        if (x < (unsigned)n && y < x) out[(unsigned long long)y * n + x] = square[k % 32][k / 32];
    }
}

extern "C" __global__ void flip_small(float *matrices, int count) {
    __shared__ float4 quads[8 * 36];
    float *floats = (float *)quads;
    float4 *from = (float4 *)(matrices + (size_t)blockIdx.x * 8 * 144);
    int there = count - (int)blockIdx.x * 8;
    there = (there > 8 ? 8 : there) * 36;
    for (int q = threadIdx.x; q < there; q += blockDim.x) quads[q] = from[q];
    __syncthreads();
    for (int q = threadIdx.x; q < there; q += blockDim.x) {
        int m = q / 36 * 144, row = q % 36 / 3, col = q % 3 * 4;
        float *source = floats + m + col * 12 + row;
        from[q] = make_float4(source[0], source[12], source[24], source[36]);
    }
}
