// Lab 02: sectors of 32 bytes, lines of 128
//
// L1 keeps lines of 128 bytes, each of four sectors. A sector is fetched from L2 only when a lane touches
// it: a line may be there with one of its four sectors. GPUs before 2014 fetched whole lines of 128 bytes
// through L1, and single sectors only when they bypassed it; many texts still teach that rule.
//
//   1. Predict: eight small kernels are given. How many sectors do they touch, how many lines of 128 bytes
//      would their loads have fetched by the old rule, and how many sectors does L1 not have?
//   2. denoise() reads every pixel of a film three times, and fetches it three times. Change the order of the
//      work, so that L1 can help.
//   3. join() loads as well as can be, but its stores touch eight times the sectors that they fill. Change what
//      neighbouring lanes do.
//
// On an H200 join() becomes nearly three times as fast, for 16,777,216 floats. denoise() gains little there,
// since L2 has what L1 has lost; for 67,108,864 floats, which do not fit into L2, it takes a quarter less time.
// The film that is graded is so small that its time is waiting, and is shared out less evenly by pixels: there it
// is even modelled to take longer. That costs no points; sectors fetched are what counts.
//
// Edit only between the lines BEGIN YOUR CODE and END YOUR CODE. Then: make grade LAB=02

// ---- 1. Predict --------------------------------------------------------------------------------------------
//
// All but the last are launched with one warp. `in`, `items` and `out` begin at a multiple of 256 bytes. The
// first five are about their loads, the next two about their stores.

extern "C" __global__ void two_ends(const float *in, float *out) {
    int lane = threadIdx.x;
    out[lane] = in[lane < 16 ? lane : 240 + lane];
}

extern "C" __global__ void large_steps(const float *in, float *out) {
    out[threadIdx.x] = in[9 * threadIdx.x];
}

// The first columns of four rows of 64 floats, column by column.
extern "C" __global__ void four_rows(const float *in, float *out) {
    out[threadIdx.x] = in[64 * (threadIdx.x % 4) + threadIdx.x / 4];
}

extern "C" __global__ void shorts_late(const short *in, short *out) {
    out[threadIdx.x] = in[threadIdx.x + 50];
}

struct Item { // 8 bytes
    float price;
    short stock;
    unsigned char kind, shelf[1];
};

extern "C" __global__ void kinds(const Item *items, unsigned char *out) {
    out[threadIdx.x] = items[threadIdx.x].kind;
}

extern "C" __global__ void write_late(const float *in, float *out) {
    if (threadIdx.x < 28) out[threadIdx.x + 5] = in[threadIdx.x];
}

extern "C" __global__ void write_apart(const unsigned char *in, unsigned char *out) {
    out[6 * threadIdx.x] = in[threadIdx.x];
}

// Launched for 64 elements in two ways: with one block of 64 threads, and with two blocks of 32, which run on
// two multiprocessors.
extern "C" __global__ void overlap(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] + in[i + 32];
}

#define PREDICT_READ(kernel, lines, sectors)               \
    extern "C" {                                           \
    __constant__ int predicted_lines_##kernel = lines;     \
    __constant__ int predicted_sectors_##kernel = sectors; \
    }
#define PREDICT_WRITE(kernel, sectors)                     \
    extern "C" {                                           \
    __constant__ int predicted_sectors_##kernel = sectors; \
    }
#define PREDICT_FETCHED(launch, sectors)                    \
    extern "C" {                                            \
    __constant__ int predicted_fetched_##launch = sectors;  \
    }

// Put your numbers in place of the zeros. Lines: of 128 bytes, by the old rule, through L1. Sectors: of 32
// bytes, as today. Fetched: the sectors that the two loads of overlap() touch and do not find in L1, added up
// over both loads and all warps.
// BEGIN YOUR CODE
//           kernel       lines  sectors
PREDICT_READ(two_ends,    2,     4)
PREDICT_READ(large_steps, 9,     32)
PREDICT_READ(four_rows,   4,     4)
PREDICT_READ(shorts_late, 2,     3)
PREDICT_READ(kinds,       2,     8)
//            kernel             sectors
PREDICT_WRITE(write_late,        5)
PREDICT_WRITE(write_apart,       6)
//              overlap()        sectors
PREDICT_FETCHED(one_block,       12)
PREDICT_FETCHED(two_blocks,      16)
// END YOUR CODE

// ---- 2. Come back soon -------------------------------------------------------------------------------------
//
// A film has frames of `pixels` floats each, one frame after the other. To take noise out of it, every pixel
// becomes the mean of itself and of the same pixel in the next two frames:
//
//     out[frame * pixels + pixel] = (in of frame + in of frame + 1 + in of frame + 2) / 3
//
// for all frames from 0 to frames - 1; `in` has two frames more. It must work for any number of frames and
// pixels, with any number of blocks and threads.
extern "C" __global__ void denoise(const float *in, float *out, int frames, int pixels) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    // BEGIN YOUR CODE
    for (int pixel = thread; pixel < pixels; pixel += threads)
        for (int frame = 0; frame < frames; frame++) {
            int i = frame * pixels + pixel;
            out[i] = (in[i] + in[i + pixels] + in[i + 2 * pixels]) / 3.0f;
        }
    // END YOUR CODE
}

// ---- 3. Nobody helps a store -------------------------------------------------------------------------------
//
// Eight microphones have recorded for `moments` moments, and the recordings stand one after the other in
// `tracks`. Join them, so that what was heard at one moment stands together:
//
//     out[8 * moment + microphone] = tracks[microphone * moments + moment]
//
// for all moments from 0 to moments - 1 and microphones from 0 to 7. It must work for any number of moments,
// blocks and threads.
extern "C" __global__ void join(const float *tracks, float *out, int moments) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    // BEGIN YOUR CODE
    for (int i = thread; i < 8 * moments; i += threads) out[i] = tracks[i % 8 * moments + i / 8];
    // END YOUR CODE
}
