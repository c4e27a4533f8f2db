/* The driver API's modules, linker and questions, as a program calls them: images that are not what they should be, logs, and what is not there. */
#include <pthread.h>

#include "include/cuda.h"
#include "runtime_test.h"

#define DONE(call) ck_assert_int_eq((call), CUDA_SUCCESS)
#define FAILS(error, call) ck_assert_int_eq((call), (error))

#define HEAD ".version 8.0\n.target sm_75\n.address_size 64\n"
static char caller[] = HEAD ".extern .func called;\n.visible .entry calls() {\n call called;\n ret;\n}\n";
static char called[] = HEAD ".visible .func called {\n ret;\n}\n";

static void start(void) {
    CUcontext context;
    DONE(cuInit(0));
    DONE(cuDevicePrimaryCtxRetain(&context, 0));
    DONE(cuCtxSetCurrent(context));
}

static CUresult add(CUlinkState state, char *text) {
    return cuLinkAddData(state, CU_JIT_INPUT_PTX, text, strlen(text) + 1, "added", 0, NULL, NULL);
}

/* What both make, until the state is destroyed. */
static void *linked(CUlinkState *state, size_t *bytes) {
    void *image;
    DONE(cuLinkCreate(0, NULL, NULL, state));
    DONE(add(*state, caller));
    DONE(add(*state, called));
    DONE(cuLinkComplete(*state, &image, bytes));
    return image;
}

/* Through a file, which is no longer there when it comes back. */
static CUresult load_bytes(CUmodule *module, const void *bytes, size_t count) {
    char path[] = "/tmp/warpscope-test-XXXXXX";
    const int file = mkstemp(path);
    ck_assert(file >= 0 && write(file, bytes, count) == (ssize_t)count && close(file) == 0);
    const CUresult result = cuModuleLoad(module, path);
    unlink(path);
    return result;
}

START_TEST(what_was_linked_may_be_kept_in_a_file)
{
    CUlinkState state;
    CUmodule module;
    CUfunction function;
    size_t bytes;
    start();
    void *image = linked(&state, &bytes);
    DONE(load_bytes(&module, image, bytes));
    DONE(cuModuleGetFunction(&function, module, "calls"));
    DONE(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    DONE(cuCtxSynchronize());
    DONE(cuLinkDestroy(state));
}
END_TEST

/* Each of its bytes may be missing, and each of its numbers, which are its first 24 bytes and those before each text, anything. */
START_TEST(no_file_is_believed_what_it_says_of_what_was_linked)
{
    CUlinkState state;
    CUmodule module;
    size_t bytes;
    start();
    const void *image = linked(&state, &bytes);
    char *copy = malloc(bytes);
    ck_assert_ptr_nonnull(copy);
    for (size_t count = 8; count < bytes; count++) FAILS(CUDA_ERROR_INVALID_IMAGE, load_bytes(&module, image, count));
    static const size_t numbers[] = {0, 1, 5, 1 << 20, SIZE_MAX / 2, SIZE_MAX - 7, SIZE_MAX};
    const size_t places[] = {8, 16, 24, 24 + 8 + strlen(caller) + 1};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
            memcpy(copy, image, bytes);
            memcpy(copy + places[i], &numbers[n], sizeof *numbers);
            if (i == 0 && numbers[n] == 1) continue; /* the first text alone */
            FAILS(CUDA_ERROR_INVALID_IMAGE, load_bytes(&module, copy, bytes));
        }
    free(copy);
    DONE(cuLinkDestroy(state));
}
END_TEST

/* A text in a block of its own size: a sanitizer sees what is read behind it. */
START_TEST(a_text_may_be_shorter_than_what_others_begin_with)
{
    static const char *const texts[] = {"", "x", "wslink", "wslink\n", "\177E"};
    CUmodule module;
    start();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *own = malloc(strlen(texts[i]) + 1);
        strcpy(own, texts[i]);
        const CUresult result = cuModuleLoadData(&module, own);
        free(own);
        FAILS(CUDA_ERROR_INVALID_IMAGE, result);
    }
}
END_TEST

