// 5 | whole | refused | 0 | more than
#if __INCLUDE_LEVEL__ < 150
#warning again
#include __FILE__
#include __FILE__
#endif
