// Packs of 16 bytes where the swizzles of a tensor map put them, and the rows of a fragment: one warp each, whose loads are to be looked at.

// Where byte `at` of a tile goes under a swizzle of 32, 64 or 128 bytes; 0 is none. The tile begins at a multiple of 1024.
__device__ inline int swizzled(int at, int swizzle) {
    int packs = swizzle ? swizzle / 16 - 1 : 0; // 0, 1, 3 or 7
    return at ^ (at / 128 & packs) * 16;        // the line's number into the pack's
}

// Lane r reads pack `pack` of row r, of so many bytes.
extern "C" __global__ void read_packs(int4 *out, int row_bytes, int pack, int swizzle) {
    __shared__ __align__(1024) int4 tile[256];
    for (int i = threadIdx.x; i < 256; i += 32) tile[i] = make_int4(i, i, i, i);
    __syncthreads();
    out[threadIdx.x] = tile[swizzled(threadIdx.x * row_bytes + pack * 16, swizzle) / 16];
}

// Lane r reads float `column` of row r, of 32 floats.
extern "C" __global__ void read_floats(float *out, int column, int swizzle) {
    __shared__ __align__(1024) float tile[1024];
    for (int i = threadIdx.x; i < 1024; i += 32) tile[i] = i;
    __syncthreads();
    out[threadIdx.x] = tile[swizzled(threadIdx.x * 128 + column * 4, swizzle) / 4];
}

// Lanes 0 to 7 point to the rows of an 8 x 8 matrix of 16-bit elements, which begin so many bytes apart.
extern "C" __global__ void read_fragment(unsigned *out, int pitch) {
    __shared__ __align__(128) unsigned half[8 * 36]; // pairs of elements
    for (int i = threadIdx.x; i < 8 * 36; i += 32) half[i] = i;
    __syncthreads();
    unsigned row = (unsigned)__cvta_generic_to_shared(half) + threadIdx.x % 8 * pitch, mine;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(mine) : "r"(row));
    out[threadIdx.x] = mine;
}
