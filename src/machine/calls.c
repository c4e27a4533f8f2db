#include "machine/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/bounds.h"
#include "machine/defined.h"
#include "machine/devicecall.h"
#include "machine/effort.h"
#include "machine/lanes.h"
#include "machine/loadstore.h"
#include "machine/printf.h"
#include "machine/warp_fault.h"

/* Copies a variable of every lane from one place in local memory to another. */
static void copy_local(Warp *warp, uint32_t lanes, uint64_t to, uint64_t from, uint64_t bytes) {
    EACH_ACTIVE_LANE(l, lanes) {
        uint64_t at = 0;
        if (to % 4 == 0 && from % 4 == 0)
            for (; at + 4 <= bytes; at += 4) local_put(warp->local, l, to + at, 4, local_get(warp->local, l, from + at, 4));
        for (; at < bytes; at++) local_put(warp->local, l, to + at, 1, local_get(warp->local, l, from + at, 1));
    }
}

static uint64_t slot_lane(const void *slot, bool wide, unsigned lane) {
    return wide ? ((const uint64_t *)slot)[lane] : ((const uint32_t *)slot)[lane];
}

static bool wide_register(const Program *program, const CodeFunction *in, uint32_t index) {
    return type_bytes[program->functions[in->function].registers[index].type] == 8;
}

/* Fills the callee's formal parameters from the caller's arguments. */
static void pass_arguments(Warp *warp, const Step *step, uint32_t lanes, const Frame *from, const Frame *to) {
    const Code *code = warp->worker->code;
    const Program *program = code->program;
    const Function *callee = &program->functions[code->functions[to->function].function];
    const CallSite *call = step->insn->call;
    for (uint32_t i = 0; i < call->n_arguments && i < callee->n_params; i++) {
        const Variable *formal = &program->variables[callee->params[i]];
        const Operand *argument = &call->arguments[i];
        if (step->data[i] == NO_SLOT) {
            const Variable *actual = &program->variables[argument->index];
            copy_local(warp, lanes, to->local_base + formal->offset, from->local_base + actual->offset,
                       actual->bytes < formal->bytes ? actual->bytes : formal->bytes);
            continue;
        }
        bool wide =
            argument->kind == OPERAND_IMMEDIATE || wide_register(program, &code->functions[from->function], argument->index);
        EACH_ACTIVE_LANE(l, lanes) {
            local_put(warp->local, l, to->local_base + formal->offset, (unsigned)(formal->bytes < 8 ? formal->bytes : 8),
                      slot_lane(warp_at(warp, step->data[i]), wide, l));
        }
    }
}

/* Makes room for the registers of a frame that is to be entered. Frames that lanes have side by side stand behind each other, so that a
 * warp has up to 32 times those that bound a lane's calls. False after a fault. */
static bool fit_registers(Warp *warp, const Step *step, uint32_t lanes, const Frame *frame) {
    const uint64_t end = (uint64_t)frame->slots_base + warp->worker->code->functions[frame->function].frame_slots_bytes;
    if (end <= warp->registers_bytes) return true;
    if (end > STACK_SLOTS_MOST) {
        fault_hint(&warp->worker->fault, "is a recursion without an end?");
        return warp_fault(warp, lanes_first(lanes), FAULT_stack_overflow, step->pc,
                          "lane %u of warp %u: the registers of the warp's calls, %u within each other, need more than %u MiB",
                          lanes_first(lanes), warp->place.warp, frame->calls, STACK_SLOTS_MOST >> 20);
    }
    const uint32_t bytes = (uint32_t)(end * 2 > STACK_SLOTS_MOST ? STACK_SLOTS_MOST : end * 2);
    uint8_t *grown = alloc_aligned(64, bytes);
    memcpy(grown, warp->registers, warp->registers_bytes);
    free(warp->registers);
    warp->registers = grown;
    warp->registers_bytes = bytes;
    warp_set_area(warp, AREA_FRAME, warp->registers + warp->frames[frame->caller].slots_base);
    return true;
}

