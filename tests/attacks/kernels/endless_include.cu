// 5 | whole | refused | 0 |  than
#include "/dev/zero"