/* nvrtcGetCUBIN and nvcc -cubin give PTX, or a fat binary of it, where NVIDIA's give machine code: it is linked as that. */
START_TEST(what_stands_for_machine_code_is_linked)
{
    CUlinkState state;
    CUmodule module;
    CUfunction function;
    void *image;
    size_t bytes;
    start();
    DONE(cuLinkCreate(0, NULL, NULL, &state));
    DONE(cuLinkAddData(state, CU_JIT_INPUT_CUBIN, called, sizeof called, "called", 0, NULL, NULL));
    DONE(cuLinkAddData(state, CU_JIT_INPUT_CUBIN, caller, sizeof caller, "caller", 0, NULL, NULL));
    FAILS(CUDA_ERROR_INVALID_IMAGE, cuLinkAddData(state, CU_JIT_INPUT_CUBIN, "nonsense", 9, "none", 0, NULL, NULL));
    DONE(cuLinkComplete(state, &image, &bytes));
    DONE(cuModuleLoadData(&module, image));
    DONE(cuModuleGetFunction(&function, module, "calls"));
    DONE(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    DONE(cuCtxSynchronize());
    DONE(cuLinkDestroy(state));
}
END_TEST

/* An H200 completes a link of nothing. */
START_TEST(a_link_of_nothing_is_a_module_without_anything)
{
    CUlinkState state;
    CUmodule module;
    CUfunction function;
    void *image;
    size_t bytes;
    unsigned count = 9;
    start();
    DONE(cuLinkCreate(0, NULL, NULL, &state));
    DONE(cuLinkComplete(state, &image, &bytes));
    DONE(cuModuleLoadData(&module, image));
    DONE(cuLinkDestroy(state));
    DONE(cuModuleGetFunctionCount(&count, module));
    ck_assert_uint_eq(count, 0);
    FAILS(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&function, module, "calls"));
}
END_TEST

enum { ROOM = 300 };
static CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_INFO_LOG_BUFFER,
                                 CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};

/* Driver API, cuLinkCreate and CUjit_option: a log's size says then how much of it was written. */
START_TEST(a_linker_says_in_its_logs_what_is_wrong)
{
    char error[ROOM] = "?", info[ROOM] = "?", own[ROOM] = "?";
    void *values[] = {error, (void *)ROOM, info, (void *)ROOM}, *of_input[] = {own, (void *)ROOM};
    CUlinkState state;
    void *image;
    size_t bytes;
    start();
    DONE(cuLinkCreate(4, options, values, &state));
    DONE(add(state, caller));
    ck_assert_str_eq(error, "");
    ck_assert_str_eq(info, "");
    FAILS(CUDA_ERROR_INVALID_IMAGE, cuLinkAddData(state, CU_JIT_INPUT_PTX, "nonsense", 9, "bad.ptx", 2, options, of_input));
    ck_assert_ptr_nonnull(strstr(own, "neither a fat binary nor PTX text"));
    ck_assert_uint_eq((size_t)of_input[1], strlen(own) + 1);
    ck_assert_str_eq(error, own);
    FAILS(CUDA_ERROR_INVALID_SOURCE, cuLinkComplete(state, &image, &bytes));
    ck_assert_ptr_nonnull(strstr(error, "'called' is called, and in nothing that was added"));
    ck_assert_ptr_eq(strstr(error, own), error); /* what was there before stays */
    ck_assert_uint_eq((size_t)values[1], strlen(error) + 1);
    ck_assert_uint_eq((size_t)values[3], 1);
    DONE(cuLinkDestroy(state));
}
END_TEST

START_TEST(a_linkers_log_has_no_more_than_its_room)
{
    char error[ROOM];
    void *values[] = {error, (void *)8};
    CUlinkState state;
    memset(error, '?', sizeof error);
    start();
    DONE(cuLinkCreate(2, options, values, &state));
    for (int i = 0; i < 2; i++) {
        FAILS(CUDA_ERROR_INVALID_IMAGE, add(state, "nonsense"));
        ck_assert_uint_eq(strlen(error), 7);
        ck_assert_uint_eq(error[8], '?');
        ck_assert_uint_eq((size_t)values[1], 8);
    }
    DONE(cuLinkDestroy(state));
}
END_TEST

/* Driver API, cuPointerGetAttributes: what cannot be said of an address is 0, all of it; the types are those of cuPointerGetAttribute's documents. */
START_TEST(attributes_of_no_pointer_are_0_to_their_last_byte)
{
    static const struct {
        CUpointer_attribute attribute;
        size_t bytes;
    } rows[] = {{CU_POINTER_ATTRIBUTE_CONTEXT, sizeof(CUcontext)},
                {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, sizeof(unsigned)},
                {CU_POINTER_ATTRIBUTE_DEVICE_POINTER, sizeof(CUdeviceptr)},
                {CU_POINTER_ATTRIBUTE_HOST_POINTER, sizeof(void *)},
                {CU_POINTER_ATTRIBUTE_BUFFER_ID, sizeof(unsigned long long)},
                {CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, sizeof(CUdeviceptr)},
                {CU_POINTER_ATTRIBUTE_RANGE_SIZE, sizeof(size_t)},
                {CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES, sizeof(unsigned long long)},
                {CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, sizeof(unsigned)},
                {CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, sizeof(CUmemoryPool)},
                {CU_POINTER_ATTRIBUTE_MAPPING_SIZE, sizeof(size_t)},
                {CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR, sizeof(CUdeviceptr)},
                {CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID, sizeof(unsigned long long)}};
    int unknown;
    start();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned char value[16];
        void *values[] = {value};
        CUpointer_attribute attribute = rows[i].attribute;
        memset(value, 0xa5, sizeof value);
        DONE(cuPointerGetAttributes(1, &attribute, values, (CUdeviceptr)&unknown));
        for (size_t b = 0; b < sizeof value; b++)
            ck_assert_msg(value[b] == (b < rows[i].bytes ? 0 : 0xa5), "byte %zu of attribute %d: %x", b, (int)attribute,
                          value[b]);
    }
}
END_TEST

