/* Runs every tests/ptx/NAME.ptx on the emulated device and compares with what the file itself says, in comments:
 *   //! grid 2            //! block 64,2        //! shared 128       //! steps 1000      //! threads 2
 *   //! arg buf:u32:64:iota                      one for each parameter, as `warpscope launch` takes them
 *   //! buffer 0 = 0..31 32*7 5                  argument 0 afterwards: ranges, repetitions, single values
 *   //! count shared.load.wavefronts 32          a counter, by its name in the JSON
 *   //! count executed.17 6                      how often warps ran the instructions of a line of the file
 *   //! prints hello                             a line of the kernel's printf
 *   //! fault deadlock: waits for                kind, and a part of the message; without this line no fault is allowed
 *   //! hint is a guard missing              a part of the fault's hint
 *   //! blames 30 26                             lines of the file: of the fault's instruction and of the other one that it names, 0: none
 *   //! refused: not emulated                    the module or the launch is refused, with this in the message
 *   //! checks off                               without races and uninitialised memory
 *   //! strict                                   what the rules forbid and devices run through, too: those findings and no others are there
 *   //! finding barrier_divergence: had left     kind, and a part of the message
 *   //! cooperative                              a cooperative launch
 * Every file runs on one thread and on three; both must agree with it. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "device/device.h"
#include "input/arguments.h"
#include "suite.h"

enum { FILES = 400, LINE = 4000 };

static char *paths[FILES];
static int n_paths;

typedef struct Case {
    const char *path, *text;
    uint32_t grid[3], block[3], shared;
    uint64_t steps;
    unsigned threads;
    bool checks, strict, cooperative, fault_wanted, refused_wanted;
    Arguments arguments;
    Program *program;
    Memory *memory;
    Allocation *buffers[32];
    LaunchResult result;
    Diag diag;
} Case;

/* The next line that starts with //! and this word; *at moves on. NULL when there is none. The rest of the line is copied. */
static const char *directive(const char **at, const char *word, char *rest) {
    size_t length = strlen(word);
    while ((*at = strstr(*at, "//! "))) {
        const char *line = *at + 4;
        *at = line;
        if (strncmp(line, word, length)) continue;
        size_t n = strcspn(line + length, "\n");
        ck_assert_uint_lt(n, LINE);
        memcpy(rest, line + length, n);
        rest[n] = 0;
        return rest;
    }
    return NULL;
}

static void shape(const char *text, const char *word, uint32_t *to) {
    char rest[LINE];
    to[0] = to[1] = to[2] = 1;
    if (directive(&text, word, rest)) ck_assert_int_ge(sscanf(rest, " %u,%u,%u", &to[0], &to[1], &to[2]), 1);
}

static uint64_t number(const char *text, const char *word, uint64_t otherwise) {
    char rest[LINE];
    return directive(&text, word, rest) ? strtoull(rest, NULL, 0) : otherwise;
}

static void case_read(Case *test) {
    char rest[LINE];
    shape(test->text, "grid", test->grid);
    shape(test->text, "block", test->block);
    test->shared = (uint32_t)number(test->text, "shared", 0);
    test->steps = number(test->text, "steps", 0);
    const char *at = test->text;
    test->checks = !directive(&at, "checks off", rest);
    at = test->text;
    test->strict = directive(&at, "strict", rest);
    at = test->text;
    test->cooperative = directive(&at, "cooperative", rest);
    at = test->text;
    test->fault_wanted = directive(&at, "fault", rest);
    at = test->text;
    test->refused_wanted = directive(&at, "refused", rest);
    test->arguments = arguments_new();
    for (at = test->text; directive(&at, "arg ", rest);)
        ck_assert_msg(arguments_add(&test->arguments, rest, &test->diag), "%s: %s", test->path, test->diag.message);
}

