// One load and one store a thread, in first_lanes a load of some threads; only the element that the load takes differs.
__global__ void unit(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

__global__ void shuffled(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i ^ 21];
}

__global__ void stride(const float *in, float *out, int step) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i * step];
}

__global__ void offset(const float *in, float *out, int by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i + by];
}

__global__ void same(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[0];
}

__global__ void first_lanes(const float *in, float *out, int first) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = 0.0f;
    if (i < first) {
        value = in[i];
    }
    out[i] = value;
}