static bool enter(Warp *warp, const Step *step, uint32_t index, uint32_t lanes, uint32_t caller) {
    const Code *code = warp->worker->code;
    const CodeFunction *callee = &code->functions[index];
    uint32_t last = 0;
    for (uint32_t i = 0; i < warp->stack.depth; i++)
        if (warp->stack.entries[i].frame > last) last = warp->stack.entries[i].frame;
    const CodeFunction *below = &code->functions[warp->frames[last].function];
    const Frame *from = &warp->frames[caller];
    Frame frame = {.function = index,
                   .caller = caller,
                   .call = (uint32_t)(step - code->steps),
                   .calls = from->calls + 1,
                   .slots_base = warp->frames[last].slots_base + below->frame_slots_bytes,
                   .local_base = from->local_base + code->functions[from->function].frame_local_bytes};
    if (frame.local_base + callee->frame_local_bytes > code->stack_local_bytes || frame.calls >= 4096) {
        fault_hint(&warp->worker->fault,
                   "is a recursion without an end? cudaDeviceSetLimit(cudaLimitStackSize, …) allows a deeper one");
        return warp_fault(warp, lanes_first(lanes), FAULT_stack_overflow, step->pc,
                          "lane %u of warp %u: the thread's stack of %u bytes is full, with %u calls within each other",
                          lanes_first(lanes), warp->place.warp, code->stack_local_bytes, frame.calls);
    }
    if (!fit_registers(warp, step, lanes, &frame)) return false;
    if (last + 2 > warp->frame_capacity) {
        warp->frame_capacity = (last + 2) * 2;
        warp->frames = alloc_resize(warp->frames, warp->frame_capacity, sizeof *warp->frames);
    }
    pass_arguments(warp, step, lanes, &warp->frames[caller], &frame);
    warp->frames[last + 1] = frame;
    defined_enter(warp, &frame);
    stack_push(&warp->stack, (StackEntry){.pc = callee->first, .reconverge = NO_INSN, .mask = lanes, .frame = last + 1});
    return true;
}

/* A pointer argument of a function that the machine provides. */
static uint64_t argument_of(const Warp *warp, const Step *step, uint32_t i, unsigned lane) {
    const CallSite *call = step->insn->call;
    if (i >= call->n_arguments) return 0;
    const Frame *frame = warp_frame(warp);
    const Program *program = warp->worker->code->program;
    if (step->data[i] != NO_SLOT)
        return slot_lane(warp_at(warp, step->data[i]),
                         call->arguments[i].kind == OPERAND_IMMEDIATE ||
                             wide_register(program, &warp->worker->code->functions[frame->function], call->arguments[i].index),
                         lane);
    const Variable *actual = &program->variables[call->arguments[i].index];
    return local_get(warp->local, lane, frame->local_base + actual->offset, (unsigned)(actual->bytes < 8 ? actual->bytes : 8));
}

static void return_value(Warp *warp, const Step *step, unsigned lane, uint64_t value) {
    const CallSite *call = step->insn->call;
    if (!call->n_results) return;
    const Code *code = warp->worker->code;
    Slot slot = step->data[call->n_arguments];
    const Frame *frame = warp_frame(warp);
    if (slot == NO_SLOT) {
        const Variable *result = &code->program->variables[call->results[0].index];
        local_put(warp->local, lane, frame->local_base + result->offset, (unsigned)(result->bytes < 8 ? result->bytes : 8),
                  value);
    } else if (wide_register(code->program, &code->functions[frame->function], call->results[0].index)) {
        ((uint64_t *)warp_at(warp, slot))[lane] = value;
    } else {
        ((uint32_t *)warp_at(warp, slot))[lane] = (uint32_t)value;
    }
}

static bool assertion(Warp *warp, const Step *step, uint32_t active) {
    unsigned lane = lanes_first(active);
    char what[160], file[100], function[80];
    warp_peek_string(warp, lane, argument_of(warp, step, 0, lane), what, sizeof what);
    warp_peek_string(warp, lane, argument_of(warp, step, 1, lane), file, sizeof file);
    warp_peek_string(warp, lane, argument_of(warp, step, 3, lane), function, sizeof function);
    return warp_fault(warp, lane, FAULT_assert_failed, step->pc, "lane %u of warp %u: assertion '%s' failed in %s (%s:%u)",
                      lane, warp->place.warp, what, function, file, (unsigned)argument_of(warp, step, 2, lane));
}

/* malloc and free, lane after lane. */
static bool use_heap(Warp *warp, const Step *step, Heap *heap, bool allocates, uint32_t active) {
    EACH_ACTIVE_LANE(l, active) {
        uint64_t argument = argument_of(warp, step, 0, l);
        if (allocates) {
            return_value(warp, step, l, heap_allocate(heap, argument));
        } else if (!heap_release(heap, argument)) {
            fault_hint(&warp->worker->fault, "memory of cudaMalloc's is freed by the host");
            return warp_fault(warp, l, FAULT_out_of_bounds, step->pc,
                              "lane %u of warp %u frees 0x%llx, which malloc did not give or which is free already", l,
                              warp->place.warp, (unsigned long long)argument);
        }
    }
    return true;
}

