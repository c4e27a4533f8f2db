// cuBLAS: small matrices, whose results are worked out by hand. All are stored column by column.
#include "check.h"

#include <cublas_v2.h>
#ifndef CUBLAS_API_H_
#error "helpers of NVIDIA's samples ask for it"
#endif

#include <cmath>
#include <thread>
#include <vector>

#define HOLDS(condition) CHECK((condition) ? cudaSuccess : cudaErrorUnknown)
#define BLAS(call) HOLDS((call) == CUBLAS_STATUS_SUCCESS)

template <typename T> struct Device {
    T *at;
    size_t count;
    explicit Device(const std::vector<T> &values) : count(values.size()) {
        CHECK(cudaMalloc(&at, count * sizeof(T)));
        BLAS(cublasSetVector((int)count, sizeof(T), values.data(), 1, at, 1));
    }
    ~Device() { cudaFree(at); }
    std::vector<T> get() const {
        std::vector<T> values(count);
        BLAS(cublasGetVector((int)count, sizeof(T), at, 1, values.data(), 1));
        return values;
    }
};

typedef std::vector<float> Floats;
typedef std::vector<double> Doubles;

static void vectors(cublasHandle_t handle) {
    Device<float> x({1, -2, 3, -4}), y({10, 20, 30, 40});
    float result = 0, two = 2;
    int place = 0;
    BLAS(cublasSdot(handle, 4, x.at, 1, y.at, 1, &result));
    HOLDS(result == 10 - 40 + 90 - 160);
    BLAS(cublasSdot(handle, 2, x.at, 2, y.at, -2, &result)); // 1 * 30 + 3 * 10
    HOLDS(result == 60);
    BLAS(cublasSasum(handle, 4, x.at, 1, &result));
    HOLDS(result == 10);
    BLAS(cublasSnrm2(handle, 2, x.at + 2, 1, &result)); // 3, 4, 5
    HOLDS(result == 5);
    BLAS(cublasIsamax(handle, 4, x.at, 1, &place));
    HOLDS(place == 4); // counted from 1
    BLAS(cublasIsamin(handle, 4, x.at, 1, &place));
    HOLDS(place == 1);
    BLAS(cublasIsamax(handle, 0, x.at, 1, &place));
    HOLDS(place == 0);
    BLAS(cublasSaxpy(handle, 4, &two, x.at, 1, y.at, 1));
    HOLDS((y.get() == Floats{12, 16, 36, 32}));
    BLAS(cublasSscal(handle, 2, &two, y.at, 2));
    HOLDS((y.get() == Floats{24, 16, 72, 32}));
    BLAS(cublasSswap(handle, 2, x.at, 1, y.at + 2, 1));
    HOLDS((x.get() == Floats{72, 32, 3, -4}) && (y.get() == Floats{24, 16, 1, -2}));
    BLAS(cublasScopy(handle, 4, x.at, 1, y.at, -1)); // from the last to the first
    HOLDS((y.get() == Floats{-4, 3, 32, 72}));
    Device<double> far({3e200, 4e200}); // whose squares no double holds
    double norm = 0;
    BLAS(cublasDnrm2(handle, 2, far.at, 1, &norm));
    HOLDS(std::fabs(norm / 5e200 - 1) < 1e-15);
}

static void matrix_vector(cublasHandle_t handle) {
    // A is 2 x 3, in columns of 3 numbers: 1 2 3 / 4 5 6.
    Device<double> a({1, 4, -1, 2, 5, -1, 3, 6, -1}), x({1, 10, 100}), y({1, NAN, 1});
    const double one = 1, zero = 0, two = 2;
    BLAS(cublasDgemv(handle, CUBLAS_OP_N, 2, 3, &one, a.at, 3, x.at, 1, &zero, y.at, 2)); // y[1] is between its numbers
    Doubles got = y.get();
    HOLDS(got[0] == 321 && std::isnan(got[1]) && got[2] == 654);
    Device<double> z({1, 1, 1});
    BLAS(cublasDgemv(handle, CUBLAS_OP_T, 2, 3, &two, a.at, 3, x.at, 1, &one, z.at, 1)); // 2 * (1 + 40, 2 + 50, 3 + 60) + 1
    HOLDS((z.get() == Doubles{83, 105, 127}));
    BLAS(cublasDger(handle, 2, 2, &one, x.at, 1, x.at, 1, a.at, 3)); // (1, 10) times (1, 10)
    HOLDS((a.get() == Doubles{2, 14, -1, 12, 105, -1, 3, 6, -1}));
}

