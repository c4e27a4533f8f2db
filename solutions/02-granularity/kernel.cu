// Lab 02: sectors of 32 bytes, lines of 128
//
// L1 keeps lines of 128 bytes, each of four sectors. A sector is fetched from L2 only when a lane touches
// it: a line may be there with one of its four sectors. GPUs before 2014 fetched whole lines of 128 bytes
// through L1, and single sectors only when they bypassed it; many texts still teach that rule.
//
//   1. Predict: eight small kernels are given. How many sectors do they touch, how many lines of 128 bytes
//      would their loads have fetched by the old rule, and how many sectors does L1 not have?
//   2. smooth() reads each row of an image three times, and fetches it three times. Change which rows a block
//      takes, so that L1 can help.
//   3. weave() stores three times the sectors that its result has, and no cache helps it. Change which bytes
//      neighbouring lanes write.
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

extern "C" __global__ void every_ninth(const float *in, float *out) {
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
    unsigned char kind, shelf;
};

extern "C" __global__ void kinds(const Item *items, unsigned char *out) {
    out[threadIdx.x] = items[threadIdx.x].kind;
}

extern "C" __global__ void write_late(const float *in, float *out) {
    if (threadIdx.x < 20) out[threadIdx.x + 6] = in[threadIdx.x];
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
// bytes, as today. Fetched: the sectors that both loads of overlap() need and do not find in L1, of all warps
// together.
// BEGIN YOUR CODE
//           kernel       lines  sectors
PREDICT_READ(two_ends,    2,     4)
PREDICT_READ(every_ninth, 9,     32)
PREDICT_READ(four_rows,   4,     4)
PREDICT_READ(shorts_late, 2,     3)
PREDICT_READ(kinds,       2,     8)
//            kernel             sectors
PREDICT_WRITE(write_late,        4)
PREDICT_WRITE(write_apart,       6)
//              overlap()        sectors
PREDICT_FETCHED(one_block,       12)
PREDICT_FETCHED(two_blocks,      16)
// END YOUR CODE

// ---- 2. Whose L1? ------------------------------------------------------------------------------------------

// The mean of a pixel and its neighbours to the left, to the right, above and below. At the border of the image a
// neighbour that is not there is replaced by the pixel itself.
__device__ float mean_around(const float *in, int row, int column, int rows, int columns) {
    int left = max(column - 1, 0), right = min(column + 1, columns - 1);
    int above = max(row - 1, 0), below = min(row + 1, rows - 1);
    float sum = in[row * columns + column] + in[row * columns + left] + in[row * columns + right];
    return (sum + in[above * columns + column] + in[below * columns + column]) / 5.0f;
}

// Puts mean_around() of every pixel into `out`: rows x columns pixels, row after row. It must work for images of
// any size with any number of blocks and threads. It is launched with one block on each multiprocessor.
extern "C" __global__ void smooth(const float *in, float *out, int rows, int columns) {
    // BEGIN YOUR CODE
    int band = (rows + gridDim.x - 1) / gridDim.x;
    int begin = blockIdx.x * band;
    int end = min(begin + band, rows);
    for (int row = begin; row < end; row++)
        for (int column = threadIdx.x; column < columns; column += blockDim.x)
            out[row * columns + column] = mean_around(in, row, column, rows, columns);
    // END YOUR CODE
}

// ---- 3. Nobody helps a store -------------------------------------------------------------------------------
//
// A picture is given as three planes of bytes: all red ones, then all green ones, then all blue ones. Weave them
// into pixels of three bytes:
//
//     out[3 * pixel + colour] = planes[colour * pixels + pixel]
//
// for all pixels from 0 to pixels - 1 and colours from 0 to 2. It must work for any number of pixels, blocks and
// threads.
extern "C" __global__ void weave(const unsigned char *planes, unsigned char *out, int pixels) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    // BEGIN YOUR CODE
    for (int i = thread; i < 3 * pixels; i += threads) out[i] = planes[i % 3 * pixels + i / 3];
    // END YOUR CODE
}
