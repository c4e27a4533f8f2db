// Lab 11 on a real GPU of compute capability 9.0 or newer: checks tile() and histogram() against the host, and times each beside a copy of as many bytes.
//
//     nvcc -O3 -arch=native main.cu -o main && ./main [ROWS COLS]
#include "../timing.h"
#include "kernel.cu"

static float copy_of(size_t bytes) {
    char *from, *to;
    require(cudaMalloc(&from, bytes), "cudaMalloc");
    require(cudaMalloc(&to, bytes), "cudaMalloc");
    require(cudaMemset(from, 1, bytes), "cudaMemset");
    const float us = time_us([&] { require(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice), "copy"); });
    for (char *memory : {from, to}) require(cudaFree(memory), "cudaFree");
    return us;
}

static void run_tile(int rows, int cols) {
    const size_t n = (size_t)rows * cols, bytes = n * sizeof(float);
    std::vector<float> host(n);
    for (float &value : host) value = rand() / (float)RAND_MAX;
    float *in = device_copy(host), *out;
    require(cudaMalloc(&out, bytes), "cudaMalloc");
    require(cudaMemset(out, 0xff, bytes), "cudaMemset");
    const float copy_us = copy_of(bytes),
                us = time_us([&] { tile<<<dim3(cols / TILE, rows / TILE), THREADS>>>(in, out, rows, cols); });
    require(cudaGetLastError(), "tile");
    printf("%d x %d floats; median of 11 launches\n", rows, cols);
    print_row("copy", copy_us, copy_us, 2 * bytes, "");
    print_row("tile", us, copy_us, 2 * bytes, judge(out, n, 0, [&](size_t i) { return host[i % rows * cols + i / rows]; }));
    for (float *memory : {in, out}) require(cudaFree(memory), "cudaFree");
}

// "right", or the first bin whose count is wrong.
static const char *judge_counts(const unsigned *counts, const std::vector<unsigned> &expected) {
    static char text[80];
    std::vector<unsigned> found(expected.size());
    require(cudaMemcpy(found.data(), counts, found.size() * sizeof(unsigned), cudaMemcpyDeviceToHost), "cudaMemcpy");
    for (size_t bin = 0; bin < found.size(); bin++)
        if (found[bin] != expected[bin]) {
            snprintf(text, sizeof text, "WRONG: bin %zu has %u values, should have %u", bin, found[bin], expected[bin]);
            judged_right = false;
            return text;
        }
    return "right";
}

static void run_histogram(int n) {
    std::vector<unsigned> host(n), expected(BINS);
    for (unsigned &value : host) value = rand() * 2654435761u, expected[value >> 18]++;
    unsigned *values = device_copy(host), *counts;
    const size_t bytes = n * sizeof(unsigned);
    require(cudaMalloc(&counts, BINS * sizeof(unsigned)), "cudaMalloc");
    require(cudaMemset(counts, 0, BINS * sizeof(unsigned)), "cudaMemset"); // each launch adds to them
    int sms = 0;
    require(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0), "cudaDeviceGetAttribute");
    const int clusters =
        std::max(1, std::min(n >> 16, 8 * sms / BLOCKS)); // which add all their bins to those of the others: not too many
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = BLOCKS, cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(clusters * BLOCKS), config.blockDim = dim3(THREADS);
    config.attrs = &cluster, config.numAttrs = 1;
    const auto launch = [&] {
        require(cudaLaunchKernelEx(&config, histogram, (const unsigned *)values, counts, n), "histogram");
    };
    const float copy_us = copy_of(bytes / 2), us = time_us(launch);
    require(cudaMemset(counts, 0, BINS * sizeof(unsigned)), "cudaMemset");
    launch();
    require(cudaDeviceSynchronize(), "histogram");
    printf("%d values, %d bins; median of 11 launches\n", n, BINS);
    print_row("copy", copy_us, copy_us, bytes, ""); // which moves as many bytes as the values have
    print_row("histogram", us, copy_us, bytes, judge_counts(counts, expected));
    for (unsigned *memory : {values, counts}) require(cudaFree(memory), "cudaFree");
}

int main(int argc, char **argv) {
    const int rows = argc > 1 ? atoi(argv[1]) : 8192, cols = argc > 2 ? atoi(argv[2]) : rows;
    if (rows < TILE || cols < TILE || rows % TILE || cols % TILE || (long long)rows * cols > 1 << 28) {
        fprintf(stderr, "usage: %s [ROWS COLS], multiples of %d, %d elements at most\n", argv[0], TILE, 1 << 28);
        return 2;
    }
    srand(32);
    run_tile(rows, cols);
    run_histogram(rows * cols);
    return judged_right ? 0 : 1;
}
