// Accesses that begin some floats behind an aligned address; copies of 4 and of 16 bytes a lane.
__global__ void shift_stores(const float *in, float *out, int offset) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i + offset] = in[i];
}

__global__ void copy_floats(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

// A multiple of 4 as offset is allowed; with any other the load faults.
__global__ void copy_vectors(const float *in, float *out, int offset) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 *in4 = (const float4 *)(in + offset);
    ((float4 *)out)[i] = in4[i];
}

__global__ void shift_shorts(const short *in, short *out, int offset) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i + offset];
}
