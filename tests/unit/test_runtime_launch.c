/* Kernels as a program knows them: attributes, occupancy, what a launch hands over, the source that names its parameters, device code that
 * cannot be loaded, and programs whose default stream is each thread's own. Rules: CUDA Runtime API 13.0; an H200's numbers. */
#include <sys/wait.h>

#include "runtime_test.h"

/* small: no parameters.   big: 1000 bytes of static shared memory, 48 of local, a block of exactly 8 x 4.   bound: of at most 6 x 5 x 2.
 * _Z4giveN: writes its arguments, of 1, 2, 12 and 8 bytes, to the last. */
static const char module_ptx[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n.const .align 4 .b8 table[100];\n.const .u32 one = 1;\n.global .u32 "
    "other;\n"
    ".visible .entry small() { ret; }\n"
    ".visible .entry big() .reqntid 8, 4, 1 {\n.shared .align 4 .b8 tile[1000];\n.local .align 4 .b8 own[48];\n"
    ".reg .b32 %r; mov.u32 %r, tile; st.shared.u32 [%r], %r; st.local.u32 [own], %r; ret;\n}\n"
    ".visible .entry bound() .maxntid 6, 5, 2 { ret; }\n"
    ".visible .entry more() .maxntid 2000, 1, 1 { ret; }\n"
    ".visible .entry line() .maxntid 64 { ret; }\n.visible .entry plane() .reqntid 8, 4 { ret; }\n"
    ".extern .func (.param .b64 r) malloc(.param .b64 n);\n"
    ".visible .entry takes(.param .u64 p) {\n.reg .b64 %d<4>; ld.param.u64 %d1, [p];\n"
    "{ .param .b64 n; .param .b64 r; st.param.b64 [n], 64; call.uni (r), malloc, (n); ld.param.b64 %d2, [r]; }\n"
    "st.global.u64 [%d1], %d2; ret;\n}\n"
    ".visible .entry give(.param .u8 a, .param .u16 b, .param .align 4 .b8 c[12], .param .u64 d) {\n.reg .b32 %r<9>; .reg .b64 "
    "%d;\n"
    "ld.param.u64 %d, [d]; ld.param.u8 %r1, [a]; ld.param.u16 %r2, [b]; ld.param.u32 %r3, [c]; ld.param.u32 %r4, [c+8];\n"
    "st.global.u32 [%d], %r1; st.global.u32 [%d+4], %r2; st.global.u32 [%d+8], %r3; st.global.u32 [%d+12], %r4; ret;\n}\n";

static void small(void) {}
static void big(void) {}
static void bound(void) {}
static void more(void) {}
static void line(void) {}
static void plane(void) {}
static void takes(void) {}
static void give(void) {}
static void unknown_in_the_module(void) {}

static void **register_image(const void *data) {
    static FatbinWrapper wrappers[8];
    static int count;
    wrappers[count] = (FatbinWrapper){.magic = FATBIN_WRAPPER_MAGIC, .version = 1, .data = data};
    return __cudaRegisterFatBinary(&wrappers[count++]);
}

static void register_kernel(void **handle, void (*stub)(void), const char *name) {
    __cudaRegisterFunction(handle, (const char *)stub, NULL, name, -1, NULL, NULL, NULL, NULL, NULL);
}

static void module_register(void) {
    void **handle = register_image(module_ptx);
    register_kernel(handle, small, "small");
    register_kernel(handle, big, "big");
    register_kernel(handle, bound, "bound");
    register_kernel(handle, more, "more");
    register_kernel(handle, line, "line");
    register_kernel(handle, plane, "plane");
    register_kernel(handle, takes, "takes");
    register_kernel(handle, give, "give");
    register_kernel(handle, unknown_in_the_module, "unknown");
    __cudaRegisterFatBinaryEnd(handle);
}

/* --- attributes --- */

START_TEST(attributes_are_those_of_the_kernel)
{
    static const struct {
        void (*stub)(void);
        size_t fixed, local;
        int threads;
    } rows[] = {{small, 0, 0, 1024}, {big, 1000, 48, 32}, {bound, 0, 0, 60},
                {more, 0, 0, 1024},  {line, 0, 0, 64},    {plane, 0, 0, 32}};
    struct cudaFuncAttributes attributes;
    module_register();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        FINE(cudaFuncGetAttributes(&attributes, (const void *)rows[i].stub));
        ck_assert_uint_eq(attributes.sharedSizeBytes, rows[i].fixed);
        ck_assert_uint_eq(attributes.localSizeBytes, rows[i].local);
        ck_assert_uint_eq(attributes.constSizeBytes, 104);
        ck_assert_int_eq(attributes.maxThreadsPerBlock, rows[i].threads);
        ck_assert_int_eq(attributes.numRegs, 16); /* the fewest that ptxas gives */
        ck_assert_int_eq(attributes.ptxVersion, 80);
        ck_assert_int_eq(attributes.binaryVersion, 90);
        ck_assert_int_eq(attributes.maxDynamicSharedSizeBytes, 49152 - (int)rows[i].fixed);
        ck_assert_int_eq(attributes.preferredShmemCarveout, cudaSharedmemCarveoutDefault);
    }
    FINE(cudaFuncSetAttribute(small, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
    FINE(cudaFuncSetAttribute(big, cudaFuncAttributePreferredSharedMemoryCarveout, 0));
    FINE(cudaFuncGetAttributes(&attributes, small));
    ck_assert_int_eq(attributes.preferredShmemCarveout, 100);
    FINE(cudaFuncGetAttributes(&attributes, big));
    ck_assert_int_eq(attributes.preferredShmemCarveout, 0);
    FINE(cudaFuncSetAttribute(small, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutDefault));
    GIVES(cudaErrorInvalidValue, cudaFuncSetAttribute(small, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
    GIVES(cudaErrorInvalidValue, cudaFuncSetAttribute(small, cudaFuncAttributePreferredSharedMemoryCarveout, -2));
    GIVES(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&attributes, unknown_in_the_module));
    FINE(cudaFuncSetCacheConfig(small, cudaFuncCachePreferEqual));
    GIVES(cudaErrorInvalidValue, cudaFuncSetCacheConfig(small, (enum cudaFuncCache)(cudaFuncCachePreferEqual + 1)));
    FINE(cudaFuncSetSharedMemConfig(small, cudaSharedMemBankSizeEightByte));
    GIVES(cudaErrorInvalidValue,
          cudaFuncSetSharedMemConfig(small, (enum cudaSharedMemConfig)(cudaSharedMemBankSizeEightByte + 1)));
    GIVES(cudaErrorInvalidValue, cudaFuncSetAttribute(small, cudaFuncAttributeClusterDimMustBeSet, 1)); /* as an H200 has it */
    GIVES(cudaErrorInvalidValue, cudaFuncSetAttribute(small, cudaFuncAttributeClusterSchedulingPolicyPreference, 3));
    FINE(cudaFuncSetAttribute(small, cudaFuncAttributeClusterSchedulingPolicyPreference, 1));
    FINE(cudaFuncSetAttribute(small, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    FINE(cudaFuncGetAttributes(&attributes, small));
    ck_assert_int_eq(attributes.nonPortableClusterSizeAllowed, 1);
    ck_assert_int_eq(attributes.clusterSchedulingPolicyPreference, 1);
    ck_assert_int_eq(attributes.requiredClusterWidth, 0);
    FINE(cudaFuncSetAttribute(small, cudaFuncAttributeRequiredClusterWidth,
                              2)); /* 1 is no multiple of it: this launch is refused */
    FINE(cudaFuncGetAttributes(&attributes, small));
    ck_assert_int_eq(attributes.requiredClusterWidth, 2);
    GIVES(cudaErrorInvalidClusterSize, cudaLaunchKernel(small, (dim3){1, 1, 1}, (dim3){32, 1, 1}, NULL, 0, NULL));
    FINE(cudaLaunchKernel(small, (dim3){2, 1, 1}, (dim3){32, 1, 1}, NULL, 0, NULL));
    FINE(cudaFuncSetAttribute(small, cudaFuncAttributeRequiredClusterWidth, 0));
    FINE(cudaLaunchKernel(small, (dim3){1, 1, 1}, (dim3){32, 1, 1}, NULL, 0, NULL));
}
END_TEST

static cudaError_t launch_of(void (*stub)(void), dim3 block, size_t shared_bytes) {
    return cudaLaunchKernel((const void *)stub, (dim3){1, 1, 1}, block, NULL, shared_bytes, NULL);
}

/* A block may have 48 KiB, with leave 227 KiB, static and dynamic together. */
START_TEST(static_and_dynamic_shared_memory_are_one)
{
    const dim3 block = {8, 4, 1};
    struct cudaFuncAttributes attributes;
    int blocks;
    module_register();
    FINE(launch_of(big, block, 48152));
    FILE *heard = listen();
    GIVES(cudaErrorInvalidValue, launch_of(big, block, 48153));
    said(heard, "warpscope: launch of big refused: 48153 bytes of dynamic and 1000 of static shared memory, of at most 49152\n"
                "  hint: cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 48153) first\n");
    heard = listen();
    GIVES(cudaErrorInvalidValue, launch_of(big, block, 231448)); /* with 1000 all of 227 KiB */
    said(heard, "warpscope: launch of big refused: 231448 bytes of dynamic and 1000 of static shared memory, of at most 49152\n"
                "  hint:");
    GIVES(cudaErrorInvalidValue, cudaFuncSetAttribute(big, cudaFuncAttributeMaxDynamicSharedMemorySize, 231449));
    FINE(cudaFuncSetAttribute(big, cudaFuncAttributeMaxDynamicSharedMemorySize, 231448));
    FINE(cudaFuncGetAttributes(&attributes, big));
    ck_assert_int_eq(attributes.maxDynamicSharedSizeBytes, 231448);
    FINE(launch_of(big, block, 231448));
    GIVES(cudaErrorInvalidValue, launch_of(big, block, 231449));
    GIVES(cudaErrorInvalidValue, launch_of(big, block, SIZE_MAX)); /* the sum with 1000 wraps */
    /* Leave for less than 48 KiB is leave for no more, but occupancy is of 48 KiB, as an H200 has it. */
    size_t available;
    FINE(launch_of(small, block, 49152));
    for (int bytes = 0; bytes <= 1024; bytes += 1024) {
        FINE(cudaFuncSetAttribute(small, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
        FINE(cudaFuncGetAttributes(&attributes, small));
        ck_assert_int_eq(attributes.maxDynamicSharedSizeBytes, bytes);
        FINE(launch_of(small, block, (size_t)bytes));
        GIVES(cudaErrorInvalidValue, launch_of(small, block, (size_t)bytes + 4));
        FINE(cudaOccupancyAvailableDynamicSMemPerBlock(&available, small, 2, 32));
        ck_assert_uint_eq(available, (size_t)bytes);
        FINE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, small, 32, 49152));
        ck_assert_int_eq(blocks, 4);
        FINE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, small, 32, 49153));
        ck_assert_int_eq(blocks, 0);
    }
    FINE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, big, 32, 231448));
    ck_assert_int_eq(blocks, 1);
    FINE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, big, 32, 231449));
    ck_assert_int_eq(blocks, 0);
    FINE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, big, 32, 7000)); /* 8064 + 1024: 233,472 / 9088 */
    ck_assert_int_eq(blocks, 25);
    FINE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, big, 32, 0)); /* 1024 + 1024 */
    ck_assert_int_eq(blocks, 32);
    FINE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, big, 33, 0));
    ck_assert_int_eq(blocks, 32); /* whatever its bounds: tests/calls */
    FINE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bound, 60, 0));
    ck_assert_int_eq(blocks, 32);
    FINE(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, bound, 61, 0, cudaOccupancyDisableCachingOverride));
    ck_assert_int_eq(blocks, 32);
    GIVES(cudaErrorInvalidValue, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, small, -1, 0));
    FINE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, small, 1, 0));
    ck_assert_int_eq(blocks, 32);
}
END_TEST

