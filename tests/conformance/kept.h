/* kept.h: what a GPU gave, as sketches in one file. */
#pragma once

#include <stdio.h>

#include "base/diag.h"
#include "sketch.h"

typedef struct KeptEntry {
    uint32_t key;    /* of the line, or of a program's launch */
    uint32_t sketch; /* an index: lines that give the same have one */
} KeptEntry;

typedef struct Kept {
    Sketch *sketches;
    KeptEntry *entries; /* in order of keys */
    uint32_t n_sketches, n_entries;
} Kept;

void kept_add(Kept *kept, uint64_t key, const Sketch *sketch);
/* False where two keys are the same. */
bool kept_write(Kept *kept, const char *path);
bool kept_read(Kept *kept, const char *path, Diag *diag);
const Sketch *kept_find(const Kept *kept, uint64_t key); /* or NULL */
void kept_free(Kept *kept);
