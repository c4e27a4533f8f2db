// Kernels as the documents of appendix B have them, without their slips where that says nothing else.
// z[t] = x[t] + y[t] from t = 1 on, and no bound: the last thread is one element too far.
__global__ void add_offset(const float *x, const float *y, float *z) {
    int t = blockIdx.x * blockDim.x + threadIdx.x + 1;
    z[t] = x[t] + y[t];
}

// Four floats a thread. There is no + for float4: each component is added by itself.
__global__ void add_fours(float4 *a, const float4 *b) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float4 x = a[t], y = b[t];
    a[t] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}
