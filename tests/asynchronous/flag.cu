// Host code that waits for what a kernel says: a flag in memory of both sides, behind a fence that reaches the host.
#include <cstdio>

__global__ void answer(volatile int *flag, int *data) {
    *data = 42;
    __threadfence_system();
    *flag = 1;
}
int main() {
    int *flag, *data;
    cudaMallocHost(&flag, sizeof *flag);
    cudaMallocHost(&data, sizeof *data);
    *flag = *data = 0;
    answer<<<1, 1>>>(flag, data);
    while (!*(volatile int *)flag) {}
    printf("%d\n", *data);
    return cudaDeviceSynchronize();
}
