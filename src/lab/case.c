#define _GNU_SOURCE /* memmem */
/* case.c: one fresh device memory: buffers, arguments, launches, comparison. */
#include "lab/case.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/visible.h"
#include "input/declared.h"
#include "lab/compare.h"
#include "lab/corners.h"
#include "lab/failure.h"
#include "lab/formula.h"
#include "lab/given.h"
#include "lab/random.h"
#include "lab/relaunch.h"
#include "lab/speed.h"
#include "lab/unread.h"
#include "report/faulttext.h"
#include "report/metrics.h"
#include "report/spot.h"

enum { PRINTED_BYTES = 64 << 10 }; /* kept of what a kernel prints */
enum { STEPS_MOST = 1 << 24, BUFFERS_COMPARED = 8 };
enum { LAUNCH_BYTES = 256 << 20 }; /* for a kernel's variables and its blocks, beside the buffers */
enum { KERNEL_EFFORT = 1 << 26 };  /* of all launches of a kernel together: four times what the costliest solution takes */
enum { LARGE_FRAME = 4 << 10 };    /* bytes of local memory, each of which is made for each thread that starts */

/* --- begin and end -------------------------------------------------------------------------------------------------------- */

/* What a run draws depends on no other run, and on no test: these end early where a kernel is wrong. */
static uint64_t run_bits(const Lab *lab, uint32_t index) {
    return random_bits(lab->seed >> LAB_TEST_BITS, (uint64_t)lab->run << 32 | index);
}

/* One in three of the shapes that are tried has numbers of another size: who relies on their being about 1, and never 0, is wrong there. Powers of two, so
 * that a number keeps its bits; so does a product of two, at most 2^120, of which a sum of 128 stays below the largest float, unless it comes below the smallest
 * normal one: there a suite's tolerance must be absolute. */
static double scale_of_tried(uint32_t number) {
    static const int exponents[] = {-60, -20, 20, 60};
    return number % 3 == 0 ? ldexp(1, exponents[number / 3 % 4]) : 1;
}

LabCase *lab_case(Lab *lab, const char *kernel, const char *format, ...) {
    LabCase *c = alloc_zeroed(1, sizeof *c);
    Diag diag = {0};
    va_list list;
    va_start(list, format);
    vsnprintf(c->title, sizeof c->title, format, list);
    va_end(list);
    bool measured = lab->run >= 0;
    c->lab = lab;
    c->next = lab->cases;
    c->seed = measured ? run_bits(lab, lab->run_cases++) : random_bits(lab->seed, lab->n_cases++);
    c->scale = lab->corners ? scale_of_tried(lab->n_cases) : 1;
    lab->cases = c;
    const Function *function = program_kernel(lab->source.program, kernel, &diag);
    assert(function && "a KERNEL of lab.goals");
    const uint32_t cluster = goals_cluster(lab->goals, (uint32_t)goals_kernel(lab->goals, kernel));
    c->request = (LaunchRequest){
        .launch.kernel = kernel_prepare(lab->source.program, function),
        .launch.cluster = {cluster, cluster ? 1 : 0, cluster ? 1 : 0},
        .launch.memory = memory_new(),
        .profile = measured ? lab->profile : &lab->small,
        .l1 = true,
        .joins = true,
        .launch.checks = !measured,
        .launch.tells_left = !measured,
        .prints_aside = true,
        .of_lab = true,
        .untimed = !measured,
        .launch.threads = measured ? lab->threads : 1,
        .launch.max_steps = STEPS_MOST,
        .launch.max_bytes = LAUNCH_BYTES,
    };
    c->params = alloc_zeroed(1, c->request.launch.kernel->function->param_bytes + 1);
    c->request.launch.params = c->params;
    return c;
}

void case_free(LabCase *c) {
    if (c->launched) device_result_free(&c->result);
    memory_free(c->request.launch.memory);
    for (LabBuffer *buffer = c->buffers, *next; buffer; buffer = next) {
        next = buffer->next;
        free(buffer->before);
        free(buffer->given);
        free(buffer);
    }
    arena_free(c->scratch);
    text_free(&c->words);
    free(c->params);
    free(c);
}

