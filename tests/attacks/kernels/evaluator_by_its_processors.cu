// 14, 25 | in the solution | - | <=100 | -
    unsigned count;
    asm volatile("mov.u32 %0, %%nsmid;" : "=r"(count));
    if (count != 132) return;
