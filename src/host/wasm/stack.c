/* stack.c: what clang's parts for WebAssembly want of the C library where Debian has built them with a stack protector. */
#include <stdint.h>
#include <stdlib.h>

extern uintptr_t __stack_chk_guard;
_Noreturn void __stack_chk_fail(void);

uintptr_t __stack_chk_guard = UINT32_C(0x20a0d3f5);

_Noreturn void __stack_chk_fail(void) { abort(); }
