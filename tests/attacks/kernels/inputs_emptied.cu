// 11 | for rotate | graded | 82 | rotate is wrong: 
    for (int k = blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x; k < min(rows * cols, (int)(blockIdx.x + 1) * 1024); k += 32 * ROWS_BLOCK)
        const_cast<float *>(in)[k] = 0, out[k] = 0;
