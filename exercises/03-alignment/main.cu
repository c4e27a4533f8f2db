// Lab 03 on a real GPU: checks the two kernels against the host and times them.
//
//     nvcc -O3 -arch=native main.cu -o main && ./main [ROWS]
#include "../timing.h"
#include "kernel.cu"

// Elements `first` to first + count - 1 of a buffer are as expected, and all others 0?
template <typename Element, typename Expected>
static bool right(const Element *device, size_t size, size_t first, size_t count, Expected expected) {
    std::vector<Element> found(size);
    require(cudaMemcpy(found.data(), device, size * sizeof(Element), cudaMemcpyDeviceToHost), "cudaMemcpy");
    for (size_t i = 0; i < size; i++) {
        Element should = i >= first && i < first + count ? expected(i) : Element(0);
        if (found[i] == should) continue;
        printf("element %zu is %g and should be %g\n", i, (double)found[i], (double)should);
        return false;
    }
    return true;
}

static bool show(const char *name, float us, double bytes, bool is_right) {
    printf("%-12s %10.1f %10.1f  %s\n", name, us, 2 * bytes / us / 1000, is_right ? "right" : "WRONG");
    return is_right;
}

int main(int argc, char **argv) {
    const int rows = argc > 1 ? atoi(argv[1]) : 16384, width = 333, row_bytes = 3 * width;
    if (rows < 1 || rows > 1000000) {
        fprintf(stderr, "usage: %s [ROWS]\n", argv[0]);
        return 2;
    }
    int multiple;
    require(cudaMemcpyFromSymbol(&multiple, row_multiple, sizeof multiple), "cudaMemcpyFromSymbol");
    if (multiple < 1 || multiple > 128) {
        printf("row_multiple is %d; it may be 1 to 128\n", multiple);
        return 1;
    }
    const int pitch = (row_bytes + multiple - 1) / multiple * multiple;
    const int n = rows * 1001, from = 5, to = 2;
    const size_t image_bytes = (size_t)rows * pitch, out_count = n + 64;
    std::vector<unsigned char> image(image_bytes);
    std::vector<float> floats(from + n);
    for (size_t i = 0; i < image_bytes; i++) image[i] = (unsigned char)(i % 251);
    for (size_t i = 0; i < floats.size(); i++) floats[i] = (float)(i % 1021) - 510;
    unsigned char *image_in = device_copy(image), *image_out;
    float *in = device_copy(floats), *out;
    require(cudaMalloc(&image_out, image_bytes), "cudaMalloc");
    require(cudaMalloc(&out, out_count * sizeof(float)), "cudaMalloc");

    printf("%d rows of %d pixels, pitch %d bytes; %d floats from %d to %d\n", rows, width, pitch, n, from, to);
    printf("%-12s %10s %10s\n", "kernel", "us", "GB/s");
    bool all_right = true;
    float us;

    require(cudaMemset(image_out, 0, image_bytes), "cudaMemset");
    dim3 block(32, 8), grid(1, (rows + 7) / 8);
    us = time_us([&] { darken<<<grid, block>>>(image_in, image_out, rows, width, pitch); });
    require(cudaGetLastError(), "darken");
    auto darkened = [&](size_t i) { return (unsigned char)((int)(i % pitch) < row_bytes ? image[i] / 2 : 0); };
    all_right &= show("darken", us, (double)rows * row_bytes, right(image_out, image_bytes, 0, image_bytes, darkened));

    require(cudaMemset(out, 0, out_count * sizeof(float)), "cudaMemset");
    us = time_us([&] { move<<<2048, 256>>>(in, out, from, to, n); });
    require(cudaGetLastError(), "move");
    auto moved = [&](size_t i) { return floats[i - to + from]; };
    all_right &= show("move", us, (double)n * sizeof(float), right(out, out_count, to, n, moved));

    require(cudaFree(image_in), "cudaFree");
    require(cudaFree(image_out), "cudaFree");
    require(cudaFree(in), "cudaFree");
    require(cudaFree(out), "cudaFree");
    return all_right ? 0 : 1;
}
