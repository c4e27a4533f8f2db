#include "command/deviceobject.h"

#include <elf.h>
#include <string.h>

#include "base/text.h"
#include "runtime/fatbin.h"

typedef struct ObjectFile {
    const char *bytes;
    size_t length;
    Elf64_Ehdr header;
} ObjectFile;

static bool is_inside(const ObjectFile *object, uint64_t at, uint64_t bytes) {
    return at <= object->length && bytes <= object->length - at;
}

static bool section(const ObjectFile *object, unsigned index, Elf64_Shdr *found) {
    const uint64_t at = object->header.e_shoff + (uint64_t)index * sizeof *found;
    if (index >= object->header.e_shnum || !is_inside(object, at, sizeof *found)) return false;
    memcpy(found, object->bytes + at, sizeof *found);
    return found->sh_type == SHT_NOBITS || is_inside(object, found->sh_offset, found->sh_size);
}

/* A name in a table of strings; "" where it does not end inside. */
static const char *name_at(const ObjectFile *object, const Elf64_Shdr *names, uint64_t at) {
    if (names->sh_type != SHT_STRTAB || at >= names->sh_size) return "";
    const char *name = object->bytes + names->sh_offset + at;
    return memchr(name, 0, names->sh_size - at) ? name : "";
}

static void read_symbols(const ObjectFile *object, const Elf64_Shdr *symbols, const ObjectReader *reader) {
    Elf64_Shdr names;
    Elf64_Sym symbol;
    if (!section(object, symbols->sh_link, &names)) return;
    for (uint64_t at = 0; symbols->sh_size - at >= sizeof symbol; at += sizeof symbol) {
        memcpy(&symbol, object->bytes + symbols->sh_offset + at, sizeof symbol);
        const char *name = name_at(object, &names, symbol.st_name);
        if (text_begins(name, LINKED_PREFIX))
            reader->unit(reader->self, name + strlen(LINKED_PREFIX), symbol.st_shndx != SHN_UNDEF);
    }
}

/* One behind the other, with zeros between them. */
static bool read_code(const char *at, size_t left, const ObjectReader *reader) {
    while (left) {
        size_t bytes = *at ? fatbin_bytes(at, left) : 1;
        if (*at && !reader->code(reader->self, at, bytes)) return false;
        at += bytes;
        left -= bytes;
    }
    return true;
}

bool deviceobject_read(const char *bytes, size_t length, const ObjectReader *reader) {
    ObjectFile object = {.bytes = bytes, .length = length};
    Elf64_Shdr names, at;
    if (length < sizeof object.header) return true;
    memcpy(&object.header, bytes, sizeof object.header);
    if (memcmp(bytes, ELFMAG, SELFMAG) != 0 || bytes[EI_CLASS] != ELFCLASS64 || object.header.e_type != ET_REL ||
        !section(&object, object.header.e_shstrndx, &names))
        return true;
    for (unsigned i = 0; section(&object, i, &at); i++) {
        const char *name = name_at(&object, &names, at.sh_name);
        if (at.sh_type == SHT_SYMTAB) read_symbols(&object, &at, reader);
        if (strcmp(name, "__nv_relfatbin") == 0 && at.sh_type != SHT_NOBITS &&
            !read_code(bytes + at.sh_offset, at.sh_size, reader))
            return false;
    }
    return true;
}
