// 8 | for rotate | graded | <=92 | rotate_sectors of rows
    int down = (rows + TILE - 1) / TILE;
    int row = blockIdx.x % down * TILE + threadIdx.x, col = blockIdx.x / down * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS_BLOCK)
        if (row < rows && col + i < cols) {
            float element;
            asm volatile("ld.f32 %0, [%1];" : "=f"(element) : "l"(&in[(size_t)row * cols + col + i]));
            asm volatile("st.f32 [%0], %1;" ::"l"(&out[(size_t)(col + i) * rows + rows - 1 - row]), "f"(element) : "memory");
        }
