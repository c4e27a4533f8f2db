// The same by way of shared memory, whose array is of floats.
extern "C" __global__ void through_tile(float *to, const float4 *from) {
    __shared__ __align__(16) float tile[512];
    *(float4 *)&tile[4 * threadIdx.x] = from[threadIdx.x];
    __syncthreads();
    *(float4 *)&to[4 * threadIdx.x] = *(float4 *)&tile[508 - 4 * threadIdx.x];
}
