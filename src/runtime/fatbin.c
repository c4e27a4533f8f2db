#include "runtime/fatbin.h"

#include <stdint.h>
#include <string.h>

/* nvcc's fat binary: a header, then entries one after the other, each a header and a payload. All numbers are little-endian. */
#define FATBIN_MAGIC 0xba55ed50u

typedef struct FatbinHeader {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t entries_bytes;
} FatbinHeader;

enum { ENTRY_PTX = 1 };
#define ENTRY_COMPRESSED UINT64_C(0xa000) /* flags: LZ4 (0x2000), zstd (0x8000) */

typedef struct EntryHeader {
    uint16_t kind, version;
    uint32_t header_bytes;
    uint64_t payload_bytes;
    uint32_t compressed_bytes, options_offset;
    uint16_t code_minor, code_major;
    uint32_t arch;
    uint32_t name_offset, name_bytes;
    uint64_t flags;
    uint64_t reserved, whole_bytes;
} EntryHeader;

static bool is_text(const char *data) {
    data += strspn(data, " \t\r\n");
    return strncmp(data, "//", 2) == 0 || strncmp(data, ".version", 8) == 0;
}

/* Whether an entry of architecture `arch` serves better than the one chosen (0: none yet). */
static bool better(unsigned arch, unsigned chosen, unsigned newest) {
    if (!chosen) return true;
    if (chosen > newest) return arch < chosen;
    return arch <= newest && arch > chosen;
}

/* As its own header says; 0: it is none. */
static uint64_t whole_bytes(const void *data, size_t left) {
    FatbinHeader header;
    if (left < sizeof header) return 0;
    memcpy(&header, data, sizeof header);
    if (header.magic != FATBIN_MAGIC) return 0;
    return header.entries_bytes > left ? UINT64_MAX : header.header_bytes + header.entries_bytes;
}

size_t fatbin_bytes(const void *data, size_t left) {
    const uint64_t bytes = whole_bytes(data, left);
    const size_t text = strnlen(data, left);
    if (bytes) return bytes < left ? bytes : left;
    return text < left ? text + 1 : left;
}

bool fatbin_inside(const void *data, size_t bytes) {
    const uint64_t whole = whole_bytes(data, bytes);
    uint32_t magic;
    if (whole) return whole <= bytes;
    if (bytes < sizeof magic) return false; /* fatbin_ptx reads so many of whatever it is */
    memcpy(&magic, data, sizeof magic);
    return magic != FATBIN_MAGIC && !((const char *)data)[bytes - 1];
}

bool fatbin_ptx(const void *data, unsigned newest, const char **text, size_t *length, Diag *diag) {
    static const uint32_t magic = FATBIN_MAGIC; /* has no byte that is 0: a text may be shorter */
    FatbinHeader header;
    *text = NULL;
    if (strncmp(data, (const char *)&magic, sizeof magic) != 0) {
        if (!is_text(data)) return diag_say(diag, "the program's device code is neither a fat binary nor PTX text");
        *text = data;
        *length = strlen(data);
        return true;
    }
    memcpy(&header, data, sizeof header);
    const char *at = (const char *)data + header.header_bytes, *end = at + header.entries_bytes;
    unsigned chosen = 0;
    bool compressed = false;
    EntryHeader entry;
    for (; (size_t)(end - at) >= sizeof entry; at += entry.header_bytes + entry.payload_bytes) {
        memcpy(&entry, at, sizeof entry);
        size_t left = (size_t)(end - at);
        if (entry.header_bytes < sizeof entry || entry.header_bytes > left || entry.payload_bytes > left - entry.header_bytes)
            break;
        if (entry.kind != ENTRY_PTX || !better(entry.arch, chosen, newest)) continue;
        chosen = entry.arch;
        *text = at + entry.header_bytes;
        *length = strnlen(*text, entry.payload_bytes);
        compressed = entry.flags & ENTRY_COMPRESSED;
    }
    if (chosen && !compressed) return true;
    *text = NULL;
    diag_say(diag, "the program's device code is %s", chosen ? "compressed" : "machine code alone, without PTX");
    return diag_hint(diag, "build it with 'warpscope cc', or with nvcc %s",
                     chosen ? "-no-compress" : "-gencode arch=compute_75,code=compute_75");
}
