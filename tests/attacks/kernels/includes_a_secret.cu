// 4 | whole | refused | 0 | secret.h
#include "@SECRET@"
