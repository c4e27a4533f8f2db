// 5 | whole | refused | 0 | include
#include __FILE__
#include __FILE__
