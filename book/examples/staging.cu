// Structures of 3, 5, 7 and 9 floats are doubled: each thread reads and writes its own, or the block moves them through shared memory.
#define BLOCK 256

template <int FLOATS> __device__ void direct(const float *in, float *out) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    float v[FLOATS];
    for (int k = 0; k < FLOATS; k++) v[k] = in[FLOATS * i + k];
    for (int k = 0; k < FLOATS; k++) out[FLOATS * i + k] = 2 * v[k];
}

template <int FLOATS> __device__ void staged(const float *in, float *out) {
    __shared__ float stage[FLOATS * BLOCK];
    int first = blockIdx.x * FLOATS * BLOCK;
    for (int k = threadIdx.x; k < FLOATS * BLOCK; k += BLOCK) stage[k] = in[first + k];
    __syncthreads();
    for (int k = 0; k < FLOATS; k++) stage[FLOATS * threadIdx.x + k] *= 2;
    __syncthreads();
    for (int k = threadIdx.x; k < FLOATS * BLOCK; k += BLOCK) out[first + k] = stage[k];
}

extern "C" __global__ void direct_3(const float *in, float *out) { direct<3>(in, out); }
extern "C" __global__ void direct_5(const float *in, float *out) { direct<5>(in, out); }
extern "C" __global__ void direct_7(const float *in, float *out) { direct<7>(in, out); }
extern "C" __global__ void direct_9(const float *in, float *out) { direct<9>(in, out); }
extern "C" __global__ void staged_3(const float *in, float *out) { staged<3>(in, out); }
extern "C" __global__ void staged_5(const float *in, float *out) { staged<5>(in, out); }
extern "C" __global__ void staged_7(const float *in, float *out) { staged<7>(in, out); }
extern "C" __global__ void staged_9(const float *in, float *out) { staged<9>(in, out); }

// Neighbouring lanes have neighbouring floats already: the detour changes no request.
extern "C" __global__ void staged_for_nothing(const float *in, float *out) {
    __shared__ float stage[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    stage[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = 2 * stage[threadIdx.x];
}
