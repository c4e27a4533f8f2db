/* Calls functions of the runtime that the emulated device does not cover. */
#include <stdio.h>

int main() {
#if defined(LEAVE_OUT) && defined(__WARPSCOPE__)
    printf("%d\n", cudaDeviceSynchronize());
#else
    printf("%d\n", cudaGraphConditionalHandleCreate(0, 0, 0, 0));
    printf("%d\n", cudaGetExportTable(0, 0));
#endif
}
