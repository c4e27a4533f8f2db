// The kernels whose counters h200-patterns.csv and h200-grid.csv hold, after the descriptions in README.md; then a few more, whose
// counts must not depend on how many host threads run them.
#include <cuda_runtime.h>

// --- h200-patterns.csv: one block of one warp or less ---

template <typename T> __global__ void gather(const int *index, const T *in, T *out) {
    out[threadIdx.x] = in[index[threadIdx.x]];
}

template <typename T> __global__ void scatter(const int *index, const T *in, T *out) {
    out[index[threadIdx.x]] = in[threadIdx.x];
}

extern __shared__ uint4 shared_bytes[];

// What lies in shared memory does not matter to the counters.
template <typename T> __global__ void sgather(const int *index, T *out) {
    out[threadIdx.x] = ((T *)shared_bytes)[index[threadIdx.x]];
}

template <typename T> __device__ T value_of(unsigned i) { return (T)i; }
template <> __device__ uint4 value_of<uint4>(unsigned i) { return make_uint4(i, i, i, i); }

// The barrier keeps the store, which nobody reads.
template <typename T> __global__ void sscatter(const int *index) {
    ((T *)shared_bytes)[index[threadIdx.x]] = value_of<T>(threadIdx.x);
    __syncthreads();
}

#define PATTERNS(T)                                                                                                                 \
    template __global__ void gather<T>(const int *, const T *, T *);                                                                \
    template __global__ void scatter<T>(const int *, const T *, T *);                                                               \
    template __global__ void sgather<T>(const int *, T *);                                                                          \
    template __global__ void sscatter<T>(const int *)
PATTERNS(char);
PATTERNS(short);
PATTERNS(int);
PATTERNS(double);
PATTERNS(uint4);

// --- h200-grid.csv ---

__global__ void copy_offset(const float *in, float *out, int n, int offset) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + offset;
    if (i < n) out[i] = in[i];
}

__global__ void copy_stride(const float *in, float *out, int stride) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
    out[i] = in[i];
}

__global__ void add_offset(const float *x, const float *y, float *z) {
    int t = blockIdx.x * blockDim.x + threadIdx.x + 1;
    z[t] = x[t] + y[t];
}

__global__ void add_broadcast(const float *x, const float *y, float *z) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    z[t] = x[0] + y[t];
}

__global__ void soa(float *x, float *y, float *z) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    x[t] *= 2;
    y[t] *= 2;
    z[t] *= 2;
}

__global__ void vec4copy(const float4 *in, float4 *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = in[t];
}

// Transposes of an n x n matrix. Row and column of the calling thread in the whole grid:
struct Thread {
    size_t i = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
    size_t j = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    __device__ Thread() {}
};

template <typename T> __global__ void read_coalesced(const T *in, T *out, size_t n) {
    Thread t;
    out[t.j * n + t.i] = in[t.i * n + t.j];
}

template <typename T> __global__ void write_coalesced(const T *in, T *out, size_t n) {
    Thread t;
    out[t.i * n + t.j] = in[t.j * n + t.i];
}

template <typename T> __global__ void write_coalesced_ldg(const T *in, T *out, size_t n) {
    Thread t;
    out[t.i * n + t.j] = __ldg(&in[t.j * n + t.i]);
}

template <typename T> __global__ void write_coalesced_cg(const T *in, T *out, size_t n) {
    Thread t;
    out[t.i * n + t.j] = __ldcg(&in[t.j * n + t.i]);
}

enum { TILE = 32, ROWS = 8 };

template <typename T, int WIDTH> __device__ void tile32(const T *in, T *out, size_t n) {
    __shared__ T tile[TILE][WIDTH];
    Thread t;
    tile[threadIdx.x][threadIdx.y] = in[t.i * n + t.j];
    __syncthreads();
    size_t i = (size_t)blockIdx.x * TILE + threadIdx.y, j = (size_t)blockIdx.y * TILE + threadIdx.x;
    out[i * n + j] = tile[threadIdx.y][threadIdx.x];
}

