#include "kept.h"

#include <stdlib.h>
#include <string.h>

static const char mark[8] = "kept 1\n";
enum { SKETCH_BYTES = SKETCH_SUMS * 8 + SKETCH_GROUPS, ENTRY_BYTES = 6 };

void kept_add(Kept *kept, uint64_t key, const Sketch *sketch) {
    uint32_t index = 0;
    while (index < kept->n_sketches && memcmp(&kept->sketches[index], sketch, sizeof *sketch)) index++;
    if (index == kept->n_sketches) {
        kept->sketches = realloc(kept->sketches, (kept->n_sketches + 1) * sizeof *kept->sketches);
        kept->sketches[kept->n_sketches++] = *sketch;
    }
    kept->entries = realloc(kept->entries, (kept->n_entries + 1) * sizeof *kept->entries);
    kept->entries[kept->n_entries++] = (KeptEntry){(uint32_t)key, index};
}

static int by_key(const void *left, const void *right) {
    const uint32_t a = ((const KeptEntry *)left)->key, b = ((const KeptEntry *)right)->key;
    return (a > b) - (a < b);
}

static void number_write(FILE *file, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++) putc((int)(value >> 8 * i & 255), file);
}

static uint64_t number_read(const uint8_t **at, unsigned bytes) {
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++) value |= (uint64_t) * (*at)++ << 8 * i;
    return value;
}

bool kept_write(Kept *kept, const char *path) {
    qsort(kept->entries, kept->n_entries, sizeof *kept->entries, by_key);
    for (uint32_t i = 1; i < kept->n_entries; i++)
        if (kept->entries[i].key == kept->entries[i - 1].key) return false;
    FILE *file = fopen(path, "wb");
    if (!file) return false;
    fwrite(mark, 1, sizeof mark, file);
    number_write(file, kept->n_sketches, 4);
    number_write(file, kept->n_entries, 4);
    for (uint32_t i = 0; i < kept->n_sketches; i++) {
        for (unsigned s = 0; s < SKETCH_SUMS; s++) number_write(file, kept->sketches[i].sums[s], 8);
        fwrite(kept->sketches[i].groups, 1, SKETCH_GROUPS, file);
    }
    for (uint32_t i = 0; i < kept->n_entries; i++)
        number_write(file, kept->entries[i].key, 4), number_write(file, kept->entries[i].sketch, 2);
    return fclose(file) == 0;
}

bool kept_read(Kept *kept, const char *path, Diag *diag) {
    size_t length;
    char *bytes = text_read_file(path, 16 << 20, &length);
    const uint8_t *at = (const uint8_t *)bytes + sizeof mark;
    if (!bytes || length < sizeof mark + 8 || memcmp(bytes, mark, sizeof mark))
        return diag_say(diag, "%s cannot be read", path);
    kept->n_sketches = (uint32_t)number_read(&at, 4);
    kept->n_entries = (uint32_t)number_read(&at, 4);
    if (length != sizeof mark + 8 + (size_t)kept->n_sketches * SKETCH_BYTES + (size_t)kept->n_entries * ENTRY_BYTES)
        return diag_say(diag, "%s is cut off", path);
    kept->sketches = calloc(kept->n_sketches + 1, sizeof *kept->sketches);
    kept->entries = calloc(kept->n_entries + 1, sizeof *kept->entries);
    for (uint32_t i = 0; i < kept->n_sketches; i++) {
        for (unsigned s = 0; s < SKETCH_SUMS; s++) kept->sketches[i].sums[s] = number_read(&at, 8);
        memcpy(kept->sketches[i].groups, at, SKETCH_GROUPS);
        at += SKETCH_GROUPS;
    }
    for (uint32_t i = 0; i < kept->n_entries; i++) {
        kept->entries[i].key = (uint32_t)number_read(&at, 4);
        kept->entries[i].sketch = (uint32_t)number_read(&at, 2);
        if (kept->entries[i].sketch >= kept->n_sketches) return diag_say(diag, "%s is not sound", path);
    }
    free(bytes);
    return true;
}

const Sketch *kept_find(const Kept *kept, uint64_t key) {
    const KeptEntry wanted = {.key = (uint32_t)key};
    const KeptEntry *found = bsearch(&wanted, kept->entries, kept->n_entries, sizeof wanted, by_key);
    return found ? &kept->sketches[found->sketch] : NULL;
}

void kept_free(Kept *kept) {
    free(kept->sketches);
    free(kept->entries);
}
