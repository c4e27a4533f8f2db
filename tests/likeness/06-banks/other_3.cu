// An independent solution: vectors of four floats, halves of channels one after the other, a warp to each two levels by votes.
#include "given.inc"

extern "C" __global__ void reverse(const float *in, float *out, int segments) {
    __shared__ float kept[SEGMENT];
    float4 four = ((const float4 *)in)[blockIdx.x * 256 + threadIdx.x];
    int i = 4 * threadIdx.x;
    auto place = [](int r) { return r + (r / 32 & 31) - ((r & 31) + (r / 32 & 31) > 31 ? 32 : 0); };
    kept[place(reversed(i))] = four.x;
    kept[place(reversed(i + 1))] = four.y;
    kept[place(reversed(i + 2))] = four.z;
    kept[place(reversed(i + 3))] = four.w;
    __syncthreads();
    four = make_float4(kept[place(i)], kept[place(i + 1)], kept[place(i + 2)], kept[place(i + 3)]);
    ((float4 *)out)[blockIdx.x * 256 + threadIdx.x] = four;
}

extern "C" __global__ void channels(const double *in, double *out, int segments) {
    __shared__ double kept[32 * 17];
    size_t at = (size_t)blockIdx.x * 1024;
    for (int half = 0; half < 2; half++) {
        for (int k = threadIdx.x; k < 512; k += 256) kept[k + k / 16] = in[at + 512 * half + k];
        __syncthreads();
        for (int k = threadIdx.x; k < 512; k += 256) out[at + k / 32 * 64 + 32 * half + k % 32] = kept[k % 32 * 17 + k / 32];
        __syncthreads();
    }
}

extern "C" __global__ void histogram(const unsigned *values, unsigned *counts, int n) {
    __shared__ unsigned part[8][16];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned mine = 0;
    for (int k = 0; k < 16; k++) {
        int i = blockIdx.x * 4096 + warp * 512 + k * 32 + lane;
        unsigned there = __ballot_sync(0xffffffff, i < n), level = i < n ? values[i] >> 28 : 0;
        for (int bit = 0; bit < 4; bit++) {
            unsigned votes = __ballot_sync(0xffffffff, level >> bit & 1);
            there &= (lane >> bit & 1) ? votes : ~votes;
        }
        mine += __popc(there);
    }
    if (lane < 16) part[warp][lane] = mine;
    __syncthreads();
    if (threadIdx.x < 16) {
        unsigned sum = 0;
        for (int w = 0; w < 8; w++) sum += part[w][threadIdx.x];
        counts[blockIdx.x * 16 + threadIdx.x] = sum;
    }
}
