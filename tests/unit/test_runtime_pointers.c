/* Pointers that are used on the wrong side, by host code and by kernels: what a program says, and that it ends as it would have. */
#include <sys/mman.h>

#include "whole_program.h"

static int writes_to_the_device(void) {
    char *p = device_memory(16);
    p[3] = 1;
    return 0;
}
static int reads_what_is_freed(void) {
    volatile char *p = device_memory(16);
    cudaFree((void *)p);
    return p[5];
}
static int reads_beside_the_device(void) {
    volatile char *p = device_memory(16);
    return p[300];
}
static int copies_from_nowhere(void) { return cudaMemcpy(device_memory(16), (void *)0x1000, 16, cudaMemcpyHostToDevice); }
static int has_a_fault_of_its_own(void) {
    static char host[16];
    cudaMemcpy(device_memory(16), host, 16, cudaMemcpyHostToDevice);
    return *(volatile int *)0x1000;
}

START_TEST(a_pointer_of_the_other_side_is_named)
{
    static const struct {
        int (*program)(void);
        const char *says[2];
    } rows[] = {
        {writes_to_the_device,
         {"warpscope: host code used a device pointer: byte 3 of 'cudaMalloc 1' (0x",
          "03)\n  hint: copy with cudaMemcpy, or allocate with cudaMallocManaged, whose memory host and device share\n"}},
        {reads_what_is_freed,
         {"warpscope: host code used a device pointer: byte 5 of 'cudaMalloc 1' (0x", "05), which has been freed\n"}},
        {reads_beside_the_device, {"warpscope: host code used a device pointer, 0x", "2c, which points into no allocation\n"}},
        {copies_from_nowhere,
         {"warpscope: a copy was given host memory that is not there: 0x1000, in the 16 bytes from 0x1000\n", ""}},
        {has_a_fault_of_its_own, {"", ""}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int status = ends(rows[i].program);
        ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV, "row %zu: status %#x", i, (unsigned)status);
        HEARD(rows[i].says[0]);
        HEARD(rows[i].says[1]);
        ck_assert(*rows[i].says[0] || !strstr(heard, "warpscope")); /* an emulator of the processor may say its own */
    }
}
END_TEST

static unsigned host[4];
static int from_host_pointer(void) {
    runtime_register();
    launch_copy(device_memory(16), host, 4);
    return 0;
}
static int to_host_pointer(void) {
    runtime_register();
    void *from = device_memory(16);
    cudaMemset(from, 0, 16);
    launch_copy(host, from, 4);
    return 0;
}
static int host_pointers_alone(void) {
    runtime_register();
    launch_copy(host, host, 4);
    return 0;
}
static int copies_from(const void *from) {
    runtime_register();
    launch_copy(device_memory(16), (void *)from, 5);
    return 0;
}
/* The lowest address that Linux gives a program, unless it is set up otherwise: nothing can be said then. */
static int lowest_page(void) {
    void *lowest = (void *)0x10000;
    if (mmap(lowest, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != lowest) return 5;
    return copies_from(lowest);
}
static int small_number(void) { return copies_from((void *)0x8000); }
static int where_nothing_is(void) { return copies_from((void *)0x20000); }
static int pinned(void) {
    void *p;
    cudaMallocHost(&p, 16);
    return copies_from(p);
}

START_TEST(a_host_pointer_among_the_arguments_explains_a_fault)
{
#define OF_THE_HOST                                              \
    " is a host pointer passed to a kernel: copy to memory of\n" \
    "        cudaMalloc's with cudaMemcpy, or use cudaMallocManaged\n"
    exits(1, from_host_pointer);
    HEARD("  hint: argument 2" OF_THE_HOST);
    exits(1, to_host_pointer);
    HEARD("  hint: argument 1" OF_THE_HOST);
    exits(1, host_pointers_alone); /* the first is named */
    HEARD("  hint: argument 1" OF_THE_HOST);
    if (WEXITSTATUS(ends(lowest_page)) != 5) HEARD("  hint: argument 2" OF_THE_HOST);
    exits(1, small_number);
    NOT_HEARD("is a host pointer");
    exits(1, where_nothing_is);
    NOT_HEARD("is a host pointer");
    exits(1, pinned);
    NOT_HEARD("is a host pointer");
}
END_TEST

RUNTIME_MAIN("runtime pointers", a_pointer_of_the_other_side_is_named, a_host_pointer_among_the_arguments_explains_a_fault)
