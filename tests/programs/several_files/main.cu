#include "statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

static int near(const char *what, double got, double expected, double tolerance) {
    if (std::fabs(got - expected) <= tolerance) return 0;
    printf("%s is %.9f, expected %.9f\n", what, got, expected);
    return 1;
}

int main() {
    const int n = 12345;
    std::vector<float> samples = make_samples(n);
    float *d_samples;
    CHECK(cudaMalloc(&d_samples, n * sizeof(float)));
    CHECK(cudaMemcpy(d_samples, samples.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    const Moments got = device_moments(d_samples, n), expected = host_moments(samples);
    if (near("mean", got.mean, expected.mean, 1e-9) || near("variance", got.variance, expected.variance, 1e-6)) return 1;

    std::sort(samples.begin(), samples.end());
    for (double share : {0.01, 0.5, 0.9}) {
        const float wanted = samples[(int)std::ceil(share * n) - 1];
        if (near("quantile", device_quantile(d_samples, n, share), wanted, 0.0)) return 1;
    }
    CHECK(cudaFree(d_samples));
    printf("ok: mean %.3f, variance %.1f, %d launches for quantiles\n", got.mean, got.variance, launches_made());
    return 0;
}
