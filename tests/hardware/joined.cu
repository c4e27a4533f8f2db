// The kernels of h200-joined.csv (see joined.def), each with the same parameters: in and out have a million floats, n is 256. With -DMEASURE a program that
// launches each once, for Nsight Compute.
#include "joined_tiles.cu"

extern "C" {
__global__ void numbers(float *in) { in[TID] = TID * 40503u % 65536 / 65536.f; } // what is in `in`
__global__ void reduce_interleaved(ARGUMENTS) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = in[TID];
    __syncthreads();
    for (int step = 1; step < blockDim.x; step *= 2) {
        int i = 2 * step * t;
        if (i < blockDim.x) s[i] += s[i + step];
        __syncthreads();
    }
    if (!t) out[blockIdx.x] = s[0];
}
__global__ void reduce_sequential(ARGUMENTS) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = in[TID] + in[TID + 16384];
    __syncthreads();
    for (int half = blockDim.x / 2; half; half /= 2) {
        if (t < half) s[t] += s[t + half];
        __syncthreads();
    }
    if (!t) out[blockIdx.x] = s[0];
}
__global__ void reduce_last_warp_volatile(ARGUMENTS) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = in[TID];
    __syncthreads();
    if (t < 128) s[t] += s[t + 128];
    __syncthreads();
    if (t < 64) s[t] += s[t + 64];
    __syncthreads();
    if (t < 32) {
        volatile float *v = s;
        v[t] += v[t + 32];
        __syncwarp();
        v[t] += v[t + 16];
        __syncwarp();
        v[t] += v[t + 8];
        __syncwarp();
        v[t] += v[t + 4];
        __syncwarp();
        v[t] += v[t + 2];
        __syncwarp();
        v[t] += v[t + 1];
    }
    if (!t) out[blockIdx.x] = s[0];
}
__global__ void reduce_warp_sums(ARGUMENTS) {
    __shared__ float sums[8];
    float sum = in[TID];
    for (int step = 16; step; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x) return;
    for (int w = 1; w < 8; w++) sum += sums[w];
    out[blockIdx.x] = sum;
}
__global__ void scan_hillis_steele(ARGUMENTS) {
    __shared__ float s[2][256];
    int t = threadIdx.x, from = 0;
    s[0][t] = in[TID];
    __syncthreads();
    for (int step = 1; step < 256; step *= 2, from = 1 - from) {
        s[1 - from][t] = t >= step ? s[from][t] + s[from][t - step] : s[from][t];
        __syncthreads();
    }
    out[TID] = s[from][t];
}
__global__ void scan_blelloch(ARGUMENTS) {
    __shared__ float s[256];
    int t = threadIdx.x, step = 1;
    s[2 * t] = in[TID * 2];
    s[2 * t + 1] = in[TID * 2 + 1];
    for (int d = 128; d; d /= 2, step *= 2) {
        __syncthreads();
        if (t < d) s[step * (2 * t + 2) - 1] += s[step * (2 * t + 1) - 1];
    }
    if (!t) s[255] = 0;
    for (int d = 1; d < 256; d *= 2) {
        step /= 2;
        __syncthreads();
        if (t < d) {
            float left = s[step * (2 * t + 1) - 1];
            s[step * (2 * t + 1) - 1] = s[step * (2 * t + 2) - 1];
            s[step * (2 * t + 2) - 1] += left;
        }
    }
    __syncthreads();
    out[TID * 2] = s[2 * t];
    out[TID * 2 + 1] = s[2 * t + 1];
}
__global__ void scan_four_a_thread(ARGUMENTS) {
    __shared__ float s[1024], sums[256];
    int t = threadIdx.x;
    for (int i = t; i < 1024; i += 256) s[i] = in[blockIdx.x * 1024 + i];
    __syncthreads();
    float v[4], sum = 0;
    for (int k = 0; k < 4; k++) v[k] = sum += s[t * 4 + k];
    sums[t] = sum;
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        float left = t >= step ? sums[t - step] : 0;
        __syncthreads();
        sums[t] += left;
        __syncthreads();
    }
    float before = t ? sums[t - 1] : 0;
    for (int k = 0; k < 4; k++) s[t * 4 + k] = before + v[k];
    __syncthreads();
    for (int i = t; i < 1024; i += 256) out[blockIdx.x * 1024 + i] = s[i];
}
__global__ void bitonic_sort(ARGUMENTS) {
    __shared__ float s[512];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 512 + t];
    s[t + 256] = in[blockIdx.x * 512 + t + 256];
    for (int size = 2; size <= 512; size *= 2)
        for (int step = size / 2; step; step /= 2) {
            __syncthreads();
            int i = 2 * t - (t & (step - 1));
            bool up = (i & size) == 0;
            float a = s[i], b = s[i + step];
            if ((a > b) == up) {
                s[i] = b;
                s[i + step] = a;
            }
        }
    __syncthreads();
    out[blockIdx.x * 512 + t] = s[t];
    out[blockIdx.x * 512 + t + 256] = s[t + 256];
}
__global__ void odd_even_sort(ARGUMENTS) {
    __shared__ float s[130];
    int t = threadIdx.x;
    s[2 * t] = in[blockIdx.x * 128 + 2 * t];
    s[2 * t + 1] = in[blockIdx.x * 128 + 2 * t + 1];
    __syncthreads();
    for (int round = 0; round < 128; round++) {
        int i = 2 * t + round % 2;
        if (i + 1 < 128 && s[i] > s[i + 1]) {
            float swap = s[i];
            s[i] = s[i + 1];
            s[i + 1] = swap;
        }
        __syncthreads();
    }
    out[blockIdx.x * 128 + 2 * t] = s[2 * t];
    out[blockIdx.x * 128 + 2 * t + 1] = s[2 * t + 1];
}
__global__ void histogram_merge(ARGUMENTS) { // of eight histograms, one a warp, in rows of 64 bins
    __shared__ unsigned bins[8][64];
    for (int i = threadIdx.x; i < 512; i += 256) bins[i / 64][i % 64] = 0;
    __syncthreads();
    for (int k = 0; k < 4; k++) atomicAdd(&bins[threadIdx.x / 32][(int)(in[TID + k * 8192] * 63) & 63], 1u);
    __syncthreads();
    if (threadIdx.x >= 64) return;
    unsigned sum = 0;
    for (int w = 0; w < 8; w++) sum += bins[w][threadIdx.x];
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
__global__ void softmax_rows(ARGUMENTS) {
    __shared__ float row[1024], sums[4];
    int t = threadIdx.x;
    float most = -1e30f, sum = 0;
    for (int i = t; i < 1024; i += 128) most = fmaxf(most, row[i] = in[blockIdx.x * 1024 + i]);
    for (int step = 16; step; step /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
    if (t % 32 == 0) sums[t / 32] = most;
    __syncthreads();
    most = fmaxf(fmaxf(sums[0], sums[1]), fmaxf(sums[2], sums[3]));
    __syncthreads();
    for (int i = t; i < 1024; i += 128) sum += row[i] = expf(row[i] - most);
    for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
    if (t % 32 == 0) sums[t / 32] = sum;
    __syncthreads();
    sum = sums[0] + sums[1] + sums[2] + sums[3];
    for (int i = t; i < 1024; i += 128) out[blockIdx.x * 1024 + i] = row[i] / sum;
}
__global__ void layer_norm(ARGUMENTS) {
    __shared__ float mean_of[4], square_of[4];
    int t = threadIdx.x;
    float v = in[TID], mean = v, square = v * v;
    for (int step = 16; step; step /= 2) {
        mean += __shfl_xor_sync(~0u, mean, step);
        square += __shfl_xor_sync(~0u, square, step);
    }
    if (t % 32 == 0) {
        mean_of[t / 32] = mean;
        square_of[t / 32] = square;
    }
    __syncthreads();
    mean = square = 0;
    for (int w = 0; w < 4; w++) {
        mean += mean_of[w] / 128;
        square += square_of[w] / 128;
    }
    out[TID] = (v - mean) * rsqrtf(square - mean * mean + 1e-5f);
}

__global__ void nbody_float4(ARGUMENTS) {
    __shared__ float4 s[256];
    const float4 *bodies = (const float4 *)in;
    float4 me = bodies[TID];
    float ax = 0, ay = 0, az = 0;
    for (int t = 0; t < 4; t++) {
        s[threadIdx.x] = bodies[t * 256 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 256; k++) {
            float dx = s[k].x - me.x, dy = s[k].y - me.y, dz = s[k].z - me.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), f = s[k].w * inverse * inverse * inverse;
            ax += dx * f;
            ay += dy * f;
            az += dz * f;
        }
        __syncthreads();
    }
    out[TID] = ax + ay + az;
}
__global__ void nbody_four_arrays(ARGUMENTS) {
    __shared__ float x[256], y[256], z[256], m[256];
    float ax = 0, px = in[TID], py = in[TID + 8192], pz = in[TID + 16384];
    for (int t = 0; t < 4; t++) {
        int i = t * 256 + threadIdx.x;
        x[threadIdx.x] = in[i];
        y[threadIdx.x] = in[i + 8192];
        z[threadIdx.x] = in[i + 16384];
        m[threadIdx.x] = in[i + 32768];
        __syncthreads();
        for (int k = 0; k < 256; k++) {
            float dx = x[k] - px, dy = y[k] - py, dz = z[k] - pz, inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            ax += (dx + dy + dz) * m[k] * inverse * inverse * inverse;
        }
        __syncthreads();
    }
    out[TID] = ax;
}
struct Three {
    float x, y, z;
};
__global__ void nbody_struct_of_3(ARGUMENTS) {
    __shared__ Three s[256];
    const Three *bodies = (const Three *)in;
    Three me = bodies[TID];
    float sum = 0;
    for (int t = 0; t < 4; t++) {
        s[threadIdx.x] = bodies[t * 256 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 256; k++) {
            float dx = s[k].x - me.x, dy = s[k].y - me.y, dz = s[k].z - me.z;
            sum += rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
        }
        __syncthreads();
    }
    out[TID] = sum;
}
struct Four {
    float x, y, vx, vy;
};
__global__ void particles_struct_of_4(ARGUMENTS) {
    __shared__ Four s[256];
    int t = threadIdx.x;
    s[t].x = in[TID];
    s[t].y = in[TID + 8192];
    s[t].vx = in[TID + 16384];
    s[t].vy = in[TID + 24576];
    __syncthreads();
    Four p = s[t ^ 1];
    out[TID] = p.x * p.vy - p.y * p.vx;
}
struct Eight {
    float x, y, z, vx, vy, vz, mass, charge;
};
__global__ void particles_struct_of_8(ARGUMENTS) {
    __shared__ Eight s[128];
    int t = threadIdx.x;
    for (int i = t; i < 1024; i += 128) ((float *)s)[i] = in[blockIdx.x * 1024 + i];
    __syncthreads();
    for (int step = 0; step < 4; step++) {
        s[t].x += s[t].vx * 0.1f;
        s[t].y += s[t].vy * 0.1f;
        s[t].z += s[t].vz * 0.1f;
    }
    out[TID] = (s[t].x + s[t].y + s[t].z) * s[t].charge;
}
__global__ void kmeans_centroids(ARGUMENTS) {
    __shared__ float centroids[16 * 4];
    if (threadIdx.x < 64) centroids[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    float4 p = ((const float4 *)in)[TID];
    float best = 1e30f;
    int nearest = 0;
    for (int c = 0; c < 16; c++) {
        float dx = p.x - centroids[c * 4], dy = p.y - centroids[c * 4 + 1], dz = p.z - centroids[c * 4 + 2],
              dw = p.w - centroids[c * 4 + 3], d = dx * dx + dy * dy + dz * dz + dw * dw;
        if (d < best) best = d, nearest = c;
    }
    out[TID] = nearest;
}
__global__ void fft_radix_2(ARGUMENTS) {
    __shared__ float2 s[256];
    int t = threadIdx.x;
    s[t] = ((const float2 *)in)[blockIdx.x * 256 + t];
    s[t + 128] = ((const float2 *)in)[blockIdx.x * 256 + t + 128];
    for (int half = 1; half < 256; half *= 2) {
        __syncthreads();
        int k = t % half, i = t / half * 2 * half + k;
        float angle = -3.14159265f * k / half, c = __cosf(angle), d = __sinf(angle);
        float2 a = s[i], b = s[i + half], w = make_float2(b.x * c - b.y * d, b.x * d + b.y * c);
        s[i] = make_float2(a.x + w.x, a.y + w.y);
        s[i + half] = make_float2(a.x - w.x, a.y - w.y);
    }
    __syncthreads();
    ((float2 *)out)[blockIdx.x * 256 + t] = s[t];
    ((float2 *)out)[blockIdx.x * 256 + t + 128] = s[t + 128];
}
__global__ void dct_8x8(ARGUMENTS) {
    __shared__ float s[8][8], c[8][8];
    int x = threadIdx.x, y = threadIdx.y;
    s[y][x] = in[blockIdx.x * 64 + y * 8 + x];
    c[y][x] = in[y * 8 + x];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 8; k++) sum += c[y][k] * s[k][x];
    __syncthreads();
    s[y][x] = sum;
    __syncthreads();
    sum = 0;
    for (int k = 0; k < 8; k++) sum += s[y][k] * c[x][k];
    out[blockIdx.x * 64 + y * 8 + x] = sum;
}
__global__ void transpose_float4(ARGUMENTS) { // 64 x 64 by 16 x 16 threads
    __shared__ float s[64][65];
    int x = threadIdx.x * 4, y = threadIdx.y;
    for (int r = y; r < 64; r += 16) {
        float4 v = *(const float4 *)&in[(blockIdx.y * 64 + r) * 512 + blockIdx.x * 64 + x];
        s[r][x] = v.x;
        s[r][x + 1] = v.y;
        s[r][x + 2] = v.z;
        s[r][x + 3] = v.w;
    }
    __syncthreads();
    for (int r = y; r < 64; r += 16)
        *(float4 *)&out[(blockIdx.x * 64 + r) * 512 + blockIdx.y * 64 + x] =
            make_float4(s[x][r], s[x + 1][r], s[x + 2][r], s[x + 3][r]);
}
__global__ void transpose_padded(ARGUMENTS) {
    __shared__ float s[32][33];
    int x = threadIdx.x, y = threadIdx.y;
    for (int r = y; r < 32; r += 8) s[r][x] = in[(blockIdx.y * 32 + r) * n + blockIdx.x * 32 + x];
    __syncthreads();
    for (int r = y; r < 32; r += 8) out[(blockIdx.x * 32 + r) * n + blockIdx.y * 32 + x] = s[x][r];
}
__global__ void cyclic_reduction(ARGUMENTS) { // the forward half, of 256 equations
    __shared__ float a[256], b[256], c[256], d[256];
    int t = threadIdx.x;
    for (int i = t; i < 256; i += 128) {
        a[i] = in[blockIdx.x * 256 + i];
        b[i] = 4;
        c[i] = in[i];
        d[i] = in[i + 256];
    }
    for (int step = 1; step < 256; step *= 2) {
        __syncthreads();
        int i = (t + 1) * 2 * step - 1, left = i - step, right = i + step < 256 ? i + step : 255;
        if (i < 256) {
            float f = a[i] / b[left], g = i == right ? 0 : c[i] / b[right];
            b[i] -= c[left] * f + a[right] * g;
            d[i] -= d[left] * f + d[right] * g;
            a[i] = -a[left] * f;
            c[i] = -c[right] * g;
        }
    }
    __syncthreads();
    for (int i = t; i < 256; i += 128) out[blockIdx.x * 256 + i] = d[i];
}
}

#ifdef MEASURE
#include <cstdio>
int main() {
    const int count = 1 << 20;
    float *in, *out;
    cudaMalloc(&in, count * sizeof *in);
    cudaMalloc(&out, count * sizeof *out);
    numbers<<<count / 256, 256>>>(in);
#define DIM(...) dim3(__VA_ARGS__)
#define KERNEL(name, grid, block)              \
    name<<<grid, block, 4096>>>(in, out, 256); \
    if (cudaDeviceSynchronize() != cudaSuccess) printf("%s: %s\n", #name, cudaGetErrorString(cudaGetLastError()));
#include "joined.def"
}
#endif
