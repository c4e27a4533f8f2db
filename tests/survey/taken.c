/* taken.c: how the emulator takes the accesses of a PTX file's kernels, for survey.py: a line "KERNEL LINE JOIN COMBINE PARTS" for each that it does not
 * count as it is written (kernel/joins.h, kernel/combines.h, kernel/narrow.h); PARTS: how many accesses are left of a load, AS_IS where it is not narrowed. */
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "kernel/kernel.h"
#include "ptx/opcode.h"

static const size_t most_bytes = (size_t)64 << 20;

enum { AS_IS = 9 };

static void tell(const Program *program, const Function *function) {
    const Kernel *kernel = kernel_prepare(program, function);
    for (uint32_t i = function->first; i < function->first + function->count; i++) {
        const Insn *insn = &program->insns[i];
        const unsigned join = kernel->joins ? kernel->joins[i] : JOIN_NONE;
        const unsigned combine = kernel->combines ? kernel->combines[i] : COMBINE_NONE;
        const Narrowed *narrowed = kernel->narrowed ? &kernel->narrowed[i] : NULL;
        const unsigned parts = narrowed && narrowed->changed ? narrowed->count : AS_IS;
        if (opcode_classes[insn->op] == CLASS_MEMORY && (join || combine || parts != AS_IS))
            printf("%s %u %u %u %u\n", function->name, insn->line, join, combine, parts);
    }
}

int main(int argc, char **argv) {
    size_t length = 0;
    Diag diag = {0};
    char *text = argc == 2 ? text_read_file(argv[1], most_bytes, &length) : NULL;
    Program *program = text ? program_parse(text, length, argv[1], &diag) : NULL;
    for (uint32_t f = 0; program && f < program->n_functions; f++)
        if (program->functions[f].is_defined && program->functions[f].is_entry) tell(program, &program->functions[f]);
    const int status = program ? EXIT_SUCCESS : EXIT_FAILURE;
    program_free(program);
    free(text);
    return status;
}
