/* conditions.h: what a kernel decides by the sizes that it is launched with, worked out without a launch.
 *
 * A kernel that is wrong at some shapes alone asks for them. Each predicate of its own code that comes of parameters, of block and grid and of the
 * thread's place in them is evaluated, for 32 threads at once, wherever it stands. What is the same for all threads and comes of a loop's variable is found out
 * by following threads through the kernel, for some hundred instructions. Tables that the
 * file has are read. Not seen: what comes of other memory, or of functions that are called. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "machine/access.h"
#include "ptx/program.h"

/* What a thread is given: the special registers up to %nctaid.z, by their numbers, then the kernel's parameters of 4 bytes, by theirs. */
enum { GIVEN_SPECIALS = SPECIAL_nctaid_z + 1, GIVEN_PARAMS = 32, GIVEN_MOST = GIVEN_SPECIALS + GIVEN_PARAMS };

typedef struct GivenThreads {
    uint32_t of[GIVEN_MOST][WARP_LANES];
} GivenThreads;

typedef struct Conditions Conditions;

/* known: by number, what will be given. The program must stay. */
Conditions *conditions_new(const Program *program, const Function *kernel, const bool *known);
void conditions_free(Conditions *conditions);

enum { CONDITIONS_MOST = 64 };

/* How many there are, the first in the code; whether one is the same for all threads of a launch. */
uint32_t conditions_count(const Conditions *conditions);
bool conditions_is_uniform(const Conditions *conditions, uint32_t condition);

/* By condition, bit i for thread i; known: of which threads. */
void conditions_at(Conditions *conditions, const GivenThreads *given, uint32_t *bits, uint32_t *known);