START_TEST(no_block_is_best_where_none_has_room)
{
    CUmodule module;
    CUfunction function;
    int blocks = 77, threads = 77;
    start();
    DONE(cuModuleLoadData(&module, HEAD ".visible .entry none() {\n ret;\n}\n"));
    DONE(cuModuleGetFunction(&function, module, "none"));
    DONE(cuOccupancyMaxPotentialBlockSize(&blocks, &threads, function, NULL, 1 << 20, 0));
    ck_assert_int_eq(blocks, 0);
    ck_assert_int_eq(threads, 0);
}
END_TEST

/* CUDA Driver API, "Context management" and "Primary context management"; an H200 gives the same. */
START_TEST(calls_of_the_runtime_make_the_primary_context_current)
{
    CUcontext primary, other, current;
    CUdeviceptr p;
    start();
    DONE(cuCtxPopCurrent(&primary));
    DONE(cuCtxCreate(&other, NULL, 0, 0));
    ck_assert_int_eq(cudaFree(NULL), cudaSuccess); /* there is one */
    DONE(cuCtxPopCurrent(&current));
    ck_assert_ptr_eq(current, other);
    for (int i = 0; i < 2; i++) {
        DONE(cuCtxGetCurrent(&current));
        ck_assert_ptr_null(current);
        FAILS(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&p, 4));
        FAILS(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent(&current));
        ck_assert_int_eq(cudaFree(NULL), cudaSuccess);
        DONE(cuCtxGetCurrent(&current));
        ck_assert_ptr_eq(current, primary);
        DONE(cuCtxSetCurrent(NULL));
    }
    ck_assert_int_eq(cudaFree(NULL), cudaSuccess);
    DONE(cuCtxPushCurrent(other)); /* on top of the primary one */
    ck_assert_int_eq(cudaSetDevice(0), cudaSuccess);
    DONE(cuCtxPopCurrent(&current));
    ck_assert_ptr_eq(current, primary); /* in the other one's place */
    DONE(cuCtxPushCurrent(other));
    DONE(cuCtxDestroy(other));
    DONE(cuCtxPopCurrent(&current));
    ck_assert_ptr_eq(current, primary);
}
END_TEST

enum { RETAINERS = 4, RETAINED = 1000000 };

static void *retain(void *all_there) {
    CUcontext context;
    pthread_barrier_wait(all_there);
    for (int i = 0; i < RETAINED; i++) cuDevicePrimaryCtxRetain(&context, 0);
    return NULL;
}

START_TEST(threads_retain_the_primary_context_together)
{
    pthread_t threads[RETAINERS];
    pthread_barrier_t all_there;
    int released = 0;
    DONE(cuInit(0));
    pthread_barrier_init(&all_there, NULL, RETAINERS);
    for (int i = 0; i < RETAINERS; i++) ck_assert_int_eq(pthread_create(&threads[i], NULL, retain, &all_there), 0);
    for (int i = 0; i < RETAINERS; i++) pthread_join(threads[i], NULL);
    while (!cuDevicePrimaryCtxRelease(0)) released++;
    ck_assert_int_eq(released, RETAINERS * RETAINED);
}
END_TEST

RUNTIME_MAIN("runtime driver", calls_of_the_runtime_make_the_primary_context_current,
             threads_retain_the_primary_context_together, what_stands_for_machine_code_is_linked,
             attributes_of_no_pointer_are_0_to_their_last_byte, no_block_is_best_where_none_has_room,
             what_was_linked_may_be_kept_in_a_file, no_file_is_believed_what_it_says_of_what_was_linked,
             a_text_may_be_shorter_than_what_others_begin_with, a_link_of_nothing_is_a_module_without_anything,
             a_linker_says_in_its_logs_what_is_wrong, a_linkers_log_has_no_more_than_its_room)
