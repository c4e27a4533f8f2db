/* grid.h: runs the blocks of a launch on host threads. Results, counts and messages do not depend on how many: blocks that are resident
 * together on one SM form a batch, batches of one SM run in order, and what all SMs share is committed in order of batches. A kernel
 * whose blocks communicate (atomics whose result is used, volatile accesses or fences on global memory) runs on one thread, as many blocks
 * together as fit the device: those that only wait (see spin.h) let others run, and another one starts when all that have started wait.
 * In a cooperative launch all start together and run round-robin in block order. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "machine/launch.h"

/* True once all batches before the one that this observer's worker is running have been committed: what all SMs share is then this
 * worker's to change. False when a fault in an earlier batch has ended the launch: it must not be changed. True at once for NULL. */
bool commit_wait(struct CommitTicket *ticket);

/* About how many 32-bit registers a thread of the kernel needs: the slots that its values take here, where those that are never live
 * together share one; ptxas allocates more or fewer. 0 when the kernel cannot be decoded. */
uint32_t grid_registers(const Kernel *kernel, const struct Module *module);

/* Runs the whole grid. False with a message when it cannot start (an instruction without a meaning here, too much shared memory). */
bool grid_run(const Launch *launch, const Machine *machine, LaunchOutcome *outcome, Diag *diag);