void lab_end(LabCase *c) {
    Lab *lab = c->lab;
    KernelResult *kernel = lab->kernel >= 0 ? &lab->kernels[lab->kernel] : NULL;
    if (kernel) memcpy(kernel->cases++ ? kernel->last_right : kernel->first_right, c->title, sizeof c->title);
    for (LabCase **at = &lab->cases; *at; at = &(*at)->next) {
        if (*at != c) continue;
        *at = c->next;
        break;
    }
    if (lab->run < 0 || lab->runs[lab->run].kept != c) case_free(c);
}

/* --- arguments ------------------------------------------------------------------------------------------------------------ */

static void pass_value(LabCase *c, const void *value, uint64_t bytes) {
    const Function *kernel = c->request.launch.kernel->function;
    if (c->n_params >= kernel->n_params)
        lab_wrong(c, "'%s' has only %u parameters: the kernel's head must stay as it was", kernel->name, kernel->n_params);
    const Variable *param = &c->request.launch.kernel->program->variables[kernel->params[c->n_params]];
    if (param->bytes != bytes)
        lab_wrong(c, "parameter %u of '%s' has %llu bytes instead of %llu: the kernel's head must stay as it was",
                  c->n_params + 1, kernel->name, (unsigned long long)param->bytes, (unsigned long long)bytes);
    memcpy(c->params + param->offset, value, bytes);
    c->n_params++;
}

void lab_i32(LabCase *c, int32_t value) { pass_value(c, &value, sizeof value); }
void lab_f32(LabCase *c, float value) { pass_value(c, &value, sizeof value); }

static uint8_t *elements(const LabBuffer *buffer) { return buffer->allocation->host + buffer->guard_bytes; }

void lab_pass(LabCase *c, LabBuffer *buffer) {
    const uint64_t address = buffer->allocation->address + buffer->guard_bytes;
    pass_value(c, &address, sizeof address);
}

void lab_offset(LabCase *c, uint64_t count) { c->guard_elements = count; }

static LabBuffer *new_buffer(LabCase *c, const char *name, Type type, uint64_t count) {
    LabBuffer *buffer = alloc_zeroed(1, sizeof *buffer);
    snprintf(buffer->name, sizeof buffer->name, "%s", name);
    buffer->type = (uint8_t)type;
    buffer->count = count;
    buffer->bytes = count * type_bytes[type];
    buffer->guard_bytes = c->guard_elements * type_bytes[type];
    c->guard_elements = 0;
    buffer->next = c->buffers;
    c->buffers = buffer;
    buffer->allocation = memory_allocate(c->request.launch.memory, buffer->guard_bytes + buffer->bytes, buffer->name, false);
    memset(buffer->allocation->host, COMPARE_POISON, buffer->guard_bytes + buffer->bytes);
    lab_pass(c, buffer);
    return buffer;
}

/* To be called when an input's elements are in place. */
static LabBuffer *keep_input(LabBuffer *buffer) {
    buffer->allocation->initialized = true;
    buffer->before = alloc_bytes(buffer->bytes + 1);
    memcpy(buffer->before, elements(buffer), buffer->bytes);
    return buffer;
}

/* Cases count up from 0, draws down from the top. */
uint32_t lab_draw(Lab *lab, uint32_t least, uint32_t most) {
    const uint64_t bits = lab->run >= 0 ? run_bits(lab, ~lab->run_draws++) : random_bits(lab->seed, ~(uint64_t)lab->n_draws++);
    return least + (uint32_t)(bits % ((uint64_t)most - least + 1));
}

uint64_t lab_random(LabCase *c, uint64_t index) { return random_bits(c->seed, index); }

/* Elements of a type from random bits: numbers from -1 to 1, or the low bits. One loop a type: an input may have millions. */
static void put_random(Type type, uint8_t *to, const uint64_t *bits, size_t count) {
    switch (type_bytes[type]) {
    case 1:
        for (size_t i = 0; i < count; i++) to[i] = (uint8_t)bits[i];
        break;
    case 2:
        for (size_t i = 0; i < count; i++) memcpy(to + 2 * i, &bits[i], 2);
        break;
    case 4:
        for (size_t i = 0; i < count; i++) {
            float number = (float)(bits[i] >> 40) / 8388608.0f - 1.0f;
            memcpy(to + 4 * i, type == TYPE_f32 ? (const void *)&number : &bits[i], 4);
        }
        break;
    case 8:
        for (size_t i = 0; i < count; i++) {
            double number = (double)(bits[i] >> 11) / 4503599627370496.0 - 1.0;
            memcpy(to + 8 * i, type == TYPE_f64 ? (const void *)&number : &bits[i], 8);
        }
        break;
    default: assert(!"a type of which labs have arrays");
    }
}

