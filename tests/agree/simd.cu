//run simd --grid 8 --block 64 --arg buf:u32:41984:zero
// Two or four integers in a word: every intrinsic function, on numbers at the ends of their ranges and on others.
#define PAIR(name)               \
    *out++ = __v##name##2(a, b); \
    *out++ = __v##name##4(a, b);
#define ONE(name)             \
    *out++ = __v##name##2(a); \
    *out++ = __v##name##4(a);
extern "C" __global__ void simd(unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, a = (i + 3) * 2654435761u, b = (i ^ 77) * 40503u * 2246822519u;
    if (i % 5 == 0) a = 0x80007f00u ^ i * 0x10101u;
    if (i % 7 == 0) b = 0x80800001u + i * 0x1010000u;
    out += i * 82;
    PAIR(add)
    PAIR(addss)
    PAIR(addus)
    PAIR(sub)
    PAIR(subss)
    PAIR(subus)
    PAIR(avgs)
    PAIR(avgu)
    PAIR(haddu)
    PAIR(absdiffs)
    PAIR(absdiffu)
    PAIR(maxs)
    PAIR(maxu)
    PAIR(mins)
    PAIR(minu)
    PAIR(sads)
    PAIR(sadu)
    PAIR(cmpeq)
    PAIR(cmpne)
    PAIR(cmpges)
    PAIR(cmpgts)
    PAIR(cmples)
    PAIR(cmplts)
    PAIR(cmpgeu)
    PAIR(cmpgtu)
    PAIR(cmpleu)
    PAIR(cmpltu)
    PAIR(seteq)
    PAIR(setne)
    PAIR(setges)
    PAIR(setgts)
    PAIR(setles)
    PAIR(setlts)
    PAIR(setgeu)
    PAIR(setgtu)
    PAIR(setleu)
    PAIR(setltu)
    ONE(abs)
    ONE(absss)
    ONE(neg)
    ONE(negss)
}
