// 5 | whole | refused | 0 | error: 
#include __FILE__
#include __FILE__
