// Templates around kernels: functors passed by value, lambdas inside kernels, template template parameters, constexpr
// functions and specialisations shared by host and device, structs as arguments, and kernels chosen by types.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#include "check.h"

template <typename T> class Buffer { // device memory that frees itself
  public:
    explicit Buffer(size_t count) : count_(count) { CHECK(cudaMalloc(&data_, count * sizeof(T))); }
    explicit Buffer(const std::vector<T> &values) : Buffer(values.size()) {
        CHECK(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~Buffer() { cudaFree(data_); }
    Buffer(const Buffer &) = delete;
    Buffer &operator=(const Buffer &) = delete;
    T *get() const { return data_; }
    std::vector<T> host() const {
        std::vector<T> values(count_);
        CHECK(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
        return values;
    }

  private:
    T *data_ = nullptr;
    size_t count_;
};

struct Affine {
    double a, b;
    __host__ __device__ double operator()(double x) const { return a * x + b; }
};

struct Clamp {
    int low, high;
    __host__ __device__ int operator()(int x) const { return x < low ? low : x > high ? high : x; }
};

template <typename F, typename G> struct Composed {
    F f;
    G g;
    template <typename T> __host__ __device__ auto operator()(T x) const -> decltype(f(g(x))) { return f(g(x)); }
};
template <typename F, typename G> Composed<F, G> compose(F f, G g) { return Composed<F, G>{f, g}; }

template <typename T, typename F> __global__ void transform(const T *in, T *out, int n, F f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = f(in[i]);
}

// A monoid says how to combine; it is specialised for what it combines.
template <typename T> struct Sum {
    static __host__ __device__ T identity() { return T(); }
    static __host__ __device__ T combine(T a, T b) { return a + b; }
};
template <typename T> struct Largest;
template <> struct Largest<int> {
    static constexpr __host__ __device__ int identity() { return -2147483647 - 1; }
    static __host__ __device__ int combine(int a, int b) { return a > b ? a : b; }
};

template <template <typename> class Monoid, int BLOCK, typename T> __global__ void fold(const T *in, T *out, int n) {
    __shared__ T part[BLOCK];
    auto combine_with = [&](int stride) {
        if (threadIdx.x < stride) part[threadIdx.x] = Monoid<T>::combine(part[threadIdx.x], part[threadIdx.x + stride]);
        __syncthreads();
    };
    T mine = Monoid<T>::identity();
    for (int i = threadIdx.x; i < n; i += BLOCK) mine = Monoid<T>::combine(mine, in[i]);
    part[threadIdx.x] = mine;
    __syncthreads();
    for (int stride = BLOCK / 2; stride > 0; stride /= 2) combine_with(stride);
    if (threadIdx.x == 0) *out = part[0];
}

constexpr __host__ __device__ unsigned int factorial(unsigned int n) { return n < 2 ? 1 : n * factorial(n - 1); }

template <unsigned int... N> __global__ void constants(unsigned int *out) {
    const unsigned int values[] = {factorial(N)...};
    if (threadIdx.x < sizeof...(N)) out[threadIdx.x] = values[threadIdx.x];
}

template <typename T, typename F> static int expect(const char *what, const std::vector<T> &got, F expected) {
    for (size_t i = 0; i < got.size(); i++) {
        if (got[i] != expected((int)i)) {
            printf("%s: element %zu is %g, expected %g\n", what, i, (double)got[i], (double)expected((int)i));
            return 1;
        }
    }
    return 0;
}

int main() {
    const int n = 4099, threads = 96, blocks = (n + threads - 1) / threads;
    std::vector<double> reals(n);
    std::vector<int> integers(n);
    for (int i = 0; i < n; i++) {
        reals[i] = i * 0.5;
        integers[i] = i * 7919 % 10007 - 5000;
    }
    Buffer<double> d_reals(reals), d_out(n);
    Buffer<int> d_integers(integers), d_clamped(n), d_fold(1);
    Buffer<unsigned int> d_constants(5);

    const auto both = compose(Affine{2.0, -3.0}, Affine{0.25, 8.0});
    const Clamp clamp = {-100, 2000};
    transform<<<blocks, threads>>>(d_reals.get(), d_out.get(), n, both);
    transform<int><<<blocks, threads>>>(d_integers.get(), d_clamped.get(), n, clamp);
    CHECK(cudaGetLastError());
    if (expect("affine", d_out.host(), [&](int i) { return both(reals[i]); })) return 1;
    if (expect("clamp", d_clamped.host(), [&](int i) { return clamp(integers[i]); })) return 1;

    int sum = Sum<int>::identity(), largest = Largest<int>::identity();
    for (int value : integers) {
        sum = Sum<int>::combine(sum, value);
        largest = Largest<int>::combine(largest, value);
    }
    fold<Sum, 256><<<1, 256>>>(d_integers.get(), d_fold.get(), n);
    if (expect("sum", d_fold.host(), [&](int) { return sum; })) return 1;
    fold<Largest, 64><<<1, 64>>>(d_integers.get(), d_fold.get(), n);
    if (expect("largest", d_fold.host(), [&](int) { return largest; })) return 1;

    constants<1, 3, 5, 7, 9><<<1, 32>>>(d_constants.get());
    CHECK(cudaGetLastError());
    if (expect("factorial", d_constants.host(), [](int i) { return factorial(2 * i + 1); })) return 1;
    printf("ok: sum %d, largest %d, 9! = %u\n", sum, largest, factorial(9));
    return 0;
}
