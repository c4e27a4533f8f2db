// 4 | whole | refused | 0 | /etc/passwd
#include "/etc/passwd"
