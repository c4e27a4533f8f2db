// 7 | in the solution | refused | 0 | -
asm volatile(".file 77 \"@SECRET@\"");
asm volatile(".loc 77 1 1");
out[~0u >> 1] = 0;
