// Lab 04: layout
//
// Lanes that read every second float touch twice as many sectors as lanes that read neighbours; with every
// eighth, each lane has a sector of its own. Nobody writes in[8 * i] by intent. It is written as
// particles[i].mass: a field of an array of structures is read with the structure's size as stride.
//
// Sometimes L1 makes up for it. A sector that was fetched for one field is there for the next one, if that
// is read soon after. It does not help when no other field is read. Stores go through to L2.
//
//   1. Predict: sectors at six strides; and, for three kernels, how many sectors L1 has to fetch from L2.
//   2. advance() moves particles. Store the particles in another layout, so that its accesses are coalesced.
//   3. normalise() must take and give arrays of structures. Stage them through shared memory, and see from
//      which size on that saves time.
//
// Edit only between the lines BEGIN YOUR CODE and END YOUR CODE. Then: make grade LAB=04

struct Point { // 12 bytes
    float x, y, z;
};

struct Particle { // 32 bytes
    float x, y, z, vx, vy, vz, mass, charge;
};

struct Body { // 36 bytes
    Point position, velocity, force;
};

// ---- 1. Predict --------------------------------------------------------------------------------------------
//
// Each kernel is launched with one warp. `in` begins at a multiple of 256 bytes; L1 is empty at the beginning.
// Only loads from `in` count.

extern "C" __global__ void every(const float *in, float *out, int stride) {
    out[threadIdx.x] = in[stride * threadIdx.x];
}

extern "C" __global__ void point_fields(const Point *in, float *out) {
    const Point *p = &in[threadIdx.x];
    out[threadIdx.x] = p->x + p->y + p->z;
}

extern "C" __global__ void particle_masses(const Particle *in, float *out) {
    out[threadIdx.x] = in[threadIdx.x].mass;
}

extern "C" __global__ void particle_fields(const Particle *in, float *out) {
    const Particle *p = &in[threadIdx.x];
    out[threadIdx.x] = p->x + p->y + p->z + p->vx + p->vy + p->vz + p->mass + p->charge;
}

// Put your numbers in place of the zeros.
// touched: the sectors of all load requests together; a sector counts once for each request that touches it.
// fetched: those among them that are not yet in L1, and so are fetched from L2.
// BEGIN YOUR CODE
// every(): sectors touched at stride  1  2  3  4  8  32
__constant__ int touched_at_stride[6] =   {0, 0, 0, 0, 0, 0};
//                                         touched, fetched
__constant__ int point_fields_sectors[2] =    {0, 0};
__constant__ int particle_masses_sectors[2] = {0, 0};
__constant__ int particle_fields_sectors[2] = {0, 0};
// END YOUR CODE

// ---- 2. A layout of your own -------------------------------------------------------------------------------
//
// The program keeps its particles in `storage`, 8 * capacity floats that begin at a multiple of 256 bytes;
// capacity is n rounded up to a multiple of 32. Only place() knows where a field stands: pack() moves the
// particles into storage, advance() works there, unpack() gets them back. Change place(). No two fields may
// share a place.

enum Field { X, Y, Z, VX, VY, VZ, MASS, CHARGE, FIELDS };

// Where in storage the field of a particle stands: from 0 to 8 * capacity - 1.
__device__ inline int place(int particle, int field, int capacity) {
    // BEGIN YOUR CODE
    return particle * FIELDS + field;
    // END YOUR CODE
}

extern "C" __global__ void pack(const float *particles, float *storage, int n, int capacity) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n * FIELDS) storage[place(i / FIELDS, i % FIELDS, capacity)] = particles[i];
}

extern "C" __global__ void advance(float *storage, float seconds, int n, int capacity) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    storage[place(i, X, capacity)] += storage[place(i, VX, capacity)] * seconds;
    storage[place(i, Y, capacity)] += storage[place(i, VY, capacity)] * seconds;
    storage[place(i, Z, capacity)] += storage[place(i, VZ, capacity)] * seconds;
}

extern "C" __global__ void unpack(const float *storage, float *particles, int n, int capacity) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n * FIELDS) particles[i] = storage[place(i / FIELDS, i % FIELDS, capacity)];
}

// ---- 3. Staging --------------------------------------------------------------------------------------------
//
// Structures of FLOATS floats become vectors of length 1: each float is divided by the square root of the sum of
// the structure's squares, which is never 0. Both arrays must stay arrays of structures, since other programs
// use them. They begin at a multiple of 256 bytes. n, the number of structures, is any number from 1 on; there
// are just enough blocks, of 256 threads each, for a thread to each structure. FLOATS is 3 or 9.
//
// Let the block move its FLOATS * 256 floats between global and shared memory in the order in which they lie
// in memory, and let each thread pick its structure out of shared memory. A thread that has no structure still
// helps to move, and no float beyond the arrays may be touched.
//
// Does it pay? Time on an H200, 192 MiB read and 192 MiB written, direct against staged: at 12 bytes 0.11 and
// 0.17 ms, at 20 bytes 0.10 and 0.12, at 28 bytes 0.25 and 0.12, at 36 bytes 0.36 and 0.11. The caches hide
// what a small structure wastes, and then staging is work for nothing. What is graded is the sectors.
#define BLOCK 256

template <int FLOATS> __device__ void normalise(const float *in, float *out, int n) {
    // BEGIN YOUR CODE
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n) return;
    float v[FLOATS], squares = 0.0f;
    for (int k = 0; k < FLOATS; k++) {
        v[k] = in[FLOATS * i + k];
        squares += v[k] * v[k];
    }
    float scale = 1.0f / sqrtf(squares);
    for (int k = 0; k < FLOATS; k++) out[FLOATS * i + k] = scale * v[k];
    // END YOUR CODE
}

extern "C" __global__ void normalise_points(const Point *in, Point *out, int n) {
    normalise<3>((const float *)in, (float *)out, n);
}

extern "C" __global__ void normalise_bodies(const Body *in, Body *out, int n) {
    normalise<9>((const float *)in, (float *)out, n);
}
