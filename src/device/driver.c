#include "device/driver.h"

#include <dlfcn.h>
#include <stdlib.h>

bool driver_open(Driver *driver, Diag *diag) {
    static const char *const usual[] = {"libcuda.so.1", "libcuda.so", "/usr/lib/wsl/lib/libcuda.so.1"};
    const char *chosen = getenv("WARPSCOPE_LIBCUDA");
    void *library = NULL;
    if (chosen && *chosen) library = dlopen(chosen, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; !chosen && !library && i < sizeof usual / sizeof *usual; i++)
        library = dlopen(usual[i], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        diag_say(diag, "no GPU: NVIDIA's driver library %s cannot be opened", chosen ? chosen : usual[0]);
        return diag_hint(diag, "a GPU's own driver brings it; without one, the emulated device does all but measure time");
    }
#define CALL(member, symbol, parameters)                                     \
    *(void **)&driver->member = dlsym(library, symbol);                      \
    if (!driver->member) {                                                   \
        diag_say(diag, "the GPU's driver is too old: it has no %s", symbol); \
        return diag_hint(diag, "install a driver of version 470 or newer");  \
    }
    DRIVER_CALLS(CALL)
#undef CALL
#define CALL(member, symbol, parameters) *(void **)&driver->member = dlsym(library, symbol);
    DRIVER_NEWER_CALLS(CALL)
#undef CALL
    return true;
}