/* --- launches --- */

START_TEST(arguments_have_the_sizes_of_the_parameters)
{
    unsigned char a = 0xa1;
    unsigned short b = 0xb1b2;
    unsigned c[3] = {3, 33, 333}, back[4];
    module_register();
    void *p = device_memory(16), *arguments[] = {&a, &b, c, &p};
    FINE(launch_in(NULL, give, 1, 1, arguments));
    FINE(cudaMemcpy(back, p, 16, cudaMemcpyDeviceToHost));
    ck_assert(back[0] == 0xa1 && back[1] == 0xb1b2 && back[2] == 3 && back[3] == 333);
}
END_TEST

START_TEST(attributes_of_launches_that_are_hints_change_nothing)
{
    static const struct {
        cudaLaunchAttributeID id;
        unsigned value[3];
        cudaError_t error;
    } rows[] = {{cudaLaunchAttributeIgnore, {0}, cudaSuccess},
                {cudaLaunchAttributeAccessPolicyWindow, {0}, cudaSuccess},
                {cudaLaunchAttributeSynchronizationPolicy, {0}, cudaSuccess},
                {cudaLaunchAttributeProgrammaticStreamSerialization, {1}, cudaSuccess},
                {cudaLaunchAttributePriority, {1}, cudaSuccess},
                {cudaLaunchAttributePreferredSharedMemoryCarveout, {1}, cudaSuccess},
                {cudaLaunchAttributeCooperative, {0}, cudaSuccess},
                {cudaLaunchAttributeCooperative, {1}, cudaErrorCooperativeLaunchTooLarge},
                {cudaLaunchAttributeClusterDimension, {0, 0, 0}, cudaSuccess},
                {cudaLaunchAttributeClusterDimension, {1, 1, 1}, cudaSuccess},
                {cudaLaunchAttributeClusterDimension, {5, 0, 1}, cudaErrorInvalidClusterSize}, /* as on an H200 */
                {cudaLaunchAttributeClusterDimension, {2, 1, 1}, cudaErrorInvalidClusterSize},
                {cudaLaunchAttributeClusterDimension, {1, 2, 1}, cudaErrorInvalidClusterSize},
                {cudaLaunchAttributeClusterDimension, {1, 1, 2}, cudaErrorInvalidClusterSize},
                {(cudaLaunchAttributeID)99, {0}, cudaErrorNotSupported}};
    module_register();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        /* 132 SMs hold 32 blocks each: 4224 */
        cudaLaunchAttribute attributes[2] = {{.id = rows[i].id}, {.id = cudaLaunchAttributeIgnore}};
        cudaLaunchConfig_t config = {.gridDim = {4225, 1, 1}, .blockDim = {1, 1, 1}, .attrs = attributes, .numAttrs = 2};
        memcpy(&attributes[0].val, rows[i].value, sizeof rows[i].value);
        GIVES(rows[i].error, cudaLaunchKernelExC(&config, (const void *)small, NULL));
        cudaLaunchAttribute first = attributes[0];
        attributes[0] = attributes[1];
        attributes[1] = first;
        GIVES(rows[i].error, cudaLaunchKernelExC(&config, (const void *)small, NULL));
        config.numAttrs = 1;
        FINE(cudaLaunchKernelExC(&config, (const void *)small, NULL));
    }
}
END_TEST

