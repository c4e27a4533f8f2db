#include "cuda/poststep.h"

#include <stdlib.h>
#include <string.h>

enum { SMALL_BITS = 30, REGISTERS_FOLLOWED = 8 };
#define SMALL (1l << SMALL_BITS)

/* setp.lt.u32 %p2, %r19, 24; of a loop that is stepped so: add.s32 %r7, %r19, 8; */
typedef struct PreCount {
    char comparison[4], type[4], move[2]; /* move: u of mov.u32, or b, as clang has it from version 20 on */
    unsigned predicate, before, after;    /* registers */
    long limit, step;
} PreCount;

static const char *line_end(const char *line) {
    const char *end = strchr(line, '\n');
    return end ? end : line + strlen(line);
}

/* The line by itself, without its indentation: scanf measures what it is given to its end, which is the file's. */
typedef struct OneLine {
    char text[96];
} OneLine;

static OneLine line_at(const char *line) {
    OneLine one;
    snprintf(one.text, sizeof one.text, "%.*s", (int)(line_end(line) - line), line);
    return one;
}

static bool has_instruction(const char *line) { return *line == '\t' && line[1] != '.' && line[1] != '/'; }

/* A label that something may lead to; of "Ltmp7:" the debugger alone knows. */
static bool is_label(const char *line) { return (*line == '$' || *line == 'L') && !text_find(line, line_end(line), "tmp"); }

enum { BUT_BEFORE = sizeof "mov.u32" - 1 }; /* where the opcode of `but`, a mov.u32, begins */

/* The line of the only instruction from `from` to `end` but those that are `but` that writes %rN; NULL: there is none, or there are several. */
static const char *writer_of(unsigned reg, const char *from, const char *end, const char *but) {
    LOCAL_TEXT key = text_from(" \t%%r%u,", reg);
    const char *found = NULL;
    for (const char *at = from; (at = text_find(at, end, key.data)) != NULL; at++) {
        if (but && at - from >= BUT_BEFORE && text_begins(at - BUT_BEFORE, but)) continue;
        if (found) return NULL;
        found = at;
    }
    while (found && found > from && found[-1] != '\n') found--;
    return found;
}

/* Whether its only value is from 0 to 2^30 - 1. */
static bool is_small(unsigned reg, const char *from, const char *end) {
    for (int left = REGISTERS_FOLLOWED; left > 0; left--) {
        const char *at = writer_of(reg, from, end, NULL);
        unsigned other;
        long number;
        int length = 0;
        if (!at) return false;
        const OneLine one = line_at(at);
        const char *line = one.text;
        if (sscanf(line, " shr.u32 %%r%*u, %%r%*u, %ld;", &number) == 1) return number >= 32 - SMALL_BITS && number < 32;
        if (sscanf(line, " and.b32 %%r%*u, %%r%*u, %ld;", &number) == 1) return number >= 0 && number < SMALL;
        if (sscanf(line, " mov.%*1[ub]32 %%r%*u, %ld;", &number) == 1) return number >= 0 && number < SMALL;
        if (sscanf(line, " mov.u32 %%r%*u, %%tid.%n", &length), length > 0) return true;
        if (sscanf(line, " mov.%*1[ub]32 %%r%*u, %%r%u;", &other) != 1) return false;
        reg = other;
    }
    return false;
}

/* Behind the comparison: nothing but the next value's way to its register, and the branch back, to where the block begins or before it. */
static bool leads_back(PreCount *count, const char *comparison, const char *from) {
    LOCAL_TEXT branch = text_from("\t@%%p%u bra \t", count->predicate);
    bool moved = false;
    for (const char *line = line_end(comparison); *line && !is_label(line + 1); line = line_end(line + 1)) {
        unsigned to, of;
        if (text_begins(line + 1, branch.data)) {
            const char *label = line + 1 + branch.length;
            LOCAL_TEXT target = text_from("\n%.*s:", (int)strcspn(label, ";\n"), label);
            return moved && text_find(from, comparison, target.data);
        }
        if (!has_instruction(line + 1)) continue;
        if (!text_begins(line + 1, "\tmov.")) return false;
        const OneLine move = line_at(line + 1);
        if (sscanf(move.text, " mov.%1[ub]32 %%r%u, %%r%u;", count->move, &to, &of) != 3 || to != count->before) continue;
        if (moved) return false;
        count->after = of;
        moved = true;
    }
    return false;
}

/* From `head`, where the comparison's basic block begins, to that: the step. */
static bool find_step(PreCount *count, const char *head, const char *comparison) {
    for (const char *at = head; at < comparison; at = line_end(at) + 1) {
        if (!text_begins(at, "\tadd.s32 ")) continue;
        const OneLine line = line_at(at);
        unsigned after, before;
        if (sscanf(line.text, " add.s32 %%r%u, %%r%u, %ld;", &after, &before, &count->step) == 3 && after == count->after &&
            before == count->before)
            return count->step > 0 && count->step < SMALL;
    }
    return false;
}

/* Whether the comparison that this line is, in the function from `from` on and the block from `head` on, is such a one. */
static bool read_count(const char *line, const char *from, const char *head, PreCount *count) {
    const OneLine comparison = line_at(line);
    if (sscanf(comparison.text, " setp.%3[a-z].%3[su32] %%p%u, %%r%u, %ld;", count->comparison, count->type, &count->predicate,
               &count->before, &count->limit) != 5)
        return false;
    const bool orders = strcmp(count->comparison, "lt") == 0 || strcmp(count->comparison, "le") == 0;
    if (!orders || count->limit < 0 || count->limit >= SMALL || !leads_back(count, line, from) || !find_step(count, head, line))
        return false;
    LOCAL_TEXT step = text_from("mov.%s32 \t%%r%u, %%r%u;", count->move, count->before, count->after);
    const char *end = strstr(line, "\n}"), *first = end ? writer_of(count->before, from, end, step.data) : NULL;
    unsigned reg;
    long number;
    if (!first) return false;
    const OneLine value = line_at(first);
    if (sscanf(value.text, " mov.%*1[ub]32 %%r%*u, %ld;", &number) == 1) return number >= 0 && number < SMALL;
    return sscanf(value.text, " mov.%*1[ub]32 %%r%*u, %%r%u;", &reg) == 1 && is_small(reg, from, end);
}

bool poststep(const char *ptx, Text *out) {
    const char *done = ptx, *function = ptx, *head = ptx;
    for (const char *line = ptx, *end; *line; line = *end ? end + 1 : end) {
        PreCount count;
        end = line_end(line);
        if (*line == '{') function = line;
        if (*line == '{' || is_label(line)) head = line;
        if (!text_begins(line, "\tsetp.") || !read_count(line, function, head, &count)) continue;
        text_add_bytes(out, done, (size_t)(line - done));
        text_add(out, "\tsetp.%s.%s \t%%p%u, %%r%u, %ld;", count.comparison, count.type, count.predicate, count.after,
                 count.limit + count.step);
        done = end;
    }
    text_add(out, "%s", done);
    return done != ptx;
}
