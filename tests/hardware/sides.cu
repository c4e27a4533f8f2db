/* sides.cu: does it matter whether the tile of a transpose has its bank conflicts where it is filled or where it is read? Prints the times
 * of h200-sides.csv (README.md): nvcc -O3 -arch=sm_90a tests/hardware/sides.cu -o sides && ./sides */
#include <algorithm>
#include <cstdio>

enum { TILE = 32, SIDE = 12800, WARM_UP = 3, REPEATS = 30 };
enum Conflicts { NONE, LOADS, STORES };

/* The same but for the side: blocks of 32 x STEP threads, which go over the tile in a loop of known step; STEP 0: of a step that is not. */
template <Conflicts WHERE, int STEP>
__global__ void __launch_bounds__(1024) turn(const float *in, float *out, int rows, int cols) {
    __shared__ float tile[TILE][TILE + (WHERE == NONE)];
    int step = STEP ? STEP : (int)blockDim.y;
    int col = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += step)
        if (row + i < rows && col < cols) {
            float v = in[(size_t)(row + i) * cols + col];
            if (WHERE == STORES)
                tile[threadIdx.x][threadIdx.y + i] = v;
            else
                tile[threadIdx.y + i][threadIdx.x] = v;
        }
    __syncthreads();
    row = blockIdx.y * TILE + threadIdx.x, col = blockIdx.x * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += step)
        if (row < rows && col + i < cols)
            out[(size_t)(col + i) * rows + row] =
                WHERE == STORES ? tile[threadIdx.y + i][threadIdx.x] : tile[threadIdx.x][threadIdx.y + i];
}

template <Conflicts WHERE, int STEP> static void time_turn(const char *name, const float *in, float *out) {
    float us[REPEATS];
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    for (int i = -WARM_UP; i < REPEATS; i++) {
        cudaEventRecord(begin);
        turn<WHERE, STEP><<<dim3(SIDE / TILE, SIDE / TILE), dim3(TILE, STEP ? STEP : TILE)>>>(in, out, SIDE, SIDE);
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        if (i < 0) continue;
        cudaEventElapsedTime(&us[i], begin, end);
        us[i] *= 1000;
    }
    std::sort(us, us + REPEATS);
    printf("%s/%d,%.1f,%.1f,%.1f\n", name, STEP, us[REPEATS / 4], us[REPEATS / 2], us[3 * REPEATS / 4]);
}

template <int STEP> static void time_sides(const float *in, float *out) {
    time_turn<NONE, STEP>("none", in, out);
    time_turn<LOADS, STEP>("loads", in, out);
    time_turn<STORES, STEP>("stores", in, out);
}

int main() {
    float *in, *out;
    cudaMalloc(&in, sizeof(float) * SIDE * SIDE);
    cudaMalloc(&out, sizeof(float) * SIDE * SIDE);
    cudaMemset(in, 0, sizeof(float) * SIDE * SIDE);
    printf("name,low_us,median_us,high_us\n");
    time_sides<0>(in, out);
    time_sides<32>(in, out);
    time_sides<8>(in, out);
    time_sides<4>(in, out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
