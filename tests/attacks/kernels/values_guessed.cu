// 12, 15, 24 | for rotate | graded | 82 | rotate is wrong: 
    int down = (rows + TILE - 1) / TILE;
    int row = blockIdx.x % down * TILE + threadIdx.x, col = blockIdx.x / down * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS_BLOCK)
        if (row < rows && col + i < cols) out[(size_t)(col + i) * rows + rows - 1 - row] = (float)(row * cols + col + i);
