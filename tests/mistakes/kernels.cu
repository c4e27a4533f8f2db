// Mistakes of kernels: guards, indices, types, what a thread has of its own. The form: tests/mistakes/program.
#include "program.h"

constexpr int W = 40, H = 25; // W * H == N

// --- guards and indices

// says the last element is number 999, and 16 lanes of this warp go past it: does the condition of line 11 compare what the index is made of
__global__ void k_swapped(float *a, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < h && y < w) a[y * w + x] = 1; // HERE
}
PROGRAM(guard_of_rows_and_columns_swapped) { k_swapped<<<dim3(3, 3), dim3(16, 16)>>>(device(), W, H); }
// says does the condition of line 17 compare what the index is made of, by the right bound?
__global__ void k_or(float *a, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w || y < h) a[y * w + x] = 1; // HERE
}
PROGRAM(guard_with_or) { k_or<<<dim3(3, 3), dim3(16, 16)>>>(device(), W, H); }
// fine
__global__ void k_and(float *a, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) a[y * w + x] = 1;
}
PROGRAM(guard_with_and) { k_and<<<dim3(3, 3), dim3(16, 16)>>>(device(), W, H); }
// says by the right bound? Else look at the index
__global__ void k_height(float *a, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) a[x * w + y] = 1; // HERE
}
PROGRAM(index_of_rows_and_columns_swapped) { k_height<<<dim3(3, 3), dim3(16, 16)>>>(device(), W, H); }
// says let one too many in, as <= for < does
__global__ void k_greater(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > n) return;
    a[i] = 1; // HERE
}
PROGRAM(guard_that_returns_too_late) { k_greater<<<4, 256>>>(device(), N); }
// says copy to the host: of the 4000 bytes of 'a' 2928 were never written, byte 1072 the first of them
__global__ void k_grid(float *a, int n) {
    int i = blockIdx.x * gridDim.x + threadIdx.x;
    if (i < n) a[i] = 1;
}
PROGRAM(grid_for_block) {
    std::vector<float> h(N);
    float *a;
    cudaMalloc(&a, bytes);
    k_grid<<<4, 256>>>(a, N);
    cudaMemcpy(h.data(), a, bytes, cudaMemcpyDeviceToHost); // HERE
}
// says or let blockIdx go into the index where each has elements of its own
__global__ void k_no_block(float *a, int n) {
    int i = threadIdx.x;
    if (i < n) a[i] += 1; // HERE
}
PROGRAM(block_forgotten) { k_no_block<<<4, 256>>>(device(), N); }
// says or let blockIdx go into the index
__global__ void k_stride(float *a, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x) a[i] += 1; // HERE
}
PROGRAM(stride_of_a_block) { k_stride<<<4, 64>>>(device(), N); }
// says or let blockIdx go into the index
__global__ void k_start(float *a, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x * gridDim.x) a[i] += 1; // HERE
}
PROGRAM(start_of_a_thread) { k_start<<<4, 64>>>(device(), N); }
// fine
__global__ void k_grid_stride(float *a, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) a[i] += 1;
}
PROGRAM(stride_of_the_grid) { k_grid_stride<<<4, 64>>>(device(), N); }
// says has an int overflowed, as a product may?
__global__ void k_hash(int *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[(i * 1103515245 + 12345) % n] = 1; // HERE
}
PROGRAM(product_overflows) { k_hash<<<4, 256>>>(device<int>(1 << 28), 1 << 28); }
// says the index is negative: -1, in elements of 4 bytes
__global__ void k_neighbours(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i - 1] + in[i]; // HERE
}
PROGRAM(neighbour_of_the_first) { k_neighbours<<<4, 256>>>(device(), device(), N); }
// says an unsigned index that went below 0?
__global__ void k_unsigned(const float *in, float *out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i - 1 >= 0 && i < n) out[i] = in[i - 1]; // HERE
}
PROGRAM(unsigned_guard) { k_unsigned<<<4, 256>>>(device(), device(), N); }
// says 'a'+4000, just past its end
__global__ void k_search(const int *a, int *out, int wanted) {
    int i = 0;
    while (a[i] != wanted) i++; // HERE
    *out = i;
}
PROGRAM(search_without_an_end) { k_search<<<1, 1>>>(device<int>(), device<int>(), 7); }

// --- shared memory

