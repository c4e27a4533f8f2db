/* The runtime's memory: what is allocated, copied, filled and freed; test_runtime_refusals.c has what each call refuses in any state. */
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "runtime_test.h"

/* --- device memory --- */

START_TEST(allocations_are_counted_and_aligned)
{
    size_t before, after, total, pitch;
    void *p, *q;
    FINE(cudaMemGetInfo(&before, &total));
    ck_assert_uint_eq(total, 141000000000u); /* 141 GB of an H200 */
    ck_assert_uint_eq(before, total);
    p = device_memory(1000);
    ck_assert_uint_eq((uintptr_t)p % 256, 0);
    FINE(cudaMemGetInfo(&after, &total));
    ck_assert_uint_eq(before - after, 1000);
    FINE(cudaMallocPitch(&q, &pitch, 100, 3));
    ck_assert_uint_eq(pitch, 512); /* the least multiple of it */
    FINE(cudaMemGetInfo(&after, &total));
    ck_assert_uint_eq(before - after, 1000 + 3 * pitch);
    FINE(cudaFree(p));
    FINE(cudaFree(q));
    FINE(cudaFree(NULL));
    FINE(cudaMemGetInfo(&after, &total));
    ck_assert_uint_eq(after, before);
    FINE(cudaMallocPitch(&q, &pitch, 512, 1));
    ck_assert_uint_eq(pitch, 512);
    FINE(cudaMallocPitch(&q, &pitch, 513, 1));
    ck_assert_uint_eq(pitch, 1024);
    FINE(cudaMalloc(&p, 0));
    ck_assert_ptr_null(p);
}
END_TEST

START_TEST(what_cannot_be_allocated_is_refused)
{
    void *p = &p;
    size_t pitch;
    struct cudaPitchedPtr box;
    GIVES(cudaErrorMemoryAllocation, cudaMalloc(&p, (size_t)1 << 40));
    ck_assert_ptr_null(p);
    GIVES(cudaErrorMemoryAllocation, cudaMalloc(&p, SIZE_MAX));
    GIVES(cudaErrorInvalidValue, cudaMallocPitch(&p, &pitch, SIZE_MAX, 1));
    GIVES(cudaErrorMemoryAllocation, cudaMallocPitch(&p, &pitch, SIZE_MAX - 512, 1)); /* rounded up it is a size still */
    GIVES(cudaErrorMemoryAllocation, cudaMalloc3D(&box, make_cudaExtent(SIZE_MAX - 512, 1, 1)));
    GIVES(cudaErrorInvalidValue, cudaMalloc3D(&box, make_cudaExtent(SIZE_MAX, 1, 1)));
    GIVES(cudaErrorInvalidValue, cudaMallocPitch(&p, &pitch, 4, SIZE_MAX));
    GIVES(cudaErrorInvalidValue, cudaMalloc3D(&box, make_cudaExtent(4, SIZE_MAX, 2)));
}
END_TEST

START_TEST(only_what_was_allocated_is_freed_and_only_once)
{
    int host;
    void *p = device_memory(64), *pinned;
    FINE(cudaMallocHost(&pinned, 64));
    GIVES(cudaErrorInvalidValue, cudaFree(pinned));
    GIVES(cudaErrorInvalidValue, cudaFreeHost(p));
    FINE(cudaFree(p));
    GIVES(cudaErrorInvalidValue, cudaFree(p));
    FINE(cudaFreeHost(pinned));
    GIVES(cudaErrorInvalidValue, cudaFreeHost(pinned));
    FINE(cudaFreeHost(NULL));
    FINE(cudaMallocAsync(&p, 64, NULL));
    FINE(cudaFreeAsync(p, NULL));
    GIVES(cudaErrorInvalidValue, cudaFreeAsync(p, NULL));
    FINE(cudaFreeAsync(NULL, NULL));
    GIVES(cudaErrorInvalidResourceHandle, cudaFreeAsync(NULL, (cudaStream_t)&host));
}
END_TEST

