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
    warp->wrote = warp->changed = warp->moved = warp->read_global = warp->heard = false;
    warp->spins = 0;
    spin_reset(&warp->spin);
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

bool warp_turn(Warp *warp) {
    uint32_t above = warp->paths[warp->n_paths - 1].mask, found = NO_INDEX;
    /* The lowest path that can run: turn and turn about, none is left out. */
    for (uint32_t i = warp->n_paths - 1; i-- > 0;) {
        const Path *path = &warp->paths[i];
        if (!(path->mask & above) && !path->blocked) found = i;
        above |= path->mask;
    }
    if (found == NO_INDEX) return false;
    Path path = warp->paths[found];
    memmove(&warp->paths[found], &warp->paths[found + 1], (warp->n_paths - found - 1) * sizeof path);
    warp->paths[warp->n_paths - 1] = path;
    return true;
}

bool warp_part(Warp *warp) {
    uint32_t above = warp->paths[warp->n_paths - 1].mask;
    for (uint32_t i = warp->n_paths - 1; i-- > 0;) {
        Path path = warp->paths[i];
        uint32_t waiting = path.mask & ~above;
        if (waiting && path.mask & above && !path.blocked) {
            warp->paths[i].mask &= ~waiting;
            path.mask = waiting;
            warp_push(warp, path);
            return true;
        }
        above |= path.mask;
    }
    return false;
}

uint32_t warp_gathered(const Warp *warp) {
    const Path *top = &warp->paths[warp->n_paths - 1];
    uint32_t lanes = 0;
    for (uint32_t i = 0; i + 1 < warp->n_paths; i++) {
        const Path *path = &warp->paths[i];
        if (path->blocked && path->pc == top->pc && path->frame == top->frame) lanes |= path->mask;
    }
    return lanes;
}

void warp_gather(Warp *warp) {
    uint32_t kept = 0;
    Path top = warp->paths[warp->n_paths - 1];
    uint32_t pc = top.pc;
    for (uint32_t i = 0; i + 1 < warp->n_paths; i++) {
        Path path = warp->paths[i];
        if (path.blocked && path.pc == pc && path.frame == top.frame) {
            if (path.reconverge == top.reconverge) {
                top.mask |= path.mask;
                continue;
            }
            path.blocked = false;
            path.pc++;
        }
        warp->paths[kept++] = path;
    }
    top.blocked = false;
    warp->paths[kept++] = top;
    warp->n_paths = kept;
}
