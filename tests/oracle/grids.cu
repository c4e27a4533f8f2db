// Matrix products, stencils, convolutions, layouts of structures, sorting.

extern "C" __global__ void product_naive(const float *a, const float *b, float *c, int m, int n, int k) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || col >= n) return;
    float sum = 0;
    for (int i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}

template <typename T, int TILE> __global__ void product_tiled(const T *a, const T *b, T *c, int m, int n, int k) {
    __shared__ T as[TILE][TILE], bs[TILE][TILE];
    int ty = threadIdx.y, tx = threadIdx.x;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    T sum = 0;
    for (int t = 0; t < (k + TILE - 1) / TILE; t++) {
        as[ty][tx] = row < m && t * TILE + tx < k ? a[row * k + t * TILE + tx] : T(0);
        bs[ty][tx] = col < n && t * TILE + ty < k ? b[(t * TILE + ty) * n + col] : T(0);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; i++) sum += as[ty][i] * bs[i][tx];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}
template __global__ void product_tiled<float, 16>(const float *, const float *, float *, int, int, int);
template __global__ void product_tiled<double, 8>(const double *, const double *, double *, int, int, int);

// Each thread computes a 4 x 4 piece of a 32 x 32 tile; 8 x 8 threads; sizes are multiples of 32.
extern "C" __global__ void product_registers(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m,
                                             int n, int k) {
    __shared__ float as[32][33], bs[32][32];
    float sum[4][4] = {};
    int tid = threadIdx.y * 8 + threadIdx.x;
    for (int t = 0; t < k; t += 32) {
        for (int i = tid; i < 32 * 32; i += 64) {
            as[i / 32][i % 32] = a[(blockIdx.y * 32 + i / 32) * k + t + i % 32];
            bs[i / 32][i % 32] = b[(t + i / 32) * n + blockIdx.x * 32 + i % 32];
        }
        __syncthreads();
        for (int i = 0; i < 32; i++)
            for (int y = 0; y < 4; y++)
                for (int x = 0; x < 4; x++) sum[y][x] += as[threadIdx.y * 4 + y][i] * bs[i][threadIdx.x + 8 * x];
        __syncthreads();
    }
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++) c[(blockIdx.y * 32 + threadIdx.y * 4 + y) * n + blockIdx.x * 32 + threadIdx.x + 8 * x] = sum[y][x];
}

#define RADIUS 3
extern "C" __global__ void stencil_line(const int *in, int *out, int n) {
    __shared__ int cells[128 + 2 * RADIUS];
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = threadIdx.x + RADIUS;
    cells[at] = i < n ? in[i] : 0;
    if (threadIdx.x < RADIUS) {
        cells[at - RADIUS] = i >= RADIUS && i - RADIUS < n ? in[i - RADIUS] : 0;
        cells[at + blockDim.x] = i + blockDim.x < n ? in[i + blockDim.x] : 0;
    }
    __syncthreads();
    if (i >= n) return;
    int sum = 0;
#pragma unroll
    for (int d = -RADIUS; d <= RADIUS; d++) sum += cells[at + d];
    out[i] = sum;
}

extern "C" __global__ void stencil_plane(const float *in, float *out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    int i = y * width + x;
    out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}

// The same from an 18 x 18 tile in shared memory: the threads of a 16 x 16 block walk over the tile with its border.
extern "C" __global__ void stencil_plane_tiled(const float *in, float *out, int width, int height) {
    __shared__ float tile[18][18];
    int left = blockIdx.x * 16 - 1, top = blockIdx.y * 16 - 1;
    for (int i = threadIdx.y * 16 + threadIdx.x; i < 18 * 18; i += 256) {
        int x = left + i % 18, y = top + i / 18;
        tile[i / 18][i % 18] = x >= 0 && y >= 0 && x < width && y < height ? in[y * width + x] : 0.0f;
    }
    __syncthreads();
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    out[y * width + x] = 0.5f * tile[ty][tx] + 0.125f * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]);
}

