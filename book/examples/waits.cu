// Kernels that wait: for a load, a store, a barrier, a slow instruction. Each does one kind of work in a loop, as programs do it.

// Each step's index is what the last one read. With `in` 0, 1, 2, ... a step goes on by `stride`.
__global__ void chase(const unsigned *in, unsigned *out, int steps, unsigned mask, unsigned stride) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, at = thread & mask;
    for (int i = 0; i < steps; i++) at = (in[at] + stride) & mask;
    out[thread] = at;
}

// The same in shared memory.
__global__ void chase_shared(unsigned *out, int steps, unsigned stride) {
    __shared__ unsigned next[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) next[i] = (i + stride) % 1024;
    __syncthreads();
    unsigned at = threadIdx.x;
    for (int i = 0; i < steps; i++) at = next[at];
    out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

// Where is each query in a sorted list?
__global__ void search(const int *list, const int *queries, int *out, int n, int count) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= count) return;
    int query = queries[thread] & (n - 1), low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (list[middle] < query)
            low = middle + 1;
        else
            high = middle;
    }
    out[thread] = low;
}

// A thread's column becomes its running sum, in place: each step loads behind the last one's store.
__global__ void running_sums(float *data, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    for (int row = 1; row < rows; row++) data[row * cols + col] += data[(row - 1) * cols + col];
}

// Each step stores to one array, and loads from another that it does not know to be another.
__global__ void stored_sums(const float *in, float *out, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int row = 0; row < rows; row++) {
        sum += in[row * cols + col];
        out[row * cols + col] = sum;
    }
}

// A thread's own element again and again.
__global__ void counted(volatile unsigned *data, int steps) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < steps; i++) data[thread] = data[thread] + 1;
}

// The sum of an array by few blocks.
__global__ void sum_of_all(const float *in, float *out, int n) {
    __shared__ float part[1024];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    part[threadIdx.x] = sum;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

// Inclusive sums of each block's elements, in steps of 1, 2, 4, ...
__global__ void scan(const int *in, int *out, int rounds) {
    __shared__ int sums[2][1024];
    for (int r = 0; r < rounds; r++) {
        int at = (blockIdx.x * rounds + r) * blockDim.x + threadIdx.x, from = 0;
        sums[0][threadIdx.x] = in[at];
        for (int step = 1; step < blockDim.x; step *= 2) {
            __syncthreads();
            int sum = sums[from][threadIdx.x];
            if (threadIdx.x >= step) sum += sums[from][threadIdx.x - step];
            from = !from;
            sums[from][threadIdx.x] = sum;
        }
        out[at] = sums[from][threadIdx.x];
        __syncthreads();
    }
}

// A block sorts 1024 keys.
__global__ void sort(int *data) {
    __shared__ int keys[1024];
    int *mine = data + blockIdx.x * 1024;
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) keys[i] = mine[i];
    for (int size = 2; size <= 1024; size *= 2)
        for (int step = size / 2; step > 0; step /= 2) {
            __syncthreads();
            for (int i = threadIdx.x; i < 512; i += blockDim.x) {
                int low = 2 * i - (i & (step - 1)), high = low + step;
                int a = keys[low], b = keys[high];
                if ((a > b) == ((low & size) == 0)) {
                    keys[low] = b;
                    keys[high] = a;
                }
            }
        }
    __syncthreads();
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) mine[i] = keys[i];
}

// Gaussian elimination of one 32 x 32 matrix by a warp, in shared memory, and of a larger one by a block, in global memory.
__global__ void eliminate_tile(float *data) {
    __shared__ float tile[32][33];
    float *mine = data + blockIdx.x * 1024;
    for (int i = 0; i < 32; i++) tile[i][threadIdx.x] = mine[i * 32 + threadIdx.x] + (i == threadIdx.x ? 64 : 0);
    for (int k = 0; k < 31; k++) {
        __syncwarp();
        if (threadIdx.x > k) {
            float factor = tile[threadIdx.x][k] / tile[k][k];
            tile[threadIdx.x][k] = factor;
            for (int j = k + 1; j < 32; j++) tile[threadIdx.x][j] -= factor * tile[k][j];
        }
    }
    __syncwarp();
    for (int i = 0; i < 32; i++) mine[i * 32 + threadIdx.x] = tile[i][threadIdx.x];
}
__global__ void eliminate(float *data, int n) {
    for (int k = 0; k < n - 1; k++) {
        for (int row = k + 1 + threadIdx.x; row < n; row += blockDim.x) {
            float factor = data[row * n + k] / (data[k * n + k] + 1000);
            for (int col = k + 1; col < n; col++) data[row * n + col] -= factor * data[k * n + col];
        }
        __syncthreads();
    }
}

// The shortest paths by way of one more point.
__global__ void shorten(int *length, int n, int k) {
    int to = blockIdx.x * blockDim.x + threadIdx.x, from = blockIdx.y;
    length[from * n + to] = min(length[from * n + to], length[from * n + k] + length[k * n + to]);
}