static void products(cublasHandle_t handle) {
    // A = 1 2 / 3 4, B = 5 6 / 7 8: AB = 19 22 / 43 50, A'B = 26 30 / 38 44, AB' = 17 23 / 39 53, A'B' = 23 31 / 34 46.
    Device<float> a({1, 3, 2, 4}), b({5, 7, 6, 8});
    const float one = 1, zero = 0, half = 0.5F, two = 2;
    const Floats expected[] = {{19, 43, 22, 50}, {26, 38, 30, 44}, {17, 39, 23, 53}, {23, 34, 31, 46}};
    for (int i = 0; i < 4; i++) {
        Device<float> c({NAN, NAN, NAN, NAN}); // which beta = 0 does not look at
        const cublasOperation_t of_a = i & 1 ? CUBLAS_OP_T : CUBLAS_OP_N, of_b = i & 2 ? CUBLAS_OP_T : CUBLAS_OP_N;
        BLAS(cublasSgemm(handle, of_a, of_b, 2, 2, 2, &one, a.at, 2, b.at, 2, &zero, c.at, 2));
        HOLDS(c.get() == expected[i]);
    }
    Device<float> wide({9, 9, 9, 9, 9, 9, 9, 9}); // columns of 4 numbers, of which 2 are C's
    BLAS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 1, &two, a.at, 2, b.at, 2, &one, wide.at,
                     4)); // (1, 3) times (5, 6)
    HOLDS((wide.get() == Floats{19, 39, 9, 9, 21, 45, 9, 9}));
    Device<float> both({0, 0, 0, 0, 0, 0, 0, 0}); // A * A = 7 10 / 15 22, and A * B, by strides of 0 and 4
    Device<float> ab({1, 3, 2, 4, 5, 7, 6, 8});
    BLAS(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a.at, 2, 0, ab.at, 2, 4, &zero, both.at, 2,
                                   4, 2));
    HOLDS((both.get() == Floats{7, 15, 10, 22, 19, 43, 22, 50}));
    // 0.5 * A' + 2 * B = 10.5 13.5 / 15 18
    BLAS(cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, &half, a.at, 2, &two, b.at, 2, both.at, 2));
    HOLDS((both.get() == Floats{10.5F, 15, 13.5F, 18, 19, 43, 22, 50}));
}

static void on_the_device(cublasHandle_t handle) {
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    BLAS(cublasSetStream(handle, stream));
    BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    Device<float> x({1, 2, 3}), result({0});
    BLAS(cublasSdot(handle, 3, x.at, 1, x.at, 1, result.at)); // 14
    BLAS(cublasSscal(handle, 3, result.at, x.at, 1));         // read when it is there
    CHECK(cudaStreamSynchronize(stream));
    HOLDS((result.get() == Floats{14}) && (x.get() == Floats{14, 28, 42}));
    BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    BLAS(cublasSetStream(handle, 0));
    CHECK(cudaStreamDestroy(stream));
}

static void refused(cublasHandle_t handle) {
    const float one = 1;
    Device<float> a({1, 2, 3, 4});
    HOLDS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, -1, 2, 2, &one, a.at, 2, a.at, 2, &one, a.at, 2) ==
          CUBLAS_STATUS_INVALID_VALUE);
    HOLDS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a.at, 1, a.at, 2, &one, a.at, 2) ==
          CUBLAS_STATUS_INVALID_VALUE);
    HOLDS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, nullptr, a.at, 2, a.at, 2, &one, a.at, 2) ==
          CUBLAS_STATUS_INVALID_VALUE);
    // as its documents say; cuBLAS 13.0 itself takes it
    HOLDS(cublasSgemv(handle, CUBLAS_OP_N, 2, 2, &one, a.at, 2, a.at, 0, &one, a.at, 1) == CUBLAS_STATUS_INVALID_VALUE);
    HOLDS(cublasSaxpy(nullptr, 1, &one, a.at, 1, a.at, 1) == CUBLAS_STATUS_NOT_INITIALIZED);
    HOLDS((a.get() == Floats{1, 2, 3, 4}));
}

// Of two threads that destroy a handle, one finds it; the device's reset ends all.
static void ended() {
    cublasHandle_t handle;
    int wrong = 0;
    for (int i = 0; i < 400; i++) {
        cublasStatus_t other, status;
        BLAS(cublasCreate(&handle));
        std::thread thread([&] { other = cublasDestroy(handle); });
        status = cublasDestroy(handle);
        thread.join();
        wrong += status + other != CUBLAS_STATUS_NOT_INITIALIZED;
    }
    HOLDS(wrong == 0);
    BLAS(cublasCreate(&handle));
    CHECK(cudaDeviceReset());
    int version = 0;
    HOLDS(cublasGetVersion(handle, &version) == CUBLAS_STATUS_NOT_INITIALIZED);
    HOLDS(cublasDestroy(handle) == CUBLAS_STATUS_NOT_INITIALIZED);
}

int main() {
    cublasHandle_t handle;
    BLAS(cublasCreate(&handle));
    vectors(handle);
    matrix_vector(handle);
    products(handle);
    on_the_device(handle);
    refused(handle);
    BLAS(cublasDestroy(handle));
    ended();
    puts("ok");
}
