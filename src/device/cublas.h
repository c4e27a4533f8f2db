/* cublas.h: the transpose of NVIDIA's library cuBLAS, to be timed beside ours; opened at run time. For the GPU's worker process alone. Names,
 * numbers and signatures are those of the cuBLAS reference. */
#pragma once

#include <stdbool.h>

#include "device/driver.h"
#include "device/gpu.h"

typedef struct Cublas {
    void *handle;
    int (*sgeam)(void *, int, int, int, int, const float *, DriverAddress, int, const float *, DriverAddress, int,
                 DriverAddress, int);
    int (*dgeam)(void *, int, int, int, int, const double *, DriverAddress, int, const double *, DriverAddress, int,
                 DriverAddress, int);
} Cublas;

/* Opens the library and a handle in the current context; does nothing when that was done before. False with one message when there is none. */
bool cublas_open(Cublas *cublas, Diag *diag);

/* Starts a transpose of the matrix at `from` into that at `to`. DRIVER_SUCCESS or the driver's code for a launch that failed. */
DriverStatus cublas_transpose(const Cublas *cublas, const GpuGeam *geam, DriverAddress from, DriverAddress to);
