/* module.h: a program's variables in .global and .const memory, loaded into a device's memory. They live from load to unload, so that
 * later launches see what earlier ones wrote. */
#pragma once

#include "machine/memory.h"
#include "ptx/program.h"

typedef struct Module {
    const Program *program;
    Allocation **variables; /* indexed as program->variables; NULL for those in other spaces */
} Module;

/* Host memory that is to hold a variable, for both sides at one address (memory_borrow); NULL for the variables that may stand
 * anywhere. */
typedef struct Places {
    void *self;
    void *(*find)(void *self, const char *variable);
} Places;

/* Allocates and initialises (relocations too). places may be NULL. Kept on the heap; module_unload releases variables and module. */
Module *module_load(const Program *program, Memory *memory, const Places *places);
void module_unload(Module *module, Memory *memory);
