/* noted_driver.h: a GPU's driver of a test's own, in place of a library. driver_open and the two functions of cuBLAS, which a program takes from its
 * own objects first, open nothing. Every call is noted, in words; what is asked may fail. */
#pragma once

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "device/cublas.h"
#include "device/driver.h"

enum { PLACES = 32, PLACE_BYTES = 8192, FIRST_PLACE = 0x100000 };

/* Shared with the worker. */
static struct {
    char calls[8192];
    const char *fails; /* the calls that begin with this fail, but the first `after` of them */
    int after, timings;
    bool sends_little, interrupts;
    DriverStatus status;
} * seen;

/* The worker's own: device memory, of which place i is at (i + 1) * FIRST_PLACE. */
static uint8_t memory[PLACES][PLACE_BYTES];
static int places;

/* Every other call, where that is asked for. */
static bool interrupted(unsigned *calls) {
    if (!seen || !seen->interrupts || (*calls)++ % 2) return false;
    errno = EINTR;
    return true;
}

/* In place of the C library's: of both sides, at most so many bytes at a time, where that is asked for; and what signals interrupt. */
ssize_t send(int socket, const void *bytes, size_t count, int flags) {
    static unsigned calls;
    const size_t most = seen && seen->sends_little ? 7 : count;
    return interrupted(&calls) ? -1 : sendto(socket, bytes, count < most ? count : most, flags, NULL, 0);
}

ssize_t recv(int socket, void *bytes, size_t count, int flags) {
    static unsigned calls;
    return interrupted(&calls) ? -1 : recvfrom(socket, bytes, count, flags, NULL, NULL);
}

pid_t waitpid(pid_t process, int *status, int options) {
    static unsigned calls;
    return interrupted(&calls) ? -1 : wait4(process, status, options, NULL);
}

/* Where nobody answers, time is this, and passes at once: 100 ms until a signal comes. */
static bool nobody_answers;
static int time_ms;

int poll(struct pollfd *files, nfds_t count, int ms) {
    static unsigned calls;
    const struct timespec most = {ms / 1000, ms % 1000 * 1000000L};
    const bool stops = interrupted(&calls);
    time_ms += stops ? 100 : ms;
    return stops ? -1 : nobody_answers ? 0 : (int)syscall(SYS_ppoll, files, count, &most, NULL, 0);
}

int clock_gettime(clockid_t of, struct timespec *now) {
    if (!nobody_answers) return (int)syscall(SYS_clock_gettime, of, now);
    *now = (struct timespec){time_ms / 1000, time_ms % 1000 * 1000000L};
    return 0;
}

static DriverStatus called(const char *format, ...) __attribute__((format(printf, 1, 2)));
static DriverStatus called(const char *format, ...) {
    size_t used = strlen(seen->calls);
    va_list args;
    va_start(args, format);
    vsnprintf(seen->calls + used, sizeof seen->calls - used, format, args);
    va_end(args);
    const bool matches = seen->fails && strncmp(seen->calls + used, seen->fails, strlen(seen->fails)) == 0;
    strcat(seen->calls, "\n");
    return matches && seen->after-- <= 0 ? seen->status : DRIVER_SUCCESS;
}

static uint8_t *at(DriverAddress address) { return memory[address / FIRST_PLACE - 1] + address % FIRST_PLACE; }

static DriverStatus init(unsigned flags) { return called("init %u", flags); }
static DriverStatus version(int *value) { return *value = 12040, called("version"); }
static DriverStatus device(int *value, int ordinal) { return *value = 7, called("device %d", ordinal); }
static DriverStatus device_name(char *name, int bytes, int of) {
    return snprintf(name, (size_t)bytes, "GPU %d", of), called("name of %d", of);
}
static DriverStatus device_bus(char *bus, int bytes, int of) {
    return snprintf(bus, (size_t)bytes, "0000:0%d:00.0", of), called("bus of %d", of);
}
/* A multiple of the attribute's number; of L2 1000 bytes. */
static DriverStatus device_attribute(int *value, int attribute, int of) {
    return *value = attribute == ATTRIBUTE_L2_BYTES ? 1000 : 10 * attribute, called("attribute %d of %d", attribute, of);
}
static DriverStatus context_retain(Handle *context, int of) { return *context = (Handle)1, called("retain %d", of); }
static DriverStatus context_use(Handle context) { return called("use %d", context == (Handle)1); }
static DriverStatus synchronize(void) { return called("synchronize"); }
static char kernels_text[500]; /* from the last kernel's parameters on */
static DriverStatus module_load(Handle *module, const void *image, unsigned count, int *options, void **values) {
    char text[200] = "";
    for (unsigned i = 0; i < count; i++) {
        if (options[i] == JIT_ERROR_LOG) strcpy(values[i], "line 3; fatal\nand more");
        if (options[i] != JIT_ERROR_LOG) snprintf(strchr(text, 0), 40, " %d:%d", options[i], (int)(intptr_t)values[i]);
    }
    *module = (Handle)2;
    const char *kernel = strstr(image, ".entry k(");
    if (kernel) snprintf(kernels_text, sizeof kernels_text, "%s", kernel);
    const size_t length = strlen(image);
    return called("load %.8s%s%s", (const char *)image, text, ((const char *)image)[length - 1] == '\n' ? "" : ", cut off");
}
static DriverStatus module_unload(Handle module) { return called("unload %d", module == (Handle)2); }
static DriverStatus module_function(Handle *function, Handle module, const char *name) {
    *function = strcmp(name, "copy") == 0 ? (Handle)4 : (Handle)3;
    return called("function %s of %d", name, module == (Handle)2);
}
static DriverStatus function_set(Handle function, int attribute, int value) {
    return called("set %d %d %d", function == (Handle)3, attribute, value);
}
static DriverStatus allocate(DriverAddress *address, size_t bytes) {
    *address = (DriverAddress)++places * FIRST_PLACE;
    return called("allocate %zu", bytes);
}
static DriverStatus release(DriverAddress address) { return called("release %d", (int)(address / FIRST_PLACE)); }
static DriverStatus upload(DriverAddress to, const void *from, size_t bytes) {
    return memcpy(at(to), from, bytes), called("upload %#llx %zu", (unsigned long long)to, bytes);
}
static DriverStatus download(void *to, DriverAddress from, size_t bytes) {
    return memcpy(to, at(from), bytes), called("download %#llx %zu", (unsigned long long)from, bytes);
}
static DriverStatus copy(DriverAddress to, DriverAddress from, size_t bytes, Handle stream) {
    (void)stream;
    return called("copy %#llx %#llx %zu", (unsigned long long)to, (unsigned long long)from, bytes);
}
static DriverStatus fill(DriverAddress to, unsigned char value, size_t bytes, Handle stream) {
    (void)stream;
    return memset(at(to), value, bytes), called("fill %#llx %d %zu", (unsigned long long)to, value, bytes);
}

