/* compare.h: what a kernel wrote against what it should have written: the first wrong element and the mistake that the pattern of
 * wrong elements tells. Knows no launch; a pure function of the arrays. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "ptx/program.h"

enum { COMPARE_POISON = 0xa5 }; /* each byte of an element that nobody wrote */

typedef struct CompareSource { /* an input that wrong elements may have come from */
    const char *name;
    const void *data;
    uint8_t type;
    uint64_t count;
} CompareSource;

typedef struct Comparison {
    const char *name; /* of the output, as messages show it */
    uint8_t type;     /* Type of the elements */
    const void *got, *expected;
    uint64_t rows, cols; /* row-major; rows 1: elements are named by one index */
    double tolerance;    /* floats may differ by so much; negative: nothing may differ, bit for bit */
    const CompareSource *sources;
    uint32_t n_sources;
    const void *before;    /* what the elements were before the launch; NULL: nothing yet */
    bool unguarded;        /* the kernel has no condition that could leave elements out */
    uint64_t stored_bytes; /* by all lanes; 0: not known, or not of this array alone */
} Comparison;

/* True when all is as expected. Else appends one sentence about the first wrong element to `message`, and to `cause` the probable cause,
 * or nothing where the pattern tells none, or chance may have made it, as it does where many elements share their values. Neither ends with a full stop. */
bool compare_arrays(const Comparison *comparison, Text *message, Text *cause);
