/* alike_page.h: what alike.c found, as a page. */
#pragma once

#include "class/class.h"
#include "class/likeness.h"

/* Submissions with the same bytes, or a file of elsewhere. */
typedef struct AlikeFile {
    char *key;        /* of OUT/state/graded */
    char *elsewhere;  /* what it is called; NULL: it is one of the class */
    Text source;      /* as it is written; empty where that is unknown */
    uint32_t *equals; /* of the class's submissions, in their order */
    size_t count;
    bool as_given;
    uint32_t likened; /* its number in the likeness; NO_INDEX: not compared */
} AlikeFile;

typedef struct AlikeRefused {
    uint32_t submission;
    char *elsewhere; /* not NULL: the name of a file of elsewhere, in place of a submission */
    char *why;
} AlikeRefused;

typedef struct Alike {
    const Class *class;
    AlikeFile *files;
    size_t count;
    size_t own;         /* of the files: those of the class, which come first */
    uint32_t *compared; /* of the likeness's numbers the files */
    AlikeRefused *left_out;
    size_t n_left_out;
    uint32_t *clusters; /* those that have a pair, the most alike first: the likeness's numbers of them */
    size_t n_clusters;
    Likeness likeness;
    double threshold;
} Alike;

/* What a pair is alike by, from the threshold on: "what its kernels do", "how it is written", or both. */
const char *alike_by(const Alike *alike, const LikenessPair *pair);

void page_of_alike(const Alike *alike, Text *out);