extern "C" __global__ void stencil_box(const float *in, float *out, int nx, int ny, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny) return;
    for (int z = blockIdx.z * blockDim.z + threadIdx.z; z < nz; z += gridDim.z * blockDim.z) {
        size_t plane = (size_t)nx * ny, i = z * plane + y * nx + x;
        float sum = 6 * in[i];
        sum -= x > 0 ? in[i - 1] : 0;
        sum -= x < nx - 1 ? in[i + 1] : 0;
        sum -= y > 0 ? in[i - nx] : 0;
        sum -= y < ny - 1 ? in[i + nx] : 0;
        sum -= z > 0 ? in[i - plane] : 0;
        sum -= z < nz - 1 ? in[i + plane] : 0;
        out[i] = sum;
    }
}

__constant__ float weights[5][5] = {{1, 2, 3, 2, 1}, {2, 4, 6, 4, 2}, {3, 6, 9, 6, 3}, {2, 4, 6, 4, 2}, {1, 2, 3, 2, 1}};
extern "C" __global__ void convolve_constant(const float *in, float *out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            int sx = min(max(x + dx, 0), width - 1), sy = min(max(y + dy, 0), height - 1);
            sum += weights[dy + 2][dx + 2] * in[sy * width + sx];
        }
    out[y * width + x] = sum;
}

// Structures.
struct Particle {
    float x, y, z;
    int id;
    double mass;
};

extern "C" __global__ void push_structures(struct Particle *particles, int n, float step) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Particle p = particles[i];
    p.x += step;
    p.y -= step;
    p.z *= 2;
    p.mass = p.mass + p.id;
    particles[i] = p;
}

extern "C" __global__ void push_arrays(float *x, float *y, float *z, int n, float step) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] += step;
        y[i] -= step;
        z[i] *= 2;
    }
}

// y = a * x + y by 16-byte accesses through the read-only path, and the rest one by one.
extern "C" __global__ void saxpy_wide(const float *__restrict__ x, float *__restrict__ y, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) {
        float4 vx = __ldg((const float4 *)x + i), vy = ((float4 *)y)[i];
        ((float4 *)y)[i] = make_float4(a * vx.x + vy.x, a * vx.y + vy.y, a * vx.z + vy.z, a * vx.w + vy.w);
    } else if (i < n / 4 + n % 4) {
        int rest = n / 4 * 4 + i - n / 4;
        y[rest] = a * __ldg(x + rest) + y[rest];
    }
}

struct Pixel {
    unsigned char r, g, b;
};

extern "C" __global__ void grey(const Pixel *in, unsigned char *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (unsigned char)((in[i].r * 77 + in[i].g * 151 + in[i].b * 28) >> 8);
}

// A block sorts its 2 * blockDim.x keys, a power of two, ascending (bitonic).
extern "C" __global__ void sort_bitonic(unsigned *keys, int size) {
    extern __shared__ unsigned s[];
    unsigned *mine = keys + (size_t)blockIdx.x * size;
    for (int i = threadIdx.x; i < size; i += blockDim.x) s[i] = mine[i];
    for (int k = 2; k <= size; k <<= 1)
        for (int j = k >> 1; j > 0; j >>= 1) {
            __syncthreads();
            for (int t = threadIdx.x; t < size / 2; t += blockDim.x) {
                int i = 2 * t - (t & (j - 1)), l = i + j;
                bool up = (i & k) == 0;
                if ((s[i] > s[l]) == up) {
                    unsigned swap = s[i];
                    s[i] = s[l];
                    s[l] = swap;
                }
            }
        }
    __syncthreads();
    for (int i = threadIdx.x; i < size; i += blockDim.x) mine[i] = s[i];
}

// Merge sort's merge step by binary search: rank of each element of two sorted runs.
extern "C" __global__ void merge_runs(const int *a, int na, const int *b, int nb, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= na + nb) return;
    bool in_a = i < na;
    int key = in_a ? a[i] : b[i - na];
    const int *other = in_a ? b : a;
    int low = 0, high = in_a ? nb : na;
    while (low < high) {
        int mid = (low + high) / 2;
        if (other[mid] < key || (!in_a && other[mid] == key))
            low = mid + 1;
        else
            high = mid;
    }
    out[(in_a ? i : i - na) + low] = key;
}
