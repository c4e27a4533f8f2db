// Lab 03: alignment
//
// 32 neighbouring floats are 128 bytes: four sectors, if the first of them begins at a multiple of 32 bytes.
// Begin one float later, and the same 128 bytes lie in five sectors, with 28 bytes of the first and 4 of the
// last in use.
//
// cudaMalloc gives addresses that are multiples of 256. Alignment is lost later: in the second row of a
// matrix of odd width, or in a piece that begins somewhere in the middle of an array. Wide accesses need it:
// an instruction that reads 16 bytes a lane faults where the address is no multiple of 16.
//
//   1. Predict: which pitch, how many sectors, which rows?
//   2. darken(): an image of three bytes a pixel. Choose its pitch, and let a lane take more than one byte.
//   3. move(): a piece of an array goes to another place, and the two places disagree about alignment.
//
// On an H200 darken() takes about half the time then, for 16384 rows, and move() three quarters of it for
// 16,400,384 floats.
//
// Edit only between the lines BEGIN YOUR CODE and END YOUR CODE. Then: make grade LAB=03

// ---- 1. Predict --------------------------------------------------------------------------------------------
//
// Each kernel is launched with one block: doubles_late() of 32 threads, pairs_late() of 32, some_lanes() of a
// warp, rows_apart() of 32 x 4, a warp for each row. `in` begins at a multiple of 256 bytes.

extern "C" __global__ void doubles_late(const double *in, double *out) {
    out[threadIdx.x] = in[threadIdx.x + 3];
}

extern "C" __global__ void pairs_late(const float2 *in, float2 *out) {
    out[threadIdx.x] = in[threadIdx.x + 4];
}

extern "C" __global__ void some_lanes(const float4 *in, float4 *out) {
    if (threadIdx.x < 9) out[threadIdx.x] = in[threadIdx.x + 1];
}

extern "C" __global__ void rows_apart(const float *in, float *out) {
    out[32 * threadIdx.y + threadIdx.x] = in[70 * threadIdx.y + threadIdx.x];
}

#define PREDICT(what, number)                   \
    extern "C" {                                \
    __constant__ int predicted_##what = number; \
    }

// Put your numbers in place of the zeros. They count in pairs (1st with 2nd, 3rd with 4th, ...): both right, or nothing.
//   - How many sectors do the loads of each kernel touch, of all its warps together?
//   - multiple_of_...: the pitch of a matrix is to be a multiple of how many elements, at the least, so that every
//     row begins at a sector, whatever the width? Elements are doubles; shorts; pixels of 3 bytes; points of 3 floats.
//   - rows_for_...: a matrix has 1002 columns of floats and no gaps. Of its first 8 rows, how many may be read as
//     float2 from their first element on, and how many as float4?
// BEGIN YOUR CODE
PREDICT(doubles_late, 9)
PREDICT(pairs_late,   8)
PREDICT(some_lanes,   5)
PREDICT(rows_apart,   19)
PREDICT(multiple_of_doubles, 4)
PREDICT(multiple_of_shorts,  16)
PREDICT(multiple_of_pixels,  32)
PREDICT(multiple_of_points,  8)
PREDICT(rows_for_float2, 8)
PREDICT(rows_for_float4, 4)
// END YOUR CODE

// ---- 2. Rows of pixels -------------------------------------------------------------------------------------
//
// An image has pixels of three bytes: a row of 333 pixels is 999 bytes. darken() halves each byte. The distance
// from one row to the next is `pitch` bytes. The program that allocates `in` and `out` makes it the smallest
// multiple of row_multiple that holds a row:
//
//     pitch = (3 * width + row_multiple - 1) / row_multiple * row_multiple
//
// Choose row_multiple, from 1 to 128. The bytes behind the end of each row must stay as they are.
//
// Aim: four bytes a lane, and no sector touched by more requests than need it.

// BEGIN YOUR CODE
__constant__ int row_multiple = 32;
// END YOUR CODE

// Launched with blocks of 32 x 8 threads, so that each row has a warp or several.
extern "C" __global__ void darken(const unsigned char *in, unsigned char *out, int rows, int width, int pitch) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x; // of one row
    if (row >= rows) return;
    in += row * pitch;
    out += row * pitch;
    // BEGIN YOUR CODE
    int bytes = 3 * width, words = bytes / 4;
    for (int i = thread; i < words; i += threads) {
        uchar4 v = ((const uchar4 *)in)[i];
        ((uchar4 *)out)[i] = make_uchar4(v.x / 2, v.y / 2, v.z / 2, v.w / 2);
    }
    for (int i = 4 * words + thread; i < bytes; i += threads) out[i] = in[i] / 2;
    // END YOUR CODE
}

// ---- 3. From one place to another --------------------------------------------------------------------------
//
// out[to + i] = in[from + i], for all i from 0 to n - 1; all other elements of `out` stay as they are. Both
// arrays begin at a multiple of 256 bytes, and `in` has from + n elements: behind them there is nothing to
// read. `from`, `to` and n are any numbers from 0 on. It must work for any number of blocks and threads.
//
// Aim: 16 bytes a lane in every store, and no sector stored by more requests than need it. The loads may take
// 4 bytes at a time, as long as L1 has what it was asked for before.
extern "C" __global__ void move(const float *in, float *out, int from, int to, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    // BEGIN YOUR CODE
    int end = to + n, ahead = from - to; // out[i] = in[i + ahead]
    int body = min((to + 7) / 8 * 8, end), tail = max(end / 4 * 4, body);
    float4 *out4 = (float4 *)out;
    for (int i = to + thread; i < body; i += threads) out[i] = in[i + ahead];
    for (int i = body + 4 * thread; i < tail; i += 4 * threads) {
        const float *four = in + i + ahead;
        out4[i / 4] = make_float4(four[0], four[1], four[2], four[3]);
    }
    for (int i = tail + thread; i < end; i += threads) out[i] = in[i + ahead];
    // END YOUR CODE
}
