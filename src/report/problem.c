#define _GNU_SOURCE /* memmem */
#include "report/problem.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/visible.h"
#include "report/faulttext.h"
#include "report/verdict.h"

void problem_add(Spot spot, const char *severity, const char *text, Text *out) {
    visible_add_line(out, spot.file);
    if (spot.line) text_add(out, ":%u:%u", spot.line, spot.column ? spot.column : 1);
    text_add(out, ": %s: ", severity);
    visible_add_line(out, text);
    text_add(out, "\n");
}

/* --- a launch ------------------------------------------------------------------------------------------------------------- */

static Spot spot_in(const Report *report, uint32_t pc) {
    Spot spot = spot_of(report, pc);
    if (!spot.line) spot.file = report->source_path ? report->source_path : report->kernel_name;
    return spot;
}

static void add_fault(const Report *report, const Fault *fault, Text *out) {
    if (fault->kind == FAULT_none) return;
    LOCAL_TEXT sentence = {0};
    faulttext_sentence(report, fault, &sentence);
    problem_add(spot_in(report, fault->pc), "error", text_string(&sentence), out);
    bool library;
    Spot inside = spot_inside(report, fault->pc, &library);
    if (inside.line) problem_add(inside, "note", library ? "in this library's header" : "in this function", out);
    LOCAL_TEXT launched = {0};
    if (report->launcher) text_add(&launched, "launched by %s", report->launcher);
    if (report->launcher) problem_add(spot_in(report, fault->pc), "note", text_string(&launched), out);
    if (fault->hint[0]) problem_add(spot_in(report, fault->pc), "note", fault->hint, out);
}

static void add_line(const Report *report, const SourceLine *line, Text *out) {
    if (line->worst_pc == NO_INSN) return;
    LOCAL_TEXT sentence = {0};
    spot_add_kind(line->space, line->op, &sentence);
    text_add(&sentence, ": ");
    if (!verdict_sentence(&report->result->counters->insns[line->worst_pc].worst, &sentence))
        problem_add(spot_in(report, line->worst_pc), "warning", text_string(&sentence), out);
}

void problem_faults(const Report *report, Text *out) {
    const FindingLog *findings = &report->result->findings;
    for (size_t i = 0; i < findings->count; i++) add_fault(report, &findings->items[i].fault, out);
    add_fault(report, &report->result->fault, out);
}

void problem_lines(const Report *report, Text *out) {
    if (report->result->fault.kind != FAULT_none) return;
    uint32_t count;
    FREED SourceLine *lines = report_source_lines(report, &count);
    for (uint32_t i = 0; i < count; i++) add_line(report, &lines[i], out);
}

/* --- compilers ------------------------------------------------------------------------------------------------------------ */

/* The line of "kernel.cu(14): error: text", with file_length set to that of the name, and *rest to what follows; 0: not of that form. */
static unsigned nvcc_line(const char *line, size_t length, size_t *file_length, const char **rest) {
    static const char *const severities[] = {"error", "warning", "remark", "catastrophic error"};
    for (const char *at = line; (at = memmem(at, length - (size_t)(at - line), "): ", 3)); at += 3) {
        const char *number = at;
        while (number > line && isdigit((unsigned char)number[-1])) number--;
        if (number == at || number - 1 <= line || number[-1] != '(') continue;
        *file_length = (size_t)(number - 1 - line);
        *rest = at + 3;
        for (size_t i = 0; i < sizeof severities / sizeof *severities; i++)
            if (strncmp(*rest, severities[i], strlen(severities[i])) == 0) return (unsigned)strtoul(number, NULL, 10);
    }
    return 0;
}

void problem_compiled(const char *messages, Text *out) {
    for (const char *line = messages; *line;) {
        size_t length = strcspn(line, "\n"), file_length;
        const char *rest;
        unsigned number = nvcc_line(line, length, &file_length, &rest);
        if (number) {
            const char *severity = *rest == 'w' ? "warning" : *rest == 'r' ? "note" : "error";
            size_t colon = strcspn(rest, ":\n");
            const char *code = memchr(rest, '#', colon); /* "warning #177-D" */
            visible_add(out, line, file_length);
            text_add(out, ":%u:1: %s: ", number, severity);
            rest += colon + (rest[colon] == ':');
            rest += *rest == ' ';
            visible_add(out, rest, (size_t)(line + length - rest));
            if (code) text_add(out, " [%.*s]", (int)strcspn(code, ": \n"), code);
        } else {
            visible_add(out, line, length);
        }
        text_add(out, "\n");
        line += length + (line[length] == '\n');
    }
}
