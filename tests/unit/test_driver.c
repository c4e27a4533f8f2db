/* NVIDIA's libraries where they are not what they should be, and what is asked of cuBLAS. libm has none of their functions, and is there wherever
 * this runs. */
#include <stdio.h>
#include <stdlib.h>

#include "device/cublas.h"
#include "device/driver.h"
#include "suite.h"

#define OTHER "libm.so.6"

START_TEST(the_drivers_library_is_the_one_that_was_named)
{
    static const struct {
        const char *named, *message, *hint;
    } rows[] = {
        {OTHER, "the GPU's driver is too old: it has no cuInit", "install a driver of version 470 or newer"},
        {"/nowhere/libcuda.so", "no GPU: NVIDIA's driver library /nowhere/libcuda.so cannot be opened",
         "a GPU's own driver brings it; without one, the emulated device does all but measure time"},
        {"", "no GPU: NVIDIA's driver library  cannot be opened", /* so that none is used, even where there is one */
         "a GPU's own driver brings it; without one, the emulated device does all but measure time"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Driver driver;
        Diag diag = {0};
        setenv("WARPSCOPE_LIBCUDA", rows[i].named, 1);
        ck_assert(!driver_open(&driver, &diag));
        ck_assert_str_eq(diag.message, rows[i].message);
        ck_assert_str_eq(diag.hint, rows[i].hint);
    }
}
END_TEST

START_TEST(cublas_is_the_library_that_was_named)
{
    static const struct {
        const char *named, *message, *hint;
    } rows[] = {{OTHER, "NVIDIA's library cuBLAS does not start", ""},
                {"/nowhere/libcublas.so", "NVIDIA's library cuBLAS cannot be opened",
                 "it comes with the CUDA toolkit; WARPSCOPE_LIBCUBLAS=PATH names it where it lies elsewhere"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Cublas cublas = {0};
        Diag diag = {0};
        setenv("WARPSCOPE_LIBCUBLAS", rows[i].named, 1);
        ck_assert(!cublas_open(&cublas, &diag));
        ck_assert_str_eq(diag.message, rows[i].message);
        ck_assert_str_eq(diag.hint, rows[i].hint);
        ck_assert_ptr_null(cublas.handle);
    }
}
END_TEST

/* --- cuBLAS, whose matrices lie column by column: a rows x cols matrix of ours is cols x rows to it, and the transpose rows x cols --- */

static char geam[200];

static int sgeam(void *handle, int ta, int tb, int m, int n, const float *alpha, DriverAddress a, int lda, const float *beta,
                 DriverAddress b, int ldb, DriverAddress c, int ldc) {
    snprintf(geam, sizeof geam, "f32 %d %d, %d x %d, %g * %d by %d + %g * %d by %d, %d by %d", ta, tb, m, n, (double)*alpha,
             (int)a, lda, (double)*beta, (int)b, ldb, (int)c, ldc);
    return handle == (void *)1 ? 0 : 1;
}
static int dgeam(void *handle, int ta, int tb, int m, int n, const double *alpha, DriverAddress a, int lda, const double *beta,
                 DriverAddress b, int ldb, DriverAddress c, int ldc) {
    snprintf(geam, sizeof geam, "f64 %d %d, %d x %d, %g * %d by %d + %g * %d by %d, %d by %d", ta, tb, m, n, *alpha, (int)a,
             lda, *beta, (int)b, ldb, (int)c, ldc);
    return handle == (void *)1 ? 0 : 1;
}

START_TEST(cublas_transposes_by_its_geam)
{
    Cublas cublas = {.handle = (void *)1, .sgeam = sgeam, .dgeam = dgeam};
    Diag diag = {0};
    ck_assert(cublas_open(&cublas, &diag)); /* it is open */
    ck_assert_int_eq(cublas_transpose(&cublas, &(GpuGeam){4, 3, 5}, 10, 20), DRIVER_SUCCESS);
    ck_assert_str_eq(geam, "f32 1 0, 3 x 5, 1 * 10 by 5 + 0 * 20 by 3, 20 by 3");
    ck_assert_int_eq(cublas_transpose(&cublas, &(GpuGeam){8, 7, 2}, 30, 40), DRIVER_SUCCESS);
    ck_assert_str_eq(geam, "f64 1 0, 7 x 2, 1 * 30 by 2 + 0 * 40 by 7, 40 by 7");
    cublas.handle = (void *)2;
    ck_assert_int_eq(cublas_transpose(&cublas, &(GpuGeam){4, 3, 5}, 10, 20), DRIVER_LAUNCH_FAILED);
}
END_TEST

SUITE("driver", the_drivers_library_is_the_one_that_was_named, cublas_is_the_library_that_was_named,
      cublas_transposes_by_its_geam)
