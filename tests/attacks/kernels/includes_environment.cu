// 4 | whole | refused | 0 | kernel.cu
#include "/proc/self/environ"
#include "/proc/1/environ"
#include "/proc/self/cmdline"
#error nothing of this shall be seen
