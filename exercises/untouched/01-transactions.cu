// Lab 01: requests and sectors
//
// One instruction that reads or writes global memory is executed by the 32 lanes of a warp together. It is
// one request. The memory system answers it in sectors: pieces of 32 bytes that begin at a multiple of 32.
// It counts how many different sectors the lanes touch, and nothing else matters: not which lane touches
// which byte, and not what the same lane reads in the next turn of its loop.
//
//   1. Predict: six small kernels are given. Fill in how many requests and sectors their loads take.
//   2. scale() and brighten() are right, but slow: every thread walks along a piece of its own. Change
//      which elements a thread takes, so that the lanes of a warp are neighbours in memory.
//
// Edit only between the lines BEGIN YOUR CODE and END YOUR CODE. Then: make grade LAB=01

// ---- 1. Predict --------------------------------------------------------------------------------------------
//
// Each kernel is launched with one block of 64 threads: two warps. `in` begins at a multiple of 256 bytes.
// Only loads from `in` count; the stores to `out` do not.

extern "C" __global__ void neighbours(const float *in, float *out) {
    out[threadIdx.x] = in[threadIdx.x];
}

extern "C" __global__ void backwards(const float *in, float *out) {
    out[threadIdx.x] = in[63 - threadIdx.x];
}

extern "C" __global__ void one_element(const float *in, float *out) {
    out[threadIdx.x] = in[0];
}

extern "C" __global__ void doubles(const double *in, double *out) {
    out[threadIdx.x] = in[threadIdx.x];
}

extern "C" __global__ void some_lanes(const float *in, float *out) {
    if (threadIdx.x < 40) out[threadIdx.x] = in[threadIdx.x];
}

extern "C" __global__ void own_chunk(const float *in, float *out) {
    float sum = 0.0f;
    for (int k = 0; k < 4; k++) sum += in[4 * threadIdx.x + k];
    out[threadIdx.x] = sum;
}

#define PREDICT(kernel, requests, sectors)                   \
    extern "C" {                                             \
    __constant__ int predicted_requests_##kernel = requests; \
    __constant__ int predicted_sectors_##kernel = sectors;   \
    }

// Put your numbers in place of the zeros: of both warps together.
// BEGIN YOUR CODE
//      kernel       requests  sectors
PREDICT(neighbours,  0,        0)
PREDICT(backwards,   0,        0)
PREDICT(one_element, 0,        0)
PREDICT(doubles,     0,        0)
PREDICT(some_lanes,  0,        0)
PREDICT(own_chunk,   0,        0)
// END YOUR CODE

// ---- 2. Neighbouring lanes, neighbouring elements ----------------------------------------------------------
//
// Both kernels must work for any number of elements with any number of blocks and threads: more threads than
// elements, or fewer.

// out[i] = factor * in[i], for all i from 0 to n - 1.
extern "C" __global__ void scale(const float *in, float *out, float factor, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    // BEGIN YOUR CODE
    int chunk = (n + threads - 1) / threads;
    int begin = thread * chunk;
    int end = min(begin + chunk, n);
    for (int i = begin; i < end; i++) out[i] = factor * in[i];
    // END YOUR CODE
}

// An image of rows x columns pixels, row after row: every pixel becomes brighter by `amount`, at most 1.
extern "C" __global__ void brighten(const float *in, float *out, float amount, int rows, int columns) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    // BEGIN YOUR CODE
    for (int row = thread; row < rows; row += threads)
        for (int column = 0; column < columns; column++)
            out[row * columns + column] = fminf(in[row * columns + column] + amount, 1.0f);
    // END YOUR CODE
}
