/* spin.h: waiting in loops. A warp that goes round a loop without changing memory and comes back to a state in which it was before (lanes,
 * registers, local memory) will go on so until something that it read on the way has changed. It is then parked: it does not run before
 * that. When all that are left are parked, nothing will ever change: a deadlock.
 *
 * What a waiting loop reads and runs is counted as on a device, where the number of its turns is a matter of time. Here it is a matter of
 * the order in which blocks and warps have their turns, which is fixed: so counts stay the same on every run, and few. After a turn that
 * heard nothing new the others run; after two such turns the warp is parked, and it reads again only when what it waits for has changed:
 * at most two turns for each such change. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct Block;
struct Step;
struct Warp;

/* Something that a warp read in a loop: where it is on the host, and what was there. */
typedef struct Seen {
    const uint8_t *host;
    uint64_t value;
    uint32_t bytes; /* 1 to 8 */
} Seen;

typedef struct Spin {
    bool watching; /* a state is kept, and what is read after it is noted */
    bool parked;
    bool missed;       /* more was read than is noted */
    uint64_t state;    /* a hash of the state that is kept */
    uint32_t turns;    /* round the loop since then */
    uint32_t limit;    /* a newer state is kept after so many: Brent's search for a cycle of any length */
    uint64_t news;     /* a hash of what was read in this turn */
    uint64_t old_news; /* and in the one before */
    uint32_t n_seen;   /* since the state was kept */
    uint32_t capacity;
    Seen *seen;
    uint32_t pc;      /* the atomic or volatile read noted last, or another where there is none; NO_INSN before any */
    uint64_t address; /* its first lane's, generic */
    uint32_t lanes;
} Spin;

void spin_reset(Spin *spin); /* the warp has changed memory, met others at a barrier, or begins */
void spin_free(Spin *spin);

/* Before a load or an atomic operation of a warp that is being watched. */
void spin_note(struct Warp *warp, const struct Step *step, uint32_t active);

/* After a turn round a loop that listened to other threads and changed nothing. Sets `parked`. True when the warp read something else
 * than in the turn before. */
bool spin_turn(struct Warp *warp);

/* Whether the parked warp may run again; then it is parked no more. */
bool spin_wakes(struct Warp *warp);
