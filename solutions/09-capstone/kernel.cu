// Lab 09: capstone
//
// Write the fastest transposes that you can: of bytes, of floats and of doubles.
//
// `in` is a matrix of rows x cols elements, row by row: element (row, col) is in[row * cols + col].
// `out` is its transpose, cols x rows: in(row, col) belongs at out[col * rows + row]. It must work for any rows and
// any cols. Both arrays begin at multiples of 256 bytes and do not overlap; a row may begin anywhere. Where requests are
// counted, rows begin at multiples of 16 bytes on both sides. A lane moves 16 bytes as a float4, a double2 or a uint4, which
// is four unsigned words. Bytes of words can be put together by shifts and masks; __byte_perm() does it in one instruction.
//
// A transpose moves as many bytes as a copy does. So a copy is the yardstick. The tile of labs 05 and 06 comes near to it with
// floats, but asks far more often than it must; with bytes it is lost, since a lane that moves one byte moves next to
// nothing. Counted are, for every 512 bytes of the matrix, the requests to global memory, and wavefronts of shared memory, shuffles and
// requests to local memory, four of which weigh as much as a request. Where rows and cols are odd, the sectors that are stored are counted instead.
//
// There is a figure to beat for each: the share of a copy's speed, modelled for an H200, beside that of the reference. main.cu
// measures on a real GPU.
//
// Everything between BEGIN YOUR CODE and END YOUR CODE is yours: the shape of a block, the tile (the part of `in`
// that one block transposes), which block takes which tile, and how it does so. Only the names and the parameters of the
// three kernels must stay. What stands there now is right, and slow.
//
// Then: make grade LAB=09

// BEGIN YOUR CODE
constexpr int BYTE_TILE_ROWS = 128, BYTE_TILE_COLS = 128;
constexpr int BYTE_BLOCK_X = 256, BYTE_BLOCK_Y = 1;

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
        constexpr int STEP = THREADS / COLS, STEPS = ROWS / STEP, AT_ONCE = STEPS < 16 ? STEPS : 16;
        int row = threadIdx.x / COLS, col = threadIdx.x % COLS;
        const T *from = &in[min(first_col + col, cols - 1)];
