/* A kernel that is stopped, in a program that ends with 0: it never asks for the error; with an argument it does, by that way. */
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void write(int *to) { *to = 1; }

int main(int, char **arguments) {
    int way = arguments[1] ? atoi(arguments[1]) : 0;
    puts(cudaGetErrorName(cudaErrorInvalidValue)); /* another error's */
    write<<<1, 1>>>((int *)64);
    cudaError_t error = cudaDeviceSynchronize();
    if (way == 1) cudaGetLastError();
    if (way == 2) cudaPeekAtLastError();
    if (way == 3) puts(cudaGetErrorString(error));
    return 0;
}
