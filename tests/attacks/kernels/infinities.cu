// 16 | in the solution | graded | 82 | rotate is wrong: 
    if (threadIdx.x == 5) {
        for (int i = 0; i < 32; i += ROWS_BLOCK) {
            int down = (rows + TILE - 1) / TILE, row = blockIdx.x % down * TILE + 5, col = blockIdx.x / down * TILE + threadIdx.y + i;
            if (row < rows && col < cols) out[(size_t)col * rows + rows - 1 - row] = __int_as_float(0x7fc00000);
        }
    }
    __syncthreads();
    if (threadIdx.x == 5) return;