// A sparse matrix whose rows have 0 to 62 elements, a thread a row.
__global__ void sparse(const float *values, const int *columns, const float *x, float *y, int rows) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int i = row * 64, end = i + row * 37 % 63; i < end; i++) sum += values[i] * x[columns[i] & 65535];
    y[row] = sum;
}

// A polynomial by Horner's rule: each step needs the last one's result.
template <typename T> __device__ T horner(T x, int degree) {
    T sum = 1;
    for (int i = 0; i < degree; i++) sum = sum * x + T(0.5);
    return sum;
}
__global__ void polynomial_doubles(double *data, int degree) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = horner(data[i], degree);
}
__global__ void polynomial_floats(float *data, int degree) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = horner(data[i], degree);
}

// Newton's method for a root, by division.
__global__ void roots(double *data, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double a = data[i] * data[i] + 1, x = a;
    for (int s = 0; s < steps; s++) x = 0.5 * (x + a / x);
    data[i] = x;
}
__global__ void ratios(float *data, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = data[i] * data[i] + 1, x = a;
    for (int s = 0; s < steps; s++) x = 0.5f * (x + a / x);
    data[i] = x;
}

// Special functions, exact and by the hardware's own approximations.
__global__ void waves(float *data, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = data[i];
    for (int s = 0; s < steps; s++) x = sinf(x + s) + expf(-x * x);
    data[i] = x;
}
__global__ void waves_fast(float *data, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = data[i];
    for (int s = 0; s < steps; s++) x = __sinf(x + s) + __expf(-x * x);
    data[i] = x;
}
__global__ void lengths(float *data, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = data[i];
    for (int s = 0; s < steps; s++) x = rsqrtf(x * x + 1) + sqrtf(x * x + 2);
    data[i] = x;
}

// Prices of options, which need a logarithm, a root and two normal distributions each.
__device__ float normal(float x) { return 0.5f * erfcf(-x * 0.70710678f); }
__global__ void prices(const float *spots, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float spot = fabsf(spots[i]) * 100 + 1, strike = 50, years = 2, rate = 0.02f, sigma = 0.3f, root = sqrtf(years);
    float d = (logf(spot / strike) + (rate + 0.5f * sigma * sigma) * years) / (sigma * root);
    out[i] = spot * normal(d) - strike * expf(-rate * years) * normal(d - sigma * root);
}

// How soon a point escapes; the lanes of a warp stop at different steps.
__global__ void escape(int *out, int side, int limit) {
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y, step = 0;
    float re = -2 + 3.0f * col / side, im = -1.5f + 3.0f * row / side, x = 0, y = 0;
    for (; step < limit && x * x + y * y < 4; step++) {
        float next = x * x - y * y + re;
        y = 2 * x * y + im;
        x = next;
    }
    out[row * side + col] = step;
}

// Each body is drawn by all others, which come by way of shared memory.
__global__ void draw(const float4 *bodies, float4 *out, int n) {
    __shared__ float4 tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = bodies[i], sum = {0, 0, 0, 0};
    for (int first = 0; first < n; first += blockDim.x) {
        tile[threadIdx.x] = bodies[first + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < blockDim.x; j++) {
            float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
            float one = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), pull = tile[j].w * one * one * one;
            sum.x += pull * dx;
            sum.y += pull * dy;
            sum.z += pull * dz;
        }
        __syncthreads();
    }
    out[i] = sum;
}

// Sums of warps by shuffles, again and again.
__global__ void shuffled(float *data, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = data[i];
    for (int s = 0; s < steps; s++)
        for (int other = 16; other > 0; other /= 2) sum = 0.5f * (sum + __shfl_xor_sync(0xffffffff, sum, other));
    data[i] = sum;
}

// Remainders, and products of 64 bits.
__global__ void remainders(unsigned *data, unsigned divisor, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = data[i];
    for (int s = 0; s < steps; s++) x = x % divisor * 2654435761u + s;
    data[i] = x;
}
__global__ void mixed(unsigned long long *data, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long x = data[i];
    for (int s = 0; s < steps; s++) x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9ull + s;
    data[i] = x;
}

// How often each byte occurs: counted in shared memory, then added to the whole.
__global__ void counts(const unsigned char *in, unsigned *out, int n) {
    __shared__ unsigned bins[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) bins[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i]], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&out[i], bins[i]);
}

// Five points, in place of a whole grid by one block: all wait for each other after each step.
__global__ void heat(float *from, float *to, int side, int steps) {
    for (int s = 0; s < steps; s++) {
        for (int i = threadIdx.x; i < side * side; i += blockDim.x) {
            int row = i / side, col = i % side;
            if (row > 0 && row < side - 1 && col > 0 && col < side - 1)
                to[i] = 0.25f * (from[i - 1] + from[i + 1] + from[i - side] + from[i + side]);
        }
        __syncthreads();
        float *other = from;
        from = to;
        to = other;
    }
}
