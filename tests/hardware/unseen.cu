/* unseen.cu: kernels of kinds that programs have, whose times the model was held to without having seen them: unseen.launches runs them. They and their sizes
 * were chosen, and written down here, before any was measured or emulated. Every buffer that a kernel indexes by a mask has a power of two elements. */

__global__ void axpy_doubles(const double *x, double *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2.5 * x[i] + y[i];
}

__global__ void triad(float4 *a, const float4 *b, const float4 *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 p = b[i], q = c[i];
    a[i] = make_float4(p.x + 3 * q.x, p.y + 3 * q.y, p.z + 3 * q.z, p.w + 3 * q.w);
}

/* Seven points of n x n x n; each thread goes along z. */
__global__ void stencil_along_z(const float *in, float *out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || y == 0 || x >= n - 1 || y >= n - 1) return;
    int at = y * n + x, plane = n * n;
    float below = in[at], here = in[at + plane];
    for (int z = 1; z < n - 1; z++) {
        at += plane;
        float above = in[at + plane];
        out[at] = 0.5f * here + 0.1f * (below + above + in[at - 1] + in[at + 1] + in[at - n] + in[at + n]);
        below = here, here = above;
    }
}

__global__ void matrix_vector_by_threads(const float *a, const float *x, float *y, int rows, int columns) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float sum = 0;
    for (int c = 0; c < columns; c++) sum += a[r * columns + c] * x[c];
    y[r] = sum;
}

__device__ float sum_of_warp(float value) {
    for (int d = 16; d; d /= 2) value += __shfl_xor_sync(0xffffffff, value, d);
    return value;
}

__global__ void matrix_vector_by_warps(const float *a, const float *x, float *y, int rows, int columns) {
    int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    float sum = 0;
    for (int c = lane; c < columns; c += 32) sum += a[r * columns + c] * x[c];
    sum = sum_of_warp(sum);
    if (lane == 0) y[r] = sum;
}

__global__ void dot_of_blocks(const float *a, const float *b, float *sums, int n) {
    __shared__ float part[32];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += a[i] * b[i];
    sum = sum_of_warp(sum);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    sum = sum_of_warp(threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

/* A block of 256 for each row of 1024. */
__global__ void softmax_of_rows(const float *in, float *out) {
    __shared__ float shared[256];
    const float *row = in + blockIdx.x * 1024;
    float value[4], sum = 0;
    for (int k = 0; k < 4; k++) sum += value[k] = __expf(row[k * 256 + threadIdx.x] * 1e-6f);
    shared[threadIdx.x] = sum;
    for (int d = 128; d; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d) shared[threadIdx.x] += shared[threadIdx.x + d];
    }
    __syncthreads();
    for (int k = 0; k < 4; k++) out[blockIdx.x * 1024 + k * 256 + threadIdx.x] = value[k] / shared[0];
}

/* A warp for each row of 256. */
__global__ void normalised_rows(const float *in, float *out, int rows) {
    int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    float value[8], sum = 0, squares = 0;
    for (int k = 0; k < 8; k++) sum += value[k] = in[r * 256 + k * 32 + lane];
    float mean = sum_of_warp(sum) / 256;
    for (int k = 0; k < 8; k++) squares += (value[k] - mean) * (value[k] - mean);
    float scale = rsqrtf(sum_of_warp(squares) / 256 + 1e-5f);
    for (int k = 0; k < 8; k++) out[r * 256 + k * 32 + lane] = (value[k] - mean) * scale;
}

/* Rows of 24 elements, whose columns lie anywhere. */
__global__ void sparse_rows(const float *values, const float *x, float *y, int rows, unsigned mask) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float sum = 0;
    for (int k = 0; k < 24; k++) sum += values[k * rows + r] * x[(r * 7919u + k * 104729u) & mask];
    y[r] = sum;
}

__global__ void permuted(const float *in, float *out, unsigned mask) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[(i * 40503u) & mask];
}

__global__ void pooled(const float *in, float *out, int columns) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const float *at = in + 2 * y * 2 * columns + 2 * x;
    out[y * columns + x] = 0.25f * (at[0] + at[1] + at[2 * columns] + at[2 * columns + 1]);
}

__global__ void doubled(const float *in, float *out, int columns) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float value = in[y * columns + x], *at = out + 2 * y * 2 * columns + 2 * x;
    at[0] = at[1] = at[2 * columns] = at[2 * columns + 1] = value;
}

__global__ void grey(const unsigned char *rgb, unsigned char *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2]) >> 8;
}

/* Seventeen taps; `in` has 16 elements more than there are threads. */
__global__ void taps_in_shared(const float *in, float *out) {
    __shared__ float tile[256 + 16];
    int i = blockIdx.x * 256 + threadIdx.x;
    tile[threadIdx.x] = in[i];
    if (threadIdx.x < 16) tile[256 + threadIdx.x] = in[i + 256];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 17; k++) sum += tile[threadIdx.x + k] * (k + 1);
    out[i] = sum;
}

__global__ void edges(const float *in, float *out, int columns, int rows) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || y == 0 || x >= columns - 1 || y >= rows - 1) return;
    const float *a = in + (y - 1) * columns + x, *b = a + columns, *c = b + columns;
    float h = a[1] + 2 * b[1] + c[1] - a[-1] - 2 * b[-1] - c[-1], v = c[-1] + 2 * c[0] + c[1] - a[-1] - 2 * a[0] - a[1];
    out[y * columns + x] = sqrtf(h * h + v * v);
}

