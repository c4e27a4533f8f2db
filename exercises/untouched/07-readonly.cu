// Lab 07: data that a kernel only reads
//
// __ldg(&in[i]), or a pointer declared `const float *__restrict__`, makes the compiler write
// ld.global.nc in place of ld.global: a load of data that nobody changes while the kernel runs. It touches
// the same sectors, and uses the same L1. What the promise __restrict__ really allows is to keep a value in
// a register although something was stored in between.
//
// Constant memory is another path: made for one address that all lanes of a warp read together. Lanes that
// read different addresses are served one address after the other.
//
//   1. Predict what six small kernels do.
//   2. scale_all() reads its factor again for each element. Say what the compiler does not know.
//   3. filter() reads its weights through global memory. All lanes want the same one: use the other path.
//   4. lookup() reads a small table at places all over it. Neither path is good at that: what is?
//
// Edit only between the lines BEGIN YOUR CODE and END YOUR CODE. Then: make grade LAB=07
// See the PTX that the compiler writes: build/warpscope compile exercises/07-readonly/kernel.cu

// ---- 1. Predict --------------------------------------------------------------------------------------------
//
// Each kernel is launched with one warp. `in` begins at a multiple of 256 bytes.

extern "C" {
__constant__ float constants[32] = {0.5f, 1.5f, 2.5f, 3.5f, 4.5f, 5.5f, 6.5f, 7.5f, 8.5f, 9.5f, 10.5f,
                                    11.5f, 12.5f, 13.5f, 14.5f, 15.5f, 16.5f, 17.5f, 18.5f, 19.5f, 20.5f, 21.5f,
                                    22.5f, 23.5f, 24.5f, 25.5f, 26.5f, 27.5f, 28.5f, 29.5f, 30.5f, 31.5f};
}

extern "C" __global__ void plain(float *in, float *out) {
    out[threadIdx.x] = in[threadIdx.x];
}

extern "C" __global__ void only_const(const float *in, float *out) {
    out[threadIdx.x] = in[threadIdx.x];
}

extern "C" __global__ void with_ldg(const float *in, float *out) {
    out[threadIdx.x] = __ldg(&in[threadIdx.x]);
}

extern "C" __global__ void promised(const float *__restrict__ in, float *__restrict__ out) {
    out[threadIdx.x] = in[threadIdx.x];
}

extern "C" __global__ void constant_pairs(float *out) {
    out[threadIdx.x] = constants[threadIdx.x / 2];
}

extern "C" __global__ void constant_one(int which, float *out) {
    out[threadIdx.x] = constants[which];
}

#define PREDICT_GLOBAL(kernel, nc, sectors)                \
    extern "C" {                                           \
    __constant__ int predicted_nc_##kernel = nc;           \
    __constant__ int predicted_sectors_##kernel = sectors; \
    }
#define PREDICT_CONSTANT(kernel, addresses)                    \
    extern "C" {                                               \
    __constant__ int predicted_addresses_##kernel = addresses; \
    }

// Put your numbers in place of those that stand here. nc: 1 if the load from `in` is ld.global.nc, 0 if it
// is a plain ld.global. Sectors: that the load touches. Addresses: how many different ones the warp reads
// from constant memory, which is how many times that path has to be asked.
// BEGIN YOUR CODE
//             kernel          nc  sectors
PREDICT_GLOBAL(plain,          -1, 0)
PREDICT_GLOBAL(only_const,     -1, 0)
PREDICT_GLOBAL(with_ldg,       -1, 0)
PREDICT_GLOBAL(promised,       -1, 0)
//               kernel          addresses
PREDICT_CONSTANT(constant_pairs, 0)
PREDICT_CONSTANT(constant_one,   0)
// END YOUR CODE

// ---- 2. What the compiler may keep -------------------------------------------------------------------------
//
// out[i] = factor[0] * in[i], for all i from 0 to n - 1. Any number of blocks and threads; the three arrays
// never overlap.
// BEGIN YOUR CODE
extern "C" __global__ void scale_all(const float *in, const float *factor, float *out, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    for (int i = thread; i < n; i += threads) out[i] = factor[0] * in[i];
}
// END YOUR CODE

// ---- 3. One address for all lanes --------------------------------------------------------------------------

#define TAPS 9
#define WEIGHTS {0.03125f, 0.0625f, 0.125f, 0.1875f, 0.25f, 0.15625f, 0.09375f, 0.0625f, 0.03125f}
extern "C" {
__device__ float weights_global[TAPS] = WEIGHTS;
__constant__ float weights_constant[TAPS] = WEIGHTS; // the same numbers in constant memory
}

// out[i] = weights[0] * in[i] + … + weights[8] * in[i + 8], for i from 0 to n - 1; `in` has n + 8 elements.
// Launched with a thread or more for each i.
extern "C" __global__ void filter(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    // BEGIN YOUR CODE
    float sum = 0.0f;
    for (int k = 0; k < TAPS; k++) sum += weights_global[k] * in[i + k];
    out[i] = sum;
    // END YOUR CODE
}

// ---- 4. A table, read all over -----------------------------------------------------------------------------
//
// out[i] = table[codes[i]], for all i from 0 to n - 1. The table has 256 floats: 32 sectors. Any number of
// blocks and threads.
extern "C" __global__ void lookup(const unsigned char *codes, const float *table, float *out, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    // BEGIN YOUR CODE
    for (int i = thread; i < n; i += threads) out[i] = table[codes[i]];
    // END YOUR CODE
}