static bool case_launch(Case *test) {
    test->program = program_parse(test->text, strlen(test->text), test->path, &test->diag);
    if (!test->program) return false;
    const Function *kernel = NULL;
    for (uint32_t i = 0; i < test->program->n_functions && !kernel; i++)
        if (test->program->functions[i].is_entry) kernel = &test->program->functions[i];
    ck_assert_msg(kernel != NULL, "%s: no kernel", test->path);
    ck_assert_msg(arguments_fit(&test->arguments, test->program, kernel, &test->diag), "%s: %s", test->path,
                  test->diag.message);
    uint8_t params[4096] = {0};
    arguments_build(&test->arguments, test->program, kernel, test->memory, params, test->buffers);
    LaunchRequest request = {.launch.kernel = kernel_prepare(test->program, kernel),
                             .launch.shared_bytes = test->shared,
                             .launch.params = params,
                             .launch.memory = test->memory,
                             .profile = profile_find("h200", &test->diag),
                             .l1 = true,
                             .launch.checks = test->checks,
                             .launch.strict = test->strict,
                             .launch.cooperative = test->cooperative,
                             .launch.threads = test->threads,
                             .launch.max_steps = test->steps};
    memcpy(request.launch.grid, test->grid, sizeof request.launch.grid);
    memcpy(request.launch.block, test->block, sizeof request.launch.block);
    return device_launch(&request, &test->result, &test->diag);
}

static void compare_value(const Case *test, unsigned buffer, uint64_t index, double wanted) {
    const Argument *argument = &test->arguments.items[buffer];
    const uint8_t *at = test->buffers[buffer]->host + index * type_bytes[argument->type];
    double got = 0;
    switch ((Type)argument->type) {
    case TYPE_u8: got = *at; break;
    case TYPE_s8: got = (int8_t)*at; break;
    case TYPE_u16: {
        uint16_t v;
        memcpy(&v, at, 2);
        got = v;
        break;
    }
    case TYPE_s16: {
        int16_t v;
        memcpy(&v, at, 2);
        got = v;
        break;
    }
    case TYPE_u32: {
        uint32_t v;
        memcpy(&v, at, 4);
        got = v;
        break;
    }
    case TYPE_s32: {
        int32_t v;
        memcpy(&v, at, 4);
        got = v;
        break;
    }
    case TYPE_u64: {
        uint64_t v;
        memcpy(&v, at, 8);
        got = (double)v;
        break;
    }
    case TYPE_s64: {
        int64_t v;
        memcpy(&v, at, 8);
        got = (double)v;
        break;
    }
    case TYPE_f32: {
        float v;
        memcpy(&v, at, 4);
        got = v;
        break;
    }
    default: memcpy(&got, at, 8);
    }
    ck_assert_msg(got == wanted, "%s: element %llu of argument %u is %.17g, not %.17g", test->path, (unsigned long long)index,
                  buffer, got, wanted);
}

static void compare_buffer(const Case *test, char *line) {
    unsigned buffer;
    int used;
    ck_assert_msg(sscanf(line, " %u =%n", &buffer, &used) == 1 && buffer < test->arguments.count && test->buffers[buffer],
                  "%s: buffer%s", test->path, line);
    uint64_t index = 0;
    for (char *word = strtok(line + used, " "); word; word = strtok(NULL, " ")) {
        char *end;
        double first = strtod(word, &end);
        uint64_t times = 1;
        double step = 0;
        if (*end == '*') {
            times = (uint64_t)first;
            first = strtod(end + 1, &end);
        } else if (end[0] == '.' && end[-1] == '.') { /* "0." was read as a number */
            double last = strtod(end + 1, &end);
            step = last < first ? -1 : 1;
            times = (uint64_t)((last - first) * step) + 1;
        }
        ck_assert_msg(!*end, "%s: '%s' is no value", test->path, word);
        for (uint64_t i = 0; i < times; i++) {
            ck_assert_msg(index < test->arguments.items[buffer].count, "%s: too many values", test->path);
            compare_value(test, buffer, index++, first + step * (double)i);
        }
    }
    ck_assert_msg(index == test->arguments.items[buffer].count, "%s: %llu values for argument %u", test->path,
                  (unsigned long long)index, buffer);
}

