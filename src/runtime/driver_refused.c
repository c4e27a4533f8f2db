/* The driver API's functions that are not emulated: each call is named, at its line, and the program does not end well. */
#include "runtime/driver_calls.h"

static int refuse(void) {
    Context *context = context_lock();
    note("%s is not emulated: this call fails, and so does what follows", callsite_name());
    context->not_emulated = true;
    context_unlock(context);
    return CUDA_ERROR_NOT_SUPPORTED;
}

/* Whatever it is given: a C function may be called with more than it takes. */
#define REFUSED(name)                      \
    int name(void);                        \
    __attribute__((weak)) int name(void) { \
        DRIVER_BEGIN(#name);               \
        return refuse();                   \
    }
#define REFUSED_STREAM(name, ending) REFUSED(name) REFUSED(name##ending)
#define COVERED(name)
#include "runtime/driver_functions.def"
#undef REFUSED
#undef REFUSED_STREAM
#undef COVERED
