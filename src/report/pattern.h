/* pattern.h: the rule that the addresses of one access follow, as far as a person would see one. */
#pragma once

#include "machine/access.h"

typedef enum PatternKind {
    PATTERN_SINGLE, /* one lane is active */
    PATTERN_SAME,   /* all lanes have one address */
    PATTERN_STRIDE, /* lane i at base + i * stride */
    PATTERN_RUNS, /* runs of `run` lanes: base + (i / run) * jump + (i % run) * stride; stride is 0 where a run shares one address */
    PATTERN_SCATTERED /* none of these */
} PatternKind;

typedef struct Pattern {
    PatternKind kind;
    uint32_t run;   /* lanes */
    int64_t stride; /* bytes */
    int64_t jump;   /* bytes */
    uint64_t low;   /* the lowest address */
    uint64_t span;  /* bytes from there to the end of the last byte touched */
    bool holes;     /* an inactive lane stands between active ones */
} Pattern;

Pattern pattern_find(const Access *access);