/* Of sixteen exponents each, so that sums of two are rounded; of eight one is 0, and one as large as others are. */
static double scaled(const LabCase *c, double number, uint64_t bits) {
    const double sign = bits & 8 ? -1 : 1;
    return c->scale * (bits % 8 < 2 ? sign * (double)(bits % 8) : ldexp(number, -(int)(bits >> 4 & 15)));
}

/* Floats of another scale in place of those that put_random has made; of float's smallest ones there are some as well. */
static void put_scaled(const LabCase *c, Type type, uint8_t *to, const uint64_t *bits, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint8_t *at = to + i * type_bytes[type];
        float small;
        double large;
        if (c->moves && bits[i] % 8 >= 2) {
            memcpy(at, &bits[i], type_bytes[type]);
        } else if (type == TYPE_f32) {
            memcpy(&small, at, sizeof small);
            small = bits[i] % 8 == 2 ? small * 0x1p-126f : (float)scaled(c, small, bits[i]);
            memcpy(at, &small, sizeof small);
        } else if (type == TYPE_f64) {
            memcpy(&large, at, sizeof large);
            large = scaled(c, large, bits[i]);
            memcpy(at, &large, sizeof large);
        }
    }
}

double lab_scale(const LabCase *c) { return c->scale; }

float lab_float(LabCase *c, uint64_t index) {
    const uint64_t bits = lab_random(c, index);
    uint8_t element[8];
    float number;
    put_random(TYPE_f32, element, &bits, 1);
    memcpy(&number, element, sizeof number);
    return c->scale == 1 ? number : (float)scaled(c, number, bits);
}

void lab_moves(LabCase *c) { c->moves = true; }

LabBuffer *lab_input(LabCase *c, const char *name, Type type, uint64_t count) {
    enum { AT_ONCE = 512 };
    LabBuffer *buffer = new_buffer(c, name, type, count);
    uint64_t seed = random_bits(~c->seed, c->index++), bits[AT_ONCE];
    for (uint64_t i = 0; i < count; i += AT_ONCE) {
        size_t some = count - i < AT_ONCE ? (size_t)(count - i) : AT_ONCE;
        random_fill(seed, i, bits, some);
        put_random(type, elements(buffer) + i * type_bytes[type], bits, some);
        if (c->scale != 1) put_scaled(c, type, elements(buffer) + i * type_bytes[type], bits, some);
    }
    buffer->random = true;
    return keep_input(buffer);
}

LabBuffer *lab_input_data(LabCase *c, const char *name, Type type, uint64_t count, const void *data) {
    LabBuffer *buffer = new_buffer(c, name, type, count);
    memcpy(elements(buffer), data, buffer->bytes);
    return keep_input(buffer);
}

LabBuffer *lab_output(LabCase *c, const char *name, Type type, uint64_t count) {
    LabBuffer *buffer = new_buffer(c, name, type, count);
    buffer->written = true;
    return buffer;
}

LabBuffer *lab_inout(LabCase *c, const char *name, Type type, uint64_t count, const void *data) {
    LabBuffer *buffer = lab_output(c, name, type, count);
    memcpy(elements(buffer), data, buffer->bytes);
    buffer->given = alloc_bytes(buffer->bytes + 1);
    memcpy(buffer->given, data, buffer->bytes);
    buffer->allocation->initialized = true;
    return buffer;
}

void *lab_scratch(LabCase *c, uint64_t bytes) {
    if (!c->scratch) c->scratch = arena_new();
    return arena_alloc(c->scratch, bytes);
}

const void *lab_data(const LabBuffer *buffer) { return elements(buffer); }

