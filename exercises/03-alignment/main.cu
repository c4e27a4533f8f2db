// Lab 03 on a real GPU: checks the three kernels against the host and times them.
//
//     nvcc -O3 main.cu -o main && ./main [ROWS]
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "kernel.cu"

#define CHECK(call)                                                                            \
    do {                                                                                       \
        cudaError_t status = (call);                                                           \
        if (status != cudaSuccess) {                                                           \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(status));  \
            exit(1);                                                                           \
        }                                                                                      \
    } while (0)

static const float FACTOR = 3.0f;
static const int TURNS = 20;

static float *in, *out; // on the device
static std::vector<float> before, after;

// Time of one launch in milliseconds: the mean of TURNS, after one that warms up.
template <typename Launch> static float time_of(Launch launch) {
    cudaEvent_t start, stop;
    float ms;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    launch();
    CHECK(cudaEventRecord(start));
    for (int i = 0; i < TURNS; i++) launch();
    CHECK(cudaEventRecord(stop));
    CHECK(cudaGetLastError());
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    return ms / TURNS;
}

// Rows of `columns` floats, `pitch` apart, from element `first` on: right, and nothing else was written?
static bool right(int rows, int columns, int pitch, int first) {
    CHECK(cudaMemcpy(after.data(), out, after.size() * sizeof(float), cudaMemcpyDeviceToHost));
    std::vector<float> expected(after.size(), 0.0f);
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++) {
            size_t i = first + (size_t)row * pitch + column;
            expected[i] = FACTOR * before[i];
        }
    for (size_t i = 0; i < after.size(); i++)
        if (after[i] != expected[i]) {
            printf("element %zu is %g and should be %g\n", i, after[i], expected[i]);
            return false;
        }
    return true;
}

static bool show(const char *name, float ms, double elements, bool is_right) {
    printf("%-12s %10.4f %10.1f  %s\n", name, ms, 2 * sizeof(float) * elements / ms / 1e6, is_right ? "right" : "WRONG");
    return is_right;
}

int main(int argc, char **argv) {
    const int rows = argc > 1 ? atoi(argv[1]) : 16384, columns = 1001;
    if (rows < 1 || rows > 1000000) {
        fprintf(stderr, "usage: %s [ROWS]\n", argv[0]);
        return 2;
    }
    int multiple;
    CHECK(cudaMemcpyFromSymbol(&multiple, row_multiple, sizeof multiple));
    if (multiple < 1 || multiple > 128) {
        printf("row_multiple is %d; it may be 1 to 128\n", multiple);
        return 1;
    }
    const int pitch = (columns + multiple - 1) / multiple * multiple;
    const int n = rows * columns, first = 3;
    const size_t count = (size_t)rows * pitch + 64;
    before.resize(count);
    after.resize(count);
    for (size_t i = 0; i < count; i++) before[i] = (float)(i % 1021) - 510;
    CHECK(cudaMalloc(&in, count * sizeof(float)));
    CHECK(cudaMalloc(&out, count * sizeof(float)));
    CHECK(cudaMemcpy(in, before.data(), count * sizeof(float), cudaMemcpyHostToDevice));

    printf("%d rows of %d floats, pitch %d\n", rows, columns, pitch);
    printf("%-12s %10s %10s\n", "kernel", "ms", "GB/s");
    bool all_right = true;
    float ms;

    CHECK(cudaMemset(out, 0, count * sizeof(float)));
    dim3 block(32, 8), grid((columns + 31) / 32, (rows + 7) / 8);
    ms = time_of([&] { scale_rows<<<grid, block>>>(in, out, FACTOR, rows, columns, pitch); });
    all_right &= show("scale_rows", ms, n, right(rows, columns, pitch, 0));

    CHECK(cudaMemset(out, 0, count * sizeof(float)));
    ms = time_of([&] { scale_all<<<2048, 256>>>(in, out, FACTOR, n); });
    all_right &= show("scale_all", ms, n, right(1, n, n, 0));

    CHECK(cudaMemset(out, 0, count * sizeof(float)));
    ms = time_of([&] { scale_piece<<<2048, 256>>>(in, out, FACTOR, first, n); });
    all_right &= show("scale_piece", ms, n, right(1, n, n, first));

    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return all_right ? 0 : 1;
}
