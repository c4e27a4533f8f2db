/* warp_fault.h: a fault of one lane: its message, and whose it is. */
#pragma once

#include "machine/warp.h"

/* Fills the worker's fault, but for the hint (fault_hint), and names the lane's thread. Returns false. */
bool warp_fault(Warp *warp, unsigned lane, FaultKind kind, uint32_t pc, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Of instructions that all lanes of the warp execute: false after the fault that some do not. */
bool warp_is_whole(Warp *warp, const Step *step, uint32_t active);

/* Lanes as a person writes them: "lane 3", "lanes 0-15", "lanes 0, 2, 4-7". Returns buffer. */
char *lanes_text(uint32_t lanes, char *buffer, size_t size);

/* The verb's ending after them: "lane 3 waits", "lanes 0-15 wait". */
static inline const char *lanes_verb_s(uint32_t lanes) { return lanes & (lanes - 1) ? "" : "s"; }