static uint64_t counter(const Case *test, const char *name) {
    const Counters *c = test->result.counters;
    const char *ops[] = {"load", "store", "atomic"};
    if (!strcmp(name, "instructions")) return c->instructions;
    if (!strcmp(name, "thread_instructions")) return c->thread_instructions;
    if (!strcmp(name, "busiest_warp")) return c->busiest_warp;
    if (!strcmp(name, "constant.requests")) return c->constant_requests;
    const struct {
        const char *name;
        uint64_t value;
    } totals[] = {{"bulk.copies", c->bulk.copies},
                  {"bulk.bytes", c->bulk.bytes},
                  {"bulk.read_sectors", c->bulk.read_sectors},
                  {"bulk.write_sectors", c->bulk.write_sectors},
                  {"l2.read_sectors", c->l2_read_sectors},
                  {"l2.write_sectors", c->l2_write_sectors}};
    for (size_t i = 0; i < sizeof totals / sizeof *totals; i++)
        if (!strcmp(name, totals[i].name)) return totals[i].value;
    unsigned line;
    if (sscanf(name, "executed.%u", &line) == 1) {
        uint64_t sum = 0;
        for (uint32_t pc = 0; pc < c->n_insns; pc++) sum += test->program->insns[pc].line == line ? c->insns[pc].executed : 0;
        return sum;
    }
    for (int op = 0; op < COUNTER_OPS; op++) {
        char field[40];
        snprintf(field, sizeof field, "cluster.%s_requests", ops[op]);
        if (!strcmp(field, name)) return c->peers[op].requests;
        snprintf(field, sizeof field, "cluster.%s_sectors", ops[op]);
        if (!strcmp(field, name)) return c->peers[op].sectors;
        for (int local = 0; local < 2; local++) {
            const SectorCounters *s = local ? &c->local[op] : &c->global[op];
            const struct {
                const char *name;
                uint64_t value;
            } fields[] = {{"requests", s->requests},
                          {"sectors", s->sectors},
                          {"bytes", s->bytes},
                          {"unique_bytes", s->unique_bytes},
                          {"l1_hit_sectors", s->l1_hit_sectors}};
            for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
                snprintf(field, sizeof field, "%s.%s.%s", local ? "local" : "global", ops[op], fields[f].name);
                if (!strcmp(field, name)) return fields[f].value;
            }
        }
        const BankCounters *b = &c->shared[op];
        const struct {
            const char *name;
            uint64_t value;
        } fields[] = {{"requests", b->requests}, {"wavefronts", b->wavefronts}, {"bank_conflicts", b->bank_conflicts}};
        for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
            snprintf(field, sizeof field, "shared.%s.%s", ops[op], fields[f].name);
            if (!strcmp(field, name)) return fields[f].value;
        }
    }
    ck_abort_msg("%s: unknown counter '%s'", test->path, name);
    return 0;
}

static unsigned line_of(const Case *test, uint32_t pc) { return pc == NO_INSN ? 0 : test->program->insns[pc].line; }

static void compare_fault(const Case *test) {
    char rest[LINE];
    const char *at = test->text;
    const Fault *fault = &test->result.fault;
    if (!directive(&at, "fault ", rest)) {
        ck_assert_msg(fault->kind == FAULT_none, "%s: %s: %s", test->path, fault_kinds[fault->kind].name, fault->message);
        return;
    }
    char *colon = strchr(rest, ':');
    ck_assert_msg(colon != NULL, "%s: fault KIND: TEXT", test->path);
    *colon = 0;
    ck_assert_msg(!strcmp(rest, fault_kinds[fault->kind].name), "%s: fault %s (%s), not %s", test->path,
                  fault_kinds[fault->kind].name, fault->message, rest);
    ck_assert_msg(strstr(fault->message, colon + 2) != NULL, "%s: '%s' is not in: %s", test->path, colon + 2, fault->message);
    for (at = test->text; directive(&at, "hint ", rest);)
        ck_assert_msg(strstr(fault->hint, rest) != NULL, "%s: '%s' is not in: %s", test->path, rest, fault->hint);
    unsigned own, other;
    for (at = test->text; directive(&at, "blames ", rest);) {
        ck_assert_int_eq(sscanf(rest, "%u %u", &own, &other), 2);
        const unsigned at_own = line_of(test, fault->pc), at_other = line_of(test, fault->other_pc);
        ck_assert_msg(at_own == own && at_other == other, "%s: lines %u and %u are blamed", test->path, at_own, at_other);
    }
}

