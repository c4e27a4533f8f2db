// Prices of European options, by Black and Scholes' formula in float and double and by a binomial tree in shared memory:
// what a kernel needs of the mathematical library, compared with the host's.
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#include "check.h"

struct Option {
    double spot, strike, years;
};

const double RATE = 0.02, VOLATILITY = 0.3;
const int TREE_STEPS = 150, TREE_THREADS = 64;

template <typename T> struct Quote { T call, put; };

__device__ float normal(float x) { return 0.5f * erfcf(-x * 0.70710678f); }
__device__ double normal(double x) { return normcdf(x); }

template <typename T> __global__ void black_scholes(const Option *options, Quote<T> *quotes, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const T spot = (T)options[i].spot, strike = (T)options[i].strike, years = (T)options[i].years;
    const T deviation = (T)VOLATILITY * sqrt(years);
    const T d1 = (log(spot / strike) + ((T)RATE + (T)0.5 * (T)VOLATILITY * (T)VOLATILITY) * years) / deviation;
    const T d2 = d1 - deviation, discounted = strike * exp(-(T)RATE * years);
    quotes[i].call = spot * normal(d1) - discounted * normal(d2);
    quotes[i].put = discounted * normal(-d2) - spot * normal(-d1);
}

// One block an option: the values at expiry, then step by step back to now.
__global__ void binomial(const Option *options, double *calls) {
    __shared__ double values[2][TREE_STEPS + 1];
    const Option o = options[blockIdx.x];
    const double dt = o.years / TREE_STEPS, up = exp(VOLATILITY * sqrt(dt)), down = 1.0 / up;
    const double p = (exp(RATE * dt) - down) / (up - down), discount = exp(-RATE * dt);
    for (int k = threadIdx.x; k <= TREE_STEPS; k += TREE_THREADS)
        values[TREE_STEPS & 1][k] = fmax(o.spot * pow(up, (double)(2 * k - TREE_STEPS)) - o.strike, 0.0);
    for (int step = TREE_STEPS - 1; step >= 0; step--) {
        __syncthreads();
        const double *from = values[(step + 1) & 1];
        double *to = values[step & 1];
        for (int k = threadIdx.x; k <= step; k += TREE_THREADS) to[k] = discount * (p * from[k + 1] + (1.0 - p) * from[k]);
    }
    if (threadIdx.x == 0) calls[blockIdx.x] = values[0][0];
}

static Quote<double> host_quote(const Option &o) {
    const double deviation = VOLATILITY * std::sqrt(o.years), half = std::sqrt(0.5);
    const double d1 = (std::log(o.spot / o.strike) + (RATE + 0.5 * VOLATILITY * VOLATILITY) * o.years) / deviation;
    const double d2 = d1 - deviation, discounted = o.strike * std::exp(-RATE * o.years);
    auto cumulative = [&](double x) { return 0.5 * std::erfc(-x * half); };
    return {o.spot * cumulative(d1) - discounted * cumulative(d2), discounted * cumulative(-d2) - o.spot * cumulative(-d1)};
}

static int near(const char *method, int option, double got, double expected, double tolerance) {
    if (std::fabs(got - expected) <= tolerance) return 0;
    printf("%s: option %d costs %.9f, expected %.9f\n", method, option, got, expected);
    return 1;
}

template <typename T>
static int run(const char *name, const std::vector<Option> &options, const Option *d_options, double tolerance) {
    const int n = (int)options.size();
    std::vector<Quote<T>> quotes(n);
    Quote<T> *d_quotes;
    CHECK(cudaMalloc(&d_quotes, n * sizeof(Quote<T>)));
    black_scholes<T><<<(n + 127) / 128, 128>>>(d_options, d_quotes, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(quotes.data(), d_quotes, n * sizeof(Quote<T>), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_quotes));
    for (int i = 0; i < n; i++) {
        const Quote<double> expected = host_quote(options[i]);
        if (near(name, i, quotes[i].call, expected.call, tolerance) || near(name, i, quotes[i].put, expected.put, tolerance))
            return 1;
    }
    return 0;
}

int main() {
    const int n = 1009, trees = 20;
    std::vector<Option> options(n);
    for (int i = 0; i < n; i++) options[i] = Option{40.0 + i % 61, 50.0 + i % 37, 0.1 + (i % 29) * 0.1};
    Option *d_options;
    double *d_calls, calls[trees];
    CHECK(cudaMalloc(&d_options, n * sizeof(Option)));
    CHECK(cudaMalloc(&d_calls, sizeof(calls)));
    CHECK(cudaMemcpy(d_options, options.data(), n * sizeof(Option), cudaMemcpyHostToDevice));
    if (run<float>("float", options, d_options, 1e-3) || run<double>("double", options, d_options, 1e-10)) return 1;

    binomial<<<trees, TREE_THREADS>>>(d_options, d_calls);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(calls, d_calls, sizeof(calls), cudaMemcpyDeviceToHost));
    for (int i = 0; i < trees; i++) { // a tree of so many steps is within a few cents of the formula
        if (near("binomial", i, calls[i], host_quote(options[i]).call, 0.05)) return 1;
    }
    CHECK(cudaFree(d_options));
    CHECK(cudaFree(d_calls));
    printf("ok: %d options, the first costs %.4f\n", n, host_quote(options[0]).call);
    return 0;
}
