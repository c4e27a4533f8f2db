#include "machine/fault.h"

#include <stdarg.h>
#include <stdio.h>

#include "ptx/program.h"

const char *const fault_names[FAULT_COUNT] = {"none",
#define FAULT(name) #name,
                                              FAULT_KINDS(FAULT)
#undef FAULT
};

bool fault_set(Fault *fault, FaultKind kind, uint32_t pc, const char *format, ...) {
    if (fault->kind != FAULT_none) return false;
    fault->kind = kind;
    fault->pc = pc;
    fault->other_pc = NO_INSN;
    va_list args;
    va_start(args, format);
    vsnprintf(fault->message, sizeof fault->message, format, args);
    va_end(args);
    return false;
}
