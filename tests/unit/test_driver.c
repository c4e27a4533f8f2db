/* NVIDIA's libraries where they are not what they should be. libm has none of their functions, and is there wherever this runs. */
#include <check.h>
#include <stdlib.h>

#include "device/cublas.h"
#include "device/driver.h"

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
        const char *named, *message;
    } rows[] = {{OTHER, "NVIDIA's library cuBLAS does not start"},
                {"/nowhere/libcublas.so", "NVIDIA's library cuBLAS cannot be opened"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Cublas cublas = {0};
        Diag diag = {0};
        setenv("WARPSCOPE_LIBCUBLAS", rows[i].named, 1);
        ck_assert(!cublas_open(&cublas, &diag));
        ck_assert_str_eq(diag.message, rows[i].message);
        ck_assert_ptr_null(cublas.handle);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("driver");
    TCase *tests = tcase_create("driver");
    tcase_add_test(tests, the_drivers_library_is_the_one_that_was_named);
    tcase_add_test(tests, cublas_is_the_library_that_was_named);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
