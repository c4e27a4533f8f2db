// A program of several files: samples are made on the host, two files with kernels work on them, and main compares.
#pragma once

#include <cuda_runtime.h>
#include <vector>

struct Moments {
    double mean, variance;
};

// Stops the program, naming the place, when a call has failed.
void check(cudaError_t status, const char *file, int line);
#define CHECK(call) check((call), __FILE__, __LINE__)

// samples.cpp, compiled for the host alone
std::vector<float> make_samples(int n);
Moments host_moments(const std::vector<float> &samples);

// moments.cu: the samples lie on the device
Moments device_moments(const float *samples, int n);

// order.cu: the smallest value that at least `share` of the samples do not exceed
float device_quantile(const float *samples, int n, double share);
int launches_made();
