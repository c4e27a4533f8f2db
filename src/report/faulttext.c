#include "report/faulttext.h"

#include <stdio.h>
#include <string.h>

#include "ptx/opcode.h"
#include "report/paint.h"
#include "report/sharedname.h"

static bool line_has(const Report *report, Spot spot, const char *text) {
    LOCAL_TEXT line = {0};
    spot_add_source(report, spot, SIZE_MAX, &line);
    return strstr(text_string(&line), text) != NULL;
}

/* Of a branch that compilers have made of several conditions: that by which lanes went, where it can be told. */
static Spot branch_spot(const Report *report, uint32_t branch) {
    const Kernel *kernel = report->request->launch.kernel;
    const Function *function = kernel->function;
    if (!function || branch - function->first >= function->count) return spot_of(report, branch);
    uint32_t condition = leaving_condition(kernel->program, function, branch);
    Spot spot = spot_of(report, condition == NO_INSN ? branch : condition);
    bool one = condition != NO_INSN || line_has(report, spot, "||") || line_has(report, spot, "&&");
    return one ? spot : (Spot){"", 0, 0};
}

static bool of_barrier(const Fault *fault) { return fault->kind == FAULT_barrier_divergence || fault->kind == FAULT_deadlock; }
static bool is_mbarrier(const Report *report, uint32_t pc) {
    return report->request->launch.kernel->program->insns[pc].op == OP_mbarrier;
}
static bool is_barrier(const Report *report, uint32_t pc) {
    return insn_waits(&report->request->launch.kernel->program->insns[pc]) || is_mbarrier(report, pc);
}

Spot faulttext_other(const Report *report, const Fault *fault) {
    if (fault->other_pc == NO_INSN || fault->kind == FAULT_none) return (Spot){"", 0, 0};
    return of_barrier(fault) && !is_barrier(report, fault->other_pc) ? branch_spot(report, fault->other_pc)
                                                                     : spot_of(report, fault->other_pc);
}

/* ": returned at line 4", of lanes that a barrier misses. */
static void add_return(const Report *report, const Fault *fault, Text *out) {
    Spot spot = of_barrier(fault) ? faulttext_other(report, fault) : (Spot){"", 0, 0};
    if (!spot.line) return;
    text_add(out,
             is_barrier(report, fault->other_pc) ? ", at line %u"
             : line_has(report, spot, "return")  ? ": returned at line %u"
                                                 : ": gone another way at line %u",
             spot.line);
}

/* The message with block and thread put behind "lane 3 of warp 0", where it begins so; a " of block 7" that follows is left out, since
 * it says the same. True when they were put in. */
static bool add_who(const Fault *fault, Text *out) {
    unsigned lane, warp;
    int length = 0;
    if (sscanf(fault->message, "lane %u of warp %u%n", &lane, &warp, &length) != 2) {
        text_add(out, "%s", fault->message);
        return false;
    }
    const uint32_t *block = fault->block, *thread = fault->thread;
    text_add(out, "lane %u of warp %u (block (%u,%u,%u), thread (%u,%u,%u))", lane, warp, block[0], block[1], block[2],
             thread[0], thread[1], thread[2]);
    const char *tail = fault->message + length;
    unsigned long long number;
    int skipped = 0;
    if (sscanf(tail, " of block %llu%n", &number, &skipped) == 1) tail += skipped;
    text_add(out, "%s", tail);
    return true;
}

bool faulttext_sentence(const Report *report, const Fault *fault, Text *out) {
    LOCAL_TEXT sentence = {0};
    bool named = add_who(fault, &sentence);
    sharedname_put(report, text_string(&sentence), out);
    add_return(report, fault, out);
    return named;
}

/* Whether a return stands in the lines from one place to another. */
static bool returns_between(const Report *report, Spot from, Spot to) {
    enum { LINES_MOST = 400 };
    bool returns = false;
    if (!from.line || strcmp(from.file, to.file) != 0 || to.line - from.line > LINES_MOST) return false;
    for (; from.line <= to.line && !returns; from.line++) returns = line_has(report, from, "return");
    return returns;
}

void faulttext_settle(const Report *report, FindingLog *log) {
    size_t kept = 0;
    for (size_t i = 0; i < log->count; i++) {
        const Fault *fault = &log->items[i].fault;
        bool by_branch = fault->kind == FAULT_barrier_divergence && fault->other_pc != NO_INSN &&
                         !is_barrier(report, fault->other_pc) && !report->request->launch.strict;
        if (by_branch && returns_between(report, faulttext_other(report, fault), spot_of(report, fault->pc))) continue;
        log->items[kept++] = log->items[i];
    }
    log->count = kept;
}

