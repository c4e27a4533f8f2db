// Experiments on reads that SMs make together: h200-steps.csv and h200-meetings.csv have what an H200 counted. tests/hardware/run launches these
// kernels on the emulator. Each block reads what others read as well, and waits for it, in one way or another.
#define LANE (threadIdx.x % 32)
#define WARP (threadIdx.x / 32)
extern "C" {
// Block b reads the n lines of stream b / K (mod: b % K), one after the other.
__global__ void lines(const float *in, float *out, int n, int K, int mod) {
    float sum = 0;
    int add = 0, stream = mod ? blockIdx.x % K : blockIdx.x / K;
    for (int i = 0; i < n; i++) {
        float v = in[(stream * n + i) * 32 + LANE + add];
        add = v == 12345.678f; // the next load waits for this one
        sum += v;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// Each request takes L lines; block b begins `turned` * b requests later.
__global__ void wide(const float *in, float *out, int n, int L, int turned) {
    float sum = 0;
    int add = 0;
    for (int i = 0; i < n; i++) {
        int k = (i + turned * blockIdx.x) % n;
        float v = 0;
        if (LANE < L) v = in[k * L * 32 + LANE * 32 + add];
        add = v == 12345.678f;
        sum += v;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// Tiles of 4 KB, the same for all blocks.
__global__ void tiles(const float4 *in, float4 *out, int n) {
    __shared__ float4 tile[256];
    float4 sum = {0, 0, 0, 0};
    for (int k = 0; k < n; k++) {
        tile[threadIdx.x] = in[k * 256 + threadIdx.x];
        __syncthreads();
        sum.x += tile[threadIdx.x ^ 1].x;
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// The product of an H x H by an H x W matrix.
__global__ void naive(const float *a, const float *b, float *c, unsigned H, unsigned W) {
    unsigned row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (unsigned i = 0; i < H; i++) sum += a[row * H + i] * b[i * W + col];
    c[row * W + col] = sum;
}
}
template <int T> __device__ void tiled(const float *a, const float *b, float *c, unsigned H, unsigned W) {
    __shared__ float x[T][T], y[T][T];
    unsigned row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
    float sum = 0;
    for (unsigned t = 0; t < H; t += T) {
        x[threadIdx.y][threadIdx.x] = a[row * H + t + threadIdx.x];
        y[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * W + col];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < T; i++) sum += x[threadIdx.y][i] * y[i][threadIdx.x];
        __syncthreads();
    }
    c[row * W + col] = sum;
}
extern "C" __global__ void tiled16(const float *a, const float *b, float *c, unsigned H, unsigned W) { tiled<16>(a, b, c, H, W); }
extern "C" __global__ void tiled32(const float *a, const float *b, float *c, unsigned H, unsigned W) { tiled<32>(a, b, c, H, W); }