/* Allocations are named by the calls that made them and counted together. */
START_TEST(what_is_not_freed_is_named)
{
    static char own[64];
    char *host = own, *p = device_memory(64), *pinned, *mapped, *managed, *again;
    FINE(cudaMallocHost((void **)&pinned, 64));
    FINE(cudaHostAlloc((void **)&mapped, 64, cudaHostAllocMapped));
    FINE(cudaMallocManaged((void **)&managed, 64, cudaMemAttachGlobal));
    FINE(cudaHostRegister(own, 32, 0));
    FINE(cudaMallocAsync((void **)&again, 64, NULL));
    FINE(cudaFree(managed));
    FINE(cudaFreeAsync(again, NULL));
    const struct {
        char *pointer;
        const char *says; /* %s: the pointer */
    } rows[] = {{p + 4, "%s is byte 4 of 'cudaMalloc 1': only its beginning can be freed\n"},
                {managed, "%s has been freed already ('cudaMallocManaged 4')\n"},
                {again, "%s has been freed already ('cudaMallocAsync 6')\n"},
                {pinned, "'cudaMallocHost 2' was not allocated with cudaMalloc: cudaFreeHost frees it\n"},
                {mapped, "'cudaHostAlloc 3' was not allocated with cudaMalloc: cudaFreeHost frees it\n"},
                {host, "'cudaHostRegister 5' was not allocated with cudaMalloc\n"},
                {host + 32, "%s was never allocated with cudaMalloc: it is the host's own memory\n"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int async = 0; async < 2; async++) {
            char pointer[30], says[200], wanted[300];
            snprintf(pointer, sizeof pointer, "0x%llx", (unsigned long long)(uintptr_t)rows[i].pointer);
            snprintf(says, sizeof says, rows[i].says, pointer);
            snprintf(wanted, sizeof wanted, "warpscope: %s: %s", async ? "cudaFreeAsync" : "cudaFree", says);
            FILE *heard = listen();
            GIVES(cudaErrorInvalidValue, async ? cudaFreeAsync(rows[i].pointer, NULL) : cudaFree(rows[i].pointer));
            said(heard, wanted);
        }
}
END_TEST

/* A small device: 3 GiB, to the last byte. */
START_TEST(memory_ends_where_the_devices_does)
{
    size_t left, total;
    void *p, *q;
    setenv("WARPSCOPE_DEVICE", "fermi", 1);
    FINE(cudaMemGetInfo(&left, &total));
    ck_assert_uint_eq(total, UINT64_C(3) << 30);
    FINE(cudaMalloc(&p, total));
    FILE *heard = listen();
    GIVES(cudaErrorMemoryAllocation, cudaMalloc(&q, 1));
    said(heard, "warpscope: cudaMalloc: 1 byte asked for, 0 of the device's 3221225472 left\n");
    FINE(cudaFree(p));
    FINE(cudaMalloc(&p, total - 256));
    GIVES(cudaErrorMemoryAllocation, cudaMalloc(&q, 257));
    FINE(cudaMalloc(&q, 256));
    FINE(cudaMemGetInfo(&left, &total));
    ck_assert_uint_eq(left, 0);
    GIVES(cudaErrorMemoryAllocation, cudaMallocAsync(&q, 1, NULL));
    FINE(cudaMallocManaged(&p, 2 * total, cudaMemAttachGlobal)); /* may be more than the device has */
    FINE(cudaMemGetInfo(&left, &total));
    ck_assert_uint_eq(left, 0);
    GIVES(cudaErrorMemoryAllocation, cudaMalloc(&q, 1));
}
END_TEST

/* --- copies --- */

START_TEST(bytes_go_there_and_back)
{
    unsigned char host[256], back[256] = {0};
    for (int i = 0; i < 256; i++) host[i] = (unsigned char)i;
    void *p = device_memory(256), *q = device_memory(256);
    FINE(cudaMemcpy(p, host, 256, cudaMemcpyHostToDevice));
    FINE(cudaMemcpy(q, p, 256, cudaMemcpyDeviceToDevice));
    FINE(cudaMemcpy((char *)q + 10, host, 20, cudaMemcpyDefault));
    FINE(cudaMemcpy(back, q, 256, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 256; i++) ck_assert_uint_eq(back[i], i >= 10 && i < 30 ? i - 10 : i);
    FINE(cudaMemset((char *)p + 1, 0x1a5, 3)); /* the value's low byte */
    FINE(cudaMemcpyPeer(q, 0, p, 0, 8));
    FINE(cudaMemcpy(back, q, 8, cudaMemcpyDefault));
    ck_assert_mem_eq(back, "\x00\xa5\xa5\xa5\x04\x05\x06\x07", 8);
    FINE(cudaMemcpy(back, host, 8, cudaMemcpyHostToHost));
    ck_assert_uint_eq(back[7], 7);
    FINE(cudaMemcpy(NULL, NULL, 0, cudaMemcpyHostToDevice));
}
END_TEST

START_TEST(wrong_copies_are_refused_whole)
{
    unsigned host[64] = {0}, before;
    void *p = device_memory(64), *q = device_memory(64);
    FINE(cudaMemset(p, 7, 64));
    before = first_of(p);
    GIVES(cudaErrorInvalidValue, cudaMemcpy(p, host, 65, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidValue, cudaMemcpy((char *)p + 60, host, 5, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidValue, cudaMemcpy(host, p, 64, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidValue, cudaMemcpy(p, host, 64, cudaMemcpyDeviceToHost));
    GIVES(cudaErrorInvalidValue, cudaMemcpy(p, host, 64, cudaMemcpyDeviceToDevice));
    GIVES(cudaErrorInvalidValue, cudaMemcpy(NULL, host, 4, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidValue, cudaMemcpyAsync(p, host, 65, cudaMemcpyHostToDevice, NULL));
    GIVES(cudaErrorInvalidValue, cudaMemset(p, 0, 65));
    GIVES(cudaErrorInvalidValue, cudaMemsetAsync(p, 0, 65, NULL));
    GIVES(cudaErrorInvalidResourceHandle, cudaMemsetAsync(p, 0, 4, (cudaStream_t)host));
    FINE(cudaFree(q));
    GIVES(cudaErrorInvalidValue, cudaMemcpy(q, host, 4, cudaMemcpyHostToDevice));
    ck_assert_uint_eq(first_of(p), before);
}
END_TEST

/* What a kind calls the host's may be the device's too (tests/calls). */
START_TEST(addresses_tell_where_memory_is)
{
    void *p = device_memory(64), *q = device_memory(64);
    FINE(cudaMemset(p, 7, 64));
    FINE(cudaMemcpy(q, p, 64, cudaMemcpyHostToDevice));
    ck_assert_uint_eq(first_of(q), 0x07070707);
    FINE(cudaMemset(p, 8, 64));
    FINE(cudaMemcpy(q, p, 64, cudaMemcpyDeviceToHost));
    ck_assert_uint_eq(first_of(q), 0x08080808);
    GIVES(cudaErrorInvalidValue, cudaMemcpy(q, p, 64, cudaMemcpyHostToHost));
}
END_TEST

/* What a copy wrote is initialised, row by row and slice by slice, and what lies between is not. */
START_TEST(copied_rows_are_initialised_and_nothing_else)
{
    unsigned host[16] = {0};
    static const unsigned words[] = {0, 1, 4, 5, 16, 17, 20, 21};
    struct cudaMemcpy3DParms box = {
        .srcPtr = make_cudaPitchedPtr(host, 8, 8, 2), .extent = make_cudaExtent(8, 2, 2), .kind = cudaMemcpyHostToDevice};
    runtime_register();
    void *p = device_memory(128), *to = device_memory(4);
    box.dstPtr = make_cudaPitchedPtr(p, 16, 8, 4); /* rows of 16 bytes, four a slice; two words of two rows of two slices */
    FINE(cudaMemset(to, 0, 4));
    FINE(cudaMemcpy3D(&box));
    FILE *heard = listen();
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) FINE(launch_copy(to, (unsigned *)p + words[i], 1));
    FINE(cudaDeviceSynchronize());
    said(heard, "");
    heard = listen();
    launch_copy(to, (unsigned *)p + 2, 1);
    cudaDeviceSynchronize();
    said(heard, "warpscope: copy, grid (1,1,1), block (128,1,1): ");
}
END_TEST

/* Rows of 8 bytes from memory whose rows are 16 apart: what stands between them is not copied, written or not. */
START_TEST(rows_of_a_copy_are_as_initialised_as_those_they_are_of)
{
    runtime_register();
    char *rows = device_memory(32), *between = device_memory(32);
    unsigned *of_rows = device_memory(16), *of_between = device_memory(16);
    void *to = device_memory(4);
    FINE(cudaMemset(to, 0, 4));
    FINE(cudaMemset(rows, 0, 8));
    FINE(cudaMemset(rows + 16, 0, 8));
    FINE(cudaMemset(between, 0, 16));
    FINE(cudaMemcpy2D(of_rows, 8, rows, 16, 8, 2, cudaMemcpyDeviceToDevice));
    FINE(cudaMemcpy2D(of_between, 8, between, 16, 8, 2, cudaMemcpyDeviceToDevice));
    FILE *heard = listen();
    for (int i = 0; i < 4; i++) FINE(launch_copy(to, of_rows + i, 1));
    for (int i = 0; i < 2; i++) FINE(launch_copy(to, of_between + i, 1));
    FINE(cudaDeviceSynchronize());
    said(heard, "");
    heard = listen();
    launch_copy(to, of_between + 2, 1);
    cudaDeviceSynchronize();
    said(heard, "warpscope: copy, grid (1,1,1), block (128,1,1): ");
}
END_TEST

/* --- variables --- */

START_TEST(variables_live_over_launches_until_the_device_is_reset)
{
    runtime_register();
    void *p = device_memory(4), *arguments[] = {&p};
    FINE(launch_in(NULL, variables, 1, 1, arguments));
    FINE(launch_in(NULL, variables, 1, 1, arguments));
    ck_assert_uint_eq(first_of(p), 7 * 3); /* total was 5, raised twice; factors[2] is 3 */
    ck_assert_uint_eq(*shared_total, 7);
    unsigned value = 10, factor = 100;
    FINE(cudaMemcpyToSymbol(&total, &value, 4, 0, cudaMemcpyHostToDevice));
    FINE(cudaMemcpyToSymbol(factors, &factor, 4, 8, cudaMemcpyHostToDevice));
    FINE(launch_in(NULL, variables, 1, 1, arguments));
    ck_assert_uint_eq(first_of(p), 1100);
    FINE(cudaMemcpyFromSymbol(&value, &total, 4, 0, cudaMemcpyDeviceToHost));
    ck_assert_uint_eq(value, 11);
    FINE(cudaDeviceReset());
    FINE(cudaMemcpyFromSymbol(&value, &total, 4, 0, cudaMemcpyDeviceToHost));
    ck_assert_uint_eq(value, 5);
    GIVES(cudaErrorInvalidValue, cudaFree(p));
}
END_TEST

START_TEST(symbols_have_addresses_and_sizes)
{
    void *p;
    size_t bytes;
    unsigned value = 42;
    runtime_register();
    FINE(cudaGetSymbolAddress(&p, &total));
    FINE(cudaMemcpy(p, &value, 4, cudaMemcpyHostToDevice));
    FINE(cudaMemcpyFromSymbolAsync(&value, &total, 4, 0, cudaMemcpyDeviceToHost, NULL));
    ck_assert_uint_eq(value, 42);
    FINE(cudaGetSymbolSize(&bytes, factors));
    ck_assert_uint_eq(bytes, 16);
    GIVES(cudaErrorInvalidValue, cudaGetSymbolAddress(NULL, &total));
    GIVES(cudaErrorInvalidValue, cudaGetSymbolSize(NULL, &total));
    GIVES(cudaErrorInvalidMemcpyDirection, cudaMemcpyToSymbolAsync(&total, &value, 4, 0, cudaMemcpyHostToHost, NULL));
}
END_TEST

START_TEST(copies_reach_the_last_byte_and_no_further)
{
    unsigned char host[24] = {0}, back[24] = {0};
    void *p = device_memory(24);
    runtime_register();
    for (int i = 0; i < 24; i++) host[i] = (unsigned char)(i + 1);
    /* variables: 16 bytes of factors */
    FINE(cudaMemcpyToSymbol(factors, host, 16, 0, cudaMemcpyHostToDevice));
    FINE(cudaMemcpyToSymbol(factors, host + 20, 1, 15, cudaMemcpyDefault));
    FINE(cudaMemcpyToSymbol(factors, host, 0, 16, cudaMemcpyHostToDevice));
    FINE(cudaMemcpyFromSymbol(back, factors, 15, 1, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 15; i++) ck_assert_uint_eq(back[i], i == 14 ? 21 : i + 2);
    GIVES(cudaErrorInvalidValue, cudaMemcpyToSymbol(factors, host, 2, 15, cudaMemcpyHostToDevice));
    FINE(cudaMemcpyToSymbol(factors, host, 0, 17, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidValue, cudaMemcpyFromSymbol(back, factors, 1, 16, cudaMemcpyDeviceToHost));
    GIVES(cudaErrorInvalidValue, cudaMemcpyFromSymbol(back, factors, SIZE_MAX, 1, cudaMemcpyDeviceToHost));
    FINE(cudaMemcpyFromSymbol(p, factors, 4, 0, cudaMemcpyDeviceToDevice));
    /* planes: three rows of 4 of a pitch of 8 end with the 20th byte, wherever the next row would begin */
    FINE(cudaMemcpy2D(p, 10, host, 8, 4, 3, cudaMemcpyHostToDevice));
    FINE(cudaMemcpy2D(back, 8, p, 10, 4, 3, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 3; i++) ck_assert_mem_eq(back + 8 * i, host + 8 * i, 4);
    GIVES(cudaErrorInvalidValue, cudaMemcpy2D(p, 11, host, 8, 4, 3, cudaMemcpyHostToDevice));
    FINE(cudaMemcpy2D(p, 4, host, 4, 4, 6, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidValue, cudaMemcpy2D(p, 3, host, 4, 4, 1, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidValue, cudaMemcpy2D(p, 4, host, 3, 4, 1, cudaMemcpyHostToDevice));
    /* boxes: of one slice its rows are not asked for, of two both sides' slices must have as many as are copied */
    struct cudaMemcpy3DParms box = {.srcPtr = make_cudaPitchedPtr(host, 2, 2, 0),
                                    .dstPtr = make_cudaPitchedPtr(p, 2, 2, 0),
                                    .extent = make_cudaExtent(2, 3, 1),
                                    .kind = cudaMemcpyHostToDevice};
    FINE(cudaMemcpy3D(&box));
    box.extent.depth = 2;
    box.srcPtr.ysize = box.dstPtr.ysize = 3;
    FINE(cudaMemcpy3D(&box));
    box.srcPtr.ysize = 2;
    GIVES(cudaErrorInvalidPitchValue, cudaMemcpy3D(&box));
    box.srcPtr.ysize = 4;
    FINE(cudaMemcpy3D(&box));
    FINE(cudaMemcpy(back, p, 12, cudaMemcpyDeviceToHost));
    ck_assert_mem_eq(back, host, 6);
    ck_assert_mem_eq(back + 6, host + 8, 6); /* the second slice begins behind four rows */
    box.dstPtr.ysize = 2;
    GIVES(cudaErrorInvalidPitchValue, cudaMemcpy3D(&box));
    /* nothing is copied of a box without width, height or depth, wherever it is; a fill ends with its last byte as well */
    FINE(cudaMemcpy2D(p, 0, NULL, 0, 0, 3, cudaMemcpyHostToDevice));
    FINE(cudaMemcpy2D(p, 1, NULL, 1, 1, 0, cudaMemcpyHostToDevice));
    FINE(cudaMemset(p, 5, 24));
    FINE(cudaMemset2D(p, 10, 6, 4, 3));
    GIVES(cudaErrorInvalidValue, cudaMemset2D(p, 11, 7, 4, 3));
    FINE(cudaMemset2D((char *)p + 20, 100, 8, 4, 1));
    FINE(cudaMemcpy(back, p, 24, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 24; i++) ck_assert_uint_eq(back[i], i >= 20 ? 8 : i % 10 < 4 ? 6 : 5);
}
END_TEST

/* --- memory that host and device share --- */

START_TEST(kernels_write_pinned_managed_and_registered_memory_in_place)
{
    static unsigned own[64];
    unsigned *pinned, *managed;
    void *device;
    runtime_register();
    FINE(cudaHostAlloc((void **)&pinned, 256, cudaHostAllocMapped));
    FINE(cudaMallocManaged((void **)&managed, 256, cudaMemAttachGlobal));
    FINE(cudaHostRegister(own, sizeof own, cudaHostRegisterMapped));
    FINE(cudaHostGetDevicePointer(&device, pinned, 0));
    ck_assert_ptr_eq(device, pinned);
    FINE(launch_fill(device, 3, 64));
    FINE(launch_fill(managed, 4, 64));
    FINE(cudaHostGetDevicePointer(&device, own, 0));
    FINE(launch_fill(device, 5, 64));
    FINE(cudaDeviceSynchronize());
    ck_assert_uint_eq(pinned[63], 3);
    ck_assert_uint_eq(managed[63], 4);
    ck_assert_uint_eq(own[63], 5);
    managed[0] = 77;
    FINE(launch_copy(pinned, managed, 1));
    ck_assert_uint_eq(pinned[0], 77);
    FINE(cudaHostUnregister(own));
    FINE(launch_fill(own, 6, 64));
    GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    ck_assert_uint_eq(own[63], 5);
    GIVES(cudaErrorIllegalAddress, cudaGetLastError()); /* who never asks does not end with 0 */
}
END_TEST

/* CUDA Runtime API, "API synchronization behavior": a copy from the host's memory to the host's has been done when the call comes back, asynchronous or not,
 * also where both are pinned; one from the device has not. Registered memory is pinned. */
START_TEST(copies_between_pinned_memory_are_waited_for)
{
    unsigned *pinned, *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
                      *device = device_memory(64);
    FINE(cudaMallocHost((void **)&pinned, 64));
    FINE(cudaHostRegister(page, 4096, cudaHostRegisterDefault));
    FINE(cudaMemset(device, 7, 64));
    page[0] = 5;
    FILE *heard = listen();
    FINE(cudaMemcpyAsync(pinned, page, 64, cudaMemcpyHostToHost, NULL));
    ck_assert_uint_eq(*(volatile unsigned *)pinned, 5);
    pinned[0] = 6;
    FINE(cudaMemcpyAsync(page, pinned, 64, cudaMemcpyDefault, NULL));
    ck_assert_uint_eq(*(volatile unsigned *)page, 6);
    FINE(cudaDeviceSynchronize());
    said(heard, "");
    heard = listen();
    FINE(cudaMemcpyAsync(pinned, device, 64, cudaMemcpyDeviceToHost, NULL));
    ck_assert_uint_eq(*(volatile unsigned *)pinned, 0x07070707);
    FINE(cudaDeviceSynchronize());
    if (HOST_WATCHED)
        said(heard, "warpscope: host race: ");
    else
        fclose(heard);
    FINE(cudaHostUnregister(page));
    munmap(page, 4096);
}
END_TEST

START_TEST(pinned_and_registered_memory_is_judged)
{
    static char own[4096];
    unsigned flags;
    void *p, *device;
    GIVES(cudaErrorMemoryAllocation, cudaMallocHost(&p, (size_t)1 << 50));
    GIVES(cudaErrorMemoryAllocation, cudaMallocHost(&p, SIZE_MAX));
    FINE(cudaHostAlloc(&p, 64, cudaHostAllocWriteCombined));
    FINE(cudaHostGetFlags(&flags, p));
    ck_assert_uint_eq(flags, cudaHostAllocWriteCombined | cudaHostAllocMapped);
    GIVES(cudaErrorInvalidValue, cudaHostGetFlags(NULL, p));
    GIVES(cudaErrorInvalidValue, cudaHostGetDevicePointer(&device, p, 1));
    GIVES(cudaErrorInvalidValue, cudaHostRegister(own, 0, 0));
    GIVES(cudaErrorInvalidValue, cudaHostRegister(own, 4, 0x80));
    GIVES(cudaErrorInvalidValue, cudaHostRegister((void *)0x1000, 4, 0)); /* nothing is there */
    char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert(page != MAP_FAILED && munmap(page + 4096, 4096) == 0);
    GIVES(cudaErrorInvalidValue, cudaHostRegister(page, 4097, 0)); /* its last byte is not there */
    FINE(cudaHostRegister(page, 4096, 0));
    FINE(cudaHostUnregister(page));
    munmap(page, 4096);
    FINE(cudaHostRegister(own + 2048, 2048, 0)); /* one behind the other */
    FINE(cudaHostRegister(own, 2048, 0));
    FINE(cudaHostUnregister(own));
    FINE(cudaHostUnregister(own + 2048));
    FINE(cudaHostRegister(own, 100, 0));
    GIVES(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(own + 50, 100, 0));
    GIVES(cudaErrorInvalidValue, cudaHostUnregister(own + 1));
    GIVES(cudaErrorInvalidValue, cudaHostUnregister(p));
    GIVES(cudaErrorInvalidValue, cudaHostUnregister(NULL));
    FINE(cudaHostUnregister(own));
    GIVES(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(own));
}
END_TEST

START_TEST(managed_memory_is_judged)
{
    char own[64];
    struct cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, other = {cudaMemLocationTypeDevice, 1},
                           host = {cudaMemLocationTypeHost, 0};
    void *p, *pinned, *variable;
    GIVES(cudaErrorInvalidValue, cudaMallocManaged(NULL, 4, cudaMemAttachGlobal));
    GIVES(cudaErrorMemoryAllocation, cudaMallocManaged(&p, (size_t)1 << 50, cudaMemAttachGlobal));
    ck_assert_ptr_null(p);
    GIVES(cudaErrorMemoryAllocation, cudaMallocManaged(&p, SIZE_MAX, cudaMemAttachGlobal));
    FINE(cudaMallocManaged(&p, 64, cudaMemAttachHost));
    FINE(cudaMemAdvise(p, 64, cudaMemAdviseSetReadMostly, device));
    FINE(cudaMemAdvise(p, 64, cudaMemAdviseSetPreferredLocation, host));
    FINE(cudaMemAdvise((char *)p + 32, 32, cudaMemAdviseSetReadMostly, device));
    GIVES(cudaErrorInvalidValue, cudaMemAdvise((char *)p + 32, 33, cudaMemAdviseSetReadMostly, device));
    for (int advice = 0; advice < 8; advice++) { /* 1 to 6 are known; the first two ask for no place */
        GIVES(advice < 1 || advice > 6 ? cudaErrorInvalidValue : cudaSuccess,
              cudaMemAdvise(p, 64, (enum cudaMemoryAdvise)advice, device));
        GIVES(advice < 1 || advice > 2 ? cudaErrorInvalidValue : cudaSuccess,
              cudaMemAdvise(p, 64, (enum cudaMemoryAdvise)advice, other));
    }
    FINE(cudaMallocHost(&pinned, 64)); /* is not managed; a variable may be */
    GIVES(cudaErrorInvalidValue, cudaMemAdvise(pinned, 64, cudaMemAdviseSetReadMostly, device));
    runtime_register();
    FINE(cudaMemAdvise(shared_total, 4, cudaMemAdviseSetReadMostly, device));
    FINE(cudaMemPrefetchAsync(shared_total, 4, device, 0, NULL));
    FINE(cudaGetSymbolAddress(&variable, &total));
    GIVES(cudaErrorInvalidValue, cudaMemAdvise(variable, 4, cudaMemAdviseSetReadMostly, device));
    FINE(cudaMemPrefetchAsync(p, 64, device, 0, NULL));
    GIVES(cudaErrorInvalidValue, cudaMemPrefetchAsync(own, 64, device, 0, NULL));
    GIVES(cudaErrorInvalidValue, cudaMemPrefetchAsync(p, 64, device, 1, NULL));
    GIVES(cudaErrorInvalidResourceHandle, cudaMemPrefetchAsync(p, 64, device, 0, (cudaStream_t)own));
    FINE(cudaStreamAttachMemAsync(NULL, p, 0, cudaMemAttachGlobal));
    FINE(cudaStreamAttachMemAsync(NULL, p, 64, cudaMemAttachHost));
    GIVES(cudaErrorInvalidValue, cudaStreamAttachMemAsync(NULL, p, 0, cudaMemAttachSingle));
    GIVES(cudaErrorInvalidValue, cudaStreamAttachMemAsync(NULL, p, 5, cudaMemAttachGlobal));
    GIVES(cudaErrorInvalidValue, cudaStreamAttachMemAsync(NULL, p, 65, cudaMemAttachGlobal));
    GIVES(cudaErrorInvalidValue, cudaStreamAttachMemAsync(NULL, p, 0, 9));
    FINE(cudaFree(p));
}
END_TEST

/* CUDA Runtime API, cudaPointerAttributes: an address where one side cannot reach it is NULL, and what is reserved is zero. */
START_TEST(pointers_know_what_they_are)
{
    char own[4], *p = device_memory(64), *pinned, *managed;
    FINE(cudaMallocHost((void **)&pinned, 64));
    FINE(cudaMallocManaged((void **)&managed, 64, cudaMemAttachGlobal));
    const struct {
        enum cudaMemoryType type;
        int device;
        void *pointer, *on_device, *on_host;
    } rows[] = {{cudaMemoryTypeDevice, 0, p, p, NULL},
                {cudaMemoryTypeDevice, 0, p + 63, p + 63, NULL},
                {cudaMemoryTypeHost, 0, pinned, pinned, pinned},
                {cudaMemoryTypeHost, 0, pinned + 63, pinned + 63, pinned + 63},
                {cudaMemoryTypeManaged, 0, managed, managed, managed},
                {cudaMemoryTypeManaged, 0, managed + 63, managed + 63, managed + 63},
                {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, own, NULL, own}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static const long zeros[8];
        struct cudaPointerAttributes attributes;
        memset(&attributes, 0xff, sizeof attributes);
        FINE(cudaPointerGetAttributes(&attributes, rows[i].pointer));
        ck_assert_int_eq(attributes.type, rows[i].type);
        ck_assert_int_eq(attributes.device, rows[i].device);
        ck_assert_ptr_eq(attributes.devicePointer, rows[i].on_device);
        ck_assert_ptr_eq(attributes.hostPointer, rows[i].on_host);
        ck_assert_mem_eq(attributes.reserved, zeros, sizeof attributes.reserved);
    }
}
END_TEST

/* --- addresses --- */

/* 16 MiB apart, as the first ones lie, 700,000 would run into the window of shared memory. */
START_TEST(many_allocations_find_addresses)
{
    void *p, *first = device_memory(16);
    for (int i = 0; i < 700000; i++) {
        p = device_memory(16);
        if (i % 1000 != 999) FINE(cudaFree(p));
    }
    FINE(cudaMemset(p, 1, 16));
    FINE(cudaMemset(first, 2, 16));
    ck_assert_uint_eq(first_of(first), 0x02020202);
}
END_TEST

/* Linux begins its mappings below the stack, at a random place: at 0x7fff... less up to 2^28 pages and a gap for the stack of 128 MiB
 * to 5/6 of all; with the usual stack the lowest is 0x7efb..., which one start in seventy comes close to. */
START_TEST(the_devices_addresses_leave_the_hosts_alone)
{
    static const uint64_t places[] = {0x7efb40000000, 0x7efe40000000, 0x7f2340000000, 0x7fe340000000, 0x555540000000};
    int tried = 0;
    runtime_register();
    void *p = device_memory(64);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        void *host =
            mmap((void *)places[i], 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (host != (void *)places[i]) continue; /* something else is there in this process */
        struct cudaPointerAttributes attributes;
        tried++;
        FINE(cudaMemcpy(p, host, 64, cudaMemcpyHostToDevice));
        FINE(cudaHostRegister(host, 64, 0));
        FINE(launch_fill(host, 7, 16));
        FINE(cudaDeviceSynchronize());
        ck_assert_uint_eq(*(unsigned *)host, 7);
        FINE(cudaPointerGetAttributes(&attributes, host));
        ck_assert_int_eq(attributes.type, cudaMemoryTypeHost);
    }
    ck_assert_int_ge(tried, 3);
}
END_TEST

/* What a program registers is its own: there is nothing to free. */
START_TEST(what_was_never_freed_is_named_at_the_end)
{
    static unsigned own[64];
    char said[400] = "";
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        runtime_register();
        device_memory(64);
        cudaHostRegister(own, sizeof own, 0);
        exit(0);
    }
    close(ends[1]);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    ck_assert(read(ends[0], said, sizeof said - 1) > 0);
    ck_assert_msg(strstr(said, "1 allocation was never freed, 64 bytes: 'cudaMalloc 1' of 64 bytes\n"), "%s", said);
}
END_TEST

RUNTIME_MAIN("runtime memory", what_was_never_freed_is_named_at_the_end, the_devices_addresses_leave_the_hosts_alone,
             allocations_are_counted_and_aligned, what_cannot_be_allocated_is_refused,
             only_what_was_allocated_is_freed_and_only_once, bytes_go_there_and_back, wrong_copies_are_refused_whole,
             addresses_tell_where_memory_is, variables_live_over_launches_until_the_device_is_reset,
             symbols_have_addresses_and_sizes, rows_of_a_copy_are_as_initialised_as_those_they_are_of,
             copies_reach_the_last_byte_and_no_further, what_is_not_freed_is_named,
             copied_rows_are_initialised_and_nothing_else, memory_ends_where_the_devices_does,
             kernels_write_pinned_managed_and_registered_memory_in_place, copies_between_pinned_memory_are_waited_for,
             pinned_and_registered_memory_is_judged, managed_memory_is_judged, pointers_know_what_they_are,
             many_allocations_find_addresses)