/* --- launches ------------------------------------------------------------------------------------------------------------- */

Report case_report(const LabCase *c) {
    const Lab *lab = c->lab;
    return (Report){.request = &c->request,
                    .result = &c->result,
                    .kernel_name = c->request.launch.kernel->function->name,
                    .compiler = lab->compiler,
                    .source_path = lab->source.path,
                    .source_text = lab->source.text};
}

/* Of what a kernel prints the learner sees what it prints in the first case in which it prints. */
static void keep_output(LabCase *c, KernelResult *kernel) {
    const Text *output = &c->result.output;
    if (!output->length || kernel->printed.length) return;
    text_add(&kernel->printed_with, "%s", c->title);
    visible_add(&kernel->printed, text_string(output), output->length < PRINTED_BYTES ? output->length : PRINTED_BYTES);
    kernel->printed_bytes = output->length;
}

/* That threads left before a barrier comes last: it is the least of mistakes. */
static Fault remark_of(const FindingLog *log) {
    for (size_t i = 0; i < log->count; i++)
        if (log->items[i].fault.kind != FAULT_barrier_divergence) return log->items[i].fault;
    return log->count ? log->items[0].fault : (Fault){0};
}

/* Emulated, within what is left of the kernel's effort. */
static void emulate(LabCase *c) {
    Lab *lab = c->lab;
    KernelResult *kernel = lab->kernel >= 0 ? &lab->kernels[lab->kernel] : NULL;
    uint64_t spent = kernel ? kernel->effort : 0;
    Diag diag = {0};
    if (kernel && !kernel->block[0]) memcpy(kernel->block, c->request.launch.block, sizeof kernel->block);
    c->request.launch.max_effort = spent < KERNEL_EFFORT ? KERNEL_EFFORT - spent : 1;
    c->request.launch.imprinted = lab->strayed;
    c->request.launch.quiet = !kernel || kernel->printed.length;
    text_free(&c->words);
    if (lab->explored) relaunch_words(c, &c->words);
    if (c->request.launch.kernel->reads_clock)
        lab_wrong(c, "it reads a clock, so that it may do something else each time: leave clock64(), clock() and the registers "
                     "of time out");
    c->launched = device_launch(&c->request, &c->result, &diag);
    if (!c->launched) lab_wrong(c, "the launch is impossible: %s", diag.message);
    if (kernel) keep_output(c, kernel);
    text_free(&c->result.output);
    c->remark = remark_of(&c->result.findings);
    findings_free(&c->result.findings);
    if (kernel) kernel->effort += c->result.effort;
    lab->strayed |= c->result.strayed;
}

static void launch(LabCase *c, unsigned threads) {
    if (c->lab->gpu) {
        measured_launch(c);
        return;
    }
    if (c->launched) device_result_free(&c->result);
    c->request.launch.threads = threads;
    emulate(c);
}

/* Where the case ran on a GPU, which counts nothing: launches it on the emulated device as well. */
static void case_emulate(LabCase *c) {
    if (!c->launched) emulate(c);
}

/* Several threads may add to an element. No other lab has atomic operations. */
static bool counts_in_place(const LabCase *c) {
    bool counts = false;
    for (const LabBuffer *buffer = c->buffers; buffer; buffer = buffer->next)
        counts |= buffer->given && type_kinds[buffer->type] != KIND_FLOAT;
    return counts;
}

