// An independent solution: tiles swizzled in place of padded, a guard around each access, matrices turned pair by pair in shared memory.
#define ROWS_BLOCK 8
#define MATRICES_BLOCK 16
#include "given.inc"

extern "C" __global__ void rotate(const float *in, float *out, int rows, int cols) {
    __shared__ float buf[1024];
    const unsigned tiles_x = (cols + 31) >> 5;
    const int bx = (blockIdx.x % tiles_x) << 5, by = (blockIdx.x / tiles_x) << 5;
    for (int j = threadIdx.y; j < 32; j += 8) {
        int x = bx + threadIdx.x, y = by + j;
        if (x < cols && y < rows) buf[j * 32 + (threadIdx.x ^ j)] = in[y * (size_t)cols + x];
    }
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8) {
        int x = by + 31 - threadIdx.x, y = bx + j;
        if (y < cols && x < rows) out[y * (size_t)rows + (rows - 1 - x)] = buf[(31 - threadIdx.x) * 32 + (j ^ (31 - threadIdx.x))];
    }
}

extern "C" __global__ void mirror(const float *packed, float *out, int n) {
    __shared__ float buf[1024];
    int ty, tx;
    tile_of(blockIdx.x, &ty, &tx);
    bool diagonal = ty == tx;
    for (int j = threadIdx.y; j < 32; j += 8) {
        int y = ty * 32 + j, x = tx * 32 + threadIdx.x;
        float v = 0;
        if (y < n && x <= y) v = packed[(size_t)y * (y + 1) / 2 + x];
        buf[j * 32 + (threadIdx.x ^ j)] = v;
    }
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8) {
        int y = ty * 32 + j, x = tx * 32 + threadIdx.x;
        bool below = threadIdx.x <= j || !diagonal;
        int from = below ? j * 32 + (threadIdx.x ^ j) : threadIdx.x * 32 + (j ^ threadIdx.x);
        if (y < n && x < n) out[(size_t)y * n + x] = buf[from];
        int yy = tx * 32 + j, xx = ty * 32 + threadIdx.x;
        if (!diagonal && yy < n && xx < n) out[(size_t)yy * n + xx] = buf[threadIdx.x * 32 + (j ^ threadIdx.x)];
    }
}

extern "C" __global__ void flip_small(float *matrices, int count) {
    __shared__ float s[MATRICES_BLOCK][145];
    int lane = threadIdx.x & 15, m = threadIdx.x >> 4;
    int global = blockIdx.x * MATRICES_BLOCK + m;
    if (global < count)
        for (int i = lane; i < 144; i += 16) s[m][i] = matrices[(size_t)global * 144 + i];
    __syncwarp();
    if (global < count)
        for (int i = lane; i < 144; i += 16) matrices[(size_t)global * 144 + i] = s[m][(i % 12) * 12 + i / 12];
}
