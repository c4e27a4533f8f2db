// Says what each call of the runtime answers.
#pragma once

#include <cstdio>
#include <cuda_runtime.h>

#define LOG(call)                                            \
    do {                                                     \
        cudaError_t logged = (call);                         \
        cudaGetLastError();                                  \
        printf("%s: %s\n", #call, cudaGetErrorName(logged)); \
    } while (0)
#define VALUE(value) printf("    %s: %lld\n", #value, (long long)(value))
