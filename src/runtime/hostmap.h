/* hostmap.h: host addresses: which are mapped, and a clear message when host code accesses a device address. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/memory.h"

/* Whether the host has memory there. */
bool hostmap_holds(uint64_t address);

/* Whether it is in what the program's file holds and nobody may write, such as tables of virtual functions. */
bool hostmap_is_constant(uint64_t address);

/* From now on a host access to an address of the device ends the program with a message that names the allocation in memory, instead of
 * a bare segmentation fault; so does one to any other address while hostmap_copying. A handler that the program installs itself
 * replaces ours. An access that `ours` answers with true has been seen to. */
void hostmap_guard(const Memory *memory, bool (*ours)(const siginfo_t *info, void *where));

/* Whether that handler is still the program's. */
bool hostmap_is_guarded(void);

/* Whether memory of both sides is at this address. */
bool hostmap_shares(uint64_t address);

/* What this thread is doing with the host's memory, for the message: "cudaMemcpy", and the range. NULL: nothing. */
void hostmap_copying(const char *call, const void *host, size_t bytes);