/* The kernel writes 7 to the first byte that its second word points to. */
static DriverStatus launch(Handle function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                           unsigned shared, Handle stream, void **params, void **extra) {
    char text[200] = "";
    (void)stream;
    if (function == (Handle)4) {
        const unsigned long long to = *(DriverAddress *)params[0], from = *(DriverAddress *)params[1],
                                 count = *(uint64_t *)params[2];
        return called("copy kernel %u %u %u, %u %u %u: %#llx %#llx %llu", gx, gy, gz, bx, by, bz, to, from, count);
    }
    if (extra) return 1;
    uint64_t words[8] = {0};
    size_t count = 0;
    for (const char *each = kernels_text; (each = strstr(each, ".param .u")); each++, count++)
        memcpy(&words[count], params[count], strncmp(each, ".param .u32", 11) ? 8 : 4);
    for (size_t i = 0; i < count; i++) snprintf(strchr(text, 0), 30, " %#llx", (unsigned long long)words[i]);
    if (words[1] / FIRST_PLACE) *at(words[1]) = 7;
    if (seen->fails && strcmp(seen->fails, "die") == 0) _exit(3);
    while (seen->fails && strcmp(seen->fails, "hang") == 0) pause();
    if (seen->fails && strcmp(seen->fails, "abort") == 0) abort();
    if (seen->fails && strcmp(seen->fails, "print") == 0 && write(STDOUT_FILENO, "12", 2) != 2) _exit(3);
    return called("kernel %u %u %u, %u %u %u, %u:%s", gx, gy, gz, bx, by, bz, shared, text);
}
static int events;
static DriverStatus event_new(Handle *event, unsigned flags) {
    return *event = (Handle)(uintptr_t)(100 + events++), called("event %u", flags);
}
static DriverStatus event_record(Handle event, Handle stream) {
    return called("record %d%s", (int)(uintptr_t)event, stream ? " in a stream" : "");
}
static DriverStatus event_wait(Handle event) { return called("wait for %d", (int)(uintptr_t)event); }
/* The first takes 1 ms, the next 2, … */
static DriverStatus event_elapsed(float *ms, Handle start, Handle stop) {
    return *ms = (float)++seen->timings, called("elapsed %d %d", (int)(uintptr_t)start, (int)(uintptr_t)stop);
}
static DriverStatus error_name(DriverStatus status, const char **name) { return *name = status == 1 ? NULL : "NAME", 0; }
static DriverStatus error_text(DriverStatus status, const char **text) { return *text = status == 1 ? NULL : "a text", 0; }

static bool opens = true;

bool driver_open(Driver *driver, Diag *diag) {
#define CALL(member, symbol, parameters) driver->member = member;
    DRIVER_CALLS(CALL)
#undef CALL
    if (opens) return true;
    diag_say(diag, "no library");
    return diag_hint(diag, "install one");
}

bool cublas_open(Cublas *cublas, Diag *diag) {
    (void)cublas;
    if (called("cublas") == DRIVER_SUCCESS) return true;
    diag_say(diag, "no cuBLAS");
    return diag_hint(diag, "install it");
}

DriverStatus cublas_transpose(const Cublas *cublas, const GpuGeam *geam, DriverAddress from, DriverAddress to) {
    (void)cublas;
    return called("transpose %u x %u of %u bytes: %#llx %#llx", geam->rows, geam->cols, geam->element_bytes,
                  (unsigned long long)to, (unsigned long long)from);
}
