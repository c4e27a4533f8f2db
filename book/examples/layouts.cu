// The same work on an array of structures and on a structure of arrays.
struct Point { // 12 bytes
    float x, y, z;
};

struct Particle { // 32 bytes
    float x, y, z, vx, vy, vz, mass, charge;
};

__global__ void double_structures(Point *points) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    points[i].x *= 2;
    points[i].y *= 2;
    points[i].z *= 2;
}

__global__ void double_arrays(float *x, float *y, float *z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] *= 2;
    y[i] *= 2;
    z[i] *= 2;
}

__global__ void masses_of_structures(const Particle *particles, float *masses) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    masses[i] = particles[i].mass;
}

__global__ void masses_of_array(const float *mass, float *masses) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    masses[i] = mass[i];
}

// Points with a fourth float, so that one access of 16 bytes moves the whole structure.
__global__ void double_vectors(float4 *points) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 p = points[i];
    points[i] = make_float4(2 * p.x, 2 * p.y, 2 * p.z, p.w);
}

// Particles in no order: thread i takes number i * 40503 modulo their number, which is a power of two.
__global__ void pick_structures(const Particle *particles, float *out, int number) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Particle p = particles[i * 40503u % number];
    out[i] = p.x + p.y + p.z + p.vx + p.vy + p.vz + p.mass + p.charge;
}

// The same; field k of particle i is element k * number + i.
__global__ void pick_arrays(const float *fields, float *out, int number) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float *p = &fields[i * 40503u % number];
    float sum = 0;
    for (int k = 0; k < 8; k++) sum += p[k * number];
    out[i] = sum;
}

// Blocks of 16 x 16 threads, once along the rows and once along the columns.
__global__ void double_rows(const float *in, float *out, int width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * width + x] = 2 * in[y * width + x];
}

__global__ void double_columns(const float *in, float *out, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[x * height + y] = 2 * in[x * height + y];
}
