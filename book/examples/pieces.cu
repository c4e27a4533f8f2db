// Rows without gaps and with a pitch; 4 and 16 bytes a lane; the head, body and tail of an array from `first` on.
__global__ void scale_rows_no_gaps(const float *in, float *out, float factor, int rows, int columns, int pitch) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    int i = row * columns + column;
    out[i] = factor * in[i];
}

__global__ void scale_rows(const float *in, float *out, float factor, int rows, int columns, int pitch) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    int i = row * pitch + column;
    out[i] = factor * in[i];
}

// out[i] = factor * in[i], for all i from 0 to n - 1.
__global__ void scale_floats(const float *in, float *out, float factor, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    for (int i = thread; i < n; i += threads) out[i] = factor * in[i];
}

__global__ void scale_vectors(const float *in, float *out, float factor, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    const float4 *in4 = (const float4 *)in;
    float4 *out4 = (float4 *)out;
    for (int i = thread; i < n / 4; i += threads) {
        float4 v = in4[i];
        out4[i] = make_float4(factor * v.x, factor * v.y, factor * v.z, factor * v.w);
    }
    for (int i = n / 4 * 4 + thread; i < n; i += threads) out[i] = factor * in[i];
}

// out[i] = factor * in[i], for all i from first to first + n - 1.
__global__ void piece_floats(const float *in, float *out, float factor, int first, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    for (int i = thread; i < n; i += threads) out[first + i] = factor * in[first + i];
}

// The body begins at a multiple of 16 bytes.
__global__ void piece_half_sector(const float *in, float *out, float factor, int first, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    int end = first + n;
    int body = min((first + 3) / 4 * 4, end);
    int tail = max(end / 4 * 4, body);
    const float4 *in4 = (const float4 *)in;
    float4 *out4 = (float4 *)out;
    for (int i = first + thread; i < body; i += threads) out[i] = factor * in[i];
    for (int i = body / 4 + thread; i < tail / 4; i += threads) {
        float4 v = in4[i];
        out4[i] = make_float4(factor * v.x, factor * v.y, factor * v.z, factor * v.w);
    }
    for (int i = tail + thread; i < end; i += threads) out[i] = factor * in[i];
}

__global__ void piece_whole_sectors(const float *in, float *out, float factor, int first, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    int end = first + n;
    int body = min((first + 7) / 8 * 8, end); // multiples of 8 floats are whole sectors
    int tail = max(end / 4 * 4, body);
    const float4 *in4 = (const float4 *)in;
    float4 *out4 = (float4 *)out;
    for (int i = first + thread; i < body; i += threads) out[i] = factor * in[i];
    for (int i = body / 4 + thread; i < tail / 4; i += threads) {
        float4 v = in4[i];
        out4[i] = make_float4(factor * v.x, factor * v.y, factor * v.z, factor * v.w);
    }
    for (int i = tail + thread; i < end; i += threads) out[i] = factor * in[i];
}
