// Bodies that attract each other, as an array of structures and as a structure of arrays; forces straight from global memory
// and by tiles in shared memory; then one step along the velocities, whose memory accesses show the difference between the
// two layouts.
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#include "check.h"

struct Body {
    float x, y, z, mass, vx, vy, vz, unused;
};

struct Bodies { // one array for each member of Body
    float *x, *y, *z, *mass, *vx, *vy, *vz;
};

const float DT = 0.015625f, SOFTENING = 0.01f;

__device__ void attract(float3 &force, float dx, float dy, float dz, float mass) {
    float r2 = dx * dx + dy * dy + dz * dz + SOFTENING;
    float inverse = rsqrtf(r2);
    float scale = mass * inverse * inverse * inverse;
    force.x += scale * dx;
    force.y += scale * dy;
    force.z += scale * dz;
}

__global__ void accelerate_aos(Body *bodies, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float3 force = make_float3(0.0f, 0.0f, 0.0f);
    float x = bodies[i].x, y = bodies[i].y, z = bodies[i].z;
    for (int j = 0; j < n; j++) attract(force, bodies[j].x - x, bodies[j].y - y, bodies[j].z - z, bodies[j].mass);
    bodies[i].vx += DT * force.x;
    bodies[i].vy += DT * force.y;
    bodies[i].vz += DT * force.z;
}

__global__ void accelerate_soa(Bodies bodies, int n) {
    extern __shared__ float4 tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x, mine = min(i, n - 1);
    float3 force = make_float3(0.0f, 0.0f, 0.0f);
    float x = bodies.x[mine], y = bodies.y[mine], z = bodies.z[mine];
    for (int first = 0; first < n; first += blockDim.x) {
        int j = first + threadIdx.x; // beyond the end: no mass
        tile[threadIdx.x] =
            j < n ? make_float4(bodies.x[j], bodies.y[j], bodies.z[j], bodies.mass[j]) : make_float4(0, 0, 0, 0);
        __syncthreads();
        for (int k = 0; k < blockDim.x; k++) {
            float4 other = tile[k];
            attract(force, other.x - x, other.y - y, other.z - z, other.w);
        }
        __syncthreads();
    }
    if (i >= n) return;
    bodies.vx[i] += DT * force.x;
    bodies.vy[i] += DT * force.y;
    bodies.vz[i] += DT * force.z;
}

__global__ void drift_aos(Body *bodies, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    bodies[i].x += DT * bodies[i].vx;
    bodies[i].y += DT * bodies[i].vy;
    bodies[i].z += DT * bodies[i].vz;
}

__global__ void drift_soa(Bodies bodies, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    bodies.x[i] += DT * bodies.vx[i];
    bodies.y[i] += DT * bodies.vy[i];
    bodies.z[i] += DT * bodies.vz[i];
}

static const int N = 300, STEPS = 3;

static void host_step(std::vector<double> *m) { // m[0..2]: positions, m[3]: masses, m[4..6]: velocities
    for (int i = 0; i < N; i++) {
        double force[3] = {0, 0, 0};
        for (int j = 0; j < N; j++) {
            double d[3], r2 = SOFTENING;
            for (int k = 0; k < 3; k++) d[k] = m[k][j] - m[k][i], r2 += d[k] * d[k];
            for (int k = 0; k < 3; k++) force[k] += m[3][j] * d[k] / (r2 * std::sqrt(r2));
        }
        for (int k = 0; k < 3; k++) m[4 + k][i] += DT * force[k];
    }
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < N; i++) m[k][i] += DT * m[4 + k][i];
    }
}

static int compare(const char *layout, int body, const char *member, double got, double expected) {
    if (std::fabs(got - expected) <= 1e-5 + 1e-4 * std::fabs(expected)) return 0;
    printf("%s: body %d, %s is %.7g, expected %.7g\n", layout, body, member, got, expected);
    return 1;
}

int main() {
    std::vector<Body> aos(N);
    std::vector<double> expected[7];
    std::vector<float> members[7];
    for (int i = 0; i < N; i++) {
        float angle = 0.1f * i, radius = 1.0f + 0.01f * (i % 50);
        aos[i] = Body{radius * std::cos(angle),
                      radius * std::sin(angle),
                      0.02f * (i % 31 - 15),
                      0.001f * (1 + i % 7),
                      -std::sin(angle),
                      std::cos(angle),
                      0.0f,
                      -1.0f};
        const float *values = &aos[i].x;
        for (int k = 0; k < 7; k++) {
            members[k].push_back(values[k]);
            expected[k].push_back(values[k]);
        }
    }
    Body *d_aos;
    Bodies d_soa;
    float **arrays[7] = {&d_soa.x, &d_soa.y, &d_soa.z, &d_soa.mass, &d_soa.vx, &d_soa.vy, &d_soa.vz};
    CHECK(cudaMalloc(&d_aos, N * sizeof(Body)));
    CHECK(cudaMemcpy(d_aos, aos.data(), N * sizeof(Body), cudaMemcpyHostToDevice));
    for (int k = 0; k < 7; k++) {
        CHECK(cudaMalloc(arrays[k], N * sizeof(float)));
        CHECK(cudaMemcpy(*arrays[k], members[k].data(), N * sizeof(float), cudaMemcpyHostToDevice));
    }

    const int threads = 64, blocks = (N + threads - 1) / threads;
    for (int step = 0; step < STEPS; step++) {
        accelerate_aos<<<blocks, threads>>>(d_aos, N);
        drift_aos<<<blocks, threads>>>(d_aos, N);
        accelerate_soa<<<blocks, threads, threads * sizeof(float4)>>>(d_soa, N);
        drift_soa<<<blocks, threads>>>(d_soa, N);
        host_step(expected);
    }
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(aos.data(), d_aos, N * sizeof(Body), cudaMemcpyDeviceToHost));
    static const char *const names[7] = {"x", "y", "z", "mass", "vx", "vy", "vz"};
    for (int k = 0; k < 7; k++) {
        CHECK(cudaMemcpy(members[k].data(), *arrays[k], N * sizeof(float), cudaMemcpyDeviceToHost));
        CHECK(cudaFree(*arrays[k]));
        for (int i = 0; i < N; i++) {
            if (compare("structures", i, names[k], (&aos[i].x)[k], expected[k][i])) return 1;
            if (compare("arrays", i, names[k], members[k][i], expected[k][i])) return 1;
        }
    }
    CHECK(cudaFree(d_aos));
    printf("ok: %d bodies, %d steps\n", N, STEPS);
    return 0;
}
