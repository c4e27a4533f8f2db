#include "statistics.h"

#include <cstdio>
#include <cstdlib>

void check(cudaError_t status, const char *file, int line) {
    if (status == cudaSuccess) return;
    fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    exit(1);
}

std::vector<float> make_samples(int n) {
    std::vector<float> samples(n);
    unsigned int state = 2463534242u;
    for (float &sample : samples) {
        float sum = 0.0f; // of four uniform numbers: a bell
        for (int k = 0; k < 4; k++) {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            sum += (float)(state >> 20);
        }
        sample = sum / 64.0f;
    }
    return samples;
}

Moments host_moments(const std::vector<float> &samples) {
    Moments m = {0.0, 0.0};
    for (float sample : samples) m.mean += sample;
    m.mean /= samples.size();
    for (float sample : samples) m.variance += (sample - m.mean) * (sample - m.mean);
    m.variance /= samples.size();
    return m;
}
