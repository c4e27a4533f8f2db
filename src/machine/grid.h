/* grid.h: runs the blocks of a launch on host threads. Results, counts and messages do not depend on how many: blocks that are resident
 * together on one SM form a batch, batches of one SM run in order, and what all SMs share is committed in order of batches. A kernel
 * whose blocks communicate (atomics whose result is used, volatile accesses or fences on global memory) runs on one thread, as many blocks
 * together as fit the device: those that only wait (see spin.h) let others run, and another one starts when all that have started wait.
 * In a cooperative launch all start together and run round-robin in block order. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "machine/findings.h"
#include "machine/heap.h"
#include "machine/memory.h"
#include "machine/observer.h"
#include "ptx/program.h"

/* True once all batches before the one that this observer's worker is running have been committed: what all SMs share is then this
 * worker's to change. False when a fault in an earlier batch has ended the launch: it must not be changed. True at once for NULL. */
bool commit_wait(struct CommitTicket *ticket);

/* Where a host thread is, for who watches from another one: the instruction with which the warp that ran last goes on; NO_INSN before and
 * after. A cache line each. */
typedef struct Sight {
    _Alignas(64) uint32_t pc;
} Sight;

enum { SIGHTS = 64 }; /* of so many host threads */

typedef struct Launch {
    const Program *program;
    const Function *kernel;
    uint32_t grid[3], block[3];
    uint32_t shared_dynamic; /* bytes of dynamic shared memory */
    uint32_t shared_limit;   /* the most bytes a block may have, static and dynamic together */
    const uint8_t *params;   /* kernel->param_bytes bytes */
    Memory *memory;          /* module variables are in it: see module.h */
    const struct Module *module;
    Heap *heap;           /* for malloc and free; NULL: kernels that call them have a fault */
    uint32_t sms;         /* multiprocessors of the device */
    uint32_t sms_shown;   /* as %nsmid and %smid tell the kernel; the same as sms but in a grader's tests */
    uint32_t resident;    /* blocks of this kernel that fit an SM together, at least 1 */
    unsigned threads;     /* host threads, at least 1 */
    uint64_t max_steps;   /* instructions one warp may run */
    uint64_t max_effort;  /* of all warps together: see effort.h; 0: no limit */
    uint64_t max_unended; /* effort of a batch since it began or a block of it last ended; 0: no limit */
    uint64_t max_bytes;   /* of host memory that a worker's blocks may take, with what checks keep of theirs; 0: no limit */
    Observer **observers; /* threads × n_observers: worker t's are observers[t * n_observers …] */
    uint32_t n_observers;
    bool barrier_checks; /* a warp that writes memory and ends without reaching a barrier that others wait at is a fault */
    bool goes_on;        /* after what a device runs through as well: all findings are kept (see findings.h) */
    bool quiet;          /* printf prints nothing */
    bool traced;         /* observers see each instruction as well: on_insn, on_written */
    bool cooperative;    /* all blocks live at once and may wait for each other: at most sms * resident of them */
    Sight *sights;       /* NULL, or SIGHTS of them */
    uint64_t *executed;  /* NULL, or by pc: to it is added how often a warp ran the instruction */
    uint64_t workspace;  /* cooperative launches: device address of GRID_WORKSPACE_BYTES zeroed bytes; else 0 */
} Launch;

/* What this_grid().sync() works on, as the driver provides it. %envreg1 holds the upper half of its address and %envreg2 the lower, 0 in
 * other launches: that is how grid_group::is_valid() tells. Word 0 is its size; word 1, the barrier, begins as 0: each block adds 1, the
 * first one 0x80000000 - (blocks - 1), and waits until the top bit has changed. (As the PTX that nvcc 13 makes shows, and the
 * toolkit's cooperative_groups/details/driver_abi.h and sync.h.) */
enum { GRID_WORKSPACE_BYTES = 8 };

enum { OUTPUT_BYTES_MOST = 16 << 20 }; /* of a launch's printf; a GPU keeps 1 MiB */

typedef struct LaunchOutcome {
    uint64_t instructions, thread_instructions;
    uint64_t busiest_warp;  /* instructions of the warp that ran most */
    uint64_t most_accesses; /* of global memory, by one warp; 0 where nobody observes */
    uint64_t effort;        /* see effort.h */
    Fault fault;
    FindingLog findings; /* the caller frees */
    Text output;         /* printf; what exceeds the limit is left out, and a last line says so */
    unsigned threads;    /* host threads really used */
} LaunchOutcome;

/* About how many 32-bit registers a thread of the kernel needs: the slots that its values take here, where those that are never live
 * together share one; ptxas allocates more or fewer. 0 when the kernel cannot be decoded. */
uint32_t grid_registers(const Program *program, const Function *kernel, const struct Module *module);

/* Shared memory that the kernel's static variables take, in bytes. */
uint32_t grid_static_shared(const Program *program, const Function *kernel);

/* Runs the whole grid. False with a message when it cannot start (an instruction without a meaning here, too much shared memory). */
bool grid_run(const Launch *launch, LaunchOutcome *outcome, Diag *diag);