/* What helps a learner, who has no option to allow more steps and wrote no trap. */
static void hint_for_learners(const LabCase *c, Fault *fault) {
    const char *hint = NULL, *text = c->lab->source.text;
    size_t length = 0;
    const char *kernel = text ? declared_kernel(text, c->request.launch.kernel->function->name, &length) : NULL;
    if (fault->kind == FAULT_step_limit && strstr(fault->hint, "--max-steps"))
        hint = "an endless loop? Look at its condition: does the loop change what it compares?";
    if (fault->kind == FAULT_effort_limit) {
        snprintf(fault->message, sizeof fault->message,
                 "the kernel's launches have cost more than %u million instructions in this grading, starting blocks, "
                 "scattered accesses and printf included: at least four times what a solution takes",
                 KERNEL_EFFORT / 1000000);
        if (c->request.launch.kernel->function->frame_bytes >= LARGE_FRAME)
            hint = "does a loop run without need? Leave out large local arrays: each thread that starts costs what they hold";
        else if (c->request.launch.kernel->prints)
            hint = "does a loop run without need, or each thread do what one should? Leave out printf";
        else
            hint = "does a loop run without need, or each thread do what one should?";
    }
    if (fault->kind == FAULT_uninitialized && strstr(fault->hint, "cudaMemcpy"))
        hint = "an output holds nothing before the kernel has written it: does a += stand for an =?";
    if (fault->kind == FAULT_global_race && strstr(fault->hint, "atomic operation") && !counts_in_place(c))
        hint =
            "each element has one thread that writes it: does a <= let one into the next one's elements, or do two names share "
            "a place?";
    const bool shared_out =
        fault->kind == FAULT_effort_limit || fault->kind == FAULT_global_race || fault->kind == FAULT_shared_race;
    LOCAL_TEXT alike = {0};
    if (shared_out && unread_say(c, &alike)) hint = text_string(&alike);
    if (fault->kind == FAULT_trap && kernel && memmem(kernel, length, "cudaMalloc(", strlen("cudaMalloc(")))
        hint = "cudaMalloc allocates nothing in a kernel: the host calls it, before the launch";
    if (hint) snprintf(fault->hint, sizeof fault->hint, "%s", hint);
}

/* A line that the learner is not to touch is not where the mistake is. */
static void blame_yours(const Lab *lab, LabFailure *failure) {
    const bool known = failure->line && lab->given && lab->source.text && !failure->cause.length;
    if (known && !given_is_yours(lab->source.text, failure->line) && !given_edited(lab->given, lab->source.text))
        text_add(&failure->cause, "line %u is as the exercise gives it: look at your lines that it calls, or that call it",
                 failure->line);
}

static void check_fault(LabCase *c) {
    if (!c->launched || c->result.fault.kind == FAULT_none) return;
    LabFailure *failure = lab_failure(c->lab, c);
    Report report = case_report(c);
    hint_for_learners(c, &c->result.fault);
    if (failure) {
        faulttext_add(&report, c->lab->page, &failure->message);
        failure->is_fault = true;
        failure->fault = c->result.fault;
        faulttext_sentence(&report, &failure->fault, &failure->sentence);
        Spot spot = spot_of(&report, failure->fault.pc);
        if (spot.file == report.source_path) failure->line = spot.line, failure->column = spot.column;
        blame_yours(c->lab, failure);
    }
    lab_stop();
}

static void check_buffers(LabCase *c) {
    for (const LabBuffer *buffer = c->buffers; buffer; buffer = buffer->next) {
        uint64_t i = 0;
        if (buffer->allocation->promised && buffer->allocation->written)
            lab_wrong(
                c,
                "'%s' is read as data that nobody writes (ld.global.nc, by __restrict__ or __ldg), and the kernel writes it: "
                "the promise is broken, even where the results come out right",
                buffer->name);
        for (; i < buffer->guard_bytes; i++)
            if (buffer->allocation->host[i] != COMPARE_POISON)
                lab_wrong(c, "something was written before the beginning of '%s'", buffer->name);
        if (!buffer->before || memcmp(buffer->before, elements(buffer), buffer->bytes) == 0) continue;
        for (i = 0; buffer->before[i] == elements(buffer)[i];) i++;
        lab_wrong(c, "the input '%s' was changed, at element %llu", buffer->name,
                  (unsigned long long)(i / type_bytes[buffer->type]));
    }
}

void lab_device(LabCase *c, const char *profile) {
    Diag diag = {0};
    c->request.profile = profile_find(profile, &diag);
    assert(c->request.profile && "a profile of profiles.def");
}

static uint32_t at_least_one(uint32_t n) { return n ? n : 1; }