void faulttext_message(const Report *report, const Fault *fault, Text *out) {
    sharedname_put(report, fault->message, out);
    add_return(report, fault, out);
}

/* The name of what the message says is accessed: 'NAME'+4096, 'NAME[1][0]'. */
static void find_array(const char *sentence, char *name, size_t size) {
    const char *at = strchr(sentence, '\'');
    size_t length = at ? strcspn(at + 1, "'[") : 0;
    name[0] = 0;
    if (length && length < size) snprintf(name, size, "%.*s", (int)length, at + 1);
}

enum { KIND_BYTES = 40 };

/* "shared race" */
static void kind_text(FaultKind kind, char text[KIND_BYTES]) {
    snprintf(text, KIND_BYTES, "%s", fault_kinds[kind].name);
    for (char *at = text; *at; at++) *at = *at == '_' ? ' ' : *at;
}

/* The function that was called, where the compiler has inlined one. */
static void add_inside(const Report *report, const Fault *fault, const char *array, Page page, Text *out) {
    bool library;
    Spot inside = spot_inside(report, fault->pc, &library), spot = spot_of(report, fault->pc);
    if (!inside.line && !spot_is_library(report, spot)) return;
    LOCAL_TEXT where = text_from("in ");
    spot_add(inside.line ? inside : spot, &where);
    text_add(&where, !library && inside.line ? ", called there:"
                     : inside.line           ? ", a library's header, called there"
                                             : ", a library's header; from where it was called is not known");
    plain_wrap(out, page.columns, "  ", text_string(&where));
    if (!library) spot_add_quote(report, inside, array, "", page, out);
}

static void add_fault(const Report *report, const Fault *fault, uint64_t count, Page page, Text *out) {
    if (fault->kind == FAULT_none) return;
    LOCAL_TEXT message = {0};
    Spot spot = spot_of(report, fault->pc);
    if (!spot.line && fault->pc != NO_INSN) { /* clang gives what it has moved none */
        spot = spot_of(report, program_lined(report->request->launch.kernel->program, fault->pc));
        spot.column = 0;
        if (spot.line) text_add(&message, "near ");
    }
    if (spot.line) {
        spot_add(spot, &message);
        text_add(&message, ": ");
    }
    bool named = faulttext_sentence(report, fault, &message);
    char kind[KIND_BYTES];
    kind_text(fault->kind, kind);
    paint(out, page, PAINT_BAD, kind);
    text_add(out, "\n");
    plain_wrap(out, page.columns, "", text_string(&message));
    char array[64];
    find_array(text_string(&message), array, sizeof array);
    const FaultInfo *info = &fault_kinds[fault->kind];
    Spot other = faulttext_other(report, fault);
    bool two = *info->here && fault->other_pc != NO_INSN && fault->other_pc != fault->pc && (other.line || !of_barrier(fault));
    spot_add_quote(report, spot, array, two ? info->here : "", page, out);
    const bool counted = two && is_mbarrier(report, fault->other_pc);
    if (two) spot_add_quote(report, other, array, counted ? "counted here " : info->there, page, out);
    add_inside(report, fault, array, page, out);
    if (!named && info->of_block) text_add(out, "  in block (%u,%u,%u)\n", fault->block[0], fault->block[1], fault->block[2]);
    if (count > 1) text_add(out, "  %s times in this launch\n", plain_number(count).text);
    if (fault->hint[0]) plain_wrap(out, page.columns, "  hint: ", fault->hint);
}

void faulttext_add(const Report *report, Page page, Text *out) {
    const FindingLog *findings = &report->result->findings;
    for (size_t i = 0; i < findings->count; i++)
        add_fault(report, &findings->items[i].fault, findings->items[i].count, page, out);
    add_fault(report, &report->result->fault, 1, page, out);
}

void faulttext_add_count(const Report *report, const Finding *finding, Text *out) {
    char kind[KIND_BYTES];
    kind_text(finding->fault.kind, kind);
    text_add(out, "%s, ", kind);
    spot_add(spot_of(report, finding->fault.pc), out);
    text_add(out, ", in %s: %s time%s in %s launch%s", report->kernel_name, plain_number(finding->count).text,
             finding->count == 1 ? "" : "s", plain_number(finding->launches).text, finding->launches == 1 ? "" : "es");
}
