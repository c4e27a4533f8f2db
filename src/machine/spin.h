/* spin.h: spin-waiting. A warp that polls in a loop without changing memory and comes back to a state in which it was before (lanes,
 * registers, local memory) will go on so until something that it has read in between changes. It is then parked: it does not run before
 * that. When all warps that are left are parked, nothing will ever change: a deadlock.
 *
 * What a polling loop reads and runs is counted as on a device, where the number of its iterations depends on time. Here it depends on the
 * order in which blocks and warps run, which is fixed: so counts are the same on every run, and small. After an iteration that has read
 * nothing new the others run; after two such iterations the warp is parked, and it reads again only when what it waits for has changed:
 * at most two iterations for each such change. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct Block;
struct Step;
struct Warp;

/* Something that a warp has read in a loop: where it is on the host, and its value then. */
typedef struct Polled {
    const uint8_t *host;
    uint64_t value;
    uint32_t bytes; /* 1 to 8 */
} Polled;

typedef struct Spin {
    bool watching; /* a state is kept, and what is read after it is noted */
    bool parked;
    bool incomplete;      /* more was read than is noted */
    uint64_t state;       /* a hash of the state that is kept */
    uint32_t iterations;  /* of the loop since then */
    uint32_t limit;       /* a newer state is kept after so many: Brent's search for a cycle of any length */
    uint64_t values;      /* a hash of what was read in this iteration */
    uint64_t last_values; /* and in the one before */
    uint32_t n_polled;    /* since the state was kept */
    uint32_t capacity;
    uint64_t ended; /* allocations, when the state was kept: what was read may be in one that is gone since */
    Polled *polled;
    uint32_t pc;      /* the atomic or volatile read noted last, or another where there is none; NO_INSN before any */
    uint64_t address; /* its first lane's, generic */
    uint32_t lanes;
} Spin;

void spin_reset(Spin *spin); /* the warp has changed memory, reached a barrier, or starts */
void spin_free(Spin *spin);

/* Before a load or an atomic operation of a warp that is being watched. */
void spin_note(struct Warp *warp, const struct Step *step, uint32_t active);

/* After an iteration of a loop that polled and changed nothing. Sets `parked`. True when the warp has read other values than in the iteration
 * before. */
bool spin_iteration(struct Warp *warp);

/* Whether something that the warp has read since has another value now, or may be gone. */
bool spin_changed(const struct Warp *warp);

/* Whether the parked warp may run again; then it is parked no more. */
bool spin_wakes(struct Warp *warp);
