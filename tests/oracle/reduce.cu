// Sums, scans and histograms. `out` holds one value a block unless said otherwise.

// Interleaved addressing with a modulo: half of the lanes of a warp idle at once.
extern "C" __global__ void sum_interleaved(const int *in, int *out, int n) {
    extern __shared__ int part[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        if (threadIdx.x % (2 * stride) == 0) part[threadIdx.x] += part[threadIdx.x + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

extern "C" __global__ void sum_sequential(const float *in, float *out, int n) {
    extern __shared__ float partial[];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

// The last warp goes on alone, with __syncwarp() between its steps.
__device__ void finish_warp(volatile int *part, int tid) {
    part[tid] += part[tid + 32];
    __syncwarp();
    for (int stride = 16; stride > 0; stride >>= 1) {
        int other = part[tid + stride];
        __syncwarp();
        part[tid] += other;
        __syncwarp();
    }
}

template <int BLOCK> __global__ void sum_unrolled(const int *in, int *out, int n) {
    __shared__ int part[BLOCK];
    int tid = threadIdx.x, i = blockIdx.x * (BLOCK * 2) + tid;
    part[tid] = (i < n ? in[i] : 0) + (i + BLOCK < n ? in[i + BLOCK] : 0);
    __syncthreads();
#pragma unroll
    for (int stride = BLOCK / 2; stride > 32; stride >>= 1) {
        if (tid < stride) part[tid] += part[tid + stride];
        __syncthreads();
    }
    if (tid < 32) finish_warp(part, tid);
    if (tid == 0) out[blockIdx.x] = part[0];
}
template __global__ void sum_unrolled<64>(const int *, int *, int);
template __global__ void sum_unrolled<256>(const int *, int *, int);

template <typename T> __device__ T warp_sum(T value) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}

template <typename T> __global__ void sum_shuffle(const T *in, T *out, int n) {
    __shared__ T warps[32];
    T sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    sum = warp_sum(sum);
    int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    if (lane == 0) warps[warp] = sum;
    __syncthreads();
    sum = threadIdx.x < blockDim.x / warpSize ? warps[lane] : 0;
    if (warp == 0) sum = warp_sum(sum);
    if (threadIdx.x == 0) atomicAdd(out, sum);
}
template __global__ void sum_shuffle<int>(const int *, int *, int);
template __global__ void sum_shuffle<float>(const float *, float *, int);
template __global__ void sum_shuffle<double>(const double *, double *, int);

// out[0] becomes the sum: the block that draws the last ticket adds the partial sums up.
__device__ unsigned tickets;
extern "C" __global__ void sum_last_block(const float *in, volatile float *partial, float *out, int n) {
    __shared__ float part[128];
    __shared__ bool last;
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int stride = 64; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) part[threadIdx.x] += part[threadIdx.x + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = part[0];
        __threadfence();
        last = atomicInc(&tickets, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float total = 0;
        for (int i = 0; i < gridDim.x; i++) total += partial[i];
        *out = total;
        tickets = 0;
    }
}

extern "C" __global__ void max_shuffle_xor(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int best = i < n ? in[i] : -2147483647 - 1;
    for (int mask = 16; mask; mask >>= 1) best = max(best, __shfl_xor_sync(~0u, best, mask));
    if ((threadIdx.x & 31) == 0) atomicMax(out, best);
}

// Inclusive sums within a block of up to 1024 threads (Hillis, Steele), two buffers.
extern "C" __global__ void scan_hillis_steele(const int *in, int *out, int n) {
    extern __shared__ int buffers[];
    int tid = threadIdx.x, from = 0, to = 1;
    buffers[tid] = tid < n ? in[tid] : 0;
    __syncthreads();
    for (int offset = 1; offset < blockDim.x; offset *= 2) {
        int value = buffers[from * blockDim.x + tid];
        if (tid >= offset) value += buffers[from * blockDim.x + tid - offset];
        buffers[to * blockDim.x + tid] = value;
        __syncthreads();
        from ^= 1;
        to ^= 1;
    }
    if (tid < n) out[tid] = buffers[from * blockDim.x + tid];
}

// Exclusive sums of 2 * blockDim.x values, a power of two (Blelloch), with the usual padding against bank conflicts.
#define PADDED(i) ((i) + ((i) >> 5))
extern "C" __global__ void scan_blelloch(const int *in, int *out, int n) {
    extern __shared__ int temp[];
    int tid = threadIdx.x, size = 2 * blockDim.x, offset = 1;
    temp[PADDED(2 * tid)] = 2 * tid < n ? in[2 * tid] : 0;
    temp[PADDED(2 * tid + 1)] = 2 * tid + 1 < n ? in[2 * tid + 1] : 0;
    for (int d = size >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (tid < d) temp[PADDED(offset * (2 * tid + 2) - 1)] += temp[PADDED(offset * (2 * tid + 1) - 1)];
        offset *= 2;
    }
    if (tid == 0) temp[PADDED(size - 1)] = 0;
    for (int d = 1; d < size; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (tid < d) {
            int a = PADDED(offset * (2 * tid + 1) - 1), b = PADDED(offset * (2 * tid + 2) - 1);
            int t = temp[a];
            temp[a] = temp[b];
            temp[b] += t;
        }
    }
    __syncthreads();
    if (2 * tid < n) out[2 * tid] = temp[PADDED(2 * tid)];
    if (2 * tid + 1 < n) out[2 * tid + 1] = temp[PADDED(2 * tid + 1)];
}

extern "C" __global__ void scan_shuffle(const int *in, int *out, int n) {
    __shared__ int totals[32];
    int i = threadIdx.x, lane = i & 31, warp = i >> 5;
    int value = i < n ? in[i] : 0;
    for (int delta = 1; delta < 32; delta <<= 1) {
        int other = __shfl_up_sync(0xffffffffu, value, delta);
        if (lane >= delta) value += other;
    }
    if (lane == 31) totals[warp] = value;
    __syncthreads();
    if (warp == 0) {
        int total = lane < blockDim.x / 32 ? totals[lane] : 0;
        for (int delta = 1; delta < 32; delta <<= 1) {
            int other = __shfl_up_sync(0xffffffffu, total, delta);
            if (lane >= delta) total += other;
        }
        totals[lane] = total;
    }
    __syncthreads();
    if (warp > 0) value += totals[warp - 1];
    if (i < n) out[i] = value;
}

extern "C" __global__ void histogram_global(const unsigned char *in, unsigned *bins, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i]], 1u);
}

extern "C" __global__ void histogram_shared(const unsigned char *in, unsigned *bins, int n) {
    __shared__ unsigned local[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x) local[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[in[i]], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        if (local[b]) atomicAdd(&bins[b], local[b]);
}

// Four bytes at a time, and one sub-histogram for each warp.
extern "C" __global__ void histogram_per_warp(const unsigned *in, unsigned *bins, int words) {
    __shared__ unsigned local[4][64];
    unsigned *mine = local[threadIdx.x / 32];
    for (int b = threadIdx.x; b < 4 * 64; b += blockDim.x) ((unsigned *)local)[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x) {
        unsigned data = in[i];
        atomicAdd(mine + (data >> 2 & 0x3f), 1);
        atomicAdd(mine + (data >> 10 & 0x3f), 1);
        atomicAdd(mine + (data >> 18 & 0x3f), 1);
        atomicAdd(mine + (data >> 26 & 0x3f), 1);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < 64; b += blockDim.x) {
        unsigned sum = 0;
        for (int w = 0; w < blockDim.x / 32; w++) sum += local[w][b];
        atomicAdd(bins + b, sum);
    }
}
