// One warp and one access to shared memory each, to look at. `volatile` keeps stores that nobody reads.
__global__ void put_words(int step) { // lane i writes word i * step
    volatile __shared__ int word[32 * 36];
    word[threadIdx.x * step] = threadIdx.x;
}

__global__ void put_swizzled(int column) { // a column of a tile in which element (r, c) is kept at word 32 * r + (c ^ r)
    volatile __shared__ int tile[32][32];
    tile[threadIdx.x][column ^ threadIdx.x] = threadIdx.x;
}

__global__ void put_diagonal_swizzled() { // its elements (i, i)
    volatile __shared__ int tile[32][32];
    tile[threadIdx.x][threadIdx.x ^ threadIdx.x] = threadIdx.x;
}

__global__ void put_two_columns(int length) { // two neighbouring columns of a tile of 16 rows of so many words
    volatile __shared__ int word[16 * 18];
    word[threadIdx.x % 16 * length + threadIdx.x / 16] = threadIdx.x;
}

__global__ void put_doubles(int step) { // lane i writes double i * step
    volatile __shared__ double pair[32 * 34];
    pair[threadIdx.x * step] = threadIdx.x;
}

__global__ void put_bytes() { // lane i writes byte i
    volatile __shared__ unsigned char byte[32];
    byte[threadIdx.x] = threadIdx.x;
}

__global__ void get_one_word(int *out) { // all lanes read word 5
    __shared__ int word[32];
    word[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = word[5];
}

__global__ void get_doubles_twice(double *out) { // lanes 16 to 31 read what lanes 0 to 15 read
    __shared__ double number[32];
    number[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = number[threadIdx.x % 16];
}

__global__ void get_doubles_in_pairs(double *out) { // lanes 2 * i and 2 * i + 1 read the same double
    __shared__ double pair[32];
    pair[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = pair[threadIdx.x / 2];
}

__global__ void get_vectors(float4 *out, int step) { // lane i reads float4 i * step
    __shared__ float4 four[32 * 3];
    for (int i = threadIdx.x; i < 32 * 3; i += 32) four[i] = make_float4(i, i, i, i);
    __syncthreads();
    out[threadIdx.x] = four[threadIdx.x * step];
}

// All lanes add 1 to one counter in shared memory.
__global__ void count_together(int *out) {
    __shared__ int counter[32];
    counter[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&counter[5], 1);
    __syncthreads();
    out[threadIdx.x] = counter[threadIdx.x];
}

// Four lanes each add 1 to one of eight counters; or each its own number.
__global__ void count_in_eights(int *out) {
    __shared__ int counter[32];
    counter[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&counter[threadIdx.x % 8], 1);
    __syncthreads();
    out[threadIdx.x] = counter[threadIdx.x];
}

__global__ void weigh_in_eights(int *out) {
    __shared__ int counter[32];
    counter[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&counter[threadIdx.x % 8], (int)threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = counter[threadIdx.x];
}

// All lanes put a number into one word, or add a float to it.
__global__ void exchange_together(int *out) {
    __shared__ int counter[32];
    counter[threadIdx.x] = 0;
    __syncthreads();
    atomicExch(&counter[5], (int)threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = counter[threadIdx.x] != 0;
}

__global__ void add_floats_together(float *out) {
    __shared__ float sum[32];
    sum[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&sum[5], 1.0f);
    __syncthreads();
    out[threadIdx.x] = sum[threadIdx.x];
}
