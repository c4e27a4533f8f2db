// 7 | in the solution | refused | 0 | -
asm volatile("} .version 3.0 .target sm_20 .entry again() {");
