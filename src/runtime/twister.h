/* twister.h: the numbers of MT19937 (Matsumoto and Nishimura, 1998) in the order in which cuRAND has them. 8,192 generators go through one sequence,
 * 2^2048 numbers apart, and give eight numbers each in turn. */
#pragma once

#include <stdint.h>

typedef struct Twister Twister;

/* On the heap. Of the seed the lower half counts. */
Twister *twister_new(uint64_t seed);
void twister_free(Twister *twister);

/* The number at a place, which never lies before that of an earlier call. */
uint32_t twister_number(Twister *twister, uint64_t position);
