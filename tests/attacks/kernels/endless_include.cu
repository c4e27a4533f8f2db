// 5 | whole | refused | 0 | more than
#include "/dev/zero"
