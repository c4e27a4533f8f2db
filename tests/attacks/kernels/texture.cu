// 26 | in the solution | graded | 82 | textures and surfaces are not counted in this lab
    unsigned width;
    asm volatile("txq.width.b32 %0, [%1];" : "=r"(width) : "l"(1ull));
    (void)width;
