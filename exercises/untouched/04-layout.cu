// Lab 04: layout
//
// A field of an array of structures is read with the structure's size as stride. L1 makes up for it where the other
// fields of the same sectors are read soon after. Nothing makes up for a store, nor for bytes that nobody reads.
//
//   1. Predict: four kernels, two numbers each.
//   2. Two kernels use one storage, each in its own way. Find a layout that is right for both.
//   3. Images change their layout on the way from one program to another. See where staging pays, and stage there only.
//
// Edit only between the lines BEGIN YOUR CODE and END YOUR CODE. Then: make grade LAB=04

// ---- 1. Predict --------------------------------------------------------------------------------------------
//
// Each kernel is launched with one warp. `in` begins at a multiple of 256 bytes; L1 is empty at the beginning.
// Only loads from `in` count. Each field is a load of its own. How large is each structure, and where in it do the fields
// stand?

struct Colour { // of a pixel
    unsigned char band[3];
};

struct Sample { // of an audio signal
    short left, right;
};

struct Entry { // of a logbook
    char kind;
    double weight;
    short number, spare[1];
};

struct Body {
    float x, y, z, vx, vy, vz, force[3];
};

extern "C" __global__ void brightness(const Colour *in, int *out) {
    const Colour *c = &in[threadIdx.x];
    out[threadIdx.x] = c->band[0] + c->band[1] + c->band[2];
}

extern "C" __global__ void loudness(const Sample *in, int *out) {
    const Sample *s = &in[2 * threadIdx.x]; // the others are not looked at
    out[threadIdx.x] = s->left * s->left + s->right * s->right;
}

extern "C" __global__ void weights(const Entry *in, double *out) {
    const Entry *e = &in[threadIdx.x];
    out[threadIdx.x] = e->kind * e->weight * e->number;
}

extern "C" __global__ void velocities(const Body *in, float *out) {
    const Body *b = &in[threadIdx.x];
    out[threadIdx.x] = b->vx + b->vy + b->vz;
}

// Put your numbers in place of the zeros.
// touched: the sectors of all load requests together; a sector counts once for each request that touches it.
// fetched: those among them that are not yet in L1, and so are fetched from L2.
// BEGIN YOUR CODE
//                                     touched, fetched
__constant__ int brightness_sectors[2] = {0, 0};
__constant__ int loudness_sectors[2] = {0, 0};
__constant__ int weights_sectors[2] = {0, 0};
__constant__ int velocities_sectors[2] = {0, 0};
// END YOUR CODE

// ---- 2. One layout for two kernels -------------------------------------------------------------------------
//
// Particles are kept in `storage`, FIELDS * capacity floats that begin at a multiple of 256 bytes; capacity is n rounded
// up to a multiple of 32. Only place() knows where a field stands: pack() and unpack() move particles into storage and
// back, and two kernels work on it again and again:
//
//   warm()       heats all particles, in order. It needs HEAT and POWER.
//   potential()  looks at particles that a list names, in no order. It needs X, Y, Z and CHARGE.
//
// Change place(), so that each of the two fetches no more sectors than it must. No two fields may share a place.

enum Field { X, VX, AGE, HEAT, Y, VY, POWER, SIZE, Z, VZ, MASS, CHARGE, FIELDS };

// Where in storage the field of a particle stands: from 0 to FIELDS * capacity - 1.
__device__ inline int place(int particle, int field, int capacity) {
    // BEGIN YOUR CODE
    return particle * FIELDS + field;
    // END YOUR CODE
}

extern "C" __global__ void pack(const float *particles, float *storage, int n, int capacity) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n * FIELDS) storage[place(i / FIELDS, i % FIELDS, capacity)] = particles[i];
}

extern "C" __global__ void unpack(const float *storage, float *particles, int n, int capacity) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n * FIELDS) particles[i] = storage[place(i / FIELDS, i % FIELDS, capacity)];
}

extern "C" __global__ void warm(float *storage, float seconds, int n, int capacity) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) storage[place(i, HEAT, capacity)] += storage[place(i, POWER, capacity)] * seconds;
}

extern "C" __global__ void potential(const float *storage, const int *list, float *out, int listed, int capacity) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= listed) return;
    int particle = list[i];
    out[i] = storage[place(particle, CHARGE, capacity)] *
             (storage[place(particle, X, capacity)] + storage[place(particle, Y, capacity)] + storage[place(particle, Z, capacity)]);
}

// ---- 3. Planes and pixels ----------------------------------------------------------------------------------
//
// An image has n pixels of BANDS floats. As pixels, the floats of a pixel stand side by side: it is an array of
// structures. As planes, there is an array of n floats for each band, and these arrays follow each other.
//
//   split_colours  pixels of 3 floats become planes
//   weave_colours  planes become pixels of 3 floats
//   weave_bands    planes become pixels of 9 floats, as a satellite takes them
//
// All arrays begin at a multiple of 256 bytes. n is any number from 1 on; there are just enough blocks, of 256 threads
// each, for a thread to each pixel. All three kernels are right. In some of them staging through shared memory saves time,
// in others it costs time. Find out in which, stage those, and leave the rest as they are.
#define BLOCK 256

template <int BANDS> __device__ void split(const float *pixels, float *planes, int n) {
    // BEGIN YOUR CODE
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n) return;
    for (int band = 0; band < BANDS; band++) planes[(size_t)band * n + i] = pixels[(size_t)BANDS * i + band];
    // END YOUR CODE
}

template <int BANDS> __device__ void weave(const float *planes, float *pixels, int n) {
    // BEGIN YOUR CODE
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n) return;
    for (int band = 0; band < BANDS; band++) pixels[(size_t)BANDS * i + band] = planes[(size_t)band * n + i];
    // END YOUR CODE
}

extern "C" __global__ void split_colours(const float *pixels, float *planes, int n) { split<3>(pixels, planes, n); }

extern "C" __global__ void weave_colours(const float *planes, float *pixels, int n) { weave<3>(planes, pixels, n); }

extern "C" __global__ void weave_bands(const float *planes, float *pixels, int n) { weave<9>(planes, pixels, n); }

// Say what you found, and why. A row counts where all of it is right and your kernel does what you choose.
// choice: 1 the direct kernel, as it was given, is faster; 2 the staged one is.
// The others are sectors of 32 neighbouring pixels, the first of which begins a sector: those that the loads fetch from L2,
// which are not yet in L1, and those that the stores send to L2; first by the direct kernel, then by the staged one.
// BEGIN YOUR CODE
//                                 choice, direct: fetched, stored, staged: fetched, stored
__constant__ int split_colours_choice[5] = {0, 0, 0, 0, 0};
__constant__ int weave_colours_choice[5] = {0, 0, 0, 0, 0};
__constant__ int weave_bands_choice[5] = {0, 0, 0, 0, 0};
// END YOUR CODE
