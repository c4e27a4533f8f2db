// Lab 05: transpose
//
// Where rows become columns, no thread can be near its neighbour on both sides. A tile in shared memory lets the two sides have an order of
// their own. Here are three tasks of that kind, none of which is a plain transpose. All kernels are right, and slow.
//
//   1  Predict what a transpose touches when each warp takes a patch of a few columns.
//   2  rotate        turns an image by 90 degrees.
//   3  mirror        makes a full symmetric matrix of a packed triangle.
//   4  flip_small    transposes many small matrices, each in its place.
//
// Only what stands between BEGIN YOUR CODE and END YOUR CODE is to be changed. `make grade LAB=05` says how far you are. All arrays begin at
// a multiple of 256 bytes.

constexpr int TILE = 32;

// ---- 1. Predict ---------------------------------------------------------------------------------------------------------------------
//
// One warp transposes a patch of `width` columns and 32 / width rows of a 32 x 32 matrix, without a tile.

template <typename Element> __device__ void patch(const Element *in, Element *out, int width) {
    int col = threadIdx.x % width, row = threadIdx.x / width;
    out[32 * col + row] = in[32 * row + col];
}

extern "C" __global__ void patch_floats(const float *in, float *out, int width) { patch(in, out, width); }

extern "C" __global__ void patch_doubles(const double *in, double *out, int width) { patch(in, out, width); }

// Put in place of the zeros how many sectors the load and the store touch.
// BEGIN YOUR CODE
//                            floats, width 16   8   2   doubles, width 16   4
__constant__ int patch_loads[5] =          {0,   0,  0,                 0,   0};
__constant__ int patch_stores[5] =         {0,   0,  0,                 0,   0};
// END YOUR CODE

// ---- 2. An image turned by 90 degrees, clockwise ------------------------------------------------------------------------------------
//
// `in` is an image of rows x cols floats, row by row; `out` has cols rows of `rows` floats. The upper left corner becomes the upper right one:
// in(row, col) belongs at row `col` of out and there at place rows - 1 - row. Any rows, any cols.
//
// There is a block for each tile of 32 x 32 pixels, numbered by blockIdx.x alone: which block takes which tile is up to you. A block has
// 32 x ROWS_BLOCK threads, and you choose ROWS_BLOCK: 1, 2, 4, 8, 16 or 32.
// BEGIN YOUR CODE
#define ROWS_BLOCK 32
// END YOUR CODE
extern "C" { __constant__ int rows_block = ROWS_BLOCK; } // the grader reads it

extern "C" __global__ void rotate(const float *in, float *out, int rows, int cols) {
    // BEGIN YOUR CODE
    int across = (cols + TILE - 1) / TILE; // tiles side by side
    int row = blockIdx.x / across * TILE + threadIdx.y, col = blockIdx.x % across * TILE + threadIdx.x;
    for (int i = 0; i < TILE; i += ROWS_BLOCK)
        if (row + i < rows && col < cols) out[(size_t)col * rows + rows - 1 - (row + i)] = in[(size_t)(row + i) * cols + col];
    // END YOUR CODE
}

// ---- 3. A triangle made whole -------------------------------------------------------------------------------------------------------
//
// A symmetric matrix of n x n floats is stored packed: only the elements (row, col) with col <= row, row after row without gaps. So row 0
// has one float, row 1 has two, and element (row, col) is packed[row * (row + 1) / 2 + col]. `out` is to be the full matrix, row by row, in which
// (col, row) is the same as (row, col). Any n.
//
// There is a block of 32 x 8 threads for each tile that is on the diagonal or below it. Nobody needs to read an element twice.
constexpr int MIRROR_ROWS = 8;

// The tile of block number b, counted in tiles: (0, 0), (1, 0), (1, 1), (2, 0), ...
__device__ inline void tile_of(int b, int *tile_row, int *tile_col) {
    int row = (int)((sqrtf(8.0f * b + 1) - 1) / 2);
    if ((row + 1) * (row + 2) / 2 <= b) row++; // where the square root was rounded
    if (row * (row + 1) / 2 > b) row--;
    *tile_row = row, *tile_col = b - row * (row + 1) / 2;
}

extern "C" __global__ void mirror(const float *packed, float *out, int n) {
    int tile_row, tile_col;
    tile_of(blockIdx.x, &tile_row, &tile_col);
    // BEGIN YOUR CODE
    int col = tile_col * TILE + threadIdx.x;
    for (int i = threadIdx.y; i < TILE; i += MIRROR_ROWS) {
        int row = tile_row * TILE + i;
        if (row >= n || col > row) continue;
        float element = packed[(size_t)row * (row + 1) / 2 + col];
        out[(size_t)row * n + col] = element;
        if (col < row) out[(size_t)col * n + row] = element;
    }
    // END YOUR CODE
}

// ---- 4. Many small matrices ---------------------------------------------------------------------------------------------------------
//
// `matrices` holds `count` matrices of SIDE x SIDE floats, one after the other. Each is to be transposed where it stands. A block has 256
// threads and takes MATRICES_BLOCK matrices (the last block perhaps fewer); you choose how many, from 1 to 256.
constexpr int SIDE = 12;
// BEGIN YOUR CODE
#define MATRICES_BLOCK 256
// END YOUR CODE
extern "C" { __constant__ int matrices_block = MATRICES_BLOCK; } // the grader reads it

extern "C" __global__ void flip_small(float *matrices, int count) {
    // BEGIN YOUR CODE
    int matrix = blockIdx.x * MATRICES_BLOCK + threadIdx.x;
    if (matrix >= count) return;
    float *m = &matrices[(size_t)matrix * SIDE * SIDE];
    for (int row = 1; row < SIDE; row++)
        for (int col = 0; col < row; col++) {
            float kept = m[row * SIDE + col];
            m[row * SIDE + col] = m[col * SIDE + row];
            m[col * SIDE + row] = kept;
        }
    // END YOUR CODE
}
