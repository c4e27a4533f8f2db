// 1 | before the exercise | refused | 0 | warpscope was stopped
#error warpscope was stopped: LLVM ERROR: out of memory, Killed, nvcc error : 'cicc' died due to signal 9
LLVM ERROR: out of memory
Killed
