// Lab 10: copies that run by themselves
//
// An asynchronous copy (cp.async) moves bytes from global to shared memory without a register in between. The thread that asks for it goes on at
// once, and waits when it needs what was copied:
//
//     __pipeline_memcpy_async(to, from, bytes)   asks for 4, 8 or 16 bytes; both addresses are multiples of `bytes`
//     __pipeline_commit()                        makes one group of all that the thread has asked for since its last group
//     __pipeline_wait_prior(n)                   waits until all groups of the thread but the latest n have arrived
//
// They come with cuda_pipeline.h. A thread waits for its own copies only: what others have copied is there once they have waited as well, and a
// barrier has come after it.
//
//   1. Predict what copies touch, what has arrived, and how much is in flight.
//   2. edges() waits for memory most of the time. Feed it by copies that are in flight while it computes.
//
// Edit only between the lines BEGIN YOUR CODE and END YOUR CODE. Then: make grade LAB=10
#include <cuda_pipeline.h>

// ---- 1. Predict --------------------------------------------------------------------------------------------
//
// Sectors. Each kernel is launched with one warp; `in` begins at a multiple of 256 bytes. How many sectors of global memory do its copies touch?

extern "C" __global__ void apart(const float *in, float *out) {
    __shared__ float copied[32];
    __pipeline_memcpy_async(&copied[threadIdx.x], &in[3 * threadIdx.x + 2], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = copied[threadIdx.x];
}

extern "C" __global__ void packs(const float4 *in, float4 *out) {
    __shared__ float4 copied[32];
    __pipeline_memcpy_async(&copied[threadIdx.x], &in[threadIdx.x / 4 * 5 + threadIdx.x % 4], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = copied[threadIdx.x];
}

// Groups. A thread makes a group of each copy that it asks for. How many of its groups have certainly arrived
//
//     early   when it has made 7 groups, and then waits by __pipeline_wait_prior(3)?
//     again   when it has made 4 groups, waits by __pipeline_wait_prior(1), makes 2 more and waits by __pipeline_wait_prior(4)?
//
// Bytes. A kernel has a ring of buffers in shared memory. Each iteration waits until the oldest buffer has arrived, uses it, and then asks for its next
// contents. When all threads of an SM wait for the oldest buffer, how many bytes has the SM asked for that need not have arrived?
//
//     ring    2 blocks on the SM, each of 96 threads; each thread copies 16 bytes to each of 4 buffers
//     alone   1 block on the SM, of 160 threads; each thread copies 8 bytes to each of 2 buffers, of which one has just been used and not been asked for again
//
// Put your numbers in place of the zeros.
// BEGIN YOUR CODE
__constant__ int sectors_apart = 12, sectors_packs = 20;
__constant__ int arrived_early = 4, arrived_again = 3;
__constant__ int bytes_ring = 12288, bytes_alone = 1280;
// END YOUR CODE

// ---- 2. Outlines -------------------------------------------------------------------------------------------
//
// `points` holds closed outlines of 512 points, each of three floats x, y, z, one after the other. lengths[i] becomes the square of the distance from point i
// to the next one of its outline; the last point of an outline is followed by its first.
//
// Launched with blocks of 128 threads, one for each SM or fewer: block b takes outlines b, b + gridDim.x, b + 2 * gridDim.x and so on. There are
// too few threads to keep the memory busy by loads. Static shared memory holds up to 49,152 bytes. Both arrays begin at multiples of 256 bytes.
//
// Counted at 132 blocks: the bytes that go to shared memory by asynchronous copies, sectors, wavefronts of shared memory, and the modelled time.
constexpr int POINTS = 512, THREADS = 128;

extern "C" __global__ void edges(const float *points, float *lengths, int outlines) {
    // BEGIN YOUR CODE
    constexpr int STAGES = 6, PACKS = 3 * POINTS / 4;
    __shared__ float4 ring[STAGES][PACKS]; // 36,864 bytes
    // A group for each outline, also for those that are not there: then it is empty.
    const auto ask = [&](int iteration) {
        const int outline = blockIdx.x + iteration * gridDim.x;
        const float4 *from = (const float4 *)points + (size_t)outline * PACKS;
        if (outline < outlines)
#pragma unroll
            for (int k = threadIdx.x; k < PACKS; k += THREADS) __pipeline_memcpy_async(&ring[iteration % STAGES][k], &from[k], 16);
        __pipeline_commit();
    };
    for (int iteration = 0; iteration < STAGES - 1; iteration++) ask(iteration);
    for (int iteration = 0, outline = blockIdx.x; outline < outlines; iteration++, outline += gridDim.x) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads(); // this outline has come, by the copies of all threads, and all have used the one before
        ask(iteration + STAGES - 1);
        const float *tile = (const float *)ring[iteration % STAGES];
#pragma unroll
        for (int k = 0; k < POINTS; k += THREADS) {
            const int i = k + threadIdx.x, next = (i + 1) % POINTS;
            const float x = tile[3 * next] - tile[3 * i], y = tile[3 * next + 1] - tile[3 * i + 1], z = tile[3 * next + 2] - tile[3 * i + 2];
            lengths[(size_t)outline * POINTS + i] = x * x + y * y + z * z;
        }
    }
    // END YOUR CODE
}
