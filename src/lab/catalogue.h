/* catalogue.h: the labs of a tree: each is a folder exercises/NN-slug with a lab.goals. */
#pragma once

#include <stddef.h>

#include "lab/goals.h"

typedef struct CatalogueEntry {
    char *folder;             /* "05-transpose" */
    char *kernel, *untouched; /* from the tree's folder on: the learner's file, and the exercise as it was given */
    Goals *goals;
} CatalogueEntry;

typedef struct Catalogue {
    CatalogueEntry *labs; /* in order of their folders' names */
    size_t count;
} Catalogue;

/* Reads all labs of the tree at root. False with a message when there is none, or a lab.goals is wrong. catalogue_free in any case. */
bool catalogue_read(Catalogue *catalogue, const char *root, Diag *diag);
void catalogue_free(Catalogue *catalogue);

/* The lab that a learner means by 05, 5, transpose or 05-transpose. NULL and a message when there is none. */
const CatalogueEntry *catalogue_find(const Catalogue *catalogue, const char *wanted, Diag *diag);
