// What is wrong here depends on the macros WRONG_…; line numbers count.
__global__ void kernel(int *p) {
#ifdef WRONG_DEVICE
    missing_on_the_device(p);
#endif
    *p = 1;
}
#ifndef __CUDA_ARCH__
static int host_only(int a) {
#ifdef WRONG_HOST
    return a + missing_on_the_host;
#endif
    return a;
}
#else
int host_only(int a);
#endif
int on_the_host(int a) { return a; }
#ifdef WRONG_CALL
__global__ void caller(int *p) { *p = on_the_host(*p); }
#endif
int main() {
    int a = 1;
#ifdef DOUBTFUL
    if (a = 2) a = 3;
#endif
    return on_the_host(host_only(a));
}
