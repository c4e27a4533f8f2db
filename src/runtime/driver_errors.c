#include "runtime/driver_errors.h"

#include <stddef.h>

/* No default: the compiler finds an error of the header that driver_errors.def lacks. */
const char *driver_error_name(CUresult error) {
    switch (error) {
#define DRIVER_ERROR(name) \
    case name:             \
        return #name;
#include "runtime/driver_errors.def"
#undef DRIVER_ERROR
    }
    return NULL;
}

/* Those that the runtime alone has: what it looks at before it asks the driver. */
CUresult driver_error(cudaError_t error) {
    if (error == cudaErrorInvalidDeviceFunction) return CUDA_ERROR_INVALID_HANDLE;
    if (error == cudaErrorInvalidSymbol) return CUDA_ERROR_NOT_FOUND;
    const CUresult same = (CUresult)error;
    if (driver_error_name(same)) return same;
    return (unsigned)error < cudaErrorNoDevice ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_UNKNOWN;
}
