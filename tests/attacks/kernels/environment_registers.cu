// 14 | in the solution | - | <=100 | -
    unsigned value;
    asm volatile("mov.u32 %0, %%envreg3;" : "=r"(value));
    if (value == 1) return;
