// The last block stores to b by a pointer to a, which the kernel's text does not tell: the others read there.
__global__ void stray(int *a, const int *b, volatile long *far, int *o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    far[i] = b - a;
    if (blockIdx.x == gridDim.x - 1)
        a[far[i] + threadIdx.x] = 1;
    else
        o[i] = b[threadIdx.x];
}

int main() {
    int *a, *b, *o;
    long *far;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    cudaMalloc(&far, 8 * 64 * sizeof *far);
    cudaMalloc(&o, 8 * 64 * sizeof *o);
    for (int i = 0; i < 2; i++) {
        cudaMemset(b, 0, 256);
        cudaMemset(far, 0, 8 * 64 * sizeof *far);
        cudaMemset(o, 0, 8 * 64 * sizeof *o);
        stray<<<8, 64>>>(a, b, far, o);
    }
    cudaDeviceSynchronize();
    return 0;
}
