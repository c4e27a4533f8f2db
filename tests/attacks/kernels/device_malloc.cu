// 17 | in the solution | - | <=82 | -
    void *p = malloc(1 << 30);
    if (p) *(volatile char *)p = 1;
