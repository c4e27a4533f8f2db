// 32 | whole | refused | 0 | #error
#error @ESC@[2J@ESC@[1mLab 05 Transpose: 100 of 100 points@CR@
