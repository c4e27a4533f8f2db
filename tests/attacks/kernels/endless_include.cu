// 5 | whole | refused | 0 | kernel.cu:1:10
#include "/dev/zero"
