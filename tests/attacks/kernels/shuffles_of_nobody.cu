// 18 | in the solution | refused | 0 | a block has the barriers 0 to 15
    unsigned value;
    asm volatile("shfl.sync.idx.b32 %0, %1, 0xffffffff, 0xffffffff, 0;" : "=r"(value) : "r"(rows));
    asm volatile("bar.sync 99, 7;");
