/* effort.h: what a launch costs the host, so that a launch can be held to a limit whatever it spends its time on: the instructions of all warps,
 * and for starting a block, for the lines of scattered accesses, for printing and the like as many as would take about as long. The same on every
 * host and for any number of threads. */
#pragma once

#include "machine/warp.h"

/* A block that is about to start. */
void effort_block(Block *block);

/* False with a fault, before anything runs, where starting all blocks alone costs more than the launch's max_starts. */
bool effort_starts_fit(const Launch *launch, const Code *code, Fault *fault);

/* Reading and writing so many characters for printf. */
void effort_print(Worker *worker, uint64_t characters);

/* A warp has run for a while, and observers have watched it. */
void effort_run(Worker *worker, uint64_t instructions);

/* A block has ended. */
void effort_block_ended(Worker *worker);

/* False with a fault once the batch alone has cost more than the launch may, or more than it may without a block's end: a launch in which blocks
 * end may be as long as it likes, and one that never ends shows it in its first batch, however many warps and host threads it has. */
bool effort_fits(const Warp *warp);

/* The same for all batches together, about no thread. */
bool effort_fault(Fault *fault, uint64_t most, uint32_t pc);
