// asked.cu: kernels of the page "Ask the counter", each as small as what was asked allows.

// --- transposes of n x n elements through a tile; both dimensions are multiples of the block's

template <int PITCH> static __device__ void by_columns(const float *in, float *out, int n) {
    __shared__ float tile[32 * PITCH];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y * PITCH + x] = in[(blockIdx.y * 32 + y) * n + blockIdx.x * 32 + x];
    __syncthreads();
    out[(blockIdx.x * 32 + y) * n + blockIdx.y * 32 + x] = tile[x * PITCH + y];
}

__global__ void transpose_unpadded(const float *in, float *out, int n) { by_columns<32>(in, out, n); }

__global__ void transpose_padded(const float *in, float *out, int n) { by_columns<33>(in, out, n); }

// Blocks of 32 x 16: a warp reads two columns of 16 rows.
template <int PITCH> static __device__ void two_columns(const float *in, float *out, int n) {
    __shared__ float tile[16 * PITCH];
    int x = threadIdx.x, y = threadIdx.y, row = x % 16, column = 2 * y + x / 16;
    tile[y * PITCH + x] = in[(blockIdx.y * 16 + y) * n + blockIdx.x * 32 + x];
    __syncthreads();
    out[(blockIdx.x * 32 + column) * n + blockIdx.y * 16 + row] = tile[row * PITCH + column];
}

__global__ void transpose_flat_33(const float *in, float *out, int n) { two_columns<33>(in, out, n); }

__global__ void transpose_flat_34(const float *in, float *out, int n) { two_columns<34>(in, out, n); }

template <int PITCH> static __device__ void of_doubles(const double *in, double *out, int n) {
    __shared__ double tile[32 * PITCH];
    int x = threadIdx.x, y = threadIdx.y;
    tile[x * PITCH + y] = in[(blockIdx.y * 32 + y) * n + blockIdx.x * 32 + x];
    __syncthreads();
    out[(blockIdx.x * 32 + y) * n + blockIdx.y * 32 + x] = tile[y * PITCH + x];
}

__global__ void transpose_doubles(const double *in, double *out, int n) { of_doubles<32>(in, out, n); }

__global__ void transpose_doubles_padded(const double *in, double *out, int n) { of_doubles<33>(in, out, n); }

// --- c = a * b, n x n floats, n a multiple of 128: blocks of 256 threads make 128 x 128 elements, each thread 8 x 8, in steps of 8 columns of a

enum { SIDE = 128, DEEP = 8, EACH = 8 };

// Columns of b's tile that thread `t` of a row of 16 works on: eight neighbours, or twice four, half a row apart.
template <bool APART> static __device__ int column_of(int t, int k) {
    return APART ? k / 4 * 64 + t * 4 + k % 4 : t * EACH + k;
}

template <int PITCH_A, int PITCH_B, bool APART>
static __device__ void product(const float *a, const float *b, float *c, int n) {
    __shared__ __align__(16) float as[DEEP * PITCH_A], bs[DEEP * PITCH_B]; // a's tile is kept transposed
    int t = threadIdx.x, across = t % 16, down = t / 16;
    float sums[EACH][EACH] = {}, left[EACH], right[EACH];
    for (int step = 0; step < n; step += DEEP) {
        float4 four = *(const float4 *)&a[(blockIdx.y * SIDE + t / 2) * n + step + t % 2 * 4];
        const float *each = (const float *)&four;
        for (int k = 0; k < 4; k++) as[(t % 2 * 4 + k) * PITCH_A + t / 2] = each[k];
        four = *(const float4 *)&b[(step + t / 32) * n + blockIdx.x * SIDE + t % 32 * 4];
        if (PITCH_B % 4 == 0) {
            *(float4 *)&bs[t / 32 * PITCH_B + t % 32 * 4] = four;
        } else {
            for (int k = 0; k < 4; k++) bs[t / 32 * PITCH_B + t % 32 * 4 + k] = each[k];
        }
        __syncthreads();
        _Pragma("unroll 1") for (int d = 0; d < DEEP; d++) {
            for (int k = 0; k < EACH; k++) left[k] = as[d * PITCH_A + down * EACH + k];
            for (int k = 0; k < EACH; k++) right[k] = bs[d * PITCH_B + column_of<APART>(across, k)];
            for (int i = 0; i < EACH; i++)
                for (int k = 0; k < EACH; k++) sums[i][k] += left[i] * right[k];
        }
        __syncthreads();
    }
    for (int i = 0; i < EACH; i++)
        for (int k = 0; k < EACH; k++)
            c[(blockIdx.y * SIDE + down * EACH + i) * n + blockIdx.x * SIDE + column_of<APART>(across, k)] = sums[i][k];
}

