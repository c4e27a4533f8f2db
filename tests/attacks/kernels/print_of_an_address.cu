// 18 | in the solution | - | <=100 | -
    if (threadIdx.x == 0) printf("%s %n %s %lls\n", (const char *)0x10, (int *)out, (const char *)~0ul, 5ll);
