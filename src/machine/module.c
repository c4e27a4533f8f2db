#include "machine/module.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static uint64_t relocated(const Module *module, const Relocation *relocation) {
    if (relocation->is_function) return WINDOW_FUNCTION + 16 * ((uint64_t)relocation->index + 1);
    const Allocation *target = module->variables[relocation->index];
    const uint64_t base = target && target->constant && !relocation->generic ? WINDOW_CONST : 0;
    return (target ? target->address - base : 0) + (uint64_t)relocation->addend;
}

static Allocation *allocate(const Variable *variable, Memory *memory, const Places *places) {
    void *place = places ? places->find(places->self, variable->name) : NULL;
    if (place) return memory_borrow(memory, memset(place, 0, variable->bytes), variable->bytes, variable->name);
    Allocation *managed = variable->managed ? memory_allocate_unified(memory, variable->bytes, variable->name) : NULL;
    if (managed) return managed;
    return memory_allocate(memory, variable->bytes, variable->name, variable->space == SPACE_CONST);
}

Module *module_load(const Program *program, Memory *memory, const Places *places) {
    Module *module = alloc_zeroed(1, sizeof *module);
    module->program = program;
    module->variables = alloc_zeroed(program->n_variables + 1, sizeof *module->variables);
    for (uint32_t i = 0; i < program->n_variables; i++) {
        const Variable *variable = &program->variables[i];
        if (variable->space != SPACE_GLOBAL && variable->space != SPACE_CONST) continue;
        Allocation *allocation = allocate(variable, memory, places);
        allocation->initialized = true; /* without an initialiser they are zero */
        if (variable->init) memcpy(allocation->host, variable->init, variable->bytes);
        module->variables[i] = allocation;
    }
    for (uint32_t i = 0; i < program->n_variables; i++) {
        const Variable *variable = &program->variables[i];
        if (!module->variables[i]) continue;
        for (uint32_t r = 0; r < variable->n_relocations; r++) {
            uint64_t value = relocated(module, &variable->relocations[r]);
            memcpy(module->variables[i]->host + variable->relocations[r].at, &value, sizeof value);
        }
    }
    return module;
}

void module_unload(Module *module, Memory *memory) {
    if (!module) return;
    for (uint32_t i = 0; i < module->program->n_variables; i++)
        if (module->variables[i]) memory_release(memory, module->variables[i]);
    free(module->variables);
    free(module);
}