#pragma unroll 1
        for (int first = 0; first < STEPS; first += AT_ONCE, row += AT_ONCE * STEP) {
            T loaded[AT_ONCE];
#pragma unroll
            for (int k = 0; k < AT_ONCE; k++) loaded[k] = from[(size_t)min(first_row + row + k * STEP, rows - 1) * cols];
#pragma unroll
            for (int k = 0; k < AT_ONCE; k++) element[col][(row + k * STEP) ^ col % 32] = loaded[k];
        }
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
#pragma unroll 1
        for (int col = threadIdx.x / 32; col < COLS && first_col + col < cols; col += WARPS) {
            size_t first = (size_t)(first_col + col) * rows + first_row;
            int before = first % 32;
#pragma unroll
            for (int step = 0; step <= ROWS; step += 32) {
                int row = step + lane - before;
                if (row >= 0 && row < ROWS && first_row + row < rows) out[first + row] = element[col][row ^ col % 32];
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

// Bytes whose rows begin at multiples of 16, in `in` and in `out`. A thread loads 16 bytes of each of four rows. Four bytes below one
// another become a word of the tile: row col of it holds column col of `in`. The packs of four words change places by an exclusive
// or with the number of the 16 columns: so the lanes of a warp, 8 times 16 columns and 4 words, meet 32 banks.
struct ByteTile {
    unsigned word[BYTE_TILE_COLS][BYTE_TILE_ROWS / 4];

    static __device__ __forceinline__ int place(int col, int w) { return ((w / 4) ^ (col / 16 % 8)) * 4 + w % 4; }

    __device__ __forceinline__ void load(const unsigned char *in, int rows, int cols, int first_row, int first_col) {
        constexpr int ACROSS = BYTE_TILE_COLS / 16;
        int s = threadIdx.x % ACROSS, w = threadIdx.x / ACROSS, row = first_row + 4 * w;
        const unsigned char *from = &in[min(first_col + 16 * s, cols - 16)];
        uint4 packs[4];
#pragma unroll
        for (int j = 0; j < 4; j++) packs[j] = *(const uint4 *)&from[(size_t)min(row + j, rows - 1) * cols];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            unsigned a = (&packs[0].x)[i], b = (&packs[1].x)[i], c = (&packs[2].x)[i], d = (&packs[3].x)[i];
            unsigned ab = __byte_perm(a, b, 0x5140), cd = __byte_perm(c, d, 0x5140); // a0 b0 a1 b1
            int col = 16 * s + 4 * i;
            word[col][place(col, w)] = __byte_perm(ab, cd, 0x5410);
            word[col + 1][place(col, w)] = __byte_perm(ab, cd, 0x7632);
            ab = __byte_perm(a, b, 0x7362), cd = __byte_perm(c, d, 0x7362); // a2 b2 a3 b3
            word[col + 2][place(col, w)] = __byte_perm(ab, cd, 0x5410);
            word[col + 3][place(col, w)] = __byte_perm(ab, cd, 0x7632);
        }
    }

    __device__ __forceinline__ void store(unsigned char *out, int rows, int cols, int first_row, int first_col) const {
        constexpr int DOWN = BYTE_TILE_ROWS / 16, STEP = BYTE_BLOCK_X / DOWN;
        int pack = threadIdx.x % DOWN, row = first_row + 16 * pack;
#pragma unroll
        for (int k = 0; k < BYTE_TILE_COLS; k += STEP) {
            int col = threadIdx.x / DOWN + k;
            if (row < rows && first_col + col < cols)
                *(uint4 *)&out[(size_t)(first_col + col) * rows + row] = *(const uint4 *)&word[col][place(col, 4 * pack)];
        }
    }
};

extern "C" __global__ void __launch_bounds__(BYTE_BLOCK_X, 8)
    transpose_bytes(const unsigned char *in, unsigned char *out, int rows, int cols) {
    __shared__ union {
        Tile<unsigned char, BYTE_TILE_ROWS, BYTE_TILE_COLS, BYTE_BLOCK_X> single;
        ByteTile packs;
    } tile;
    int tiles_down = (rows + BYTE_TILE_ROWS - 1) / BYTE_TILE_ROWS;
    int first_row = blockIdx.x % tiles_down * BYTE_TILE_ROWS, first_col = blockIdx.x / tiles_down * BYTE_TILE_COLS;
    if (rows % 16 == 0 && cols % 16 == 0) {
        tile.packs.load(in, rows, cols, first_row, first_col);
        __syncthreads();
        tile.packs.store(out, rows, cols, first_row, first_col);
    } else {
        tile.single.load(in, rows, cols, first_row, first_col);
        __syncthreads();
        tile.single.store(out, rows, cols, first_row, first_col);
    }
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
// END YOUR CODE

// What the grader and main.cu launch: a grid of one dimension with as many blocks as there are tiles, counted by
// blockIdx.x. Blocks start about in that order. A block has BYTE_BLOCK_X x BYTE_BLOCK_Y threads (and so on), 32 to 1024. A tile
// has 1 to 512 rows and columns; the last ones stick out of the matrix where its size is no multiple of theirs.
extern "C" {
__constant__ int byte_tile_rows = BYTE_TILE_ROWS, byte_tile_cols = BYTE_TILE_COLS;
__constant__ int byte_block_x = BYTE_BLOCK_X, byte_block_y = BYTE_BLOCK_Y;
__constant__ int float_tile_rows = FLOAT_TILE_ROWS, float_tile_cols = FLOAT_TILE_COLS;
__constant__ int float_block_x = FLOAT_BLOCK_X, float_block_y = FLOAT_BLOCK_Y;
__constant__ int double_tile_rows = DOUBLE_TILE_ROWS, double_tile_cols = DOUBLE_TILE_COLS;
__constant__ int double_block_x = DOUBLE_BLOCK_X, double_block_y = DOUBLE_BLOCK_Y;
}
