/* limit.h: limits that this process sets itself before it looks at what others wrote, and what it says when it ends by one of them: a limit here
 * guards the host, and tells nothing of what was to be looked at. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"

typedef struct Limits {
    unsigned seconds;      /* of processor time */
    unsigned wall_seconds; /* until the end, whatever the processors do meanwhile */
    uint64_t memory_bytes; /* of addresses; not under AddressSanitizer, which reserves terabytes */
    uint64_t file_bytes;   /* of each file that is written */
    bool reserves;         /* as CUDA does, far more addresses than it uses: what it may write is limited instead */
    bool alone;            /* no further processes or threads */
} Limits;

/* False with a message when the system sets one of them to nothing so low. */
bool limit_process(const Limits *limits, Diag *diag);

/* What is written to the descriptor, before the process ends with the status. The texts must stay. */
typedef struct LastWords {
    int fd, status;
    const char *time, *memory,
        *crash; /* it ran past its time; it ran out of memory, or gave up; any other signal of a mistake */
} LastWords;

void limit_last_words(const LastWords *words);
