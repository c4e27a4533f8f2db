// 4 | whole | refused | 0 | secret.h
#define int static_assert(false, "seen: ") ; int
#include "@SECRET@"
