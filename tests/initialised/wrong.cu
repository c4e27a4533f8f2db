// Kernels that use what nothing has written, each chosen by its name. The comment before one says what must be told of it; the line
// that must be named ends with HERE.
#include <cstdio>
#include <cstring>

struct Vec3 {
    float x, y, z;
};

// uses a variable here that nothing has been assigned to
__global__ void sum_of_floats(float *out, const float *in, int n) {
    float sum;
    for (int i = 0; i < n; i++)
        sum += in[i]; // HERE
    out[threadIdx.x] = sum;
}

// uses a variable here that nothing has been assigned to
__global__ void sum_of_ints(int *out, const int *in, int n) {
    int sum;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += in[i]; // HERE
    out[threadIdx.x] = sum;
}

// uses a variable here that nothing has been assigned to
__global__ void sum_of_doubles_by_shuffles(double *out, const float *in, int n) {
    double sum;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += in[i]; // HERE
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (threadIdx.x == 0) *out = sum;
}

// uses a variable here that nothing has been assigned to
__global__ void largest(float *out, const float *in, int n) {
    float best;
    for (int i = 0; i < n; i++)
        if (in[i] > best) best = in[i]; // HERE
    out[threadIdx.x] = best;
}

// uses a variable here that nothing has been assigned to
__global__ void four_sums(float *out, const float *in, int n) {
    float sums[4];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 4; k++)
            sums[k] += in[i + k]; // HERE
    for (int k = 0; k < 4; k++) out[4 * threadIdx.x + k] = sums[k];
}

// reads 4 bytes at 'in'+0, where byte 0 was never written
__global__ void branch_on_it(int *out, const int *in, int n) {
    int value = in[n + threadIdx.x - n]; // HERE
    if (value > 3) atomicAdd(out, 1);
}

// reads 4 bytes at 'in'+0, where byte 0 was never written
__global__ void index_of_it(int *out, const int *in, int n) {
    int at = in[threadIdx.x] % 4; // HERE
    out[at & 31] = n;
}

// reads 4 bytes at 'in'+0, where byte 0 was never written
__global__ void added_atomically(int *out, const int *in, int n) {
    int value = in[threadIdx.x]; // HERE
    atomicAdd(out + n % 8, value);
}

// reads 4 bytes at 'in'+0, where byte 0 was never written
__global__ void copied(int *out, const int *in, int n) {
    out[threadIdx.x] = in[threadIdx.x]; // HERE
}

// reads 1 byte
__global__ void converted(int *out, const signed char *in, int n) {
    out[threadIdx.x] = in[threadIdx.x]; // HERE
}

// reads 4 bytes at 'in'+0, where byte 0 was never written
__global__ void through_shared_memory(float *out, const float *in, int n) {
    __shared__ float tile[32];
    tile[threadIdx.x] = in[threadIdx.x]; // HERE
    __syncthreads();
    out[threadIdx.x] = tile[31 - threadIdx.x] * n;
}

// which was never written
__global__ void half_a_tile(float *out, const float *in, int n) {
    __shared__ float tile[32];
    if (threadIdx.x < 16) tile[threadIdx.x] = n;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x] + 1; // HERE
}

// of local memory
__global__ void array_of_a_thread(int *out, const int *in, int n) {
    int counts[32];
    for (int i = 0; i < n; i++) counts[(i * 7 + n) % 31] = i;
    int sum = 0;
    for (int i = 0; i < n; i++) sum += counts[(i * 5 + n) % 32]; // HERE
    out[threadIdx.x] = sum;
}

// where byte 63 was never written
__global__ void last_byte_of_a_word(int *out, const int *late, int n) {
    if (threadIdx.x < 16)
        out[threadIdx.x] = late[threadIdx.x] + n; // HERE
}

// reads
__global__ void third_component(float *out, const Vec3 *in, int n) {
    Vec3 *point = (Vec3 *)in + threadIdx.x;
    point->x = n, point->y = n;
    __syncwarp();
    float z = point->z; // HERE
    out[threadIdx.x] = z * 2;
}

// takes the value of lane
__global__ void sum_of_lanes_that_left(int *out, const int *in, int n) {
    if (threadIdx.x >= 20) return;
    int value = threadIdx.x;
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffff, value, distance); // HERE
    out[threadIdx.x] = value + n;
}

template <class T> void *pointer(T function) { return (void *)function; }
#define KERNEL(name) {#name, pointer(name)}

int main(int count, char **words) {
    struct {
        const char *name;
        void *kernel;
    } kernels[] = {KERNEL(sum_of_floats),  KERNEL(sum_of_ints),   KERNEL(sum_of_doubles_by_shuffles), KERNEL(largest),
                   KERNEL(four_sums),      KERNEL(branch_on_it),  KERNEL(index_of_it),                KERNEL(added_atomically),
                   KERNEL(copied),         KERNEL(converted),     KERNEL(through_shared_memory),      KERNEL(half_a_tile),
                   KERNEL(array_of_a_thread), KERNEL(third_component), KERNEL(last_byte_of_a_word), KERNEL(sum_of_lanes_that_left)};
    void *out, *in, *filled;
    int n = 17;
    cudaMalloc(&out, 4096), cudaMalloc(&in, 4096), cudaMalloc(&filled, 4096);
    cudaMemset(out, 0, 4096);
    cudaMemset(filled, 0, 4096);
    bool reads = strstr(words[1], "sum") || strstr(words[1], "largest") || strstr(words[1], "array_of");
    if (strstr(words[1], "last_byte")) cudaMemset(in, 0, 63);
    void *arguments[] = {&out, reads ? &filled : &in, &n};
    for (auto &each : kernels)
        if (count == 2 && strcmp(each.name, words[1]) == 0)
            cudaLaunchKernel(each.kernel, dim3(1), dim3(32), arguments, 0, 0);
    return cudaDeviceSynchronize() != cudaSuccess;
}
