/* listings.h: the files that the book quotes, each as the desk lays it before a reader: with the launches that the book has of its kernels, as
 * comments that an editor's file may have (lsp/launches.h). */
#pragma once

#include <stddef.h>

#include "base/text.h"

typedef struct Listing {
    char *name; /* "tiles.cu" */
    Text given;
} Listing;

typedef struct Listings {
    Listing *items; /* in order of their names */
    size_t count;
} Listings;

/* Those of the tree at root; none where it has no book. listings_free in any case. */
void listings_read(Listings *listings, const char *root);
void listings_free(Listings *listings);