START_TEST(sixteen_configurations_may_be_nested)
{
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
    for (unsigned i = 1; i <= 16; i++)
        ck_assert_uint_eq(__cudaPushCallConfiguration((dim3){i, 1, 1}, (dim3){1, i, 1}, i, (void *)(uintptr_t)i), 0);
    ck_assert_uint_eq(__cudaPushCallConfiguration((dim3){17, 1, 1}, (dim3){1, 1, 1}, 0, NULL), 1);
    for (unsigned i = 16; i >= 1; i--) {
        FINE(__cudaPopCallConfiguration(&grid, &block, &shared_bytes, &stream));
        ck_assert(grid.x == i && block.y == i && shared_bytes == i && stream == (cudaStream_t)(uintptr_t)i);
    }
    GIVES(cudaErrorMissingConfiguration, __cudaPopCallConfiguration(&grid, &block, &shared_bytes, &stream));
}
END_TEST

START_TEST(a_handle_stands_for_its_kernel)
{
    cudaKernel_t handle, other;
    struct cudaFuncAttributes attributes;
    module_register();
    FINE(__cudaGetKernel(&handle, bound));
    FINE(__cudaGetKernel(&other, small));
    ck_assert_ptr_ne(handle, other);
    FINE(cudaFuncGetAttributes(&attributes, handle));
    ck_assert_int_eq(attributes.maxThreadsPerBlock, 60);
    FINE(__cudaLaunchKernel(handle, (dim3){1, 1, 1}, (dim3){60, 1, 1}, NULL, 0, NULL));
    GIVES(cudaErrorInvalidValue, __cudaLaunchKernel(handle, (dim3){1, 1, 1}, (dim3){61, 1, 1}, NULL, 0, NULL));
}
END_TEST

