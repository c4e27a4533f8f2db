// More of what the record sweeps over: stores with a stride, wide elements, columns bypassing L1, fields of structures, scattered reads, sums, and
// strides in shared memory. Each thread does one element, i of n, unless said otherwise.
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void stores_strided(const float *in, float *out, int n, int step) {
    int i = THREAD;
    if (i < n) out[(size_t)i * step] = in[i];
}

__global__ void strided_doubles(const double *in, double *out, int n, int step) {
    int i = THREAD;
    if (i < n) out[i] = in[(size_t)i * step];
}

__global__ void shifted_doubles(const double *in, double *out, int n, int offset) {
    int i = THREAD;
    if (i < n) out[i] = in[i + offset];
}

__global__ void shifted_fours(const float4 *in, float4 *out, int n, int offset) {
    int i = THREAD;
    if (i < n) out[i] = in[i + offset];
}

__global__ void stores_shifted(const float *in, float *out, int n, int offset) {
    int i = THREAD;
    if (i < n) out[i + offset] = in[i];
}

// Four floats a thread, all loaded before the first is stored.
__global__ void four_at_once(const float *__restrict__ in, float *__restrict__ out, int n) {
    int i = blockIdx.x * blockDim.x * 4 + threadIdx.x;
    float v[4];
    if (i + 3 * blockDim.x >= n) return;
#pragma unroll
    for (int k = 0; k < 4; k++) v[k] = in[i + k * blockDim.x];
#pragma unroll
    for (int k = 0; k < 4; k++) out[i + k * blockDim.x] = v[k];
}

// Few blocks go over all elements.
__global__ void in_steps_of_the_grid(const float *in, float *out, int n) {
    for (int i = THREAD; i < n; i += gridDim.x * blockDim.x) out[i] = in[i];
}

// Rows x cols floats, turned by loads bypassing L1, `cols` apart.
__global__ void columns_past_l1(const float *in, float *out, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) out[(size_t)col * rows + row] = __ldcg(&in[(size_t)row * cols + col]);
}

struct Particle {
    float x, y, z, vx, vy, vz, mass, charge;
};
// One field of eight, out of structures and out of an array of its own; then all eight fields.
__global__ void mass_of_structures(const Particle *in, float *out, int n) {
    int i = THREAD;
    if (i < n) out[i] = in[i].mass;
}
__global__ void mass_of_arrays(const float *in, float *out, int n) {
    int i = THREAD;
    if (i < n) out[i] = in[6 * n + i];
}
__global__ void sum_of_structures(const Particle *in, float *out, int n) {
    int i = THREAD;
    if (i >= n) return;
    const Particle *p = &in[i];
    out[i] = p->x + p->y + p->z + p->vx + p->vy + p->vz + p->mass + p->charge;
}
__global__ void sum_of_arrays(const float *in, float *out, int n) {
    int i = THREAD;
    if (i >= n) return;
    float sum = 0;
    for (int k = 0; k < 8; k++) sum += in[k * n + i];
    out[i] = sum;
}

// Reads spread over mask + 1 floats by a product, the top bits of which look random.
__global__ void scattered(const float *in, float *out, int n, unsigned mask) {
    unsigned i = THREAD;
    if (i < n) out[i] = in[(i * 2654435761u >> 3) & mask];
}

__global__ void add(const float *x, const float *y, float *z, int n) {
    int i = THREAD;
    if (i < n) z[i] = x[i] + y[i];
}

__global__ void fill(float *out, int n) {
    int i = THREAD;
    if (i < n) out[i] = 1;
}

// A cross of five, width w; the frame stays as it is.
__global__ void cross(const float *in, float *out, int w, int h) {
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col < 1 || row < 1 || col >= w - 1 || row >= h - 1) return;
    int i = row * w + col;
    out[i] = in[i] + in[i - 1] + in[i + 1] + in[i - w] + in[i + w];
}

// A sum for each row, each column: a thread adds `cols` floats side by side, or `rows` floats that are `cols` apart.
__global__ void row_sums(const float *in, float *out, int rows, int cols) {
    int row = THREAD;
    if (row >= rows) return;
    float sum = 0;
    for (int col = 0; col < cols; col++) sum += in[(size_t)row * cols + col];
    out[row] = sum;
}
__global__ void col_sums(const float *in, float *out, int rows, int cols) {
    int col = THREAD;
    if (col >= cols) return;
    float sum = 0;
    for (int row = 0; row < rows; row++) sum += in[(size_t)row * cols + col];
    out[col] = sum;
}

// One sum for each block of 256, by halves in shared memory.
__global__ void block_sums(const float *in, float *out) {
    __shared__ float part[256];
    unsigned i = threadIdx.x;
    part[i] = in[THREAD];
    __syncthreads();
    for (unsigned half = 128; half > 0; half /= 2) {
        if (i < half) part[i] += part[i + half];
        __syncthreads();
    }
    if (i == 0) out[blockIdx.x] = part[0];
}

// 256 reads of shared memory, `stride` words from lane to lane.
__global__ void shared_strided(float *out, int stride) {
    __shared__ float words[2048];
    for (int i = threadIdx.x; i < 2048; i += blockDim.x) words[i] = i;
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 256; i++) sum += words[(threadIdx.x * stride + i) & 2047];
    out[THREAD] = sum;
}
