// 5 | whole | refused | 0 | kernel.cu:1:10
#include "/proc/self/fd/2"
#include "/dev/ptmx"
