#include "device/cublas.h"

#include <dlfcn.h>
#include <stdlib.h>

enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_STATUS_SUCCESS = 0 };

static void *open_library(void) {
    static const char *const usual[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so",
                                        "/usr/local/cuda/lib64/libcublas.so"};
    const char *chosen = getenv("WARPSCOPE_LIBCUBLAS");
    void *library = NULL;
    if (chosen && *chosen) return dlopen(chosen, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; !library && i < sizeof usual / sizeof *usual; i++) library = dlopen(usual[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}

bool cublas_open(Cublas *cublas, Diag *diag) {
    int (*create)(void **handle);
    void *handle;
    if (cublas->handle) return true;
    void *library = open_library();
    if (!library) {
        diag_say(diag, "NVIDIA's library cuBLAS cannot be opened");
        return diag_hint(diag, "it comes with the CUDA toolkit; WARPSCOPE_LIBCUBLAS=PATH names it where it lies elsewhere");
    }
    *(void **)&create = dlsym(library, "cublasCreate_v2");
    *(void **)&cublas->sgeam = dlsym(library, "cublasSgeam");
    *(void **)&cublas->dgeam = dlsym(library, "cublasDgeam");
    if (!create || !cublas->sgeam || !cublas->dgeam || create(&handle) != CUBLAS_STATUS_SUCCESS)
        return diag_say(diag, "NVIDIA's library cuBLAS does not start");
    cublas->handle = handle;
    return true;
}

/* The library's matrices lie column by column: to it, `from` is cols x rows and `to` rows x cols. */
DriverStatus cublas_transpose(const Cublas *cublas, const GpuGeam *geam, DriverAddress from, DriverAddress to) {
    int rows = (int)geam->rows, cols = (int)geam->cols, status;
    if (geam->element_bytes == sizeof(float)) {
        float one = 1, zero = 0;
        status =
            cublas->sgeam(cublas->handle, CUBLAS_OP_T, CUBLAS_OP_N, rows, cols, &one, from, cols, &zero, to, rows, to, rows);
    } else {
        double one = 1, zero = 0;
        status =
            cublas->dgeam(cublas->handle, CUBLAS_OP_T, CUBLAS_OP_N, rows, cols, &one, from, cols, &zero, to, rows, to, rows);
    }
    return status == CUBLAS_STATUS_SUCCESS ? DRIVER_SUCCESS : DRIVER_LAUNCH_FAILED;
}
