// What one warp wants of A, of B and of B transposed in step i of a matrix product. `down`: its lanes are neighbours in a column of C, that is,
// the lane is the row and the column is 0. Otherwise the lane is the column and the row is 0.
__global__ void want_a(const float *a, float *out, int k, int i, int down) {
    int row = down ? threadIdx.x : 0;
    out[threadIdx.x] = a[row * k + i];
}

__global__ void want_b(const float *b, float *out, int n, int i, int down) {
    int col = down ? 0 : threadIdx.x;
    out[threadIdx.x] = b[i * n + col];
}

__global__ void want_bt(const float *b, float *out, int k, int i, int down) {
    int col = down ? 0 : threadIdx.x;
    out[threadIdx.x] = b[col * k + i];
}

// The store of the result, by the same warp.
__global__ void give_c(const float *sums, float *c, int n, int down) {
    int row = down ? threadIdx.x : 0, col = down ? 0 : threadIdx.x;
    c[row * n + col] = sums[threadIdx.x];
}

// One step of the product with B transposed, from a tile in shared memory whose rows have WIDTH floats: the lanes want a column of it.
template <int WIDTH> __device__ void want_column(const float *in, float *out, int i) {
    __shared__ float tile[32 * WIDTH];
    for (int y = 0; y < 32; y++) tile[y * WIDTH + threadIdx.x] = in[y * 32 + threadIdx.x];
    __syncwarp();
    out[threadIdx.x] = tile[threadIdx.x * WIDTH + i];
}

__global__ void column_of_32(const float *in, float *out, int i) { want_column<32>(in, out, i); }

__global__ void column_of_33(const float *in, float *out, int i) { want_column<33>(in, out, i); }
