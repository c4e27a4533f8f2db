// 1 | before the exercise | refused | 0 | No space left on device
#error No space left on device
