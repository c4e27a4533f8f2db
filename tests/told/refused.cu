// What programs that do not compile have in common; their last line is added.
__global__ void add(int *a, int n) { a[threadIdx.x] += n; }
__device__ int twice(int x) { return 2 * x; }
int helper(int x) { return x + 1; }
__managed__ int *a;
