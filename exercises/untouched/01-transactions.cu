// Lab 01: requests and sectors
//
// One instruction that reads or writes global memory is executed by the 32 lanes of a warp together. It is
// one request. The memory system answers it in sectors: 32 bytes that begin at a multiple of 32. It counts
// how many different sectors the lanes touch, and nothing else matters: not which lane touches which byte,
// and not what the same lane reads in the next iteration of its loop.
//
//   1. Predict: six small kernels are given. Fill in how many requests and sectors their loads take.
//   2. changes() is right, but slow, because every thread walks along a chunk of its own, as it would on a
//      CPU. Let the lanes of a warp be neighbours in memory.
//   3. weigh() works on rows of different lengths, and a thread walks along each. Who can be neighbours here?
//
// On an H200, for 16,777,216 floats, changes() becomes fifteen times as fast, weigh() seven times.
// What is graded are sectors. weigh() is graded with 64 warps, far too few to fill a GPU: each waits for one load
// after the other, and there the modelled time grows, although the sectors become fewer.
//
// Edit only between the lines BEGIN YOUR CODE and END YOUR CODE. Then: make grade LAB=01

// ---- 1. Predict --------------------------------------------------------------------------------------------
//
// Each kernel is launched with one block of 64 threads, which are two warps; tile() with a block of 8 x 8.
// `in` begins at a multiple of 256 bytes. Only loads from `in` count; the stores to `out` do not.

extern "C" __global__ void small_steps(const float *in, float *out) {
    out[threadIdx.x] = in[5 * threadIdx.x];
}

extern "C" __global__ void some_share(const float *in, float *out) {
    out[threadIdx.x] = in[threadIdx.x / 4];
}

// Pixels of 3 bytes, of which the first is red: reads the red ones.
extern "C" __global__ void red_bytes(const unsigned char *in, unsigned char *out) {
    out[threadIdx.x] = in[3 * threadIdx.x];
}

extern "C" __global__ void first_floats(const float *in, float *out) {
    if (threadIdx.x < 20) out[threadIdx.x] = in[threadIdx.x];
}

// The corner of a matrix of 20 columns.
extern "C" __global__ void tile(const float *in, float *out) {
    out[8 * threadIdx.y + threadIdx.x] = in[20 * threadIdx.y + threadIdx.x];
}

// Threads 0 to 15 read nothing, threads 48 to 63 3 floats each.
extern "C" __global__ void staircase(const float *in, float *out) {
    float sum = 0.0f;
    int floats = threadIdx.x / 16;
    for (int k = 0; k < floats; k++) sum += in[64 * k + threadIdx.x];
    out[threadIdx.x] = sum;
}

#define PREDICT(kernel, requests, sectors)                   \
    extern "C" {                                             \
    __constant__ int predicted_requests_##kernel = requests; \
    __constant__ int predicted_sectors_##kernel = sectors;   \
    }

// Put your numbers in place of the zeros: of both warps together. A line counts when both numbers are right.
// BEGIN YOUR CODE
//      kernel        requests  sectors
PREDICT(small_steps,  0,        0)
PREDICT(some_share,   0,        0)
PREDICT(red_bytes,    0,        0)
PREDICT(first_floats, 0,        0)
PREDICT(tile,         0,        0)
PREDICT(staircase,    0,        0)
// END YOUR CODE

// ---- 2. From one element to the next -----------------------------------------------------------------------
//
// out[0] = in[0], and out[i] = in[i] - in[i - 1] for all i from 1 to n - 1.
//
// It must work for any number of elements with any number of blocks and threads: more threads than elements, or
// fewer.
extern "C" __global__ void changes(const float *in, float *out, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    // BEGIN YOUR CODE
    // Each thread remembers the element before, so that it loads every element once.
    int chunk = (n + threads - 1) / threads;
    int begin = thread * chunk;
    int end = min(begin + chunk, n);
    float before = begin > 0 && begin < n ? in[begin - 1] : 0.0f;
    for (int i = begin; i < end; i++) {
        float now = in[i];
        out[i] = now - before;
        before = now;
    }
    // END YOUR CODE
}

// ---- 3. Rows of different lengths --------------------------------------------------------------------------
//
// Rows follow each other in memory without gaps, each with a length of its own. Row r is the elements from
// start[r] to start[r + 1] - 1, which may be none at all. Every element of row r is multiplied by weight[r]:
//
//     out[i] = weight[r] * in[i]
//
// It must work for any number of rows, whatever their lengths, with any number of blocks. A block has a whole
// number of warps.
extern "C" __global__ void weigh(const float *in, float *out, const int *start, const float *weight, int rows) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    // BEGIN YOUR CODE
    for (int row = thread; row < rows; row += threads) {
        int end = start[row + 1];
        float by = weight[row];
        for (int i = start[row]; i < end; i++) out[i] = by * in[i];
    }
    // END YOUR CODE
}