/* Of 512 elements a block, by 256 threads. */
__global__ void haar(float *data) {
    __shared__ float tile[512];
    float *mine = data + blockIdx.x * 512;
    tile[threadIdx.x] = mine[threadIdx.x], tile[threadIdx.x + 256] = mine[threadIdx.x + 256];
    for (int half = 256; half; half /= 2) {
        __syncthreads();
        float a = 0, b = 0;
        if (threadIdx.x < half) a = tile[2 * threadIdx.x], b = tile[2 * threadIdx.x + 1];
        __syncthreads();
        if (threadIdx.x < half) tile[threadIdx.x] = 0.5f * (a + b), tile[threadIdx.x + half] = 0.5f * (a - b);
    }
    __syncthreads();
    mine[threadIdx.x] = tile[threadIdx.x], mine[threadIdx.x + 256] = tile[threadIdx.x + 256];
}

__global__ void bodies_by_tiles(const float4 *at, float4 *force, int n) {
    __shared__ float4 tile[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    float4 p = at[i], f = make_float4(0, 0, 0, 0);
    for (int start = 0; start < n; start += 128) {
        tile[threadIdx.x] = at[start + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 128; k++) {
            float dx = tile[k].x - p.x, dy = tile[k].y - p.y, dz = tile[k].z - p.z;
            float r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), s = tile[k].w * r * r * r;
            f.x += s * dx, f.y += s * dy, f.z += s * dz;
        }
        __syncthreads();
    }
    force[i] = f;
}

/* 64 x 64 elements a block of 16 x 16, 4 x 4 a thread. */
__global__ void product_in_registers(const float *a, const float *b, float *c, int n) {
    __shared__ float as[16][64 + 1], bs[16][64];
    float sum[4][4] = {};
    int t = threadIdx.y * 16 + threadIdx.x, row = blockIdx.y * 64, column = blockIdx.x * 64;
    for (int k = 0; k < n; k += 16) {
        for (int e = t; e < 1024; e += 256) {
            as[e % 16][e / 16] = a[(row + e / 16) * n + k + e % 16];
            bs[e / 64][e % 64] = b[(k + e / 64) * n + column + e % 64];
        }
        __syncthreads();
        for (int j = 0; j < 16; j++)
            for (int y = 0; y < 4; y++)
                for (int x = 0; x < 4; x++) sum[y][x] += as[j][threadIdx.y + 16 * y] * bs[j][threadIdx.x + 16 * x];
        __syncthreads();
    }
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++) c[(row + threadIdx.y + 16 * y) * n + column + threadIdx.x + 16 * x] = sum[y][x];
}

__global__ void product_plain(const float *a, const float *b, float *c, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

__global__ void bitonic_step(int *data, int j, int k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ j;
    if (other <= i) return;
    int a = data[i], b = data[other];
    if ((a > b) == ((i & k) == 0)) data[i] = b, data[other] = a;
}

__global__ void running_sums_of_blocks(const int *in, int *out) {
    __shared__ int total[32];
    int i = blockIdx.x * 1024 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32, sum = in[i];
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(0xffffffff, sum, d);
        if (lane >= d) sum += other;
    }
    if (lane == 31) total[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        int part = total[lane];
        for (int d = 1; d < 32; d *= 2) {
            int other = __shfl_up_sync(0xffffffff, part, d);
            if (lane >= d) part += other;
        }
        total[lane] = part;
    }
    __syncthreads();
    out[i] = sum + (warp ? total[warp - 1] : 0);
}

__global__ void life(const unsigned char *in, unsigned char *out, int columns, int rows) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || y == 0 || x >= columns - 1 || y >= rows - 1) return;
    int n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) n += in[(y + dy) * columns + x + dx] & 1;
    out[y * columns + x] = n == 3 || (n == 4 && (in[y * columns + x] & 1));
}

__global__ void sums_of_columns(const float *a, float *sums, int rows, int columns) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int r = blockIdx.y; r < rows; r += gridDim.y) sum += a[r * columns + c];
    sums[blockIdx.y * columns + c] = sum;
}

/* Of n x n x n, x and z change places. */
__global__ void cube_transposed(const float *in, float *out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z * blockDim.y + threadIdx.y;
    out[(x * n + y) * n + z] = in[(z * n + y) * n + x];
}

__global__ void horner(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = in[i] * 1e-7f, y = 1;
    for (int k = 0; k < 48; k++) y = y * x + 0.5f;
    out[i] = y;
}

__global__ void drawn(unsigned *out, int steps) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, state = i * 747796405u + 1;
    for (int k = 0; k < steps; k++) state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    out[i] = state;
}

struct Particle {
    float at[3], speed[3], mass;
};

__global__ void moved(Particle *particles, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int k = 0; k < 3; k++) particles[i].at[k] += 0.01f * particles[i].speed[k];
}

__global__ void interleaved(const float *a, const float *b, float2 *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = make_float2(a[i], b[i]);
}

__global__ void histogram_of_blocks(const unsigned char *in, unsigned *counts, int n) {
    __shared__ unsigned mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&mine[in[i]], 1u);
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], mine[threadIdx.x]);
}
