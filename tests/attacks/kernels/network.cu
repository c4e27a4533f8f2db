// 19 | whole | refused | 0 | -
#include "http://127.0.0.1:80/answer.h"
#include "//server/share/answer.h"
#include "/dev/tcp/127.0.0.1/80"