template <typename T> __global__ void tile32_pad(const T *in, T *out, size_t n) { tile32<T, TILE + 1>(in, out, n); }
template <typename T> __global__ void tile32_nopad(const T *in, T *out, size_t n) { tile32<T, TILE>(in, out, n); }

// Where the tile's element (row, column) lies: in rows of WIDTH elements, or with SWIZZLE in the column XOR row.
template <int WIDTH, bool SWIZZLE> __device__ int place(int row, int column) {
    return row * WIDTH + (SWIZZLE ? column ^ row : column);
}

template <typename T, int WIDTH, bool SWIZZLE> __device__ void rows8(const T *in, T *out, int n) {
    __shared__ T tile[TILE * WIDTH];
    int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += ROWS)
        tile[place<WIDTH, SWIZZLE>(threadIdx.y + k, threadIdx.x)] = in[(row + k) * n + column];
    __syncthreads();
    column = blockIdx.y * TILE + threadIdx.x, row = blockIdx.x * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += ROWS)
        out[(row + k) * n + column] = tile[place<WIDTH, SWIZZLE>(threadIdx.x, threadIdx.y + k)];
}

template <typename T> __global__ void rows8_pad(const T *in, T *out, size_t n) { rows8<T, TILE + 1, false>(in, out, n); }
template <typename T> __global__ void rows8_nopad(const T *in, T *out, size_t n) { rows8<T, TILE, false>(in, out, n); }
template <typename T> __global__ void swz(const T *in, T *out, size_t n) { rows8<T, TILE, true>(in, out, n); }

#define TRANSPOSES(T)                                                                                                               \
    template __global__ void read_coalesced<T>(const T *, T *, size_t);                                                             \
    template __global__ void write_coalesced<T>(const T *, T *, size_t);                                                            \
    template __global__ void write_coalesced_ldg<T>(const T *, T *, size_t);                                                        \
    template __global__ void write_coalesced_cg<T>(const T *, T *, size_t);                                                         \
    template __global__ void tile32_pad<T>(const T *, T *, size_t);                                                                 \
    template __global__ void tile32_nopad<T>(const T *, T *, size_t);                                                               \
    template __global__ void rows8_pad<T>(const T *, T *, size_t);                                                                  \
    template __global__ void rows8_nopad<T>(const T *, T *, size_t);                                                                \
    template __global__ void swz<T>(const T *, T *, size_t)
TRANSPOSES(float);
TRANSPOSES(double);

// --- atomics ---

enum { BINS = 64 };

__global__ void histogram(const unsigned *in, unsigned *bins) {
    __shared__ unsigned own[BINS];
    if (threadIdx.x < BINS) own[threadIdx.x] = 0;
    __syncthreads();
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&own[in[t] * 2654435761u >> 26], 1u);
    __syncthreads();
    if (threadIdx.x < BINS) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

// Where an element goes depends on the order of the atomics.
__global__ void compact(const unsigned *in, unsigned *out, unsigned *count) {
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if ((in[t] * 2654435761u >> 26) % 3 == 0) out[atomicAdd(count, 1u)] = t;
}

// Which block comes last, and reads what all wrote, depends on the order of the blocks.
__global__ void sum_last_block(const unsigned *in, unsigned *sums, unsigned *ticket, unsigned *total) {
    __shared__ unsigned own;
    __shared__ bool last;
    if (threadIdx.x == 0) own = 0;
    __syncthreads();
    atomicAdd(&own, in[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = own;
        __threadfence();
        last = atomicAdd(ticket, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x < gridDim.x) atomicAdd(total, ((volatile unsigned *)sums)[threadIdx.x]);
}

// Each thread reads and writes n elements of its own, one after the other: no load may overtake the store before it.
__global__ void chunks(const float *in, float *out, int n) {
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * n;
    for (int i = first; i < first + n; i++) out[i] = in[i] * 2.5f;
}
