/* fingerprint.h: what a kernel does, as numbers that do not depend on how it is written down: names, labels, comments and the order of
 * independent instructions make no difference.
 *
 * An instruction's fingerprint is a hash of its operation and of those that define its operands, a few steps back along the flow of data. Each
 * instruction has two: an exact one, and one that leaves out constants, signs and the sense of comparisons, so that a changed size does not
 * make all of a kernel another one. What only moves a value, and where control merely goes on, has none; registers that such moves connect
 * are one. Operands of what commutes are unordered. */
#pragma once

#include "ptx/program.h"

typedef struct Fingerprint {
    uint64_t hash;
    uint32_t count;
    uint32_t line; /* of the source, the first that has it; 0: unknown */
} Fingerprint;

typedef struct Fingerprints {
    Fingerprint *items; /* ascending hashes, each once */
    size_t count;
} Fingerprints;

/* Of single ones in any order, which it takes over. Of more than a few thousand those with the smallest hashes, which are the same in whatever files
 * they stand. */
Fingerprints fingerprints_of(Fingerprint *items, size_t count);

/* Of a kernel's own instructions and of those of all functions that it calls. main_file: whose lines are meant (program_location). The caller
 * frees. */
void fingerprints_take(const Program *program, const Function *kernel, const char *main_file, Fingerprints *prints);
void fingerprints_free(Fingerprints *prints);
