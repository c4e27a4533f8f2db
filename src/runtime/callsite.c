#define _GNU_SOURCE
#include "runtime/callsite.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>
#include <unwind.h>

#include "host/process.h"

_Thread_local Callsite callsite_now;

const char *callsite_name(void) {
    static _Thread_local char name[80];
    const char *call = callsite_now.call ? callsite_now.call : "", *own = strstr(call, "_pt"), *version = strstr(call, "_v");
    const char *end = version ? version : own;
    snprintf(name, sizeof name, "%.*s", (int)(end ? end - call : (ptrdiff_t)strlen(call)), call);
    return name;
}

enum { SECONDS = 20, OUTPUT_LIMIT = 1 << 16 };

static bool is_in_library(const char *file) { return strstr(file, "/include/c++/"); }

/* "FILE:LINE" or "FILE:LINE (discriminator 2)"; "??:0" where nothing is known. */
static HostSpot read_spot(const char *text, size_t length) {
    HostSpot spot = {0};
    size_t colon = length;
    while (colon > 0 && text[colon] != ':') colon--;
    if (sscanf(text + colon, ":%u", &spot.line) != 1 || !spot.line || colon >= sizeof spot.file) return (HostSpot){0};
    memcpy(spot.file, text, colon);
    return spot;
}

/* Of functions that were inlined into each other, the innermost first, a line each: the first that is not the C++ library's. */
static HostSpot choose_spot(const char *text) {
    HostSpot spot = {0};
    do {
        const size_t length = strcspn(text, "\n");
        spot = read_spot(text, length);
        text += length + (text[length] == '\n');
    } while (*text && is_in_library(spot.file));
    return spot;
}

static HostSpot look_up(const void *address, bool exact) {
    Dl_info info;
    char where[32];
    if (!dladdr(address, &info) || !info.dli_fname) return (HostSpot){0};
    const ElfW(Ehdr) *header = info.dli_fbase;
    const uintptr_t base = header->e_type == ET_EXEC ? 0 : (uintptr_t)header;
    snprintf(where, sizeof where, "0x%llx", (unsigned long long)((uintptr_t)address - base - !exact));
    const char *const argv[] = {"addr2line", "-i", "-e", info.dli_fname[0] ? info.dli_fname : "/proc/self/exe", where, NULL};
    const ProcessRequest request = {.argv = argv, .timeout_s = SECONDS, .output_limit = OUTPUT_LIMIT};
    ProcessResult result;
    HostSpot spot = {0};
    if (process_run(&request, &result)) spot = choose_spot(text_string(&result.output));
    text_free(&result.output);
    return spot;
}

/* What is said in a loop is looked up once. */
HostSpot callsite_spot(const void *address, bool exact) {
    static _Thread_local struct {
        const void *address;
        bool exact;
        HostSpot spot;
    } known[32];
    static _Thread_local unsigned next;
    if (!address) return (HostSpot){0};
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].address == address && known[i].exact == exact) return known[i].spot;
    const unsigned i = next++ % (sizeof known / sizeof *known);
    known[i].address = address;
    known[i].exact = exact;
    return known[i].spot = look_up(address, exact);
}

typedef struct CallFrames {
    const void *around;
    bool next; /* is the one */
} CallFrames;

static _Unwind_Reason_Code on_frame(struct _Unwind_Context *frame, void *data) {
    CallFrames *frames = data;
    const void *at = (const void *)_Unwind_GetIP(frame); /* NOLINT(performance-no-int-to-ptr): a register */
    if (frames->next) frames->around = at;
    frames->next = at == callsite_now.address;
    return frames->around ? _URC_END_OF_STACK : _URC_NO_REASON;
}

const void *callsite_around(void) {
    CallFrames frames = {.around = callsite_now.around};
    if (frames.around) return frames.around;
    _Unwind_Backtrace(on_frame, &frames);
    return frames.around;
}

#ifdef __x86_64__
/* Where the program's own code is: what the linker says. */
extern const char __executable_start[], etext[];

static bool is_own(uintptr_t address) { return address >= (uintptr_t)__executable_start && address < (uintptr_t)etext; }

typedef struct SignalFrames {
    uintptr_t interrupted; /* the instruction */
    bool behind;
    Interrupted *found;
} SignalFrames;

static void add_frame(Interrupted *found, uintptr_t at) {
    if (is_own(at)) found->at[found->count++] = (const void *)at; /* NOLINT(performance-no-int-to-ptr): a register */
}

static _Unwind_Reason_Code on_interrupted(struct _Unwind_Context *frame, void *data) {
    SignalFrames *frames = data;
    const uintptr_t at = (uintptr_t)_Unwind_GetIP(frame);
    if (frames->behind) add_frame(frames->found, at);
    frames->behind |= at == frames->interrupted;
    return frames->found->count == FRAMES_MOST ? _URC_END_OF_STACK : _URC_NO_REASON;
}
#endif

Interrupted callsite_interrupted(const void *where) {
    Interrupted found = {0};
#ifdef __x86_64__
    SignalFrames frames = {.interrupted = (uintptr_t)((const ucontext_t *)where)->uc_mcontext.gregs[REG_RIP], .found = &found};
    add_frame(&found, frames.interrupted);
    found.exact = found.count;
    _Unwind_Backtrace(on_interrupted, &frames);
#else
    (void)where;
#endif
    return found;
}

const void *callsite_of_code(const Interrupted *interrupted, bool *exact) {
    for (size_t i = 0; i < interrupted->count; i++) {
        *exact = interrupted->exact && !i;
        const HostSpot spot = callsite_spot(interrupted->at[i], *exact);
        if (spot.line && !is_in_library(spot.file)) return interrupted->at[i];
    }
    *exact = interrupted->exact;
    return interrupted->count ? interrupted->at[0] : NULL;
}

HostSpot callsite_of_program(const void *address, const void *around) {
    static const char header[] = "cuda_runtime";
    const HostSpot spot = callsite_spot(address, false);
    if (!around || strncmp(text_last_name(spot.file), header, sizeof header - 1) != 0) return spot;
    return callsite_spot(around, false);
}

void callsite_add(const HostSpot *spot, Text *out) {
    if (spot->line) text_add(out, "%s:%u", text_last_name(spot->file), spot->line);
}