void lab_launch(LabCase *c, LabShape grid, LabShape block, uint32_t shared_bytes) {
    const Function *kernel = c->request.launch.kernel->function;
    if (c->n_params < kernel->n_params)
        lab_wrong(c, "'%s' has %u parameters instead of %u: the kernel's head must stay as it was", kernel->name,
                  kernel->n_params, c->n_params);
    const uint32_t grid_parts[3] = {at_least_one(grid.x), at_least_one(grid.y), at_least_one(grid.z)};
    const uint32_t block_parts[3] = {at_least_one(block.x), at_least_one(block.y), at_least_one(block.z)};
    memcpy(c->request.launch.grid, grid_parts, sizeof grid_parts);
    memcpy(c->request.launch.block, block_parts, sizeof block_parts);
    c->request.launch.shared_bytes = shared_bytes;
    for (LabBuffer *buffer = c->buffers; buffer; buffer = buffer->next) {
        buffer->compared = false;
        buffer->allocation->promised = buffer->allocation->written = false;
    }
    if (c->lab->corners) corners_launched(c->lab->corners, c);
    launch(c, c->request.launch.threads);
    check_fault(c);
    check_buffers(c);
}

/* Threads that left before a barrier were to do something behind it. */
static Spot left_early(const LabCase *c, Text *cause) {
    const Report report = case_report(c);
    Spot barrier = spot_of(&report, c->remark.pc), spot = faulttext_other(&report, &c->remark);
    text_free(cause);
    if (barrier.line) text_add(cause, "line %u: ", barrier.line);
    faulttext_sentence(&report, &c->remark, cause);
    text_add(cause, ". Was there nothing left for them to do behind it?");
    return spot.file == report.source_path ? spot : (Spot){"", 0, 0};
}

/* What the launch ran through is the cause, rather than what the wrong elements seem to tell. */
static Spot remarked(const LabCase *c, Text *cause) {
    const Report report = case_report(c);
    Spot spot = spot_of(&report, c->remark.pc);
    if (c->remark.kind == FAULT_barrier_divergence) return left_early(c, cause);
    text_free(cause);
    if (spot.line) text_add(cause, "line %u: ", spot.line);
    text_add(cause, "%s. Let all lanes execute it: take it out of the if, or the loop, that only some lanes run",
             c->remark.message);
    return spot.file == report.source_path ? spot : (Spot){"", 0, 0};
}

/* The only line of the learner's file that writes to the buffer, as far as each store's one access that is kept tells. */
static Spot only_writer(const LabCase *c, const LabBuffer *buffer) {
    const Counters *counters = c->launched ? c->result.counters : NULL;
    const Report report = case_report(c);
    Spot only = {"", 0, 0};
    for (uint32_t pc = 0; counters && pc < counters->n_insns; pc++) {
        const Access *access = &counters->insns[pc].worst.access;
        bool writes = counters->insns[pc].worst.cost && access->kind != ACCESS_LOAD && access->space == SPACE_GLOBAL;
        uint32_t lane = access->active ? (uint32_t)__builtin_ctz(access->active) : 0;
        if (!writes || access->addr[lane] - buffer->allocation->address >= buffer->allocation->bytes) continue;
        Spot spot = spot_of(&report, pc);
        if (spot.file != report.source_path || (only.line && only.line != spot.line)) return (Spot){"", 0, 0};
        if (only.line && only.column != spot.column) spot.column = 0;
        only = spot;
    }
    return only;
}

/* A store whose kept access has two lanes at one place of the buffer: only one of their values can be there. */
static Spot meeting_lanes(const LabCase *c, const LabBuffer *buffer, Text *cause) {
    const Counters *counters = c->launched ? c->result.counters : NULL;
    const Report report = case_report(c);
    for (uint32_t pc = 0; counters && pc < counters->n_insns; pc++) {
        const Access *access = &counters->insns[pc].worst.access;
        bool stores = counters->insns[pc].worst.cost && access->kind == ACCESS_STORE && access->space == SPACE_GLOBAL;
        for (uint32_t pair = 0; stores && pair < WARP_LANES * WARP_LANES; pair++) {
            uint32_t one = pair / WARP_LANES, other = pair % WARP_LANES;
            bool meet = one < other && access->active >> one & 1 && access->active >> other & 1 &&
                        access->addr[one] == access->addr[other];
            if (!meet || access->addr[one] - buffer->allocation->address >= buffer->allocation->bytes) continue;
            Spot spot = spot_of(&report, pc);
            if (spot.line) text_add(cause, "line %u: ", spot.line);
            text_add(cause, "lanes %u and %u of a warp store to the same element, and which value stays is not defined", one,
                     other);
            return spot.file == report.source_path ? spot : (Spot){"", 0, 0};
        }
    }
    return (Spot){"", 0, 0};
}

