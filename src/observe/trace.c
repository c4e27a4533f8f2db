#include "observe/trace.h"

#include <string.h>

#include "observe/counters.h"

static bool shows(const Trace *trace, const Place *place) { return place->block == trace->block; }

static void on_block_begin(void *self, const Place *place, uint32_t shared_bytes) {
    (void)shared_bytes;
    Trace *trace = self;
    if (!shows(trace, place)) return;
    trace->place = *place;
    memset(trace->last, 0xff, sizeof trace->last);
}

static bool on_block_end(void *self, const Place *place, Fault *fault) {
    (void)fault;
    Trace *trace = self;
    if (shows(trace, place)) trace->complete = trace->n_steps < TRACE_STEPS_MOST;
    return true;
}

static void on_insn(void *self, const Place *place, const Shown *shown) {
    Trace *trace = self;
    if (!shows(trace, place)) return;
    trace->runs[shown->pc]++;
    trace->last[place->warp] = TRACE_NONE;
    if (trace->n_steps == TRACE_STEPS_MOST) return;
    trace->last[place->warp] = (int32_t)trace->n_steps;
    TracedStep *step = &ARENA_ADD(trace->arena, trace->steps, trace->n_steps);
    *step = (TracedStep){.warp = place->warp, .shown = *shown, .access = TRACE_NONE, .value = TRACE_NONE};
    LaneWait *waiting = ARENA_ARRAY(trace->arena, LaneWait, shown->n_waiting);
    for (uint32_t i = 0; i < shown->n_waiting; i++) {
        waiting[i] = shown->waiting[i];
        trace->awaited[waiting[i].pc] = true;
    }
    step->shown.waiting = waiting;
}

static TracedStep *step_of(Trace *trace, const Place *place) {
    int32_t last = shows(trace, place) ? trace->last[place->warp] : TRACE_NONE;
    return last == TRACE_NONE ? NULL : &trace->steps[last];
}

static void on_written(void *self, const Place *place, const Written *written) {
    Trace *trace = self;
    TracedStep *step = step_of(trace, place);
    if (!step) return;
    if (!step->n_values++) step->value = (int32_t)trace->n_values;
    TracedValue *value = &ARENA_ADD(trace->arena, trace->values, trace->n_values);
    *value = (TracedValue){.index = (uint8_t)written->index, .bytes = (uint8_t)written->bytes, .active = written->active};
    for (unsigned l = 0; l < WARP_LANES; l++)
        if (written->bytes)
            memcpy(&value->lanes[l], (const uint8_t *)written->lanes + l * written->bytes, written->bytes);
        else
            value->lanes[l] = *(const uint32_t *)written->lanes >> l & 1;
}

static void trace_lines(Trace *trace, const Place *place, const Access *access, TracedAccess *traced) {
    Footprint footprint;
    uint8_t hits[FOOTPRINT_LINES];
    counters_preview(trace->counters, place, access, &footprint, hits);
    TracedLine *lines = ARENA_ARRAY(trace->arena, TracedLine, footprint.n_lines);
    for (uint32_t i = 0; i < footprint.n_lines; i++) {
        lines[i] = (TracedLine){footprint.line[i], footprint.mask[i], hits[i]};
        traced->hits += (uint32_t)__builtin_popcount(hits[i]);
    }
    traced->sectors = footprint.sectors;
    traced->unique_bytes = footprint.unique_bytes;
    traced->n_lines = footprint.n_lines;
    traced->lines = lines;
}

/* own: it has a request of its own. */
static void trace_access(Trace *trace, TracedStep *step, const Place *place, const Access *access, bool own) {
    if (!step->n_accesses++) step->access = (int32_t)trace->n_accesses;
    TracedAccess *traced = &ARENA_ADD(trace->arena, trace->accesses, trace->n_accesses);
    *traced = (TracedAccess){
        .joined = !own, .space = access->space, .kind = access->kind, .bytes = access->bytes, .active = access->active};
    memcpy(traced->addr, access->addr, sizeof traced->addr);
    if (access->space == SPACE_GLOBAL || access->space == SPACE_LOCAL) trace_lines(trace, place, access, traced);
    if (access->space == SPACE_CONST) traced->words = sectors_constant_words(access);
    if (access->space == SPACE_SHARED && own) {
        traced->banks = banks_count(access);
        traced->late = banks_serve(access, traced->served);
    }
}

/* As it is counted: what is left out is not there. */
static bool on_access(void *self, const Place *place, const Access *access, Fault *fault) {
    (void)fault;
    Trace *trace = self;
    TracedStep *step = step_of(trace, place);
    if (!step || access->uncounted) return true;
    const Assembly *assembly = counters_assembly(trace->counters);
    const bool shared = access->space == SPACE_SHARED;
    Access made = *access;
    const Assembled how = assemble(assembly, access, &made);
    if (how == ASSEMBLED_NARROWER)
        for (unsigned nth = 0; assembled_part(assembly, access, nth, &made); nth++)
            trace_access(trace, step, place, &made, true);
    else
        trace_access(trace, step, place, shared ? &made : access, !shared || how != ASSEMBLED_TAKEN);
    return true;
}

static void keep_arrays(Trace *trace, const Memory *memory) {
    trace->n_arrays = (uint32_t)memory_count(memory);
    trace->arrays = ARENA_ARRAY(trace->arena, TracedArray, trace->n_arrays);
    for (uint32_t i = 0; i < trace->n_arrays; i++) {
        const Allocation *of = memory_at(memory, i);
        trace->arrays[i] = (TracedArray){arena_copy(trace->arena, of->name, strlen(of->name)), of->address, of->bytes};
    }
}

Observer *trace_begin(Trace *trace, uint32_t n_insns, const Memory *memory, const Observer *counters) {
    trace_free(trace);
    trace->arena = arena_new();
    keep_arrays(trace, memory);
    trace->runs = ARENA_ARRAY(trace->arena, uint64_t, n_insns + 1);
    trace->awaited = ARENA_ARRAY(trace->arena, bool, n_insns + 1);
    trace->counters = counters;
    trace->observer = (Observer){.self = trace,
                                 .on_block_begin = on_block_begin,
                                 .on_block_end = on_block_end,
                                 .on_access = on_access,
                                 .on_insn = on_insn,
                                 .on_written = on_written};
    return &trace->observer;
}

void trace_free(Trace *trace) {
    if (trace->arena) arena_free(trace->arena);
    *trace = (Trace){.block = trace->block};
}
