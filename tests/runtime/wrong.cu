/* One mistake, chosen by the first argument. Returns 0 unless the host is told of it. */
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void copy(float *to, const float *from, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i];
}

__global__ void say(int n) { printf("thread %d of %d\n", threadIdx.x, n); }

__global__ void neighbours(int *data) {
    __shared__ int tile[64];
    tile[threadIdx.x] = data[threadIdx.x];
    data[threadIdx.x] = tile[(threadIdx.x + 1) % 64];
}

int main(int argc, char **argv) {
    const char *mistake = argc > 1 ? argv[1] : "";
    float *device, *other, host[64] = {0};
    cudaMalloc(&device, sizeof host);
    cudaMalloc(&other, sizeof host);
    cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
    if (!strcmp(mistake, "host_uses_device")) device[3] = 1;
    if (!strcmp(mistake, "host_uses_freed")) {
        cudaFree(device);
        host[0] = device[3];
    }
    if (!strcmp(mistake, "copy_from_nowhere")) cudaMemcpy(device, (void *)0x1000, 64, cudaMemcpyHostToDevice);
    if (!strcmp(mistake, "host_pointer")) copy<<<1, 64>>>(device, host, 64);
    if (!strcmp(mistake, "past_the_end")) copy<<<2, 64>>>(other, device, 100);
    if (!strcmp(mistake, "freed")) {
        cudaFree(device);
        copy<<<1, 64>>>(other, device, 64);
    }
    if (!strcmp(mistake, "uninitialised")) copy<<<1, 64>>>(device, other, 64);
    if (!strcmp(mistake, "race")) neighbours<<<1, 64>>>((int *)device);
    if (!strcmp(mistake, "no_synchronize")) {
        say<<<1, 2>>>(2);
        return 0;
    }
    if (!strcmp(mistake, "leak")) return 0;
    cudaError_t error = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorName(error));
    cudaFree(device);
    cudaFree(other);
    return error != cudaSuccess;
}
