// 8, 20 | for rotate | graded | <=92 | rotate
    __shared__ float tile[TILE][TILE + 1];
    int down = (rows + TILE - 1) / TILE;
    int first_row = blockIdx.x % down * TILE, first_col = blockIdx.x / down * TILE;
    for (int i = 0; i < TILE; i += ROWS_BLOCK) {
        int row = first_row + threadIdx.x, col = first_col + threadIdx.y + i;
        unsigned to = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x][threadIdx.y + i]);
        const float *from = &in[(size_t)min(row, rows - 1) * cols + min(col, cols - 1)];
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from) : "memory");
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    for (int i = 0; i < TILE; i += ROWS_BLOCK) {
        int row = first_row + threadIdx.x, col = first_col + threadIdx.y + i;
        if (row < rows && col < cols) out[(size_t)col * rows + rows - 1 - row] = tile[threadIdx.x][threadIdx.y + i];
    }
