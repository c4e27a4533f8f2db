/* Kernels whose emulation is timed; bench.c has the same work as plain C. */
extern "C" __global__ void hash(unsigned *out, int rounds) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = i;
    for (int r = 0; r < rounds; r++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        x = x * 1664525u + i;
    }
    out[i] = x;
}

extern "C" __global__ void copy(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}

/* Read in rows, written in columns: 32 sectors a store. */
extern "C" __global__ void naive(float *out, const float *in, int n) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < n && y + j < n) out[x * n + y + j] = in[(y + j) * n + x];
}

extern "C" __global__ void transpose(float *out, const float *in, int n) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < n && y + j < n) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < n && y + j < n) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

extern "C" __global__ void product(float *c, const float *a, const float *b, int n) {
    __shared__ float ta[16][16], tb[16][16];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (int t = 0; t < n; t += 16) {
        ta[threadIdx.y][threadIdx.x] = a[y * n + t + threadIdx.x];
        tb[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + x];
        __syncthreads();
        for (int k = 0; k < 16; k++) sum = __fmaf_rn(ta[threadIdx.y][k], tb[k][threadIdx.x], sum);
        __syncthreads();
    }
    c[y * n + x] = sum;
}

/* Each warp's sum, lane by lane, in each round. */
extern "C" __global__ void shuffle(unsigned *out, int rounds) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = i;
    for (int r = 0; r < rounds; r++)
        for (unsigned apart = 16; apart > 0; apart /= 2) x += __shfl_xor_sync(0xffffffff, x, apart);
    out[i] = x;
}

extern "C" __global__ void vote(unsigned *out, int rounds) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = i;
    for (int r = 0; r < rounds; r++) x = x * 1664525u + __ballot_sync(0xffffffff, x & 0x10000);
    out[i] = x;
}

extern "C" __global__ void functions(float *out, int rounds) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = (float)i;
    for (int r = 0; r < rounds; r++) {
        float power, logarithm;
        asm("ex2.approx.f32 %0, %1;" : "=f"(power) : "f"(__sinf(x)));
        asm("lg2.approx.f32 %0, %1;" : "=f"(logarithm) : "f"(power + 1));
        x += logarithm;
    }
    out[i] = x;
}

/* Words of shared memory, and of a histogram in it, wherever they are. */
extern "C" __global__ void irregular(unsigned *out, int rounds) {
    __shared__ unsigned table[1024], histogram[1024];
    for (unsigned k = threadIdx.x; k < 1024; k += blockDim.x) {
        table[k] = k * 2654435761u;
        histogram[k] = 0;
    }
    __syncthreads();
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = i;
    for (int r = 0; r < rounds; r++) {
        x = x * 1664525u + table[x >> 22];
        atomicAdd(&histogram[x >> 22], 1);
    }
    __syncthreads();
    for (unsigned k = threadIdx.x; k < 1024; k += blockDim.x) x ^= histogram[k] << k % 8;
    out[i] = x;
}

/* Sums of as many strips as there are blocks. */
extern "C" __global__ void reduce(float *out, const float *in, int n) {
    __shared__ float part[256];
    float sum = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) sum += in[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int step = 128; step; step /= 2) {
        if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

extern "C" __global__ void stencil(float *out, const float *in, int n) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, i = y * n + x;
    bool inner = x > 0 && y > 0 && x < n - 1 && y < n - 1;
    out[i] = inner ? in[i] + in[i - 1] + in[i + 1] + in[i - n] + in[i + n] : in[i];
}

extern "C" __global__ void bytes(unsigned char *out, const unsigned char *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] ^ 0xff;
}