/* The heap function that a program calls by this name, or NULL; *allocates: not one that frees. clang has the operators' mangled names. */
static const char *heap_name(const char *name, bool *allocates) {
    static const struct {
        const char *begins, *means;
        bool whole, allocates;
    } names[] = {{"malloc", "malloc", true, true},
                 {"free", "free", true, false},
                 {"_Zn", "operator new", false, true},
                 {"_Zd", "operator delete", false, false}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strncmp(name, names[i].begins, strlen(names[i].begins) + names[i].whole) != 0) continue;
        *allocates = names[i].allocates;
        return names[i].means;
    }
    return NULL;
}

bool call_is_of_heap(const char *name) {
    bool allocates;
    return heap_name(name, &allocates);
}

bool call_is_provided(const char *name) {
    DeviceFunction function;
    return !strcmp(name, "vprintf") || !strcmp(name, "__assertfail") || call_is_of_heap(name) ||
           devicecall_find(name, &function);
}

/* --- calls that who launched the kernel answers --- */

/* The arguments of a lane, as in DeviceCall. */
static void take_words(const Warp *warp, const Step *step, unsigned lane, uint64_t *words) {
    const CallSite *call = step->insn->call;
    const uint64_t base = warp_frame(warp)->local_base;
    unsigned count = 0;
    for (uint32_t i = 0; i < call->n_arguments && count < DEVICECALL_WORDS; i++) {
        const bool in_memory = step->data[i] == NO_SLOT;
        const Variable *actual = in_memory ? &warp->worker->code->program->variables[call->arguments[i].index] : NULL;
        if (!in_memory || actual->bytes <= 8) words[count++] = argument_of(warp, step, i, lane);
        for (uint64_t at = 0; in_memory && actual->bytes > 8 && at + 4 <= actual->bytes && count < DEVICECALL_WORDS; at += 4)
            words[count++] = local_get(warp->local, lane, base + actual->offset + at, 4);
    }
}

static void put_answer(Warp *warp, const Step *step, const Resolved *at) {
    (void)step;
    const unsigned bytes = warp->worker->access.bytes, lane = lanes_first(at->lanes);
    const uint8_t *from = warp->worker->packed + lane * bytes;
    uint64_t value = 0;
    memcpy(&value, from, bytes);
    if (at->space == SPACE_LOCAL)
        local_put(warp->local, lane, at->addr[lane], bytes, value);
    else
        memcpy(resolved_at(at, lane), from, bytes);
}

/* Writes what the caller wanted, as stores of its own would: of integers, or of what has 8 bytes. False after a fault. */
static bool write_answer(Warp *warp, const Step *step, unsigned lane, const DeviceCall *call) {
    Worker *worker = warp->worker;
    warp->changed = true;
    worker->undefined.any = false;
    const unsigned bytes = call->bytes % 8 ? 4 : 8;
    for (unsigned at = 0; at < call->bytes; at += bytes) {
        memcpy(worker->packed + lane * bytes, call->answer + at, bytes);
        for (unsigned l = 0; l < WARP_LANES; l++) worker->access.addr[l] = call->to + at;
        const Transfer transfer = {SPACE_GENERIC, ACCESS_STORE, (uint8_t)bytes, 1u << lane, worker->packed, put_answer};
        if (!warp_access(warp, step, transfer)) return false;
    }
    return true;
}

/* Lane after lane. */
static bool ask_host(Warp *warp, const Step *step, DeviceFunction function, uint32_t active) {
    DeviceCallHost *host = warp->worker->launch->nested;
    EACH_ACTIVE_LANE(l, active) {
        DeviceCall call = {.function = function,
                           .thread = warp->place.block * warp->place.threads + warp->place.warp * WARP_LANES + l};
        take_words(warp, step, l, call.words);
        host->answer(host->self, &call);
        if (call.wrong[0]) {
            fault_hint(&warp->worker->fault, "%s", call.hint);
            return warp_fault(warp, l, call.outside ? FAULT_out_of_bounds : FAULT_invalid_call, step->pc,
                              "lane %u of warp %u %s", l, warp->place.warp, call.wrong);
        }
        if (call.bytes && !write_answer(warp, step, l, &call)) return false;
        return_value(warp, step, l, call.result);
    }
    return true;
}

