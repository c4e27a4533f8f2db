// Transposes in packs of 16 bytes: several of a thread in flight at a time.
constexpr int FLOAT_TILE_ROWS = 128, FLOAT_TILE_COLS = 64; // 512 bytes of each row of `out`
constexpr int FLOAT_BLOCK_X = 512, FLOAT_BLOCK_Y = 1;

constexpr int DOUBLE_TILE_ROWS = 64, DOUBLE_TILE_COLS = 32; // likewise
constexpr int DOUBLE_BLOCK_X = 512, DOUBLE_BLOCK_Y = 1;

// A turned tile in shared memory: element (row, col) of it is element[col][row ^ col % 32]. In this order the lanes of
// a warp meet different banks when they write and when they read, in packs of 16 bytes and one by one.
template <typename T, int ROWS, int COLS, int THREADS> struct alignas(16) Tile {
    static constexpr int N = 16 / sizeof(T); // elements of a pack
    struct alignas(16) Pack {
        T element[N];
    };

    T element[COLS][ROWS];

    // All loads of a thread come first, so that it waits for them together, and none is guarded: what would lie outside
    // the matrix is taken from its edge instead.

    // In squares of N x N elements: N packs come in, are turned in registers, and N packs go to the tile.
    __device__ __forceinline__ void load_packs(const T *in, int rows, int cols, int first_row, int first_col) {
        constexpr int ACROSS = COLS / N, SQUARES = ROWS * COLS / (N * N * THREADS);
        Pack packs[SQUARES][N];
#pragma unroll
        for (int k = 0; k < SQUARES; k++) {
            int square = threadIdx.x + k * THREADS;
            int row = first_row + square / ACROSS * N;
            int col = min(first_col + square % ACROSS * N, cols - N);
#pragma unroll
            for (int j = 0; j < N; j++)
                packs[k][j] = *(const Pack *)&in[(size_t)min(row + j, rows - 1) * cols + col];
        }
#pragma unroll
        for (int k = 0; k < SQUARES; k++) {
            int square = threadIdx.x + k * THREADS;
            int row = square / ACROSS * N, col = square % ACROSS * N;
#pragma unroll
            for (int i = 0; i < N; i++) {
                Pack turned;
#pragma unroll
                for (int j = 0; j < N; j++) turned.element[j ^ i] = packs[k][j].element[i];
                *(Pack *)&element[col + i][row ^ col % 32] = turned;
            }
        }
    }

    __device__ __forceinline__ void load(const T *in, int rows, int cols, int first_row, int first_col) {
        constexpr int STEP = THREADS / COLS, STEPS = ROWS / STEP;
        int row = threadIdx.x / COLS, col = threadIdx.x % COLS;
        const T *from = &in[min(first_col + col, cols - 1)];
        T loaded[STEPS];
#pragma unroll
        for (int k = 0; k < STEPS; k++) loaded[k] = from[(size_t)min(first_row + row + k * STEP, rows - 1) * cols];
#pragma unroll
        for (int k = 0; k < STEPS; k++) element[col][(row + k * STEP) ^ col % 32] = loaded[k];
    }

    __device__ __forceinline__ void store_packs(T *out, int rows, int cols, int first_row, int first_col) const {
        constexpr int DOWN = ROWS / N, SQUARES = ROWS * COLS / (N * N * THREADS);
#pragma unroll
        for (int k = 0; k < SQUARES; k++) {
            int square = threadIdx.x + k * THREADS;
            int row = square % DOWN * N, col = square / DOWN * N;
            T *to = &out[(size_t)(first_col + col) * rows + first_row + row];
#pragma unroll
            for (int i = 0; i < N; i++) {
                Pack mixed = *(const Pack *)&element[col + i][row ^ col % 32], pack;
#pragma unroll
                for (int j = 0; j < N; j++) pack.element[j] = mixed.element[j ^ i];
                if (first_row + row < rows && first_col + col + i < cols) *(Pack *)&to[(size_t)i * rows] = pack;
            }
        }
    }

    // A warp stores a row of `out`, in steps that begin at multiples of 32 elements of `out`, wherever the row begins. So
    // only the two sectors at the ends of the tile's row are filled in part, not two of each request.
    __device__ __forceinline__ void store(T *out, int rows, int cols, int first_row, int first_col) const {
        constexpr int WARPS = THREADS / 32;
        int lane = threadIdx.x % 32;
#pragma unroll
        for (int k = 0; k < COLS / WARPS; k++) {
            int col = threadIdx.x / 32 + k * WARPS;
            size_t first = (size_t)(first_col + col) * rows + first_row;
            int before = first % 32;
#pragma unroll
            for (int step = 0; step <= ROWS; step += 32) {
                int row = step + lane - before;
                if (row >= 0 && row < ROWS && first_row + row < rows && first_col + col < cols)
                    out[first + row] = element[col][row ^ col % 32];
            }
        }
    }
};

// Blocks go down the columns of `in`: those that run at the same time fill the same rows of `out`.
template <typename T, int ROWS, int COLS, int THREADS>
__device__ __forceinline__ void transpose(const T *in, T *out, int rows, int cols) {
    typedef Tile<T, ROWS, COLS, THREADS> TurnedTile;
    __shared__ TurnedTile tile;
    int tiles_down = (rows + ROWS - 1) / ROWS;
    int first_row = blockIdx.x % tiles_down * ROWS, first_col = blockIdx.x / tiles_down * COLS;
    if (cols % TurnedTile::N == 0) // each row of `in` begins at a multiple of 16 bytes
        tile.load_packs(in, rows, cols, first_row, first_col);
    else
        tile.load(in, rows, cols, first_row, first_col);
    __syncthreads();
    if (rows % TurnedTile::N == 0)
        tile.store_packs(out, rows, cols, first_row, first_col);
    else
        tile.store(out, rows, cols, first_row, first_col);
}

// 4 blocks of 512 threads fill an SM, if the compiler makes do with 32 registers a thread: the 4 asks for that.
extern "C" __global__ void __launch_bounds__(FLOAT_BLOCK_X, 4)
    transpose_floats(const float *in, float *out, int rows, int cols) {
    transpose<float, FLOAT_TILE_ROWS, FLOAT_TILE_COLS, FLOAT_BLOCK_X>(in, out, rows, cols);
}

extern "C" __global__ void __launch_bounds__(DOUBLE_BLOCK_X, 4)
    transpose_doubles(const double *in, double *out, int rows, int cols) {
    transpose<double, DOUBLE_TILE_ROWS, DOUBLE_TILE_COLS, DOUBLE_BLOCK_X>(in, out, rows, cols);
}
