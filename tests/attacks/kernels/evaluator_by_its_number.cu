// 14 | in the solution | - | <=100 | -
    unsigned number;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
    if (number > 3 && number != blockIdx.x % 132) return;