/* Functions without a body: those of CUDA's device runtime that are emulated; all others are refused by name. */
static bool call_provided(Warp *warp, const Step *step, const char *name, uint32_t active) {
    if (!strcmp(name, "vprintf")) {
        EACH_ACTIVE_LANE(l, active) {
            uint64_t format = argument_of(warp, step, 0, l), arguments = argument_of(warp, step, 1, l);
            int count = printf_lane(warp, l, format, arguments, &warp->worker->output);
            return_value(warp, step, l, (uint64_t)(int64_t)count);
        }
        warp->worker->prints += (unsigned)__builtin_popcount(active);
        return effort_fits(warp);
    }
    bool allocates = false;
    const char *heap = heap_name(name, &allocates);
    if (heap && warp->worker->launch->heap) return use_heap(warp, step, warp->worker->launch->heap, allocates, active);
    if (!strcmp(name, "__assertfail")) return assertion(warp, step, active);
    DeviceFunction asked;
    const bool nested = devicecall_find(name, &asked);
    if (nested && warp->worker->launch->nested) return ask_host(warp, step, asked, active);
    fault_hint(&warp->worker->fault, "%s",
               heap     ? "allocate with cudaMalloc before the launch and pass the pointer"
               : nested ? "kernels of whole programs launch kernels: warpscope run -rdc=true"
                        : "define the function in the same file, or compile all files with -rdc=true");
    return warp_fault(warp, lanes_first(active), FAULT_unsupported, step->pc,
                      "calls '%.120s', which is not emulated on the device",
                      heap     ? heap
                      : nested ? devicecall_name(asked)
                               : name);
}

/* A call through a pointer that is no device function's. */
static bool wild_call(Warp *warp, const Step *step, unsigned lane, uint64_t pointer) {
    if (!pointer) {
        fault_hint(&warp->worker->fault,
                   "assign a __device__ function to the pointer, or ask whether there is one before the call");
        return warp_fault(warp, lane, FAULT_invalid_call, step->pc, "calls a function through a null pointer");
    }
    fault_hint(&warp->worker->fault, "function pointers must be taken in device code");
    return warp_fault(warp, lane, FAULT_invalid_call, step->pc, "calls 0x%llx, which is no device function's address",
                      (unsigned long long)pointer);
}

bool warp_call(Warp *warp, const Step *step, uint32_t active) {
    const Code *code = warp->worker->code;
    const CallSite *call = step->insn->call;
    uint32_t caller = stack_top(&warp->stack)->frame;
    if (call->function != NO_INDEX) {
        const Function *function = &code->program->functions[call->function];
        if (!function->is_defined) return call_provided(warp, step, function->name, active);
        return enter(warp, step, code->function_of[call->function], active, caller);
    }
    uint64_t pointers[WARP_LANES];
    memcpy(pointers, warp_at(warp, step->s[0]), sizeof pointers);
    while (active) {
        unsigned first = lanes_first(active);
        uint64_t index = (pointers[first] - WINDOW_FUNCTION) / 16 - 1;
        uint32_t same = lanes_equal64(pointers, pointers[first], active);
        if (pointers[first] % 16 || index >= code->program->n_functions || code->function_of[index] == NO_INDEX) {
            return wild_call(warp, step, first, pointers[first]);
        }
        if (!enter(warp, step, code->function_of[index], same, caller)) return false;
        active &= ~same;
    }
    return true;
}

void warp_return(Warp *warp, uint32_t active) {
    const Code *code = warp->worker->code;
    const Frame *frame = warp_frame(warp), *caller = &warp->frames[frame->caller];
    const Function *function = &code->program->functions[code->functions[frame->function].function];
    const Step *step = &code->steps[frame->call];
    const CallSite *call = step->insn->call;
    if (call->n_results && function->result != NO_INDEX) {
        const Variable *result = &code->program->variables[function->result];
        Slot slot = step->data[call->n_arguments];
        if (slot == NO_SLOT) {
            const Variable *to = &code->program->variables[call->results[0].index];
            copy_local(warp, active, caller->local_base + to->offset, frame->local_base + result->offset,
                       to->bytes < result->bytes ? to->bytes : result->bytes);
        } else {
            uint8_t *registers = warp->registers + caller->slots_base + SLOT_OFFSET(slot);
            bool wide = wide_register(code->program, &code->functions[caller->function], call->results[0].index);
            EACH_ACTIVE_LANE(l, active) {
                uint64_t value = local_get(warp->local, l, frame->local_base + result->offset,
                                           (unsigned)(result->bytes < 8 ? result->bytes : 8));
                memcpy(registers + l * (wide ? 8 : 4), &value, wide ? 8 : 4);
            }
        }
    }
    stack_remove_frame(&warp->stack, active);
}