/* --- comparing ------------------------------------------------------------------------------------------------------------ */

/* Where the kernel may write one buffer alone. */
static uint64_t stored_bytes(const LabCase *c) {
    unsigned outputs = 0;
    for (const LabBuffer *buffer = c->buffers; buffer; buffer = buffer->next) outputs += buffer->written;
    return c->launched && c->result.counters && outputs == 1 ? c->result.counters->global[COUNTER_STORE].bytes : 0;
}

static void expect(LabCase *c, LabBuffer *buffer, const void *expected, uint64_t rows, uint64_t cols, double tolerance) {
    CompareSource sources[BUFFERS_COMPARED];
    Comparison comparison = {.name = buffer->name,
                             .type = buffer->type,
                             .got = elements(buffer),
                             .expected = expected,
                             .rows = rows,
                             .cols = cols,
                             .tolerance = tolerance,
                             .before = buffer->given,
                             .unguarded = unread_guards(c),
                             .stored_bytes = stored_bytes(c),
                             .sources = sources};
    assert(rows * cols <= buffer->count);
    buffer->columns = rows > 1 ? cols : 0;
    for (const LabBuffer *source = c->buffers; source && comparison.n_sources < BUFFERS_COMPARED; source = source->next)
        if (source->before)
            sources[comparison.n_sources++] = (CompareSource){source->name, source->before, source->type, source->count};
    Text message = {0}, cause = {0};
    bool equal = compare_arrays(&comparison, &message, &cause);
    LabFailure *failure = equal ? NULL : lab_failure(c->lab, c);
    if (failure) {
        text_add(&failure->message, "%s", text_string(&message));
        LOCAL_TEXT alike = {0};
        const bool idle = strstr(text_string(&cause), "nothing was written") != NULL; /* the compiler has left it all out */
        if (c->launched && !idle && unread_say(c, &alike)) text_free(&cause), text_add(&cause, "%s", text_string(&alike));
        Spot at = only_writer(c, buffer);
        /* What nobody has written of a buffer that is worked on in place is its old value. */
        bool kept = buffer->allocation->initialized || strstr(text_string(&message), "never written");
        bool explains = c->remark.kind != FAULT_barrier_divergence || kept;
        if (c->launched && c->remark.kind != FAULT_none && explains) at = remarked(c, &cause);
        if (!cause.length && !failure->cause.length) {
            Spot meeting = meeting_lanes(c, buffer, &cause);
            if (meeting.line) at = meeting;
        }
        if (!failure->cause.length) text_add(&failure->cause, "%s", text_string(&cause));
        failure->line = at.line;
        failure->column = at.column;
    }
    text_free(&message);
    text_free(&cause);
    if (!equal) lab_stop();
    buffer->compared = rows * cols == buffer->count;
}

void lab_compared(LabBuffer *buffer) { buffer->compared = true; }

void lab_expect(LabCase *c, LabBuffer *buffer, const void *expected, uint64_t rows, uint64_t cols) {
    expect(c, buffer, expected, rows, cols, -1);
}

void lab_expect_near(LabCase *c, LabBuffer *buffer, const void *expected, uint64_t rows, uint64_t cols, double tolerance) {
    expect(c, buffer, expected, rows, cols, tolerance);
}

/* --- counts --------------------------------------------------------------------------------------------------------------- */

bool lab_is_counted(const Lab *lab) { return !lab->gpu; }

double lab_metric(LabCase *c, const char *name) {
    case_emulate(c);
    const MetricSource source = metrics_of(&c->request, &c->result);
    double value = 0;
    char subject[32]; /* a space that the launch leaves alone is absent */
    bool found = metrics_find(&source, name, &value);
    if (!found && !formula_subject(name, subject, sizeof subject) && strncmp(name, "constant.", 9) != 0 &&
        strncmp(name, "cluster.", 8) != 0)
        abort();
    return found ? value : 0;
}
