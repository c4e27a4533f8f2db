#include "cuda/poststep.h"

#include <stdlib.h>
#include <string.h>

enum { SMALL_BITS = 30, REGISTERS_FOLLOWED = 8 };
#define SMALL (1l << SMALL_BITS)

/* setp.lt.u32 %p2, %r19, 24; of a loop that is stepped so: add.s32 %r7, %r19, 8; */
typedef struct PreCount {
    char comparison[4], type[4];
    unsigned predicate, before, after; /* registers */
    long limit, step;
} PreCount;

static const char *line_end(const char *line) {
    const char *end = strchr(line, '\n');
    return end ? end : line + strlen(line);
}

static bool has_instruction(const char *line) { return *line == '\t' && line[1] != '.' && line[1] != '/'; }

/* A label that something may lead to; of "Ltmp7:" the debugger alone knows. */
static bool is_label(const char *line) { return (*line == '$' || *line == 'L') && !text_find(line, line_end(line), "tmp"); }

/* The line of the only instruction from `from` to `end` but those of the form `but` that writes %rN; NULL: there is none, or there are several. */
static const char *writer_of(unsigned reg, const char *from, const char *end, const char *but) {
    LOCAL_TEXT key = text_from(" \t%%r%u,", reg);
    const char *found = NULL;
    for (const char *at = from; (at = text_find(at, end, key.data)) != NULL; at++) {
        if (but && text_begins(at, but)) continue;
        if (found) return NULL;
        found = at;
    }
    while (found && found > from && found[-1] != '\n') found--;
    return found;
}

/* Whether its only value is from 0 to 2^30 - 1. */
static bool is_small(unsigned reg, const char *from, const char *end) {
    for (int left = REGISTERS_FOLLOWED; left > 0; left--) {
        const char *line = writer_of(reg, from, end, NULL);
        unsigned other;
        long number;
        int length = 0;
        if (!line) return false;
        if (sscanf(line, " shr.u32 %%r%*u, %%r%*u, %ld;", &number) == 1) return number >= 32 - SMALL_BITS && number < 32;
        if (sscanf(line, " and.b32 %%r%*u, %%r%*u, %ld;", &number) == 1) return number >= 0 && number < SMALL;
        if (sscanf(line, " mov.u32 %%r%*u, %ld;", &number) == 1) return number >= 0 && number < SMALL;
        if (sscanf(line, " mov.u32 %%r%*u, %%tid.%n", &length), length > 0) return true;
        if (sscanf(line, " mov.u32 %%r%*u, %%r%u;", &other) != 1) return false;
        reg = other;
    }
    return false;
}

/* From `head`, where the comparison's basic block begins, to that: the step. */
static bool find_step(PreCount *count, const char *head, const char *comparison) {
    for (const char *line = head; line < comparison; line = line_end(line) + 1)
        if (sscanf(line, " add.s32 %%r%u, %%r%*u, %ld;", &count->after, &count->step) == 2) {
            LOCAL_TEXT step = text_from("%%r%u, %%r%u, %ld;", count->after, count->before, count->step);
            if (text_find(line, line_end(line), step.data)) return count->step > 0 && count->step < SMALL;
        }
    return false;
}

/* Behind the comparison: nothing but the next value's way to its register, and the branch back, where only a value below the limit comes. */
static bool leads_back(const PreCount *count, const char *comparison) {
    LOCAL_TEXT move = text_from("\tmov.u32 \t%%r%u, %%r%u;", count->before, count->after);
    LOCAL_TEXT branch = text_from("\t@%%p%u bra \t", count->predicate);
    bool moved = false;
    for (const char *line = line_end(comparison); *line && !is_label(line + 1); line = line_end(line + 1)) {
        moved |= text_begins(line + 1, move.data);
        if (text_begins(line + 1, branch.data)) return moved;
        if (has_instruction(line + 1) && !text_begins(line + 1, "\tmov.")) return false;
    }
    return false;
}

/* Whether the comparison that this line is, in the function from `from` on and the block from `head` on, is such a one. */
static bool read_count(const char *line, const char *from, const char *head, PreCount *count) {
    if (sscanf(line, " setp.%3[a-z].%3[su32] %%p%u, %%r%u, %ld;", count->comparison, count->type, &count->predicate,
               &count->before, &count->limit) != 5)
        return false;
    const bool orders = strcmp(count->comparison, "lt") == 0 || strcmp(count->comparison, "le") == 0;
    if (!orders || count->limit < 0 || count->limit >= SMALL || !find_step(count, head, line) || !leads_back(count, line))
        return false;
    LOCAL_TEXT step = text_from(" \t%%r%u, %%r%u;", count->before, count->after);
    const char *end = strstr(line, "\n}"), *first = end ? writer_of(count->before, from, end, step.data) : NULL;
    unsigned reg;
    long number;
    if (first && sscanf(first, " mov.u32 %%r%*u, %ld;", &number) == 1) return number >= 0 && number < SMALL;
    return first && sscanf(first, " mov.u32 %%r%*u, %%r%u;", &reg) == 1 && is_small(reg, from, end);
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
