/* left_out.h: a function that the parser left out since its body is not emulated, as an error like any other. */
#pragma once

#include "ptx/program.h"

/* The program, or NULL with the first such function's message in diag. */
static inline Program *without_left_out(Program *program, Diag *diag) {
    for (uint32_t f = 0; program && f < program->n_functions; f++) {
        if (!program->functions[f].refused) continue;
        *diag = *program->functions[f].refused;
        program_free(program);
        return NULL;
    }
    return program;
}