/* Each finding that the file names is there; of a strict launch no other. True when it names any. */
static bool compare_findings(const Case *test) {
    char rest[LINE];
    size_t named = 0;
    const FindingLog *log = &test->result.findings;
    for (const char *at = test->text; directive(&at, "finding ", rest); named++) {
        char *colon = strchr(rest, ':');
        ck_assert_msg(colon != NULL, "%s: finding KIND: TEXT", test->path);
        *colon = 0;
        size_t i = 0;
        while (i < log->count && (strcmp(rest, fault_kinds[log->items[i].fault.kind].name) != 0 ||
                                  !strstr(log->items[i].fault.message, colon + 2)))
            i++;
        ck_assert_msg(i < log->count, "%s: no finding %s: %s", test->path, rest, colon + 2);
    }
    ck_assert_msg(!test->strict || log->count == named, "%s: %zu findings, not %zu: %s", test->path, log->count, named,
                  log->count ? log->items[log->count - 1].fault.message : "");
    return named > 0;
}

/* How often warps ran each instruction adds up to what they ran in all. */
static void compare_executed(const Case *test) {
    const Counters *counters = test->result.counters;
    uint64_t sum = 0;
    for (uint32_t pc = 0; pc < counters->n_insns; pc++) sum += counters->insns[pc].executed;
    ck_assert_msg(sum == counters->instructions, "%s: by instruction %llu, in all %llu", test->path, (unsigned long long)sum,
                  (unsigned long long)counters->instructions);
}

static void case_compare(const Case *test) {
    char rest[LINE], name[100];
    const char *at = test->text;
    bool any = test->fault_wanted;
    compare_fault(test);
    any |= compare_findings(test);
    if (!test->fault_wanted) compare_executed(test);
    for (at = test->text; directive(&at, "buffer", rest); any = true) compare_buffer(test, rest);
    for (at = test->text; directive(&at, "count", rest); any = true) {
        unsigned long long wanted;
        ck_assert_int_eq(sscanf(rest, " %99s %llu", name, &wanted), 2);
        uint64_t got = counter(test, name);
        ck_assert_msg(got == wanted, "%s: %s is %llu, not %llu", test->path, name, (unsigned long long)got, wanted);
    }
    Text wanted = {0};
    for (at = test->text; directive(&at, "prints ", rest); any = true) text_add(&wanted, "%s\n", rest);
    ck_assert_str_eq(text_string(&test->result.output), text_string(&wanted));
    text_free(&wanted);
    ck_assert_msg(any, "%s: expects nothing", test->path);
}

static void run_file(const char *path, unsigned threads) {
    size_t length;
    char *text = text_read_file(path, 1 << 20, &length), rest[LINE];
    ck_assert_ptr_nonnull(text);
    Case test = {.path = strrchr(path, '/') + 1, .text = text, .threads = threads, .memory = memory_new()};
    case_read(&test);
    if (case_launch(&test)) {
        ck_assert_msg(!test.refused_wanted, "%s: was not refused", test.path);
        case_compare(&test);
    } else {
        const char *at = text;
        ck_assert_msg(directive(&at, "refused: ", rest) != NULL, "%s: %s", test.path, test.diag.message);
        ck_assert_msg(strstr(test.diag.message, rest) != NULL, "%s: '%s' is not in: %s", test.path, rest, test.diag.message);
    }
    device_result_free(&test.result);
    program_free(test.program);
    memory_free(test.memory);
    arguments_free(&test.arguments);
    free(text);
}

START_TEST(a_program_does_what_it_says)
{ run_file(paths[_i], 1); }
END_TEST

START_TEST(threads_change_nothing)
{ run_file(paths[_i], 3); }
END_TEST

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void find_files(void) {
    DIR *folder = opendir("tests/ptx");
    if (!folder) abort();
    for (struct dirent *entry; (entry = readdir(folder)) && n_paths < FILES;) {
        size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 4, ".ptx")) continue;
        Text path = {0};
        text_add(&path, "tests/ptx/%s", entry->d_name);
        paths[n_paths++] = path.data;
    }
    closedir(folder);
    qsort(paths, (size_t)n_paths, sizeof *paths, by_name);
}

int main(void) {
    find_files();
    const TTest *const tests[] = {a_program_does_what_it_says, threads_change_nothing};
    const int failed = suite_run("machine", (Fixture){NULL, NULL, false}, n_paths, tests, sizeof tests / sizeof *tests);
    for (int i = 0; i < n_paths; i++) free(paths[i]);
    return failed || !n_paths;
}
