/* opcode.h: the opcodes of opcodes.def, apart from program.h: few files name them, and a new one is to compile few again. */
#pragma once

#include "ptx/program.h"

typedef enum Opcode {
#define OP(name, ...) OP_##name,
#define REFUSED(name, reason)
#include "ptx/opcodes.def"
#undef OP
#undef REFUSED
    OP_COUNT
} Opcode;

/* As PTX writes it: opcode_names, the whole words of reductions and fences that share an opcode with others, and of what stands for another
 * instruction that one. */
const char *opcode_spelling(const Insn *insn);

/* PTX ISA, "cp.reduce.async.bulk": whether its operation takes its type; to: where to. */
bool bulk_reduces(const Insn *insn, Space to);
