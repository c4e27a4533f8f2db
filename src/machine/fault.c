#include "machine/fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "machine/access.h"

const FaultInfo fault_kinds[FAULT_COUNT] = {{"none", "", "", true, false},
#define FAULT(name, error, replays, of_block, here, there, searched) {#name, here, there, replays, of_block},
                                            FAULT_KINDS(FAULT)
#undef FAULT
};

bool fault_set_list(Fault *fault, FaultKind kind, uint32_t pc, const char *format, va_list args) {
    if (fault->kind != FAULT_none) return false;
    fault->kind = kind;
    fault->pc = pc;
    fault->other_pc = NO_INSN;
    vsnprintf(fault->message, sizeof fault->message, format, args);
    return false;
}

bool fault_set(Fault *fault, FaultKind kind, uint32_t pc, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fault_set_list(fault, kind, pc, format, args);
    va_end(args);
    return false;
}

bool fault_hint(Fault *fault, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(fault->hint, sizeof fault->hint, format, args);
    va_end(args);
    return false;
}

bool fault_blame(Fault *fault, const Place *place, unsigned lane) {
    const uint32_t *dim = place->block_dim;
    uint32_t thread = place->warp * WARP_LANES + lane;
    fault->lane = lane;
    fault->warp = place->warp;
    memcpy(fault->block, place->ctaid, sizeof fault->block);
    fault->thread[0] = thread % dim[0];
    fault->thread[1] = thread / dim[0] % dim[1];
    fault->thread[2] = thread / dim[0] / dim[1];
    return false;
}
