/* Which lanes of a warp run where. Lanes that part at a branch meet again at its immediate post-dominator. */
#include <stdlib.h>
#include <string.h>

#include "machine/warp.h"

void warp_push(Warp *warp, Path path) {
    if (warp->n_paths == warp->path_capacity) {
        warp->path_capacity = warp->path_capacity ? warp->path_capacity * 2 : 16;
        warp->paths = realloc(warp->paths, warp->path_capacity * sizeof *warp->paths);
        if (!warp->paths) abort();
    }
    warp->paths[warp->n_paths++] = path;
}

void warp_pop(Warp *warp) { warp->n_paths--; }

void warp_start(Warp *warp, uint32_t lanes) {
    const Code *code = warp->worker->code;
    warp->live = lanes;
    warp->carry = 0;
    warp->n_paths = 0;
    warp->state = WARP_READY;
    warp->steps_left = warp->steps_begun = warp->worker->launch->max_steps;
    warp->wrote = warp->changed = warp->read_global = warp->polled = false;
    warp->spins = 0;
    warp->frames[0] = (Frame){.function = 0};
    warp_push(warp, (Path){.pc = code->functions[0].first, .reconverge = NO_INSN, .mask = lanes});
}

void warp_split(Warp *warp, uint32_t taken, uint32_t target, uint32_t next, uint32_t reconverge) {
    Path *top = &warp->paths[warp->n_paths - 1];
    Path path = *top;
    uint32_t other = path.mask & ~taken;
    if (reconverge == NO_INSN || reconverge == path.reconverge) {
        /* They meet where this path ends anyway: its lanes are in the path below. */
        warp->n_paths--;
        reconverge = path.reconverge;
    } else {
        top->pc = reconverge;
    }
    Path to_next = {.pc = next, .reconverge = reconverge, .mask = other, .frame = path.frame};
    Path to_target = {.pc = target, .reconverge = reconverge, .mask = taken, .frame = path.frame};
    if (target != reconverge) warp_push(warp, to_target);
    if (next != reconverge) warp_push(warp, to_next);
}

/* Removes the lanes from paths first … last - 1 and drops those that become empty. */
static void remove_lanes(Warp *warp, uint32_t lanes, uint32_t frame, bool every_frame) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < warp->n_paths; i++) {
        Path path = warp->paths[i];
        if (every_frame || path.frame == frame) path.mask &= ~lanes;
        if (path.mask) warp->paths[kept++] = path;
    }
    warp->n_paths = kept;
}

void warp_exit(Warp *warp, uint32_t lanes) {
    warp->live &= ~lanes;
    remove_lanes(warp, lanes, 0, true);
}

void warp_leave_frame(Warp *warp, uint32_t lanes) { remove_lanes(warp, lanes, warp->paths[warp->n_paths - 1].frame, false); }

bool warp_rotate(Warp *warp) {
    uint32_t above = warp->paths[warp->n_paths - 1].mask, waiting = 0, found = NO_INDEX;
    /* The lowest path that can run: turn and turn about, none is left out. */
    for (uint32_t i = warp->n_paths - 1; i-- > 0;) {
        const Path *below = &warp->paths[i];
        uint32_t own = below->mask & ~above;
        above |= below->mask;
        if (!own || below->blocked) continue;
        waiting = own;
        found = i;
    }
    if (found == NO_INDEX) return false;
    Path *below = &warp->paths[found], path = *below;
    path.mask = waiting;
    below->mask &= ~waiting;
    if (!below->mask) {
        memmove(below, below + 1, (warp->n_paths - found - 1) * sizeof *below);
        warp->n_paths--;
    }
    warp_push(warp, path);
    return true;
}
