/* Libraries that are not emulated: whoever begins to use one is told so, and does not end well. A program that has the library itself linked into it
 * keeps that one's calls, since these are weak; a shared library's are overridden. */
#include "runtime/libraries.h"

#include <stdlib.h>

#include "base/alloc.h"

typedef enum LibraryParameter { LIBRARY_HANDLE, LIBRARY_NOTHING } LibraryParameter;

static int refuse(const char *library, const char *function, LibraryParameter parameter, void *first, int status) {
    Context *context = context_lock();
    note("%s: %s is not emulated: this call fails, and so does what follows", function, library);
    context->not_emulated = true;
    context_unlock(context);
    switch (parameter) {
    case LIBRARY_HANDLE:
        if (first) *(void **)first = NULL;
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

bool library_refuse(Context *context, const char *what, const char *status) {
    context->not_emulated = true;
    size_t i = 0;
    while (i < context->n_refused && context->refused[i] != callsite_now.address) i++;
    if (i < context->n_refused) return false;
    ALLOC_ADD(context->refused, context->n_refused) = callsite_now.address;
    note("%s is not emulated: this call does nothing and returns %s", what, status);
    return true;
}

/* Of cuBLAS, cuRAND and cuFFT only these are not emulated; a handle, their first parameter, stays what it is. */
static int refuse_call(const char *function, const char *name, int status) {
    Context *context = context_lock();
    library_refuse(context, function, name);
    context_unlock(context);
    return status;
}

#define MISSING(function, name, status)               \
    int function(void);                               \
    __attribute__((weak)) int function(void) {        \
        CALLSITE_BEGIN();                             \
        return refuse_call(#function, #name, status); \
    }
#define MISSING_BLAS(function) MISSING(function, CUBLAS_STATUS_NOT_SUPPORTED, 15)
#include "runtime/blas_missing.def"
#define MISSING_RAND(function) MISSING(function, CURAND_STATUS_INTERNAL_ERROR, 999)
#include "runtime/rand_missing.def"
#define MISSING_FOURIER(function) MISSING(function, CUFFT_NOT_IMPLEMENTED, 14)
#include "runtime/fourier_missing.def"

/* The runtime's own calls of graphics: a program that draws only where there is a screen never comes to them, and is linked all the same. */
#define GRAPHICS(function)                                                        \
    cudaError_t function(void);                                                   \
    __attribute__((weak)) cudaError_t function(void) {                            \
        CALLSITE_BEGIN();                                                         \
        cudaError_t error;                                                        \
        Context *context = api_begin(&error);                                     \
        if (context) library_refuse(context, #function, "cudaErrorNotSupported"); \
        return api_end(context, context ? cudaErrorNotSupported : error);         \
    }
GRAPHICS(cudaGraphicsUnregisterResource)
GRAPHICS(cudaGraphicsResourceSetMapFlags)
GRAPHICS(cudaGraphicsMapResources)
GRAPHICS(cudaGraphicsMapResources_ptsz)
GRAPHICS(cudaGraphicsUnmapResources)
GRAPHICS(cudaGraphicsUnmapResources_ptsz)
GRAPHICS(cudaGraphicsResourceGetMappedPointer)
GRAPHICS(cudaGraphicsSubResourceGetMappedArray)
GRAPHICS(cudaGraphicsResourceGetMappedMipmappedArray)
GRAPHICS(cudaGraphicsGLRegisterBuffer)
GRAPHICS(cudaGraphicsGLRegisterImage)
GRAPHICS(cudaGLGetDevices)
GRAPHICS(cudaGLSetGLDevice)
GRAPHICS(cudaGLRegisterBufferObject)
GRAPHICS(cudaGLUnregisterBufferObject)
GRAPHICS(cudaGLSetBufferObjectMapFlags)
GRAPHICS(cudaGLMapBufferObject)
GRAPHICS(cudaGLMapBufferObjectAsync)
GRAPHICS(cudaGLUnmapBufferObject)
GRAPHICS(cudaGLUnmapBufferObjectAsync)
