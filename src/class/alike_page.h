/* alike_page.h: what alike.c found, as a page. */
#pragma once

#include "class/class.h"
#include "class/likeness.h"

/* Submissions with the same bytes. */
typedef struct AlikeFile {
    char *key;        /* of OUT/state/graded */
    uint32_t *equals; /* of the class's submissions, in their order */
    size_t count;
    bool as_given;
    uint32_t likened; /* its number in the likeness; NO_INDEX: not compared */
} AlikeFile;

typedef struct AlikeRefused {
    uint32_t submission;
    char *why;
} AlikeRefused;

typedef struct Alike {
    const Class *class;
    AlikeFile *files;
    size_t count, room;
    uint32_t *compared; /* of the likeness's numbers the files */
    AlikeRefused *left_out;
    size_t n_left_out, left_out_room;
    uint32_t *clusters; /* those that have a pair, the most alike first: the likeness's numbers of them */
    size_t n_clusters;
    Likeness likeness;
    double threshold;
} Alike;

void page_of_alike(const Alike *alike, Text *out);
