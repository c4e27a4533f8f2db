// Heat that spreads over a plate, one step in time: each element moves towards the mean of its four neighbours. The edge stays as it is.

// As its author wrote it: x for rows, y for columns.
__global__ void spread_given(const float *now, float *next, int rows, int cols, float k) {
    int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < 1 || row >= rows - 1 || col < 1 || col >= cols - 1) return;
    const float *at = now + row * cols + col;
    next[row * cols + col] = at[0] + k * (at[-cols] + at[cols] + at[-1] + at[1] - 4 * at[0]);
}

// The lanes follow the columns.
__global__ void spread_lanes(const float *now, float *next, int rows, int cols, float k) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < 1 || row >= rows - 1 || col < 1 || col >= cols - 1) return;
    const float *at = now + row * cols + col;
    next[row * cols + col] = at[0] + k * (at[-cols] + at[cols] + at[-1] + at[1] - 4 * at[0]);
}

// Each thread goes down DOWN rows of its column, and keeps what it has loaded above.
enum { DOWN = 8 };

__global__ void spread_down(const float *now, float *next, int rows, int cols, float k) {
    int first = (blockIdx.y * blockDim.y + threadIdx.y) * DOWN, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col < 1 || col >= cols - 1) return;
    float column[DOWN + 2];
    for (int i = 0; i < DOWN + 2; i++) column[i] = now[min(max(first + i - 1, 0), rows - 1) * cols + col];
    for (int i = 0; i < DOWN; i++) {
        int row = first + i;
        if (row < 1 || row >= rows - 1) continue;
        const float *at = now + row * cols + col;
        next[row * cols + col] = column[i + 1] + k * (column[i] + column[i + 2] + at[-1] + at[1] - 4 * column[i + 1]);
    }
}
