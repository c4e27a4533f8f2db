// Those kernels of joined.cu that keep tiles of matrices and grids in shared memory.
#define TID (blockIdx.x * blockDim.x + threadIdx.x)
#define ARGUMENTS const float *in, float *out, int n

template <int TILE, int PAD, typename Number> static __device__ Number tile_product(const Number *a, const Number *b, int n) {
    __shared__ Number as[TILE][TILE + PAD], bs[TILE][TILE + PAD];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    Number sum = 0;
    for (int t = 0; t < n / TILE; t++) {
        as[y][x] = a[row * n + t * TILE + x];
        bs[y][x] = b[(t * TILE + y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += as[y][k] * bs[k][x];
        __syncthreads();
    }
    return sum;
}

extern "C" {
__global__ void sgemm_tile16(ARGUMENTS) {
    out[(blockIdx.y * 16 + threadIdx.y) * n + TID] = tile_product<16, 0>(in, in + n * n, n);
}
__global__ void sgemm_tile32(ARGUMENTS) {
    out[(blockIdx.y * 32 + threadIdx.y) * n + TID] = tile_product<32, 0>(in, in + n * n, n);
}
__global__ void sgemm_tile32_padded(ARGUMENTS) {
    out[(blockIdx.y * 32 + threadIdx.y) * n + TID] = tile_product<32, 1>(in, in + n * n, n);
}
__global__ void sgemm_transposed(ARGUMENTS) { // the tile of b lies transposed
    __shared__ float as[32][32], bs[32][33];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32 + y;
    float sum = 0;
    for (int t = 0; t < n; t += 32) {
        as[y][x] = in[row * n + t + x];
        bs[y][x] = in[n * n + (blockIdx.x * 32 + y) * n + t + x];
        __syncthreads();
        for (int k = 0; k < 32; k++) sum += as[y][k] * bs[x][k];
        __syncthreads();
    }
    out[row * n + TID] = sum;
}
__global__ void sgemm_column_of_8(ARGUMENTS) { // eight rows of the result a thread
    __shared__ float as[32][32], bs[32][32];
    int x = threadIdx.x, y = threadIdx.y;
    float sums[8] = {0};
    for (int t = 0; t < n; t += 32) {
        for (int r = 0; r < 8; r++) {
            as[y + 4 * r][x] = in[(blockIdx.y * 32 + y + 4 * r) * n + t + x];
            bs[y + 4 * r][x] = in[n * n + (t + y + 4 * r) * n + blockIdx.x * 32 + x];
        }
        __syncthreads();
        for (int k = 0; k < 32; k++)
            for (int r = 0; r < 8; r++) sums[r] += as[y * 8 + r][k] * bs[k][x];
        __syncthreads();
    }
    for (int r = 0; r < 8; r++) out[(blockIdx.y * 32 + y * 8 + r) * n + blockIdx.x * 32 + x] = sums[r];
}
__global__ void sgemm_registers_8x8(ARGUMENTS) { // 128 x 128 by 256 threads
    __shared__ float as[128 * 8], bs[8 * 128];
    int t = threadIdx.x, row = t / 16 * 8, column = t % 16 * 8;
    float sums[8][8] = {{0}}, a[8], b[8];
    for (int k0 = 0; k0 < n; k0 += 8) {
        for (int i = t; i < 1024; i += 256) {
            as[i] = in[(blockIdx.y * 128 + i / 8) * n + k0 + i % 8];
            bs[i] = in[n * n + (k0 + i / 128) * n + blockIdx.x * 128 + i % 128];
        }
        __syncthreads();
        for (int k = 0; k < 8; k++) {
            for (int i = 0; i < 8; i++) a[i] = as[(row + i) * 8 + k];
            for (int i = 0; i < 8; i++) b[i] = bs[k * 128 + column + i];
            for (int i = 0; i < 8; i++)
                for (int j = 0; j < 8; j++) sums[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) out[(blockIdx.y * 128 + row + i) * n + blockIdx.x * 128 + column + j] = sums[i][j];
}
__global__ void sgemm_registers_float4(ARGUMENTS) { // the same, loaded four at a time, the tile of a transposed
    __shared__ float as[8][128], bs[8][128];
    int t = threadIdx.x, row = t / 16 * 8, column = t % 16 * 8;
    float sums[8][8] = {{0}}, a[8], b[8];
    for (int k0 = 0; k0 < n; k0 += 8) {
        float4 v = *(const float4 *)&in[(blockIdx.y * 128 + t / 2) * n + k0 + t % 2 * 4];
        as[t % 2 * 4 + 0][t / 2] = v.x;
        as[t % 2 * 4 + 1][t / 2] = v.y;
        as[t % 2 * 4 + 2][t / 2] = v.z;
        as[t % 2 * 4 + 3][t / 2] = v.w;
        *(float4 *)&bs[t / 32][t % 32 * 4] = *(const float4 *)&in[n * n + (k0 + t / 32) * n + blockIdx.x * 128 + t % 32 * 4];
        __syncthreads();
        for (int k = 0; k < 8; k++) {
            for (int i = 0; i < 8; i++) a[i] = as[k][row + i];
            for (int i = 0; i < 8; i++) b[i] = bs[k][column + i];
            for (int i = 0; i < 8; i++)
                for (int j = 0; j < 8; j++) sums[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j += 4)
            *(float4 *)&out[(blockIdx.y * 128 + row + i) * n + blockIdx.x * 128 + column + j] =
                make_float4(sums[i][j], sums[i][j + 1], sums[i][j + 2], sums[i][j + 3]);
}
__global__ void sgemm_double_buffer(ARGUMENTS) {
    __shared__ float as[2][16][16], bs[2][16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = TID;
    float sum = 0;
    as[0][y][x] = in[row * n + x];
    bs[0][y][x] = in[n * n + y * n + column];
    __syncthreads();
    for (int t = 0; t < n / 16; t++) {
        int now = t % 2, next = 1 - now;
        if (t + 1 < n / 16) {
            as[next][y][x] = in[row * n + (t + 1) * 16 + x];
            bs[next][y][x] = in[n * n + ((t + 1) * 16 + y) * n + column];
        }
        for (int k = 0; k < 16; k++) sum += as[now][y][k] * bs[now][k][x];
        __syncthreads();
    }
    out[row * n + column] = sum;
}
__global__ void dgemm_tile16(ARGUMENTS) {
    const double *a = (const double *)in;
    ((double *)out)[(blockIdx.y * 16 + threadIdx.y) * n + TID] = tile_product<16, 0>(a, a + n * n, n);
}
__global__ void dgemm_registers_4x4(ARGUMENTS) { // 64 x 64 by 16 x 16 threads
    __shared__ double as[8][64], bs[8][64];
    const double *a = (const double *)in, *b = a + n * n;
    int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x;
    double sums[4][4] = {{0}};
    for (int k0 = 0; k0 < n; k0 += 8) {
        for (int i = t; i < 512; i += 256) {
            as[i % 8][i / 8] = a[(blockIdx.y * 64 + i / 8) * n + k0 + i % 8];
            bs[i / 64][i % 64] = b[(k0 + i / 64) * n + blockIdx.x * 64 + i % 64];
        }
        __syncthreads();
        for (int k = 0; k < 8; k++)
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++) sums[i][j] += as[k][y * 4 + i] * bs[k][x * 4 + j];
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            ((double *)out)[(blockIdx.y * 64 + y * 4 + i) * n + blockIdx.x * 64 + x * 4 + j] = sums[i][j];
}
__global__ void short_gemm_tile16(ARGUMENTS) {
    const short *a = (const short *)in;
    ((short *)out)[(blockIdx.y * 16 + threadIdx.y) * n + TID] = tile_product<16, 0>(a, a + n * n, n);
}
__global__ void gemv_shared_vector(ARGUMENTS) {
    __shared__ float x[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) x[i] = in[i];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < n; k++) sum += in[256 + (TID % 1024) * n + k] * x[k];
    out[TID] = sum;
}
__global__ void attention_scores(ARGUMENTS) { // each thread has a query, all go over 32 keys of 32 numbers
    __shared__ float keys[32][32];
    float query[32], best = -1e30f;
    for (int d = 0; d < 32; d++) query[d] = in[TID * 32 + d];
    for (int t = 0; t < n; t += 32) {
        for (int i = threadIdx.x; i < 1024; i += blockDim.x) keys[i / 32][i % 32] = in[t * 32 + i];
        __syncthreads();
        for (int k = 0; k < 32; k++) {
            float score = 0;
            for (int d = 0; d < 32; d++) score += query[d] * keys[k][d];
            best = fmaxf(best, score);
        }
        __syncthreads();
    }
    out[TID] = best;
}
__global__ void cholesky_16x16(ARGUMENTS) {
    __shared__ float m[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    m[y][x] = in[blockIdx.x * 256 + y * 16 + x] + (x == y ? 64 : 0);
    __syncthreads();
    for (int k = 0; k < 16; k++) {
        if (x == k && y == k) m[k][k] = sqrtf(m[k][k]);
        __syncthreads();
        if (x == k && y > k) m[y][k] /= m[k][k];
        __syncthreads();
        if (x > k && y >= x) m[y][x] -= m[y][k] * m[x][k];
        __syncthreads();
    }
    out[blockIdx.x * 256 + y * 16 + x] = m[y][x];
}
__global__ void matrix4_times_points(ARGUMENTS) {
    __shared__ float m[16];
    if (threadIdx.x < 16) m[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    float4 p = ((const float4 *)in)[TID];
    float r[4];
    for (int i = 0; i < 4; i++) r[i] = m[4 * i] * p.x + m[4 * i + 1] * p.y + m[4 * i + 2] * p.z + m[4 * i + 3] * p.w;
    ((float4 *)out)[TID] = make_float4(r[0], r[1], r[2], r[3]);
}

__global__ void convolution_1d_radius_4(ARGUMENTS) {
    __shared__ float s[256 + 8];
    int i = TID, t = threadIdx.x;
    s[t + 4] = in[i + 4];
    if (t < 4) {
        s[t] = in[i];
        s[t + 260] = in[i + 260];
    }
    __syncthreads();
    float sum = 0;
    for (int k = -4; k <= 4; k++) sum += s[t + 4 + k] * (k + 5);
    out[i] = sum;
}
__global__ void convolution_5x5(ARGUMENTS) {
    __shared__ float s[20][20];
    int x = threadIdx.x, y = threadIdx.y;
    for (int i = y * 16 + x; i < 400; i += 256)
        s[i / 20][i % 20] = in[(blockIdx.y * 16 + i / 20) * 300 + blockIdx.x * 16 + i % 20];
    __syncthreads();
    float sum = 0;
    for (int dy = 0; dy < 5; dy++)
        for (int dx = 0; dx < 5; dx++) sum += s[y + dy][x + dx] * (dy * 5 + dx);
    out[(blockIdx.y * 16 + y) * n + TID] = sum;
}
__global__ void convolution_rows(ARGUMENTS) { // each thread has eight results, a warp apart
    __shared__ float s[8][32 * 10];
    int x = threadIdx.x, y = threadIdx.y, base = (blockIdx.y * 8 + y) * 600 + blockIdx.x * 32;
    for (int i = 0; i < 10; i++) s[y][x + i * 32] = in[base + x + i * 32];
    __syncthreads();
    for (int i = 1; i < 9; i++) {
        float sum = 0;
        for (int k = -8; k <= 8; k++) sum += s[y][x + i * 32 + k] * (k + 9);
        out[base + x + i * 32] = sum;
    }
}
__global__ void convolution_columns(ARGUMENTS) {
    __shared__ float s[32][8 * 10 + 1];
    int x = threadIdx.x, y = threadIdx.y, base = blockIdx.y * 8 * 600 + blockIdx.x * 32 + x;
    for (int i = 0; i < 10; i++) s[x][y + i * 8] = in[base + (y + i * 8) * 600];
    __syncthreads();
    for (int i = 1; i < 9; i++) {
        float sum = 0;
        for (int k = -8; k <= 8; k++) sum += s[x][y + i * 8 + k] * (k + 9);
        out[base + (y + i * 8) * 600] = sum;
    }
}
__global__ void weights_in_shared(ARGUMENTS) {
    __shared__ float w[25];
    if (threadIdx.x < 25) w[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int dy = 0; dy < 5; dy++)
        for (int dx = 0; dx < 5; dx++) sum += in[TID + dy * n + dx] * w[dy * 5 + dx];
    out[TID] = sum;
}
__global__ void stencil_2d_5_points(ARGUMENTS) {
    __shared__ float s[18][18];
    int x = threadIdx.x + 1, y = threadIdx.y + 1, at = (blockIdx.y * 16 + y) * 300 + blockIdx.x * 16 + x;
    s[y][x] = in[at];
    if (x == 1) s[y][0] = in[at - 1];
    if (x == 16) s[y][17] = in[at + 1];
    if (y == 1) s[0][x] = in[at - 300];
    if (y == 16) s[17][x] = in[at + 300];
    __syncthreads();
    out[at] = s[y][x] + s[y][x - 1] + s[y][x + 1] + s[y - 1][x] + s[y + 1][x];
}
__global__ void stencil_3d_7_points(ARGUMENTS) { // goes up the planes, of which one is shared
    __shared__ float s[10][34];
    int x = threadIdx.x + 1, y = threadIdx.y + 1, at = (blockIdx.y * 8 + y) * 300 + blockIdx.x * 32 + x, plane = 300 * 70;
    float below = in[at], here = in[at + plane], above;
    for (int z = 1; z < 9; z++, below = here, here = above) {
        at += plane;
        above = in[at + plane];
        s[y][x] = here;
        if (x == 1) s[y][0] = in[at - 1];
        if (x == 32) s[y][33] = in[at + 1];
        if (y == 1) s[0][x] = in[at - 300];
        if (y == 8) s[9][x] = in[at + 300];
        __syncthreads();
        out[at] = below + above + here + s[y][x - 1] + s[y][x + 1] + s[y - 1][x] + s[y + 1][x];
        __syncthreads();
    }
}
__global__ void stencil_eight_a_thread(ARGUMENTS) {
    __shared__ float s[1024 + 8];
    for (int i = threadIdx.x; i < 1032; i += 128) s[i] = in[blockIdx.x * 1024 + i];
    __syncthreads();
    float v[10];
    for (int k = 0; k < 10; k++) v[k] = s[threadIdx.x * 8 + k];
    for (int k = 0; k < 8; k++) out[blockIdx.x * 1024 + threadIdx.x * 8 + k] = v[k] + v[k + 1] + v[k + 2];
}
__global__ void game_of_life_bytes(ARGUMENTS) {
    __shared__ unsigned char s[18][18];
    const unsigned char *cells = (const unsigned char *)in;
    int x = threadIdx.x, y = threadIdx.y;
    for (int i = y * 16 + x; i < 324; i += 256)
        s[i / 18][i % 18] = cells[(blockIdx.y * 16 + i / 18) * 300 + blockIdx.x * 16 + i % 18] & 1;
    __syncthreads();
    int around = 0;
    for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < 3; dx++) around += s[y + dy][x + dx];
    around -= s[y + 1][x + 1];
    ((unsigned char *)out)[(blockIdx.y * 16 + y) * n + TID] = around == 3 || (around == 2 && s[y + 1][x + 1]);
}
__global__ void fir_of_shorts(ARGUMENTS) {
    __shared__ short s[256 * 4 + 16], taps[16];
    const short *samples = (const short *)in;
    for (int i = threadIdx.x; i < 1040; i += 256) s[i] = samples[blockIdx.x * 1024 + i];
    if (threadIdx.x < 16) taps[threadIdx.x] = samples[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 4; j++) {
        int sum = 0;
        for (int k = 0; k < 16; k++) sum += s[threadIdx.x * 4 + j + k] * taps[k];
        ((short *)out)[TID * 4 + j] = sum >> 8;
    }
}
__global__ void jacobi_dynamic(ARGUMENTS) {
    extern __shared__ float cells[];
    float *next = cells + 260;
    int t = threadIdx.x;
    for (int i = t; i < 258; i += 256) next[i] = cells[i] = in[blockIdx.x * 256 + i];
    __syncthreads();
    for (int step = 0; step < 8; step++) {
        next[t + 1] = (cells[t] + cells[t + 1] + cells[t + 2]) / 3;
        __syncthreads();
        cells[t + 1] = next[t + 1];
        __syncthreads();
    }
    out[TID] = cells[t + 1];
}
__global__ void interpolation_table(ARGUMENTS) {
    __shared__ float table[257];
    for (int i = threadIdx.x; i < 257; i += 256) table[i] = in[i];
    __syncthreads();
    float v = in[TID] * 255;
    int i = (int)v & 255;
    out[TID] = table[i] + (v - i) * (table[i + 1] - table[i]);
}
}
