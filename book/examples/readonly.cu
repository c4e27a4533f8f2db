// One address for all lanes or not, by two paths; and transposes that differ in the kind of load only. n rows of n floats, n a
// multiple of 32, blocks of 32 x 32 threads.
__constant__ float table[32] = {1.0f, 2.0f, 3.0f}; // and 29 zeros

__global__ void constant_same(float *out, int which) { out[threadIdx.x] = table[which]; }

__global__ void constant_pairs(float *out) { out[threadIdx.x] = table[threadIdx.x / 2]; }

__global__ void constant_each(float *out) { out[threadIdx.x] = table[threadIdx.x]; }

__global__ void global_same(const float *in, float *out, int which) { out[threadIdx.x] = in[which]; }

__global__ void global_pairs(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x / 2]; }

__global__ void global_each(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x]; }

// Lanes go down a column of `in`, and along a row of `out`.
__global__ void turn(const float *in, float *out, int n) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    out[y * n + x] = in[x * n + y];
}

__global__ void turn_ldg(const float *in, float *out, int n) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    out[y * n + x] = __ldg(&in[x * n + y]);
}

__global__ void turn_past_l1(const float *in, float *out, int n) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    out[y * n + x] = __ldcg(&in[x * n + y]);
}

// Lanes go along a row of `in`, and down a column of `out`.
__global__ void turn_along_rows(const float *in, float *out, int n) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    out[x * n + y] = in[y * n + x];
}

// The first 32 look-ups of a table of 256 floats: from global memory, and from a copy in shared memory. One warp.
__global__ void look_up(const unsigned char *codes, const float *from, float *out) {
    out[threadIdx.x] = from[codes[threadIdx.x]];
}

__global__ void look_up_near(const unsigned char *codes, const float *from, float *out) {
    __shared__ float near[256];
    for (int k = threadIdx.x; k < 256; k += 32) near[k] = from[k];
    __syncwarp();
    out[threadIdx.x] = near[codes[threadIdx.x]];
}

// Nothing is promised, and nothing has to be.
__global__ void scale_kept(const float *in, const float *factor, float *out, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    float kept = factor[0];
    for (int i = thread; i < n; i += threads) out[i] = kept * in[i];
}