__global__ void product_plain(const float *a, const float *b, float *c, int n) { product<SIDE, SIDE, false>(a, b, c, n); }

__global__ void product_extra_columns(const float *a, const float *b, float *c, int n) {
    product<SIDE, SIDE + 5, false>(a, b, c, n);
}

__global__ void product_apart(const float *a, const float *b, float *c, int n) { product<SIDE + 4, SIDE, true>(a, b, c, n); }

// --- words of 8 and 16 bytes, one warp

// Lanes read pairs 0, 1, 2, 3, 0, 1, …
__global__ void pairs_in_turn(float2 *out) {
    __shared__ float2 pair[32];
    pair[threadIdx.x] = make_float2(threadIdx.x, 1);
    __syncthreads();
    out[threadIdx.x] = pair[threadIdx.x % 4];
}

// Lanes read pairs 0, 0, 1, 1, 2, 2, 3, 3, 0, …
__global__ void pairs_by_neighbours(float2 *out) {
    __shared__ float2 pair[32];
    pair[threadIdx.x] = make_float2(threadIdx.x, 1);
    __syncthreads();
    out[threadIdx.x] = pair[threadIdx.x / 2 % 4];
}

// Through shared memory, neighbours by neighbours.
__global__ void fours_in_order(const float4 *in, float4 *out) {
    __shared__ float4 four[32];
    four[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = four[threadIdx.x ^ 1];
}

// The same by larger blocks, in as much shared memory as the launch asks for; 16 bytes a thread are used.
__global__ void fours_in_more_room(const float4 *in, float4 *out) {
    extern __shared__ float4 room[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    room[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = room[threadIdx.x ^ 1];
}

// Each eight lanes read 128 bytes, which lie `far` fours apart.
__global__ void fours_by_quarters(const float4 *in, float4 *out, int far) {
    out[threadIdx.x] = in[threadIdx.x / 8 * far + threadIdx.x % 8];
}

// Every second four.
__global__ void fours_with_gaps(const float4 *in, float4 *out) {
    int i = threadIdx.x;
    out[i] = in[2 * i];
}

// --- four 8 x 8 matrices of 16 bits, in rows of 64 elements; SWIZZLED: 16 bytes of row r stand at their place XOR r

template <bool SWIZZLED> static __device__ void fragments(unsigned *out) {
    __shared__ __align__(128) unsigned short half[8 * 64];
    for (int i = threadIdx.x; i < 8 * 64; i += 32) half[i] = i;
    __syncthreads();
    int row = threadIdx.x % 8, place = threadIdx.x / 8; // the row of which matrix this lane points to
    unsigned address = (unsigned)__cvta_generic_to_shared(half + row * 64 + (SWIZZLED ? place ^ row : place) * 8), a, b, c, d;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "r"(address));
    out[threadIdx.x] = a ^ b ^ c ^ d;
}

__global__ void fragments_in_rows(unsigned *out) { fragments<false>(out); }

__global__ void fragments_swizzled(unsigned *out) { fragments<true>(out); }

// --- global memory

// One block of n threads, which makes row after row of c.
__global__ void rows_by_one_block(const float *a, const float *b, float *c, int n) {
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + threadIdx.x];
        c[i * n + threadIdx.x] = sum;
    }
}

// All threads read it.
__global__ void one_value(const int *in, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[0];
}

// One field of structures of 64 bytes.
__global__ void every_sixteenth(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[16 * i];
}

// The same field, as an array.
__global__ void all_of_one(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

// Each thread counts in which of 16 classes its eight numbers are, and writes the largest count.
__global__ void counted_by_index(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, count[16] = {}, most = 0;
    for (int k = 0; k < 8; k++) count[in[k * n + i] & 15]++;
    for (int c = 0; c < 16; c++) most = max(most, count[c]);
    out[i] = most;
}

__global__ void counted_by_comparing(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, count[16] = {}, most = 0;
    for (int k = 0; k < 8; k++)
        for (int c = 0; c < 16; c++) count[c] += c == (in[k * n + i] & 15);
    for (int c = 0; c < 16; c++) most = max(most, count[c]);
    out[i] = most;
}

__global__ void fill_fours(int4 *out, int value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = make_int4(value, value, value, value);
}

// One word of each sector.
__global__ void store_every_eighth(float *out, float value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[8 * i] = value;
}

// --- sums by atomic operations: each thread adds a number of its own to one word

__global__ void add_ints_shared(const int *in, int *out) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void add_floats_shared(const float *in, float *out) {
    __shared__ float sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void add_ints_global(const int *in, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(out, in[i]);
}

__global__ void add_floats_global(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(out, in[i]);
}
