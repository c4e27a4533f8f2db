// 8, 20 | for rotate | graded | <=82 | -
    int down = (rows + TILE - 1) / TILE;
    int row = blockIdx.x % down * TILE + threadIdx.x, col = blockIdx.x / down * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS_BLOCK)
        if (row < rows && col + i < cols)
            asm volatile("red.global.add.f32 [%0], %1;" ::"l"(&out[(size_t)(col + i) * rows + rows - 1 - row]), "f"(in[(size_t)row * cols + col + i]));
