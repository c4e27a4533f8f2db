/* Libraries that are not emulated: whoever begins to use one is told so, and does not end well. A program that has the library itself linked into it
 * keeps that one's calls, since these are weak; a shared library's are overridden. */
#include "runtime/libraries.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "runtime/context.h"

typedef enum LibraryParameter { LIBRARY_HANDLE, LIBRARY_PLAN, LIBRARY_NOTHING } LibraryParameter;

static int refuse(const char *library, const char *function, LibraryParameter parameter, void *first, int status) {
    Context *context = context_lock();
    note("%s: %s is not emulated: this call fails, and so does what follows", function, library);
    context->not_emulated = true;
    context_unlock(context);
    switch (parameter) {
    case LIBRARY_HANDLE:
        if (first) *(void **)first = NULL;
        break;
    case LIBRARY_PLAN:
        if (first) *(int *)first = -1;
        break;
    case LIBRARY_NOTHING: break;
    }
    return status;
}

#define LIBRARY(library, function, parameter, status) \
    int function(void *first);                        \
    __attribute__((weak)) int function(void *first) { return refuse(library, #function, LIBRARY_##parameter, first, status); }
#include "runtime/libraries.def"
#undef LIBRARY

int library_refuse_blas(const char *function, const char *what) {
    enum { NOT_SUPPORTED = 15 };
    Context *context = context_lock();
    context->not_emulated = true;
    size_t i = 0;
    while (i < context->n_refused && context->refused[i] != callsite_now.address) i++;
    if (i == context->n_refused) {
        ALLOC_ADD(context->refused, context->n_refused) = callsite_now.address;
        note("%s%s is not emulated: this call does nothing and returns CUBLAS_STATUS_NOT_SUPPORTED", function, what);
    }
    context_unlock(context);
    return NOT_SUPPORTED;
}

/* Of cuBLAS only these are not emulated. */
#define MISSING_BLAS(function)                     \
    int function(void);                            \
    __attribute__((weak)) int function(void) {     \
        CALLSITE_BEGIN();                          \
        return library_refuse_blas(#function, ""); \
    }
#include "runtime/blas_missing.def"
