#define _GNU_SOURCE
#include "runtime/hostmap.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/callsite.h"

bool hostmap_holds(uint64_t address) {
    long page = sysconf(_SC_PAGESIZE);
    unsigned char resident;
    return mincore((void *)(address & ~((uint64_t)page - 1)), 1, (void *)&resident) == 0;
}

bool hostmap_is_constant(uint64_t address) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[4400], rights[5];
    unsigned long long from, to, inode;
    bool constant = false;
    while (maps && fgets(line, sizeof line, maps))
        if (sscanf(line, "%llx-%llx %4s %*s %*s %llu", &from, &to, rights, &inode) == 4 && address >= from && address < to)
            constant = inode && rights[1] == '-';
    if (maps) fclose(maps);
    return constant;
}

/* --- the guard. Everything that the handler uses is set up beforehand. --- */

static const Memory *guarded;
static bool (*is_ours)(const siginfo_t *info, void *where);
static _Thread_local struct {
    const char *call;
    const void *host;
    size_t bytes;
} copying;

void hostmap_copying(const char *call, const void *host, size_t bytes) {
    copying.host = host;
    copying.bytes = bytes;
    copying.call = call;
}

static void say(const char *text) {
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
}

/* Whether it is in the range of device addresses: see memory.h. */
static bool is_device(uint64_t address) { return address >= MEMORY_FIRST && address < WINDOW_FUNCTION + WINDOW_BYTES; }

/* The program ends now, so that looking its line up may fail, but does no harm. */
static void say_place(const void *site, bool exact) {
    const HostSpot spot = exact ? callsite_spot(site, true) : callsite_of_program(site, callsite_around());
    LOCAL_TEXT text = {0};
    callsite_add(&spot, &text);
    if (spot.line) text_add(&text, ": ");
    say(text_string(&text));
}

/* malloc keeps its notes so far in front of what it gives. */
enum { CHUNK_HEAD_BYTES = 16 };

static void describe(uint64_t address, char *text, size_t size) {
    unsigned long long at = address;
    const Allocation *in = memory_find(guarded, address), *freed = in ? NULL : memory_retired(guarded, address);
    const Allocation *behind = in || freed ? NULL : memory_find(guarded, address + CHUNK_HEAD_BYTES);
    if (in && copying.call)
        snprintf(text, size,
                 "%s was given a device pointer, '%s', for an address of the host's\n"
                 "  hint: an array of arguments has their addresses: {&a, &n}\n",
                 copying.call, in->name);
    else if (behind && address < behind->address)
        snprintf(text, size,
                 "host code looked for malloc's notes in front of '%s', as free and realloc do\n"
                 "  hint: cudaFree frees what cudaMalloc and cudaMallocManaged gave, cudaFreeHost what cudaMallocHost gave\n",
                 behind->name);
    else if (in)
        snprintf(text, size,
                 "host code used a device pointer: byte %llu of '%s' (0x%llx)\n"
                 "  hint: copy with cudaMemcpy, or allocate with cudaMallocManaged, whose memory host and device share\n",
                 (unsigned long long)(address - in->address), in->name, at);
    else if (freed)
        snprintf(text, size, "host code used a device pointer: byte %llu of '%s' (0x%llx), which has been freed\n",
                 (unsigned long long)(address - freed->address), freed->name, at);
    else if (is_device(address))
        snprintf(text, size, "host code used a device pointer, 0x%llx, which points into no allocation\n", at);
    else
        snprintf(text, size, "%s was given host memory that is not there: 0x%llx, in the %zu bytes from %p\n", copying.call, at,
                 copying.bytes, copying.host);
}

bool hostmap_shares(uint64_t address) {
    const Allocation *in = memory_find(guarded, address);
    return in && in->unified;
}

static void on_fault(int number, siginfo_t *info, void *where) {
    if (number == SIGSEGV && is_ours(info, where)) return;
    uint64_t address = (uintptr_t)info->si_addr;
    if (is_device(address) || memory_find(guarded, address) || memory_retired(guarded, address) || copying.call ||
        memory_find(guarded, address + CHUNK_HEAD_BYTES)) {
        char text[600];
        bool exact = false;
        const void *site = callsite_now.address;
        if (!site) {
            const Interrupted interrupted = callsite_interrupted(where);
            site = callsite_of_code(&interrupted, &exact);
        }
        describe(address, text, sizeof text);
        say("warpscope: ");
        say_place(site, exact);
        say(text);
    }
    signal(number, SIG_DFL); /* the access happens again, and ends the program as it would have without us */
}

void hostmap_guard(const Memory *memory, bool (*ours)(const siginfo_t *info, void *where)) {
    static char stack[256 << 10];
    static const int signals[] = {SIGSEGV, SIGBUS};
    guarded = memory;
    is_ours = ours;
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&alternate, NULL);
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK}, old;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL) sigaction(signals[i], &action, NULL);
}

bool hostmap_is_guarded(void) {
    struct sigaction now;
    return sigaction(SIGSEGV, NULL, &now) == 0 && now.sa_flags & SA_SIGINFO && now.sa_sigaction == on_fault;
}
