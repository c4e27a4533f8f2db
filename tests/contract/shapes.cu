/* Products and sums in the shapes that programs have them. What each gives on a GPU says which of them its assembler makes one instruction with one
 * rounding: h100.csv. A shape is a block, so that none meets another's code; thread t reads in[8 * t …] and writes two results. */
#include <cuda_fp16.h>

#define R(x) out[0] = (x);
#define R2(x) out[1] = (x);
#define SHAPE(n, ...) \
    case n: {         \
        __VA_ARGS__   \
    } break;

// clang-format off
#define SHAPES \
    SHAPE(0, R(a*b+c)) \
    SHAPE(1, R(c+a*b)) \
    SHAPE(2, R(a*b-c)) \
    SHAPE(3, R(c-a*b)) \
    SHAPE(4, R(a*b+c*d)) \
    SHAPE(5, R(a*b-c*d)) \
    SHAPE(6, R(c*d+a*b)) \
    SHAPE(7, R(-a*b+c)) \
    SHAPE(8, R(-(a*b)+c)) \
    SHAPE(9, R(c-(-a*b))) \
    SHAPE(10, R(a*a+b*b)) \
    SHAPE(11, R(a*b+a)) \
    SHAPE(12, R((a*b)*c+d)) \
    SHAPE(13, R((a*b+c)*d+e)) \
    SHAPE(14, R(((a*b+c)*d+e)*f+g)) \
    SHAPE(15, R(a*b+c*d+e*f)) \
    SHAPE(16, R(a*b+(c*d+e*f))) \
    SHAPE(17, R((a*b+c*d)+(e*f+g*h))) \
    SHAPE(18, R(a*b+c*d+e*f+g*h)) \
    SHAPE(19, R((a-b*c)-d*e)) \
    SHAPE(20, R(a*2.5+b)) \
    SHAPE(21, R(a*b+1)) \
    SHAPE(22, R(1-a*b)) \
    SHAPE(23, R(3*a-2*b)) \
    SHAPE(24, R(a*b+c*c-d*d)) \
    SHAPE(25, R((a+b)*(a-b)+c)) \
    SHAPE(26, R((a+b)*c-(a-b)*d)) \
    SHAPE(27, R(a*(b+c)+b*(a+c))) \
    SHAPE(28, R(a*b*c+d*e*f)) \
    SHAPE(29, R(a*b-c*d+e*f-g*h)) \
    SHAPE(30, P p=a*b; R(p+c) R2(p+d)) \
    SHAPE(31, P p=a*b; R(p+c) R2(p*d)) \
    SHAPE(32, P p=a*b; R(p+c) R2(p)) \
    SHAPE(33, P p=a*b,q=c*d; R(p+q) R2(q+e)) \
    SHAPE(34, P p=a*b,q=c*d; R(p+q) R2(p+e)) \
    SHAPE(35, P p=a*b,q=c*d; R(q+p) R2(p+e)) \
    SHAPE(36, P p=a*b,q=c*d; R(p+q) R2(p-q)) \
    SHAPE(37, P p=a*b,q=c*d,r=e*f; R(p+q) R2(q+r)) \
    SHAPE(38, P p=a*b,q=c*d,r=e*f; R((p+q)*(q+r)) R2(r+p)) \
    SHAPE(39, P p=a*b; R(p+c) R2(p*p)) \
    SHAPE(40, P p=a*b; R(-p+c) R2(p-d)) \
    SHAPE(41, P p=a*b,q=p*c; R(q+d) R2(p+e)) \
    SHAPE(42, P p=a*b; R(p-c) R2(c-p)) \
    SHAPE(43, P p=a*b,q=c*d,r=e*f; R(p+q+r) R2(q-r)) \
    SHAPE(44, P p=a*b,q=c*d; R((p+e)+(q+f)) R2(p+q)) \
    SHAPE(45, P p=a*b; if(c>0){R(p+d)}else{R(p-e)}) \
    SHAPE(46, P p=a*b; R(c>0?p+d:p*e)) \
    SHAPE(47, P s=c; for(int z=0;z<4;z++) s=s*a+b; R(s)) \
    SHAPE(48, P s=c; for(int z=0;z<n;z++) s=s*a+b; R(s)) \
    SHAPE(49, P s=0,y=a; for(int z=0;z<n;z++){ s=s+y*b; y=y*c;} R(s) R2(y)) \
    SHAPE(50, P s=0; for(int z=0;z<n;z++) s+=v[z]*v[7-z]; R(s)) \
    SHAPE(51, P p=a*b; __syncthreads(); R(p+c)) \
    SHAPE(52, P p=a*b,m=p+c; if(m>d) m=m*e-f; R(m)) \
    SHAPE(53, P p=a*b; R(p/c+d) R2(p+e)) \
    SHAPE(54, P p=a*b; R(a/c+(p+d))) \
    SHAPE(55, P r=a*b-c*d, i=a*d+b*c; R(r*e-i*f) R2(r*f+i*e)) \
    SHAPE(56, P w=a*b-c*c; R(w/(1+d*d)+e)) \
    SHAPE(57, P x=a-b*c; P y=x-d*e; R(y) R2(x*y-f)) \
    SHAPE(58, P p=a*b; if(p>c) p=p+d; R(p*e+f)) \
    SHAPE(59, P m=(a+b)/2; R(m*m-a*b))

#define HALF_SHAPES \
    SHAPE(0, R(a*b+c)) \
    SHAPE(1, R(a*b-c)) \
    SHAPE(2, R(c-a*b)) \
    SHAPE(3, R(a*b+c*d)) \
    SHAPE(4, R(a*b-c*d)) \
    SHAPE(5, R(a*a+b*b)) \
    SHAPE(6, R((a*b)*c+d)) \
    SHAPE(7, R(a*b+c*d+e*f)) \
    SHAPE(8, R((a*b+c*d)+(e*f+g*h))) \
    SHAPE(9, P p=a*b; R(p+c) R2(p+d)) \
    SHAPE(10, P p=a*b; R(p+c) R2(p)) \
    SHAPE(11, P p=a*b,q=c*d; R(p+q) R2(q+e)) \
    SHAPE(12, P p=a*b,q=c*d; R(p+q) R2(q-p)) \
    SHAPE(13, P s=c; for(int z=0;z<4;z++) s=s*a+b; R(s))
// clang-format on

#define KERNEL(name, type, shapes)                                                                          \
    extern "C" __global__ void name(const type *in, type *out, int n) {                                     \
        typedef type P;                                                                                     \
        const P *v = in + 8 * threadIdx.x;                                                                  \
        const P a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5], g = v[6], h = v[7];             \
        out += 2 * (blockIdx.x * blockDim.x + threadIdx.x);                                                 \
        switch (blockIdx.x) { shapes }                                                                      \
    }
KERNEL(floats, float, SHAPES)
KERNEL(doubles, double, SHAPES)
KERNEL(halves, __half, HALF_SHAPES)
KERNEL(half_pairs, __half2, HALF_SHAPES)
