// The solution of lab 05, as someone hands it on who does not want to be found: other names, statements and kernels in another order, loops and
// conditions written in another way.
constexpr int EDGE = 32, STEP = 8, N = 12;
#define PER_BLOCK 8
#define LINES 4

extern "C" __global__ void flip_small(float *data, int how_many) {
    constexpr int WHOLE = PER_BLOCK * (N * N);
    __shared__ float buffer[WHOLE];
    int mine = N * N * min(PER_BLOCK, (int)(how_many - PER_BLOCK * blockIdx.x));
    size_t offset = (size_t)WHOLE * blockIdx.x;
#pragma unroll
    for (int base = 0; base < WHOLE; base += 256) {
        int place = threadIdx.x + base;
        if (place >= mine) continue;
        buffer[place] = data[place + offset];
    }
    __syncthreads();
#pragma unroll
    for (int base = 0; base < WHOLE; base += 256) {
        int place = threadIdx.x + base;
        int column = place % N, line = place % (N * N) / N;
        if (place >= mine) continue;
        data[place + offset] = buffer[column * N + line + place / (N * N) * (N * N)];
    }
}

__device__ inline void where(int number, int *down, int *right) {
    int guess = (int)((sqrtf(1 + 8.0f * number) - 1) / 2);
    if (number >= (guess + 2) * (guess + 1) / 2) guess++;
    if (number < guess * (guess + 1) / 2) guess--;
    *right = number - guess * (guess + 1) / 2, *down = guess;
}

extern "C" __global__ void mirror(const float *half, float *whole, int size) {
    int down, right;
    where(blockIdx.x, &down, &right);
    __shared__ float cache[EDGE][1 + EDGE];
    int ty = threadIdx.y, tx = threadIdx.x;
    int c = tx + EDGE * right, r = ty + EDGE * down;
#pragma unroll
    for (int j = 0; j < EDGE; j += STEP) {
        int safe = min(size - 1, j + r);
        cache[j + ty][tx] = half[min(safe, c) + (size_t)safe * (1 + safe) / 2];
    }
#pragma unroll
    for (int j = 0; j < EDGE; j += STEP) {
        if (c > j + r || j + r >= size) continue;
        whole[c + (size_t)(j + r) * size] = cache[j + ty][tx];
    }
    __syncthreads();
    c = ty + EDGE * right, r = tx + EDGE * down;
#pragma unroll
    for (int j = 0; j < EDGE; j += STEP) {
        if (r <= c + j || size <= r) continue;
        whole[r + (size_t)(j + c) * size] = cache[tx][j + ty];
    }
}

extern "C" {
__constant__ int matrices_block = PER_BLOCK;
__constant__ int rows_block = LINES;
__constant__ int patch_stores[5] = {16, 8, 4, 16, 8};
__constant__ int patch_loads[5] = {4, 4, 16, 8, 8};
}

extern "C" __global__ void rotate(const float *picture, float *turned, int height, int width) {
    __shared__ float cache[EDGE][1 + EDGE];
    int tiles = (height + EDGE - 1) / EDGE;
    int left = blockIdx.x / tiles * EDGE, top = blockIdx.x % tiles * EDGE;
    int c = threadIdx.x + left, r = threadIdx.y + top;
#pragma unroll
    for (int j = 0; j < EDGE; j += LINES)
        cache[j + threadIdx.y][threadIdx.x] = picture[min(width - 1, c) + (size_t)min(height - 1, j + r) * width];
    __syncthreads();
    c = threadIdx.y + left, r = threadIdx.x + top;
#pragma unroll
    for (int j = 0; j < EDGE; j += LINES) {
        if (c + j >= width || r >= height) continue;
        turned[height + (size_t)(c + j) * height - 1 - r] = cache[threadIdx.x][j + threadIdx.y];
    }
}

template <typename Item> __device__ void small(const Item *from, Item *to, int wide) {
    int y = threadIdx.x / wide, x = threadIdx.x % wide;
    to[y + 32 * x] = from[x + 32 * y];
}
extern "C" __global__ void patch_doubles(const double *from, double *to, int wide) { small(from, to, wide); }
extern "C" __global__ void patch_floats(const float *from, float *to, int wide) { small(from, to, wide); }
