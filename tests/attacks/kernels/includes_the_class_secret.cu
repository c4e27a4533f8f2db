// 4 | whole | refused | 0 | state/secret
#include "@CLASS@"
