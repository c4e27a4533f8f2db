// One 16-byte load and one 16-byte store for each copy, however the float4 is come by.
extern "C" __global__ void direct(float4 *to, const float4 *from) { to[threadIdx.x] = from[threadIdx.x]; }

extern "C" __global__ void by_cast(float *to, const float *from) {
    reinterpret_cast<float4 *>(to)[threadIdx.x] = reinterpret_cast<const float4 *>(from)[threadIdx.x];
}

extern "C" __global__ void by_variable(float4 *to, const float4 *from, float factor) {
    float4 v = from[threadIdx.x];
    v.x *= factor;
    v.w += factor;
    to[threadIdx.x] = v;
}

struct __align__(16) Four {
    int a, b;
    float c, d;
};
extern "C" __global__ void own_struct(Four *to, const Four *from) { to[threadIdx.x] = from[threadIdx.x]; }