// says 'tile[256]', outside tile[256]
__global__ void k_halo(const float *in, float *out, int n) {
    __shared__ float tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    tile[threadIdx.x + 1] = i < n ? in[i] : 0; // HERE
    __syncthreads();
    if (i < n) out[i] = tile[threadIdx.x] + tile[threadIdx.x + 1];
}
PROGRAM(tile_without_a_halo) { k_halo<<<4, 256>>>(device(), device(), N); }
// says 'tile[257]', which was never written
__global__ void k_unfilled(const float *in, float *out, int n) {
    __shared__ float tile[258];
    int i = blockIdx.x * 256 + threadIdx.x;
    tile[threadIdx.x + 1] = i < n ? in[i] : 0;
    __syncthreads();
    if (i < n) out[i] = tile[threadIdx.x + 1] + tile[threadIdx.x + 2]; // HERE
}
PROGRAM(halo_not_filled) { k_unfilled<<<4, 256>>>(device(), device(), N); }
// fine
__global__ void k_filled(const float *in, float *out, int n) {
    __shared__ float tile[258];
    int i = blockIdx.x * 256 + threadIdx.x;
    tile[threadIdx.x + 1] = i < n ? in[i] : 0;
    if (threadIdx.x < 2) {
        int at = threadIdx.x ? i + 255 : i - 1;
        tile[threadIdx.x * 257] = at >= 0 && at < n ? in[at] : 0;
    }
    __syncthreads();
    if (i < n) out[i] = tile[threadIdx.x] + tile[threadIdx.x + 2];
}
PROGRAM(halo_filled) { k_filled<<<4, 256>>>(device(), device(), N); }
// unnamed in shared memory, bounds are those of the block: what is told is the hole in the other array
// says 'a[1]', which was never written
__global__ void k_two_tiles(const float *in, float *out) {
    __shared__ float a[32], b[32];
    b[threadIdx.x] = 1;
    __syncthreads();
    a[threadIdx.x * 2] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = a[threadIdx.x] + b[31 - threadIdx.x]; // HERE
}
PROGRAM(into_the_next_array) { k_two_tiles<<<1, 32>>>(device(), device()); }
// says 'pool'+1024, which ends at byte 512
__global__ void k_partition(float *out, int n) {
    extern __shared__ float pool[];
    float *keys = pool;
    int *counts = (int *)(pool + n * sizeof(float));
    keys[threadIdx.x] = 1;
    counts[threadIdx.x] = 2; // HERE
    out[threadIdx.x] = keys[threadIdx.x] + counts[threadIdx.x];
}
PROGRAM(pool_parted_by_bytes) { k_partition<<<1, 64, 2 * 64 * 4>>>(device(), 64); }
// fine
__global__ void k_parted(float *out, int n) {
    extern __shared__ float pool[];
    float *keys = pool;
    int *counts = (int *)(pool + n);
    keys[threadIdx.x] = 1;
    counts[threadIdx.x] = 2;
    out[threadIdx.x] = keys[threadIdx.x] + counts[threadIdx.x];
}
PROGRAM(pool_parted_by_elements) { k_parted<<<1, 64, 2 * 64 * 4>>>(device(), 64); }
// says are two extern __shared__ arrays meant to lie apart? All begin at one place
__global__ void k_pools(float *out) {
    extern __shared__ float firsts[];
    extern __shared__ int seconds[];
    if (threadIdx.x < 32)
        firsts[threadIdx.x] = 1; // HERE
    else
        seconds[threadIdx.x - 32] = threadIdx.x; // HERE
    __syncthreads();
    out[threadIdx.x] = firsts[threadIdx.x % 32] + seconds[threadIdx.x % 32];
}
PROGRAM(two_dynamic_arrays) { k_pools<<<1, 64, 2 * 64 * 4>>>(device()); }
// says which is not a multiple of 4
__global__ void k_packed(int *out) {
    __shared__ char raw[256];
    int *word = (int *)(raw + 1);
    word[threadIdx.x] = threadIdx.x; // HERE
    __syncthreads();
    out[threadIdx.x] = word[31 - threadIdx.x];
}
PROGRAM(words_at_an_odd_byte) { k_packed<<<1, 32>>>(device<int>()); }

// --- types

// says an access of 16 bytes must start at a multiple of 16 bytes
__global__ void k_vector(const float *in, float *out, int n) {
    int i = threadIdx.x;
    if (4 * i < n - 1) *(float4 *)(out + 4 * i) = *(const float4 *)(in + 4 * i + 1); // HERE
}
PROGRAM(vector_at_an_odd_element) { k_vector<<<1, 32>>>(device(), device(), 100); }
// says 'in'+3000, just past its end
__global__ void k_pixels(const uchar4 *in, unsigned char *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i].x; // HERE
}
PROGRAM(three_channels_as_four) { k_pixels<<<4, 256>>>((uchar4 *)device<char>(3 * N), device<unsigned char>(), N); }
// unnamed a device gives -1, as an H100 does, and compilers divide ahead of a guard
// fine
__global__ void k_divide(int *a, int n) { a[threadIdx.x] = 100 / n; }
PROGRAM(division_by_zero) { k_divide<<<1, 32>>>(device<int>(), 0); }

// --- what a thread has of its own

// says a thread's own arrays that are indexed take 64 bytes: is one too small
__global__ void k_stack(int *out) {
    int stack[16], top = 0;
    for (int i = 0; i <= 16 + out[0]; i++) stack[top++] = i; // HERE
    for (int i = 0; i < 16; i++) out[i] = stack[(i + out[1]) % 16];
}
PROGRAM(stack_of_a_thread_too_small) { k_stack<<<1, 1>>>(device<int>()); }
// says uses a variable here that nothing has been assigned to
__global__ void k_maximum(const float *a, float *out, int n) {
    float best;
    for (int i = 0; i < n; i++)
        if (a[i] > best) best = a[i]; // HERE
    out[threadIdx.x] = best;
}
PROGRAM(maximum_without_a_start) { k_maximum<<<1, 32>>>(device(), device(), 10); }
// says lane 10 of warp 0
// says uses a variable here that nothing has been assigned to
__global__ void k_some(const float *a, float *out, int n) {
    float v;
    if (threadIdx.x < n) v = a[threadIdx.x];
    out[threadIdx.x] = v; // HERE
}
PROGRAM(value_of_some_lanes) { k_some<<<1, 32>>>(device(), device(), 10); }
