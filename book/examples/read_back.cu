// What a store leaves in L1: a block stores its floats, and after the barrier each thread reads those of a neighbour.
__global__ void read_back_whole(float *data, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = 2.0f * i;
    __syncthreads();
    out[i] = data[i ^ 33];
}

// The same with the threads of each warp one float in two: the sectors are stored in part.
__global__ void read_back_parts(float *data, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[2 * i] = 2.0f * i;
    __syncthreads();
    out[i] = data[2 * (i ^ 33)];
}

// The same again, but read are the floats between those that were stored.
__global__ void read_between(float *data, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[2 * i] = 2.0f * i;
    __syncthreads();
    out[i] = data[2 * (i ^ 33) + 1];
}
