// Calls that are settled at run time: tables of device functions, a pointer that the host fetches and hands to a kernel,
// virtual functions of objects made on the device, and recursion.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#include "check.h"

typedef double (*Function)(double, int);

__host__ __device__ double scaled(double x, int k) { return x * (k + 1); }
__host__ __device__ double shifted(double x, int k) { return x + 0.5 * k; }
__host__ __device__ double power(double x, int k) {
    double result = 1.0;
    for (int i = 0; i < k % 4; i++) result *= x;
    return result;
}

__device__ Function table[] = {scaled, shifted, power};
__device__ Function chosen = power;
__constant__ Function constant_table[] = {power, scaled};

__global__ void by_table(const double *in, double *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = table[i % 3](in[i], i); // neighbours call different functions
}

__global__ void by_argument(const double *in, double *out, int n, Function f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = f(in[i], i) + constant_table[i & 1](in[i], 2);
}

class Shape {
  public:
    __device__ virtual double area() const = 0;
    __device__ virtual int corners() const { return 4; }
    __device__ virtual ~Shape() {}
};
class Square : public Shape {
  public:
    __device__ explicit Square(double side) : side_(side) {}
    __device__ double area() const override { return side_ * side_; }

  protected:
    double side_;
};
class Triangle : public Square { // half a square
  public:
    __device__ explicit Triangle(double side) : Square(side) {}
    __device__ double area() const override { return 0.5 * Square::area(); }
    __device__ int corners() const override { return 3; }
};

__global__ void by_virtual_function(const double *in, double *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Square square(in[i]);
    Triangle triangle(in[i]);
    const Shape *shape = &square;
    if (i % 5 < 2) shape = &triangle;
    out[i] = shape->area() + 1000.0 * shape->corners();
}

// Steps until 1 is reached by halving or by 3 k + 1, each step a call within a call.
__host__ __device__ int collatz(int k) {
    if (k == 1) return 0;
    return 1 + collatz(k % 2 ? 3 * k + 1 : k / 2);
}

__global__ void by_recursion(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = collatz(i + 1);
}

static const int n = 1037;
static std::vector<double> in(n);

template <typename T, typename F> static bool verify(const char *kernel, const T *d_out, F expected) {
    std::vector<T> out(n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), d_out, n * sizeof(T), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        if (out[i] != expected(i)) {
            printf("%s: element %d is %g, expected %g\n", kernel, i, (double)out[i], (double)expected(i));
            return false;
        }
    }
    return true;
}

int main() {
    for (int i = 0; i < n; i++) in[i] = (i % 37 - 18) * 0.25;
    double *d_in, *d_out;
    int *d_steps;
    CHECK(cudaMalloc(&d_in, n * sizeof(double)));
    CHECK(cudaMalloc(&d_out, n * sizeof(double)));
    CHECK(cudaMalloc(&d_steps, n * sizeof(int)));
    CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(double), cudaMemcpyHostToDevice));
    const int threads = 64, blocks = (n + threads - 1) / threads;

    const Function functions[] = {scaled, shifted, power};
    by_table<<<blocks, threads>>>(d_in, d_out, n);
    if (!verify("by_table", d_out, [&](int i) { return functions[i % 3](in[i], i); })) return 1;

    Function from_device;
    CHECK(cudaMemcpyFromSymbol(&from_device, chosen, sizeof(Function)));
    by_argument<<<blocks, threads>>>(d_in, d_out, n, from_device);
    auto two_calls = [](int i) { return power(in[i], i) + (i & 1 ? scaled(in[i], 2) : power(in[i], 2)); };
    if (!verify("by_argument", d_out, two_calls)) return 1;

    by_virtual_function<<<blocks, threads>>>(d_in, d_out, n);
    auto shape = [](int i) { return i % 5 < 2 ? 0.5 * in[i] * in[i] + 3000.0 : in[i] * in[i] + 4000.0; };
    if (!verify("by_virtual_function", d_out, shape)) return 1;

    CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 16384)); // up to 179 calls within each other
    by_recursion<<<blocks, threads>>>(d_steps, n);
    if (!verify("by_recursion", d_steps, [](int i) { return collatz(i + 1); })) return 1;
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    CHECK(cudaFree(d_steps));
    printf("ok: %d calls of each kind\n", n);
    return 0;
}
