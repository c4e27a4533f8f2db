// Kernels of children.cu, which those of main.cu launch.
#pragma once

__global__ void add(int *to, int n, int value);
__global__ void scale(int *to, int n, int factor);
__global__ void sum(const int *of, int n, int *to);
