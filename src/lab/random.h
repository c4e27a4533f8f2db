/* random.h: the data of a grading. It comes from a seed, so that it can be drawn again, and a kernel that reads some of it cannot work out the
 * rest: a kernel that knew its input would load nothing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

enum { RANDOM_KEY_BYTES = 16 };

/* The seed of these bytes under this secret: SipHash-2-4 (Aumasson and Bernstein, 2012). Who does not know the secret cannot choose bytes that
 * give a wanted seed, also when other files' seeds are known. */
uint64_t random_seed(const uint8_t key[RANDOM_KEY_BYTES], const void *bytes, size_t count);

/* The first bytes of the file that holds a secret. False with a message where it has fewer. */
bool random_read_key(const char *path, uint8_t key[RANDOM_KEY_BYTES], Diag *diag);

/* Random bits for each index. Two one-to-one mixtures of seed and index are joined by exclusive or, so that none can be undone. */
uint64_t random_bits(uint64_t seed, uint64_t index);

/* The random bits of `count` indices from this one on, into bits: in one loop, for arrays. */
void random_fill(uint64_t seed, uint64_t index, uint64_t *bits, size_t count);
