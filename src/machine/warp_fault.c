#include "machine/warp_fault.h"

#include <stdarg.h>
#include <stdio.h>

#include "machine/lanes.h"
#include "ptx/opcode.h"

bool warp_fault(Warp *warp, unsigned lane, FaultKind kind, uint32_t pc, const char *format, ...) {
    Fault *fault = &warp->worker->fault;
    va_list args;
    va_start(args, format);
    fault_set_list(fault, kind, pc, format, args);
    va_end(args);
    return fault_blame(fault, &warp->place, lane);
}

char *lanes_text(uint32_t lanes, char *buffer, size_t size) {
    size_t used = (size_t)snprintf(buffer, size, lanes & (lanes - 1) ? "lanes " : "lane ");
    const char *separator = "";
    for (unsigned first = 0; first < WARP_LANES; first++) {
        if (!(lanes >> first & 1)) continue;
        unsigned last = first;
        while (last + 1 < WARP_LANES && lanes >> (last + 1) & 1) last++;
        if (used < size)
            used += (size_t)snprintf(buffer + used, size - used, first == last ? "%s%u" : "%s%u-%u", separator, first, last);
        separator = ", ";
        first = last;
    }
    return buffer;
}

bool warp_is_whole(Warp *warp, const Step *step, uint32_t active) {
    if (active == LANES_ALL) return true;
    char who[100];
    fault_hint(&warp->worker->fault, "the whole warp works on the matrices: keep it out of what some lanes skip");
    return warp_fault(warp, lanes_first(active), FAULT_sync_mask, step->pc, "%s without %s of warp %u",
                      opcode_spelling(step->insn), lanes_text(~active, who, sizeof who), warp->place.warp);
}
