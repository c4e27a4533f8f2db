#include "cuda/host.h"

#include <stdio.h>
#include <string.h>

#include "cuda/home.h"

#define OLDEST 6u /* that works with every nvcc that has -std=c++17 */

/* The number after a key; 0 if the key is missing. */
static unsigned number_after(const char *text, const char *key) {
    unsigned number = 0;
    const char *at = strstr(text, key);
    return at && sscanf(at + strlen(key), "%u", &number) == 1 ? number : 0;
}

bool host_refused(const char *messages) {
    return strstr(messages, "unsupported GNU version!") || strstr(messages, "No supported gcc/g++ host compiler found");
}

unsigned host_newest(const char *messages) { return number_after(messages, "gcc versions later than "); }

bool host_instead(const char *messages, char *name, size_t name_bytes) {
    char path[4096];
    for (unsigned version = host_newest(messages); version >= OLDEST; version--) {
        snprintf(name, name_bytes, "g++-%u", version);
        if (program_in_path(name, path, sizeof path)) return true;
    }
    /* Debian's package looks for g++ by itself and uses clang only when told to. */
    unsigned clang = number_after(messages, "-ccbin clang-");
    snprintf(name, name_bytes, "clang-%u", clang);
    return clang && program_in_path(name, path, sizeof path);
}
