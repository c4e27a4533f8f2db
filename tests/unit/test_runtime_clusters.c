/* Clusters whose size the program sets for all launches of a kernel, and what a reset leaves of a kernel's attributes. */
#include "runtime_test.h"

static const char clustered_ptx[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    /* *p = how many blocks a cluster has in x */
    ".visible .entry width(.param .u64 p) {\n.reg .b32 %r1;\n.reg .b64 %rd1;\n"
    "ld.param.u64 %rd1, [p]; mov.u32 %r1, %cluster_nctaid.x; st.global.u32 [%rd1], %r1; ret;\n}\n";

static void width(void) {}

static unsigned *start(void) {
    static FatbinWrapper wrapper = {.magic = FATBIN_WRAPPER_MAGIC, .version = 1, .data = clustered_ptx};
    setenv("WARPSCOPE_DEVICE", "h200", 1);
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, (const char *)width, NULL, "width", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFatBinaryEnd(handle);
    return device_memory(4);
}

/* As the kernel sees it. */
static unsigned launched(unsigned *p) {
    void *arguments[] = {&p};
    FINE(cudaLaunchKernel((const void *)width, (dim3){4, 1, 1}, (dim3){1, 1, 1}, arguments, 0, NULL));
    return first_of(p);
}

static void set(enum cudaFuncAttribute attribute, int value) {
    FINE(cudaFuncSetAttribute((const void *)width, attribute, value));
}

START_TEST(a_launch_runs_in_the_clusters_that_were_set_last)
{
    static const int widths[] = {0, 2, 4, 0, 1};
    unsigned *p = start();
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        set(cudaFuncAttributeRequiredClusterWidth, widths[i]);
        for (int again = 0; again < 2; again++) ck_assert_uint_eq(launched(p), widths[i] ? widths[i] : 1);
    }
}
END_TEST

START_TEST(occupancy_is_of_the_clusters_that_were_set)
{
    int named = 0, by_kernel = 0;
    cudaLaunchAttribute attribute = {.id = cudaLaunchAttributeClusterDimension, .val.clusterDim = {2, 1, 1}};
    cudaLaunchConfig_t config = {.gridDim = {64, 1, 1}, .blockDim = {64, 1, 1}, .attrs = &attribute, .numAttrs = 1};
    start();
    FINE(cudaOccupancyMaxActiveClusters(&named, (const void *)width, &config));
    ck_assert_int_gt(named, 0);
    config.numAttrs = 0;
    set(cudaFuncAttributeRequiredClusterWidth, 2);
    FINE(cudaOccupancyMaxActiveClusters(&by_kernel, (const void *)width, &config));
    ck_assert_int_eq(by_kernel, named);
    config.gridDim.x = 63; /* no launch */
    GIVES(cudaErrorInvalidClusterSize, cudaOccupancyMaxActiveClusters(&by_kernel, (const void *)width, &config));
    config.numAttrs = 1; /* a launch's own goes before it */
    attribute.val.clusterDim.x = 3;
    FINE(cudaOccupancyMaxActiveClusters(&named, (const void *)width, &config));
    ck_assert_int_gt(named, 0);
    set(cudaFuncAttributeMaxDynamicSharedMemorySize, 1024); /* less than 48 KiB changes nothing, as an H200 has it */
    for (int most = 1; most >= 0; most--) {
        config.dynamicSmemBytes = most ? 49152 : 60000;
        FINE(cudaOccupancyMaxActiveClusters(&named, (const void *)width, &config));
        ck_assert_int_eq(named > 0, most);
    }
}
END_TEST

/* Runtime API, cudaDeviceReset: all of the process's state on the device goes. */
START_TEST(a_reset_leaves_nothing_of_what_was_set)
{
    struct cudaFuncAttributes before, set_so, after;
    start();
    FINE(cudaFuncGetAttributes(&before, (const void *)width));
    set(cudaFuncAttributeRequiredClusterWidth, 2);
    set(cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);
    set(cudaFuncAttributePreferredSharedMemoryCarveout, 50);
    set(cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    set(cudaFuncAttributeClusterSchedulingPolicyPreference, cudaClusterSchedulingPolicySpread);
    FINE(cudaFuncGetAttributes(&set_so, (const void *)width));
    ck_assert_int_eq(set_so.requiredClusterWidth, 2);
    FINE(cudaDeviceReset());
    FINE(cudaFuncGetAttributes(&after, (const void *)width));
    ck_assert_mem_eq(&after, &before, offsetof(struct cudaFuncAttributes, reserved));
    ck_assert_uint_eq(launched(device_memory(4)), 1);
}
END_TEST

RUNTIME_MAIN("runtime clusters", a_launch_runs_in_the_clusters_that_were_set_last, occupancy_is_of_the_clusters_that_were_set,
             a_reset_leaves_nothing_of_what_was_set)
