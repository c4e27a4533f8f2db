/* programs.h: whole kernels, in launches of odd shapes: what opcodes.def's lines cannot show. Each is a file NAME.body:
 *   //! launch 3,2,2 5,3,7 100     grid, block, bytes of dynamic shared memory; one launch each
 *   //! slots 8                    results of a thread, 8 bytes each, at %out
 *   //! leaves 22                  a result that is not compared; the file says why
 *   //! body                       before this line stand functions, behind it the kernel's instructions
 * They have %i, the thread's number in the grid, %me, that in its block, %threads of a block, and 1 MiB of zeros at %in. */
#pragma once

#include "plan.h"

/* The job of a program's launch number `launch`; false behind the last. Its results are threads * slots of 8 bytes. */
bool program_job(const char *text, unsigned launch, Job *job);

unsigned program_slots(const char *text);
/* Makes the results alike that are not compared. */
void program_leave_out(const char *text, uint64_t *results, size_t count);

/* Room for as many bytes as the job says. */
void job_allocate(Job *job);
void job_free(Job *job);
