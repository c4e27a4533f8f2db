/* batch.h: lists of which one call describes several things. Internal to src/runtime. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether each of a list's items says which of the things it begins with: the first one, and then later ones. */
bool batch_are_indices(const size_t *indices, size_t count, size_t described);
