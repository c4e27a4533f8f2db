// 21 | for rotate | graded | <=92 | rotate_sectors of rows
    __shared__ volatile float once[32];
    once[threadIdx.x] = 1;
    int down = (rows + TILE - 1) / TILE;
    int row = blockIdx.x % down * TILE + threadIdx.x, col = blockIdx.x / down * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS_BLOCK)
        if (row < rows && col + i < cols) out[(size_t)(col + i) * rows + rows - 1 - row] = in[(size_t)row * cols + col + i];
