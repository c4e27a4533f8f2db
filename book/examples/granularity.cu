// Loads and stores of one warp, in sectors and in lines; a blur past L1 and through it; records sorted field by field and record by record.
__global__ void read_aligned(const float *in, float *out) {
    out[threadIdx.x] = in[threadIdx.x];
}

__global__ void read_permuted(const float *in, float *out) {
    out[threadIdx.x] = in[(5 * threadIdx.x + 3) % 32];
}

__global__ void read_misaligned(const float *in, float *out) {
    out[threadIdx.x] = in[threadIdx.x + 1];
}

__global__ void read_one_address(const float *in, float *out) {
    out[threadIdx.x] = in[7];
}

__global__ void read_scattered(const float *in, float *out) {
    out[threadIdx.x] = in[(5 * threadIdx.x + 3) % 32 * 32];
}

__global__ void write_three_groups(const float *in, float *out) {
    int group = threadIdx.x / 8;
    if (group < 3) out[16 * group + threadIdx.x % 8] = in[threadIdx.x];
}

__global__ void write_shorts(const short *in, short *out) {
    out[threadIdx.x] = in[threadIdx.x];
}

// out[i] = (in[i] + in[i + 1] + … + in[i + 8]) / 9, for i from 0 to n - 1.
__global__ void blur_past_l1(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
    for (int k = 0; k < 9; k++) sum += __ldcg(&in[i + k]);
    out[i] = sum / 9.0f;
}

__global__ void blur_through_l1(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
    for (int k = 0; k < 9; k++) sum += in[i + k];
    out[i] = sum / 9.0f;
}

// out[field * records + record] = in[record * 8 + field], for all records and their eight fields.
__global__ void gather_fields(const float *in, float *out, int records) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    for (int i = thread; i < 8 * records; i += threads) {
        int field = i / records, record = i % records;
        out[i] = in[record * 8 + field];
    }
}

__global__ void gather_records(const float *in, float *out, int records) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    for (int record = thread; record < records; record += threads)
        for (int field = 0; field < 8; field++)
            out[field * records + record] = in[record * 8 + field];
}
