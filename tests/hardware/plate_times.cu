/* plate_times.cu: the plate of the book's epilogue, timed beside a copy of as many bytes. Prints h200-plate.csv's names and times (README.md).
 *     nvcc -O3 -arch=sm_90 -I. tests/hardware/plate_times.cu -o plate_times && ./plate_times */
#include "book/examples/plate.cu"
#include <algorithm>
#include <cstdio>
#include <cstring>

enum { SIDE = 4096, WARM_UP = 3, REPEATS = 30, FLUSH_BYTES = 256 << 20 };

__global__ void copy_fours(const float4 *in, float4 *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

template <typename Launch> static void time_of(const char *name, void *flush, Launch launch) {
    float us[REPEATS];
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    for (int i = -WARM_UP; i < REPEATS; i++) {
        cudaMemset(flush, i, FLUSH_BYTES);
        cudaEventRecord(begin);
        launch();
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        if (i < 0) continue;
        cudaEventElapsedTime(&us[i], begin, end);
        us[i] *= 1000;
    }
    std::sort(us, us + REPEATS);
    printf("%s,%.2f,%.2f,%.2f\n", name, us[REPEATS / 4], us[REPEATS / 2], us[3 * REPEATS / 4]);
}

/* With the argument `once`, each kernel is launched once, for a profiler. */
int main(int count, char **words) {
    float *now, *next, *flush;
    size_t bytes = (size_t)SIDE * SIDE * sizeof *now;
    cudaMalloc(&now, bytes);
    cudaMalloc(&next, bytes);
    cudaMalloc(&flush, FLUSH_BYTES);
    cudaMemset(now, 0, bytes);
    dim3 block(32, 8), given(SIDE / 32, SIDE / 8), down(SIDE / 32, SIDE / 8 / DOWN);
    auto launch_given = [=] { spread_given<<<given, block>>>(now, next, SIDE, SIDE, 0.2f); };
    auto launch_lanes = [=] { spread_lanes<<<given, block>>>(now, next, SIDE, SIDE, 0.2f); };
    auto launch_down = [=] { spread_down<<<down, block>>>(now, next, SIDE, SIDE, 0.2f); };
    if (count > 1 && !strcmp(words[1], "once")) {
        launch_given();
        launch_lanes();
        launch_down();
    } else {
        puts("name,low_us,median_us,high_us");
        time_of("given", flush, launch_given);
        time_of("lanes", flush, launch_lanes);
        time_of("down", flush, launch_down);
        time_of("copy", flush, [=] { copy_fours<<<SIDE *(SIDE / 4 / 256), 256>>>((float4 *)now, (float4 *)next); });
    }
    cudaError_t status = cudaDeviceSynchronize();
    if (status != cudaSuccess) fprintf(stderr, "plate_times: %s\n", cudaGetErrorString(status));
    return status != cudaSuccess;
}
