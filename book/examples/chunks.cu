// The same work shared among the threads in two ways: a chunk for each thread, and all threads side by side; and two small kernels.
// out[i] = factor * in[i], for all i from 0 to n - 1.
__global__ void scale_chunks(const float *in, float *out, float factor, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    int chunk = (n + threads - 1) / threads;
    int begin = thread * chunk;
    int end = min(begin + chunk, n);
    for (int i = begin; i < end; i++) out[i] = factor * in[i];
}

__global__ void scale_strided(const float *in, float *out, float factor, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    for (int i = thread; i < n; i += threads) out[i] = factor * in[i];
}

// An image of rows x columns pixels, row after row: every pixel becomes brighter by `amount`, at most 1.
__global__ void brighten_rows(const float *in, float *out, float amount, int rows, int columns) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    for (int row = thread; row < rows; row += threads)
        for (int column = 0; column < columns; column++)
            out[row * columns + column] = fminf(in[row * columns + column] + amount, 1.0f);
}

__global__ void brighten_pixels(const float *in, float *out, float amount, int rows, int columns) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    for (int i = thread; i < rows * columns; i += threads) out[i] = fminf(in[i] + amount, 1.0f);
}

__global__ void doubles(const double *in, double *out) {
    out[threadIdx.x] = in[threadIdx.x];
}

__global__ void some_lanes(const float *in, float *out) {
    if (threadIdx.x < 40) out[threadIdx.x] = in[threadIdx.x];
}
