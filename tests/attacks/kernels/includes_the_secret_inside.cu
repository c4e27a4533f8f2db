// 4 | whole | refused | 0 | /grade/secret
#include "/grade/secret"
