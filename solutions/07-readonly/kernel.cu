// Lab 07: data that a kernel only reads
//
// Four ways lead to it: the plain load, the read-only load (ld.global.nc), constant memory, and a copy in shared memory. Which
// one suits depends on what the caller may do with the pointers, and on how many addresses the lanes of a warp want at a time.
//
//   1. Predict what six small kernels do.
//   2. Decide on five proposals: keep or reject, and why.
//   3. smooth_columns() loads too often, and too late. What may it keep, and what may it load ahead, if `out` may be `in`?
//
// Edit only between the lines BEGIN YOUR CODE and END YOUR CODE. Then: make grade LAB=07
// Afterwards, look at the PTX that the compiler writes: build/warpscope compile exercises/07-readonly/kernel.cu

// ---- 1. Predict --------------------------------------------------------------------------------------------
//
// Each kernel is launched with one warp. All arrays begin at multiples of 256 bytes.

extern "C" {
__constant__ float constants[64] = {0.5f, 1.5f, 2.5f, 3.5f, 4.5f, 5.5f, 6.5f, 7.5f, 8.5f, 9.5f, 10.5f, 11.5f, 12.5f};
}

extern "C" __global__ void steps_apart(float *in, float *out) {
    out[threadIdx.x] = __ldg(&in[2 * threadIdx.x]);
}

extern "C" __global__ void in_groups(const float *in, float *out) {
    out[threadIdx.x] = in[threadIdx.x / 4 * 3];
}

extern "C" __global__ void backwards(const float *__restrict__ in, float *out) {
    out[threadIdx.x] = in[32 - threadIdx.x];
}

extern "C" __global__ void in_place(float *__restrict__ in) {
    float other = in[threadIdx.x ^ 1];
    __syncwarp(); // each has read before its neighbour writes
    in[threadIdx.x] = 2.0f * other;
}

extern "C" __global__ void constant_groups(float *out) {
    out[threadIdx.x] = constants[threadIdx.x / 8 * 3];
}

extern "C" __global__ void constant_ring(float *out) {
    out[threadIdx.x] = constants[threadIdx.x * 5 % 12];
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
//             kernel           nc  sectors
PREDICT_GLOBAL(steps_apart,     1,  8)
PREDICT_GLOBAL(in_groups,       0,  3)
PREDICT_GLOBAL(backwards,       1,  5)
PREDICT_GLOBAL(in_place,        0,  4)
//               kernel           addresses
PREDICT_CONSTANT(constant_groups, 4)
PREDICT_CONSTANT(constant_ring,   12)
// END YOUR CODE

// ---- 2. Decide ---------------------------------------------------------------------------------------------
//
// Five proposals. Two are about kernels that stand here.
//
//   read_only: steps_apart() should load with the plain load instead of __ldg, which would save requests, sectors or time.
//   promise:   the three pointers of smooth_columns() should all be __restrict__, so that the compiler keeps what it has loaded.
//   ahead:     a thread of smooth_columns() should load the elements of several rows before it stores the first of them.
//   curve:     each thread sends a value through one of 256 cubic polynomials, which the value chooses. Their 1024 coefficients never
//              change. They should be in constant memory.
//   codes:     a block has 256 threads. Each reads one byte and looks it up in a table of 256 floats: one result each. The block
//              should copy the table into shared memory first.
//
// Which would you keep, and which reject? Each for one reason:

enum { UNDECIDED, KEEP, REJECT };
enum {
    NO_REASON,
    NOTHING_CHANGES, // the launch would make the same requests for the same sectors, and find them in the same cache
    PROMISE_BROKEN,  // it promises the compiler something that a caller of the kernel need not keep
    DISAGREE,        // the lanes want many addresses at a time, and this path serves one after the other
    USED_ONCE,       // it copies about as much as it then reads from the copy
    USED_OFTEN,      // it copies little, and then reads much from the copy
    IN_FLIGHT,       // a thread waits once for several loads, in place of once for each
};

#define DECIDE(proposal, decision, reason)          \
    extern "C" {                                    \
    __constant__ int decided_##proposal = decision; \
    __constant__ int because_##proposal = reason;   \
    }

// BEGIN YOUR CODE
//     proposal   decision   reason
DECIDE(read_only, REJECT,    NOTHING_CHANGES)
DECIDE(promise,   REJECT,    PROMISE_BROKEN)
DECIDE(ahead,     KEEP,      IN_FLIGHT)
DECIDE(curve,     REJECT,    DISAGREE)
DECIDE(codes,     REJECT,    USED_ONCE)
// END YOUR CODE

// ---- 3. What may be kept -----------------------------------------------------------------------------------
//
// A thread goes down a column of a matrix of rows x cols floats:
//
//     out(row, col) = weights[0] * in(row - 1, col) + weights[1] * in(row, col) + weights[2] * in(row + 1, col)
//
// where rows above the first and below the last count as 0. `in` means what was there before the launch, and there is a catch:
// some callers pass the same matrix as `in` and as `out`. The weights are never in either. Launched with a thread or more for
// each column.
//
// Counted where `out` is `in`, at a size that each grading draws, 89 to 96 rows of 4096 to 4224: the bytes that load requests bring,
// sectors of which little is used, and the modelled time. There is one warp for each SM, which waits for what it has loaded most of the time; none may be idle.
extern "C" __global__ void smooth_columns(
    // BEGIN YOUR CODE
    const float *in, const float *__restrict__ weights, float *out, int rows, int cols) {
    constexpr int AHEAD = 16;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= cols) return;
    float first = weights[0], second = weights[1], third = weights[2];
    float above = 0.0f, here = in[col];
    for (int row = 0; row < rows; row += AHEAD) {
        // All of these are below what is stored in this iteration: so out may be in. Below the last row they are not used.
        float below[AHEAD];
#pragma unroll
        for (int k = 0; k < AHEAD; k++) below[k] = in[(size_t)min(row + k + 1, rows - 1) * cols + col];
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            if (row + k >= rows) break;
            if (row + k == rows - 1) below[k] = 0.0f;
            out[(size_t)(row + k) * cols + col] = first * above + second * here + third * below[k];
            above = here, here = below[k];
        }
    }
    // END YOUR CODE
}
