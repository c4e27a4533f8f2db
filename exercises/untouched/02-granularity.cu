// Lab 02: sectors of 32 bytes, lines of 128
//
// L1 keeps lines of 128 bytes, each of four sectors. A sector is fetched from L2 only when a lane touches
// it: a line may be there with one of its four sectors. GPUs before 2014 fetched whole lines of 128 bytes
// through L1, and single sectors only past it; many texts still teach that rule.
//
//   1. Predict: eight small kernels are given. How many sectors does each need today, and how many lines of
//      128 bytes did its load need by the old rule?
//   2. blur() reads each element nine times, and asks L1 to stay out of it. Let L1 help.
//   3. gather() fetches each sector eight times and uses 4 of its 32 bytes each time. Change the order of
//      the work so that all bytes of a sector are used once it is there.
//
// Edit only between the lines BEGIN YOUR CODE and END YOUR CODE. Then: make grade LAB=02

// ---- 1. Predict --------------------------------------------------------------------------------------------
//
// Each kernel is launched with one warp. `in` and `out` begin at a multiple of 256 bytes. The first five are
// about their loads from `in`, the last three about their stores to `out`.

extern "C" __global__ void read_aligned(const float *in, float *out) {
    out[threadIdx.x] = in[threadIdx.x];
}

extern "C" __global__ void read_permuted(const float *in, float *out) {
    out[threadIdx.x] = in[(5 * threadIdx.x + 3) % 32];
}

extern "C" __global__ void read_misaligned(const float *in, float *out) {
    out[threadIdx.x] = in[threadIdx.x + 1];
}

extern "C" __global__ void read_one_address(const float *in, float *out) {
    out[threadIdx.x] = in[7];
}

extern "C" __global__ void read_scattered(const float *in, float *out) {
    out[threadIdx.x] = in[(5 * threadIdx.x + 3) % 32 * 32];
}

extern "C" __global__ void write_aligned(const float *in, float *out) {
    out[threadIdx.x] = in[threadIdx.x];
}

extern "C" __global__ void write_three_pieces(const float *in, float *out) {
    int piece = threadIdx.x / 8;
    if (piece < 3) out[16 * piece + threadIdx.x % 8] = in[threadIdx.x];
}

extern "C" __global__ void write_shorts(const short *in, short *out) {
    out[threadIdx.x] = in[threadIdx.x];
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

// Put your numbers in place of the zeros. Lines: of 128 bytes, by the old rule, through L1. Sectors: of 32
// bytes, as today (and by the old rule for loads bypassing L1, and for stores).
// BEGIN YOUR CODE
//           kernel            lines  sectors
PREDICT_READ(read_aligned,     0,     0)
PREDICT_READ(read_permuted,    0,     0)
PREDICT_READ(read_misaligned,  0,     0)
PREDICT_READ(read_one_address, 0,     0)
PREDICT_READ(read_scattered,   0,     0)
//            kernel                  sectors
PREDICT_WRITE(write_aligned,          0)
PREDICT_WRITE(write_three_pieces,     0)
PREDICT_WRITE(write_shorts,           0)
// END YOUR CODE

// ---- 2. Through L1 or past it ------------------------------------------------------------------------------
//
// in[i] goes through L1 (the compiler's ld.global.ca, its default). __ldcg(&in[i]) bypasses L1, straight to
// L2 (ld.global.cg): the same sectors, but nothing is kept for the next load.

// out[i] = (in[i] + in[i + 1] + … + in[i + 8]) / 9, for i from 0 to n - 1; `in` has n + 8 elements.
// Launched with a thread or more for each i.
extern "C" __global__ void blur(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    // BEGIN YOUR CODE
    float sum = 0.0f;
    for (int k = 0; k < 9; k++) sum += __ldcg(&in[i + k]);
    out[i] = sum / 9.0f;
    // END YOUR CODE
}

// ---- 3. Use up every sector --------------------------------------------------------------------------------
//
// A record is eight floats: 32 bytes, exactly one sector. gather() sorts the records' fields into eight
// arrays, one after the other in `out`:
//     out[field * records + record] = in[record * 8 + field]
// for all records from 0 to records - 1 and all fields from 0 to 7. It must work for any number of blocks
// and threads.
extern "C" __global__ void gather(const float *in, float *out, int records) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    // BEGIN YOUR CODE
    for (int i = thread; i < 8 * records; i += threads) {
        int field = i / records, record = i % records;
        out[i] = in[record * 8 + field];
    }
    // END YOUR CODE
}
