// 5 | whole | refused | 0 | compiling took more than
#include "/dev/zero"
