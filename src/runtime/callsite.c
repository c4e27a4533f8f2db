#define _GNU_SOURCE
#include "runtime/callsite.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

#include "host/process.h"

_Thread_local const void *callsite_now;

enum { SECONDS = 20, OUTPUT_LIMIT = 1 << 16 };

/* "FILE:LINE" or "FILE:LINE (discriminator 2)"; "??:0" where nothing is known. */
static HostSpot read_spot(const char *text) {
    HostSpot spot = {0};
    const size_t length = strcspn(text, "\n");
    size_t colon = length;
    while (colon > 0 && text[colon] != ':') colon--;
    if (sscanf(text + colon, ":%u", &spot.line) != 1 || !spot.line || colon >= sizeof spot.file) return (HostSpot){0};
    memcpy(spot.file, text, colon);
    return spot;
}

HostSpot callsite_spot(const void *address, bool exact) {
    Dl_info info;
    char where[32];
    if (!address || !dladdr(address, &info) || !info.dli_fname) return (HostSpot){0};
    const ElfW(Ehdr) *header = info.dli_fbase;
    const uintptr_t base = header->e_type == ET_EXEC ? 0 : (uintptr_t)header;
    snprintf(where, sizeof where, "0x%llx", (unsigned long long)((uintptr_t)address - base - !exact));
    const char *const argv[] = {"addr2line", "-e", info.dli_fname[0] ? info.dli_fname : "/proc/self/exe", where, NULL};
    const ProcessRequest request = {.argv = argv, .timeout_s = SECONDS, .output_limit = OUTPUT_LIMIT};
    ProcessResult result;
    HostSpot spot = {0};
    if (process_run(&request, &result)) spot = read_spot(text_string(&result.output));
    text_free(&result.output);
    return spot;
}

void callsite_add(const HostSpot *spot, Text *out) {
    if (spot->line) text_add(out, "%s:%u", text_last_name(spot->file), spot->line);
}
