// The same by way of shared memory, whose array is of floats.
extern "C" __global__ void through_tile(float *to, const float4 *from) {
    __shared__ __align__(16) float tile[512];
    *(float4 *)&tile[4 * threadIdx.x] = from[threadIdx.x];
    __syncthreads();
    *(float4 *)&to[4 * threadIdx.x] = *(float4 *)&tile[508 - 4 * threadIdx.x];
}

// clang knows no more of this array than that it has bytes.
extern "C" __global__ void through_bytes(unsigned *to, const unsigned *from) {
    __shared__ unsigned char bytes[512];
    *(unsigned *)&bytes[4 * threadIdx.x] = from[threadIdx.x];
    __syncthreads();
    to[threadIdx.x] = ((unsigned *)bytes)[127 - threadIdx.x];
}

// Nothing stands at a multiple of 4 here: an access of four bytes would be misaligned.
struct __attribute__((packed)) Packed {
    char c;
    unsigned u[4];
};
extern "C" __global__ void through_packed(unsigned *to, const Packed *from, int i) { to[0] = from->u[i]; }
