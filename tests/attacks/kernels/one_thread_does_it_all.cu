// 9 | for rotate | graded | <=82 | rows
    if (blockIdx.x || threadIdx.x || threadIdx.y) return;
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++) out[(size_t)col * rows + rows - 1 - row] = in[(size_t)row * cols + col];