/* Checks end with the first that they find, here in the first warp: what the other three wrote is known to be written all the same. What
 * is unwritten is read by another kernel than before, since each tells it once. */
START_TEST(what_a_launch_wrote_counts_as_written_whatever_it_read)
{
    void *first = device_memory(512), *unwritten = device_memory(512), *last = device_memory(512), *partly = device_memory(512);
    runtime_register();
    FILE *heard = listen();
    FINE(launch_copy(first, unwritten, 128));
    said(heard, "warpscope: copy, grid (1,1,1), block (128,1,1): uninitialized\n");
    FINE(launch_copy(last, unwritten, 128));
    FINE(launch_fill(partly, 1, 32));
    heard = listen();
    FINE(launch_raise(first, 128));
    FINE(launch_raise(last, 128));
    FINE(launch_raise(partly, 32));
    FINE(cudaDeviceSynchronize());
    said(heard, "");
    heard = listen();
    FINE(launch_raise(partly, 33));
    said(heard, "warpscope: raise, grid (1,1,1), block (128,1,1): uninitialized\n");
}
END_TEST

/* The device's first allocation is no exception: no variable lies before it. The same kernel of two files has findings twice. */
START_TEST(so_does_the_first_allocation)
{
    static const char text[] =
        ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry more(.param .u64 p) {\n" REGISTERS INDEX
        "ld.param.u64 %rd1, [p]; add.s64 %rd2, %rd1, %rd9; ld.global.u32 %r7, [%rd2]; add.u32 %r7, %r7, 1;\n"
        "st.global.u32 [%rd2], %r7; ret;\n}\n";
    void *p = device_memory(512), *arguments[] = {&p};
    register_kernel(register_image(text), more, "more");
    register_kernel(register_image(text), line, "more");
    FILE *heard = listen();
    FINE(launch_in(NULL, more, 1, 128, arguments));
    said(heard, "warpscope: more, grid (1,1,1), block (128,1,1): uninitialized\n");
    heard = listen();
    FINE(launch_in(NULL, line, 1, 128, arguments));
    said(heard, "");
}
END_TEST

/* In a process of its own, which does not end as a program does: that would not end well. */
static void apart(void (*function)(void)) {
    int status;
    pid_t child = fork();
    if (child == 0) {
        function();
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}

static void write_a_part(void) {
    void *p = device_memory(512), *unwritten = device_memory(512);
    runtime_register();
    FILE *heard = listen();
    FINE(launch_copy(p, unwritten, 32));
    said(heard, "warpscope: copy, grid (1,1,1), block (128,1,1): uninitialized\n");
    heard = listen();
    FINE(launch_raise(p, 32));
    said(heard, "");
    heard = listen();
    FINE(launch_raise(p, 33));
    said(heard, "warpscope: raise, grid (1,1,1), block (128,1,1): uninitialized\n");
}

START_TEST(checks_that_go_on_know_what_a_launch_did_not_write)
{
    setenv("WARPSCOPE_ON_FAULT", "report", 1);
    apart(write_a_part);
}
END_TEST

/* The heap is made for the first kernel that may take from it; from then on its size is fixed, until the device is reset. */
START_TEST(kernels_take_memory_from_a_heap)
{
    struct cudaPointerAttributes attributes;
    uint64_t allocation;
    size_t before, after, total;
    module_register();
    FINE(cudaMemGetInfo(&before, &total));
    for (int i = 0; i < 3; i++) {
        FINE(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 4 << 20));
        void *p = device_memory(8), *arguments[] = {&p};
        FINE(launch_in(NULL, takes, 1, 1, arguments));
        FINE(cudaMemcpy(&allocation, p, 8, cudaMemcpyDeviceToHost));
        ck_assert_int_ne(allocation, 0);
        GIVES(cudaErrorInvalidValue,
              cudaMemcpy(p, (void *)allocation, 8, cudaMemcpyDeviceToDevice)); /* it is not the host's, either way */
        GIVES(cudaErrorInvalidValue, cudaMemcpy((void *)allocation, p, 8, cudaMemcpyDeviceToDevice));
        FINE(cudaMemset((void *)allocation, 0, 8)); /* as an H100 has it */
        GIVES(cudaErrorInvalidValue, cudaDeviceSetLimit(cudaLimitMallocHeapSize, 2 << 20));
        FINE(cudaDeviceSetLimit(cudaLimitStackSize, 2000));
        FINE(cudaPointerGetAttributes(&attributes, (void *)allocation));
        ck_assert_int_eq(attributes.type, cudaMemoryTypeDevice);
        FINE(cudaDeviceReset());
        FINE(cudaMemGetInfo(&after, &total));
        ck_assert_uint_eq(after, before);
        ck_assert_uint_eq(after, total);
        GIVES(cudaErrorInvalidValue, cudaFree(p));
    }
}
END_TEST

/* --- device code that cannot be loaded: said once, returned always --- */

/* A kernel of at most `threads` in the PTX that is for compute capability `arch`. */
typedef struct Entry {
    uint16_t kind, version;
    uint32_t header_bytes;
    uint64_t payload_bytes;
    uint32_t unused[3], arch;
    uint64_t more[4];
    char text[200];
} Entry;

static Entry entry_of(unsigned arch, unsigned threads) {
    Entry entry = {.kind = 1, .header_bytes = 64, .payload_bytes = sizeof entry.text, .arch = arch};
    snprintf(entry.text, sizeof entry.text,
             ".version 8.0\n.target sm_%u\n.address_size 64\n.visible .entry k() .maxntid %u { ret; }\n", arch, threads);
    return entry;
}

static int device_threads; /* of the kernel that this device takes */
static void load_for_the_device(void) {
    struct {
        uint32_t magic;
        uint16_t version, header_bytes;
        uint64_t bytes;
        Entry entries[3];
    } data = {0xba55ed50, 1, 16, sizeof data.entries, {entry_of(80, 32), entry_of(86, 64), entry_of(90, 96)}};
    struct cudaFuncAttributes attributes;
    register_kernel(register_image(&data), small, "k");
    FINE(cudaFuncGetAttributes(&attributes, (const void *)small));
    ck_assert_int_eq(attributes.maxThreadsPerBlock, device_threads);
}

/* 8.0, 8.6 and 9.0; a device of 7.5 has none and takes the oldest. */
START_TEST(the_device_takes_what_was_compiled_for_it)
{
    static const struct {
        const char *device;
        int threads;
    } rows[] = {{"a100", 32}, {"rtx3090", 64}, {"h100", 96}, {"h200", 96}, {"t4", 32}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        setenv("WARPSCOPE_DEVICE", rows[i].device, 1);
        device_threads = rows[i].threads;
        apart(load_for_the_device);
    }
}
END_TEST

static void load_what_cannot_be_loaded(void) {
    static const struct {
        const char *data, *says;
        cudaError_t error;
    } rows[] = {
        {"\x7f"
         "ELF",
         "warpscope: cannot load the program's device code: the program's device code is neither",
         cudaErrorNoKernelImageForDevice},
        {".version 8.0\n.target sm_80\n.entry k(", "warpscope: cannot read the program's device code: ", cudaErrorInvalidPtx}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static char host[2];
        void **handle = register_image(rows[i].data), *address;
        register_kernel(handle, i ? small : big, "k");
        __cudaRegisterVar(handle, &host[i], NULL, "v", 0, 1, 0, 0);
        FILE *heard = listen();
        __cudaRegisterFatBinaryEnd(handle);
        said(heard, ""); /* nothing has been used yet */
        heard = listen();
        GIVES(rows[i].error, launch_of(i ? small : big, (dim3){1, 1, 1}, 0));
        said(heard, rows[i].says);
        heard = listen();
        GIVES(rows[i].error, launch_of(i ? small : big, (dim3){1, 1, 1}, 0));
        GIVES(rows[i].error, cudaGetSymbolAddress(&address, &host[i]));
        ck_assert_int_eq(__cudaInitModule(handle), 0);
        said(heard, "");
    }
    module_register();
    ck_assert_int_eq(__cudaInitModule(register_image(module_ptx)), 1);
}

START_TEST(device_code_that_cannot_be_loaded_is_told_once)
{ apart(load_what_cannot_be_loaded); }
END_TEST

/* clang's host code has the storage of its managed variables, in a section of its own (include/warpscope/qualifiers.h). */
static unsigned held[2] __attribute__((section("warpscope_managed")));

START_TEST(variables_that_the_host_holds_are_there_before_any_call)
{
    static const char text[] =
        ".version 8.0\n.target sm_80\n.address_size 64\n.global .u32 plain = 6;\n.global .attribute(.managed) .u32 first = 7;\n"
        ".global .attribute(.managed) .u32 second = 8;\n.visible .entry k() { ret; }\n";
    static unsigned plain[2];
    void **handle = register_image(text);
    __cudaRegisterVar(handle, (char *)&plain[0], NULL, "before", 0, 4, 0, 0);
    __cudaRegisterVar(handle, (char *)&held[0], NULL, "first", 0, 4, 0, 0);
    __cudaRegisterVar(handle, (char *)&held[1], NULL, "second", 0, 4, 0, 0);
    __cudaRegisterVar(handle, (char *)&plain[1], NULL, "plain", 0, 4, 0, 0);
    ck_assert_uint_eq(held[0], 0);
    __cudaRegisterFatBinaryEnd(handle);
    ck_assert_uint_eq(held[0], 7);
    ck_assert_uint_eq(held[1], 8);
    ck_assert(plain[0] == 0 && plain[1] == 0); /* the device's alone */
}
END_TEST

/* Whether a variable is in the section shows by what is said of device code that cannot be read. */
static void register_about_the_section(void) {
    static const struct {
        int offset;
        bool inside;
    } rows[] = {{-1, false}, {0, true}, {sizeof held - 1, true}, {sizeof held, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        void **handle = register_image(".version 8.0\n.target sm_80\n.entry k(");
        __cudaRegisterVar(handle, (char *)((uintptr_t)held + (uintptr_t)rows[i].offset), NULL, "v", 0, 1, 0, 0);
        FILE *heard = listen();
        __cudaRegisterFatBinaryEnd(handle);
        said(heard, rows[i].inside ? "warpscope: cannot read the program's device code: " : "");
    }
}

START_TEST(the_section_of_what_the_host_holds_has_two_ends)
{ apart(register_about_the_section); }
END_TEST

/* --- names, which come from the source --- */

#define BODY                                                                                                            \
    "{\n.reg .b32 %r<4>; .reg .b64 %d<4>;\n.loc 1 3 1\nld.param.u64 %d1, [p]; ld.param.u64 %d2, [q]; mov.u32 %r1, 1;\n" \
    "st.global.u32 [%d2+400], %r1; ret;\n}\n"

typedef struct Named {
    const char *source, *kernel, *told;
    bool same; /* both parameters point to that buffer */
} Named;

static const Named *named;

/* The kernel, from a source of this text, writes past the end of its second parameter's buffer. */
static void launch_named(void) {
    char path[SUITE_PATH], ptx[2000], told[3000] = "";
    suite_file(path, "named.cu");
    FILE *file = fopen(path, "w");
    ck_assert(file && fputs(named->source, file) >= 0 && fclose(file) == 0);
    snprintf(
        ptx, sizeof ptx,
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry %s(.param .u64 p, .param .u64 q) %s.file 1 \"%s\"\n",
        named->kernel, BODY, path);
    register_kernel(register_image(ptx), small, named->kernel);
    void *p = device_memory(4), *q = device_memory(400), *arguments[] = {named->same ? &q : &p, &q};
    FILE *heard = listen();
    launch_in(NULL, small, 1, 1, arguments);
    rewind(heard);
    told[fread(told, 1, sizeof told - 1, heard)] = 0;
    ck_assert_msg(strstr(told, named->told), "%s\n  does not have\n%s", told, named->told);
}

START_TEST(the_source_says_what_buffers_are_called_and_what_was_left_out)
{
    static const Named rows[] = {
        {"__global__ void set(int *from, int *to) {}\n", "_Z3setPiS_", "'to'+400, just past its end", false},
        {"__global__ void set(int *from, int *to) {}\n", "_Z3setPiS_", "'from'+400, just past its end", true},
        {"namespace space {\ntemplate <typename T> __global__ void set(T *from, T *to) {}\n}\n", "_ZN5space3setIiEEvPT_S2_",
         "'to'+400, just past its end", false},
        {"__global__ void other(int *from, int *to) {}\n", "_Z3setPiS_", "2'+400, just past its end", false},
        {"__global__ void set(int *from) {}\n", "_Z3setPiS_", "2'+400, just past its end", false},
        {"// x\n#if __CUDA_ARCH__ >= 900\n#endif\n__global__ void set(int *from, int *to) {}\n", "_Z3setPiS_",
         ".cu:2: left out, since it is compiled for sm_80\n  hint: -arch=sm_90 compiles what needs it\n", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        named = &rows[i];
        apart(launch_named);
    }
}
END_TEST

/* --- the default stream as each thread's own: unlike the legacy one it can be captured --- */

cudaError_t cudaStreamBeginCapture_ptsz(cudaStream_t stream, enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture_ptsz(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaMemsetAsync_ptsz(void *p, int value, size_t bytes, cudaStream_t stream);
unsigned __cudaPushCallConfiguration_ptsz(dim3 grid, dim3 block, size_t shared_bytes, void *stream);

START_TEST(stream_0_is_the_threads_own_in_calls_that_say_so)
{
    cudaGraph_t graph;
    size_t nodes;
    void *p = device_memory(4);
    FINE(cudaStreamBeginCapture_ptsz(NULL, cudaStreamCaptureModeRelaxed));
    GIVES(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(NULL, cudaStreamCaptureModeRelaxed)); /* not in this one */
    FINE(cudaMemsetAsync_ptsz(p, 1, 4, NULL));
    FINE(cudaStreamEndCapture_ptsz(NULL, &graph));
    FINE(cudaMemsetAsync(p, 2, 4, NULL)); /* the legacy stream: what was captured has not run */
    FINE(cudaGraphGetNodes(graph, NULL, &nodes));
    ck_assert_uint_eq(nodes, 1);
    ck_assert_uint_eq(first_of(p), 0x02020202);
}
END_TEST

START_TEST(so_it_is_in_their_launches)
{
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream, made;
    FINE(cudaStreamCreate(&made));
    ck_assert_uint_eq(__cudaPushCallConfiguration_ptsz((dim3){2, 3, 4}, (dim3){5, 6, 7}, 8, NULL), 0);
    ck_assert_uint_eq(__cudaPushCallConfiguration_ptsz((dim3){1, 1, 1}, (dim3){1, 1, 1}, 9, made), 0);
    FINE(__cudaPopCallConfiguration(&grid, &block, &shared_bytes, &stream));
    ck_assert(stream == made && shared_bytes == 9);
    FINE(__cudaPopCallConfiguration(&grid, &block, &shared_bytes, &stream));
    ck_assert_ptr_eq(stream, cudaStreamPerThread);
    ck_assert(grid.x == 2 && grid.y == 3 && grid.z == 4 && block.x == 5 && block.y == 6 && block.z == 7 && shared_bytes == 8);
}
END_TEST

RUNTIME_MAIN("runtime launch", attributes_are_those_of_the_kernel, static_and_dynamic_shared_memory_are_one,
             arguments_have_the_sizes_of_the_parameters, attributes_of_launches_that_are_hints_change_nothing,
             sixteen_configurations_may_be_nested, a_handle_stands_for_its_kernel, kernels_take_memory_from_a_heap,
             what_a_launch_wrote_counts_as_written_whatever_it_read, so_does_the_first_allocation,
             checks_that_go_on_know_what_a_launch_did_not_write, device_code_that_cannot_be_loaded_is_told_once,
             variables_that_the_host_holds_are_there_before_any_call, the_section_of_what_the_host_holds_has_two_ends,
             the_device_takes_what_was_compiled_for_it, the_source_says_what_buffers_are_called_and_what_was_left_out,
             stream_0_is_the_threads_own_in_calls_that_say_so, so_it_is_in_their_launches)
