// Lab 03: alignment
//
// 32 neighbouring floats are 128 bytes: four sectors, if the first of them begins at a multiple of 32 bytes.
// Begin one float later, and the same 128 bytes lie in five sectors, with 28 bytes of the first and 4 of the
// last in use. A warp that reads them needs 5 sectors instead of 4.
//
// cudaMalloc gives addresses that are multiples of 256. Alignment is lost later: in the second row of a
// matrix of odd width, or in a piece that begins somewhere in the middle of an array. Wide accesses need it:
// an instruction that reads 16 bytes a lane faults where the address is no multiple of 16.
//
// What is graded is requests and sectors. In time the fifth sector costs little, since the next warp mostly finds
// it in a cache: on an H200 the pitch makes scale_rows() 1 % faster, for 16384 rows of 1001 floats. Reading and
// writing 16 bytes a lane makes scale_all() and scale_piece() a quarter faster on as many floats.
//
//   1. scale_rows(): give each row of a matrix a pitch, so that all rows begin at a whole sector.
//   2. scale_all(): read and write 16 bytes a lane, and the last few elements one by one.
//   3. scale_piece(): the same from any element on: a head, an aligned body, a tail.
//
// Edit only between the lines BEGIN YOUR CODE and END YOUR CODE. Then: make grade LAB=03

// ---- 1. Rows with a pitch ----------------------------------------------------------------------------------
//
// A matrix has 1001 columns. Stored without gaps, its row 1 begins at byte 4004, row 2 at byte 8008: only
// each eighth row begins at a multiple of 32. So rows are given a few floats more than they need. The
// distance in floats from the beginning of one row to that of the next is called the pitch. The program that
// allocates `in` and `out` makes it a multiple of row_multiple, the smallest that holds a row:
//
//     pitch = (columns + row_multiple - 1) / row_multiple * row_multiple
//
// Choose row_multiple, from 1 to 128, and find the element of a matrix that has this pitch. The floats
// behind the end of each row must stay as they are.

// BEGIN YOUR CODE
__constant__ int row_multiple = 1;
// END YOUR CODE

// Launched with blocks of 32 x 8 threads, a thread or more for each element.
extern "C" __global__ void scale_rows(const float *in, float *out, float factor, int rows, int columns, int pitch) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    // BEGIN YOUR CODE
    int i = row * columns + column;
    // END YOUR CODE
    out[i] = factor * in[i];
}

// ---- 2. Sixteen bytes a lane -------------------------------------------------------------------------------
//
// out[i] = factor * in[i], for all i from 0 to n - 1. `in` and `out` begin at a multiple of 256 bytes; n is
// any number, also 0. It must work for any number of blocks and threads.
//
// One request can fetch 16 sectors as well as 4: if each lane reads a float4. A quarter of the instructions
// then do the same work.
extern "C" __global__ void scale_all(const float *in, float *out, float factor, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    // BEGIN YOUR CODE
    for (int i = thread; i < n; i += threads) out[i] = factor * in[i];
    // END YOUR CODE
}

// ---- 3. Head, body, tail -----------------------------------------------------------------------------------
//
// out[i] = factor * in[i], for all i from first to first + n - 1; all other elements of `out` stay as they
// are. `in` and `out` begin at a multiple of 256 bytes; first and n are any numbers from 0 on. It must work
// for any number of blocks and threads.
//
// Aim: 16 bytes a lane, and no sector touched by more requests than need it.
extern "C" __global__ void scale_piece(const float *in, float *out, float factor, int first, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    // BEGIN YOUR CODE
    for (int i = thread; i < n; i += threads) out[first + i] = factor * in[first + i];
    // END YOUR CODE
}
