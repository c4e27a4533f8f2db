// Particles in an array of floats, stored in three layouts; and structures of 12 and of 36 bytes that become vectors of length 1, directly and
// staged through shared memory.
enum Field { X, Y, Z, VX, VY, VZ, MASS, CHARGE, FIELDS };

// Where in storage the field of a particle stands: an array of structures.
__device__ inline int place_in_structures(int particle, int field, int capacity) {
    return particle * FIELDS + field;
}

// A structure of arrays: eight arrays of `capacity` floats.
__device__ inline int place_in_arrays(int particle, int field, int capacity) {
    return field * capacity + particle;
}

// Groups of four particles: four x, four y, and so on.
__device__ inline int place_in_fours(int particle, int field, int capacity) {
    return particle / 4 * 4 * FIELDS + field * 4 + particle % 4;
}

typedef int Place(int particle, int field, int capacity);

template <Place place> __device__ void pack(const float *particles, float *storage, int n, int capacity) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n * FIELDS) storage[place(i / FIELDS, i % FIELDS, capacity)] = particles[i];
}

template <Place place> __device__ void advance(float *storage, float seconds, int n, int capacity) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    storage[place(i, X, capacity)] += storage[place(i, VX, capacity)] * seconds;
    storage[place(i, Y, capacity)] += storage[place(i, VY, capacity)] * seconds;
    storage[place(i, Z, capacity)] += storage[place(i, VZ, capacity)] * seconds;
}

template <Place place> __device__ void unpack(const float *storage, float *particles, int n, int capacity) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n * FIELDS) particles[i] = storage[place(i / FIELDS, i % FIELDS, capacity)];
}

extern "C" __global__ void pack_structures(const float *particles, float *storage, int n, int capacity) {
    pack<place_in_structures>(particles, storage, n, capacity);
}
extern "C" __global__ void pack_arrays(const float *particles, float *storage, int n, int capacity) {
    pack<place_in_arrays>(particles, storage, n, capacity);
}
extern "C" __global__ void advance_structures(float *storage, float seconds, int n, int capacity) {
    advance<place_in_structures>(storage, seconds, n, capacity);
}
extern "C" __global__ void advance_arrays(float *storage, float seconds, int n, int capacity) {
    advance<place_in_arrays>(storage, seconds, n, capacity);
}
extern "C" __global__ void advance_fours(float *storage, float seconds, int n, int capacity) {
    advance<place_in_fours>(storage, seconds, n, capacity);
}
extern "C" __global__ void unpack_structures(const float *storage, float *particles, int n, int capacity) {
    unpack<place_in_structures>(storage, particles, n, capacity);
}
extern "C" __global__ void unpack_arrays(const float *storage, float *particles, int n, int capacity) {
    unpack<place_in_arrays>(storage, particles, n, capacity);
}

// Structures of FLOATS floats; n of them.
#define BLOCK 256

template <int FLOATS> __device__ void normalise_directly(const float *in, float *out, int n) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n) return;
    float v[FLOATS], squares = 0.0f;
    for (int k = 0; k < FLOATS; k++) {
        v[k] = in[FLOATS * i + k];
        squares += v[k] * v[k];
    }
    float scale = 1.0f / sqrtf(squares);
    for (int k = 0; k < FLOATS; k++) out[FLOATS * i + k] = scale * v[k];
}

template <int FLOATS> __device__ void normalise(const float *in, float *out, int n) {
    __shared__ float staged[FLOATS * BLOCK];
    int first = blockIdx.x * FLOATS * BLOCK;
    for (int k = threadIdx.x; k < FLOATS * BLOCK; k += BLOCK)
        if (first + k < FLOATS * n) staged[k] = in[first + k];
    __syncthreads();
    if (blockIdx.x * BLOCK + threadIdx.x < n) {
        float *v = &staged[FLOATS * threadIdx.x], squares = 0.0f;
        for (int k = 0; k < FLOATS; k++) squares += v[k] * v[k];
        float scale = 1.0f / sqrtf(squares);
        for (int k = 0; k < FLOATS; k++) v[k] *= scale;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < FLOATS * BLOCK; k += BLOCK)
        if (first + k < FLOATS * n) out[first + k] = staged[k];
}

extern "C" __global__ void points_direct(const float *in, float *out, int n) { normalise_directly<3>(in, out, n); }
extern "C" __global__ void bodies_direct(const float *in, float *out, int n) { normalise_directly<9>(in, out, n); }
extern "C" __global__ void points_staged(const float *in, float *out, int n) { normalise<3>(in, out, n); }
extern "C" __global__ void bodies_staged(const float *in, float *out, int n) { normalise<9>(in, out, n); }
