/* planned.h: memory that graphs allocate and free: its address is known when the node is made, and it is there from when that node has run to when it is freed, by a node of whatever
 * graph or by cudaFree. Internal to src/runtime. */
#pragma once

#include "runtime/context.h"

typedef struct PlannedMemory {
    struct PlannedMemory *next;
    Allocation memory; /* address, bytes, name, tag and sites alone */
    bool expected;     /* by the work that is checked: work_check_late */
} PlannedMemory;

/* The address of memory to come, for the call that there is. */
uint64_t planned_new(Context *context, uint64_t bytes);

PlannedMemory *planned_find(const Context *context, uint64_t address);          /* that has it, or NULL */
Allocation *planned_at(const Context *context, uint64_t address);               /* its allocation to come */
Allocation *planned_live(const Context *context, const PlannedMemory *planned); /* while it is there; else NULL */

/* It is there, or no longer, from now on. */
cudaError_t planned_begin(Context *context, uint64_t address);
cudaError_t planned_end(Context *context, uint64_t address);

/* Bytes of what is there. */
uint64_t planned_used(const Context *context);

/* With the device's memory. */
void planned_reset(Context *context);
