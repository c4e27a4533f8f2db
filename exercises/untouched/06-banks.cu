// Lab 06: banks
//
// Shared memory has 32 banks; the word at byte address a lies in bank (a / 4) mod 32. A bank hands out one word a wavefront, to any number of
// lanes. All kernels here are right and go through shared memory, and all of them wait for it.
//
//   1  Predict the wavefronts of three small kernels.
//   2  reverse    puts each 1024 floats into the order that a fast Fourier transform needs. Shared memory is full: no padding.
//   3  channels   sorts recordings of 16 channels, in doubles.
//   4  histogram  adds up the values of each of 16 levels.
//
// Loads and stores of global memory are coalesced already and must stay so. The data must go on taking its way through shared memory.
//
// Only what stands between BEGIN YOUR CODE and END YOUR CODE is to be changed. `make grade LAB=06` says how far you are.

// ---- 1. Predict ---------------------------------------------------------------------------------------------------------------------
//
// Each kernel is launched with one warp. Only its store to shared memory counts: how many wavefronts does it take?

// Lane i has byte step * i.
extern "C" __global__ void bytes_apart(int *out, int step) {
    __shared__ volatile unsigned char bytes[32 * 16];
    bytes[step * threadIdx.x] = (unsigned char)threadIdx.x;
    out[threadIdx.x] = bytes[step * threadIdx.x];
}

// Four rows of eight words, and from row to row `pitch` words.
extern "C" __global__ void four_rows(int *out, int pitch) {
    __shared__ volatile int words[4 * 64];
    int at = threadIdx.x / 8 * pitch + threadIdx.x % 8;
    words[at] = threadIdx.x;
    out[threadIdx.x] = words[at];
}

// Lane i has double step * i.
extern "C" __global__ void doubles_apart(int *out, int step) {
    __shared__ volatile double doubles[32 * 16];
    doubles[step * threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = (int)doubles[step * threadIdx.x];
}

// Put your numbers in place of the zeros, for these launches:
//     bytes_apart    step 12, 16, 5
//     four_rows      pitch 32, 40, 36
//     doubles_apart  step 5, 12, 6
// BEGIN YOUR CODE
__constant__ int wavefronts_of_bytes[3] = {0, 0, 0};
__constant__ int wavefronts_of_rows[3] = {0, 0, 0};
__constant__ int wavefronts_of_doubles[3] = {0, 0, 0};
// END YOUR CODE

// ---- 2. The order of a Fourier transform --------------------------------------------------------------------------------------------
//
// `in` and `out` are `segments` segments of 1024 floats. Within a segment the float at place i goes to the place whose ten bits are those of i in
// reverse: what is at 1 = 0000000001 goes to 512 = 1000000000. There is a block of 256 threads for each segment. A block may take 4096 bytes of
// shared memory and no more: just the segment.
constexpr int SEGMENT = 1024, THREADS = 256;

__device__ inline int reversed(int i) { return __brev(i) >> 22; }

extern "C" __global__ void reverse(const float *in, float *out, int segments) {
    // BEGIN YOUR CODE
    __shared__ float staged[SEGMENT];
    size_t first = (size_t)blockIdx.x * SEGMENT;
    for (int i = threadIdx.x; i < SEGMENT; i += THREADS) staged[i] = in[first + i];
    __syncthreads();
    for (int i = threadIdx.x; i < SEGMENT; i += THREADS) out[first + i] = staged[reversed(i)];
    // END YOUR CODE
}

// ---- 3. Sixteen channels ------------------------------------------------------------------------------------------------------------
//
// A recording comes in segments of 64 moments; at each moment 16 channels give a double each. In `in` the doubles of a moment stand side by side; in
// `out` those of a channel do, 64 in a row, segment by segment. There is a block of 256 threads for each segment. A block may take 8704
// bytes of shared memory, which is more than the 8192 of the segment.
constexpr int CHANNELS = 16, MOMENTS = 64;

extern "C" __global__ void channels(const double *in, double *out, int segments) {
    // BEGIN YOUR CODE
    __shared__ double staged[MOMENTS * CHANNELS];
    size_t first = (size_t)blockIdx.x * MOMENTS * CHANNELS;
    for (int i = threadIdx.x; i < MOMENTS * CHANNELS; i += THREADS) staged[i] = in[first + i];
    __syncthreads();
    for (int i = threadIdx.x; i < MOMENTS * CHANNELS; i += THREADS) {
        int channel = i / MOMENTS, moment = i % MOMENTS;
        out[first + i] = staged[moment * CHANNELS + channel];
    }
    // END YOUR CODE
}

// ---- 4. A weighted histogram --------------------------------------------------------------------------------------------------------
//
// Each of n values has a level, its highest four bits: 0 to 15. Block b looks at the 4096 values from 4096 * b on (the last block at what there
// is) and writes to sums[16 * b + level] the sum of those that have the level, modulo 2^32. Nobody knows the values beforehand.
//
// Atomic operations would make lanes with the same level wait for each other: the assembler combines what lanes count, but not different values at addresses
// that depend on the data. So each thread has sums of its own, which are added up at last.
// A block has 256 threads and may take 16,384 bytes of shared memory: a word for each thread and level.
constexpr int LEVELS = 16, VALUES = 4096;

extern "C" __global__ void histogram(const unsigned *values, unsigned *sums, int n) {
    // BEGIN YOUR CODE
    __shared__ unsigned mine[THREADS * LEVELS]; // the sums of thread t are at LEVELS * t
    int t = threadIdx.x;
    for (int level = 0; level < LEVELS; level++) mine[LEVELS * t + level] = 0;
    for (int k = 0; k < VALUES; k += THREADS) {
        int i = blockIdx.x * VALUES + k + t;
        if (i < n) mine[LEVELS * t + (values[i] >> 28)] += values[i];
    }
    __syncthreads();
    // 16 threads for each level; each adds up what 16 threads have, and then they add up their sums.
    int level = t / 16, part = t % 16;
    unsigned sum = 0;
    for (int k = 0; k < 16; k++) sum += mine[LEVELS * (16 * part + k) + level];
    for (int distance = 8; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance, 16);
    if (part == 0) sums[LEVELS * blockIdx.x + level] = sum;
    // END YOUR CODE
}
