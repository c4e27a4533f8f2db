/* Calls functions of the runtime that the emulated device does not cover. */
#include <stdio.h>

int main() {
#if defined(LEAVE_OUT) && defined(__WARPSCOPE__)
    printf("%d\n", cudaDeviceSynchronize());
#else
    cudaGraph_t graph;
    unsigned long long id;
    printf("%d\n", cudaGraphCreate(&graph, 0));
    printf("%d\n", cudaStreamGetId(0, &id));
#endif
}
