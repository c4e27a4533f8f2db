#include "cuda/unroll.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* --- options --- */

/* Sizes of loops, as LLVM estimates them. From version 17 on it moves more of an address out of the loop. */
typedef struct Bounds {
    unsigned first_version;
    const char *full, *partial;
} Bounds;

static const Bounds bounds[] = {{17, "-unroll-threshold=680", "-unroll-partial-threshold=180"},
                                {15, "-unroll-threshold=900", "-unroll-partial-threshold=235"},
                                {0, "-unroll-threshold=900", "-unroll-partial-threshold=250"}};

/* "clang 14.0.6": 14; 0: it does not say. */
static unsigned version_of(const char *compiler) {
    unsigned version = 0;
    sscanf(compiler, "clang %u", &version);
    return version;
}

void unroll_add_options(Argv *command, const char *compiler) {
    const unsigned version = version_of(compiler);
    const Bounds *of = bounds;
    while (of->first_version > version) of++;
    const char *const words[] = {
        of->full,
        of->partial,
        "-unroll-max-count=4",                     /* at a time */
        "-unroll-max-percent-threshold-boost=100", /* nvcc does not look whether it would get simpler */
        "-scev-cheap-expansion-budget=1000",       /* divisions */
        "-unroll-max-upperbound=32", /* iterations of which no more is known than that they are fewer: as they are, or all */
        "-disable-block-placement",  /* blocks stay in the order of the source, as nvcc leaves them */
        NULL};
    for (const char *const *word = words; *word; word++) {
        argv_add(command, "-mllvm");
        argv_add(command, *word);
    }
}

/* --- the module --- */

enum { UNROLLED_WHOLE = 32 /* iterations */, FIRST_TO_JOIN_ENDS = 17 /* version */ };
#define ELEMENTS_MOST (1ul << 32) /* what is more is as good as that */

/* What clang is told of a loop. */
typedef struct LoopHints {
    bool ends, unrolls, has_two_ends;
    uint8_t most; /* iterations at a time; 0: as many as it finds right */
} LoopHints;

typedef struct Loops {
    LoopHints *hints; /* by number of the loop's node */
    size_t count;
    unsigned long last_node;
    const char *function; /* the definition that the current line stands in */
    unsigned long any;    /* the node that says nothing of a number; 0: there is none yet */
    bool ranged;       /* the intrinsics themselves say what their numbers may be, and no name of a deputy is the file's own */
    uint32_t deputies; /* bit i set: register i has one */
} Loops;

static const char register_prefix[] = "@llvm.nvvm.read.ptx.sreg.";

/* Registers that number threads and blocks, and the first of those that are their deputies: envreg20 to envreg31, which no driver of CUDA's sets. */
static const char *const registers[] = {"tid.x",   "tid.y",   "tid.z",   "ntid.x",   "ntid.y",   "ntid.z",
                                        "ctaid.x", "ctaid.y", "ctaid.z", "nctaid.x", "nctaid.y", "nctaid.z"};
enum { REGISTERS = sizeof registers / sizeof *registers, FIRST_DEPUTY = 20 };

static const char *next_line(const char *line, const char *end) {
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    return newline ? newline + 1 : end;
}

/* "  %9 = add nsw i32 %7, %8": one variable to another. */
static bool adds_variables(const char *line, const char *end) {
    const char *at = text_find(line, end, " = add ");
    return at && (at = text_find(at, end, " %")) && text_find(at, end, ", %");
}

/* The number behind `what`; `most` where there is none, or one that is none of LLVM's making. */
static unsigned long node_after(const char *line, const char *end, const char *what, unsigned long most) {
    const char *at = text_find(line, end, what);
    unsigned long node = at ? strtoul(at + strlen(what), NULL, 10) : most;
    return node < most ? node : most;
}

/* "  %9 = getelementptr inbounds [8 x float], ptr %3, i64 0, i64 %8": the elements, 8, where %3 is an array of the thread's own; else 0. Of several
 * dimensions their product: one loop may go through all. */
static unsigned long own_elements(const Loops *loops, const char *line, const char *end) {
    static const char key[] = " = getelementptr inbounds ";
    const char *type = text_find(line, end, key), *at = type ? text_find(type, end, "], ") : NULL;
    at = at && type[sizeof key - 1] == '[' ? memchr(at, '%', (size_t)(end - at)) : NULL;
    if (!at) return 0;
    LOCAL_TEXT definition = text_from("\n  %.*s = alloca [", (int)strcspn(at, ", \n"), at);
    if (!text_find(loops->function, line, definition.data)) return 0;
    unsigned long elements = 1;
    for (type += sizeof key - 1; *type == '['; type += strspn(type, "0123456789 x")) {
        const unsigned long more = strtoul(++type, NULL, 10);
        elements = more <= ELEMENTS_MOST / elements ? elements * more : ELEMENTS_MOST;
        if (!elements) return 0;
    }
    return elements;
}

/* Of the arrays of the thread's own through which the loop goes that this line closes, "  br label %5, !llvm.loop !12", the most elements; and
 * whether another loop is closed in it. */
static unsigned long find_own_array(const Loops *loops, const char *line, const char *end, bool *innermost) {
    static const char to[] = "br label %";
    const char *label = text_find(line, end, to);
    if (!label) return 0;
    label += sizeof to - 1;
    LOCAL_TEXT head = text_from("\n%.*s:", (int)strcspn(label, ", \n"), label);
    const char *at = text_find(loops->function, line, head.data);
    unsigned long longest = 0;
    *innermost = !at || !text_find(at, line, "!llvm.loop ");
    for (const char *next; at && at < line; at = next) {
        next = next_line(at + 1, line);
        const unsigned long elements = own_elements(loops, at, next);
        if (elements > longest) longest = elements;
    }
    return longest;
}

/* Labels are numbers, in the order in which they stand: those behind a loop are larger than any number in it. */
static unsigned long label_after(const char *line, const char *end, const char *what) {
    const char *at = text_find(line, end, what);
    return at ? strtoul(at + strlen(what), NULL, 10) : 0;
}

/* A loop's lines, and its largest label or variable: what is larger stands behind it. */
typedef struct LoopLines {
    const char *function, *head, *close;
    unsigned long last;
} LoopLines;

/* The line behind the label, in the loop; NULL: it is none of its. */
static const char *block_at(const LoopLines *loop, unsigned long label) {
    LOCAL_TEXT begin = text_from("\n%lu:", label);
    const char *line = label ? text_find(loop->head, loop->close, begin.data) : NULL;
    return line ? next_line(line + 1, loop->close) : NULL;
}

/* Whether a branch to this label leaves the loop: at once, by a block that only stores what is left to do, or by one that branches on a && which has failed. */
static bool leaves(const LoopLines *loop, unsigned long label) {
    if (label > loop->last) return true;
    const char *line = block_at(loop, label);
    if (!line) return false;
    const bool failed = text_begins(line, "  %") && text_find(line, next_line(line, loop->close), " = phi i1 [ false, ");
    if (failed) line = next_line(line, loop->close);
    while (line < loop->close && (text_begins(line, "  store ") || text_begins(line, "  call void @llvm.lifetime.end")))
        line = next_line(line, loop->close);
    const char *end = next_line(line, loop->close), *to = text_find(line, end, failed ? ", label %" : "  br label %");
    if (failed && to && text_find(to + 1, end, ", label %")) to = text_find(to + 1, end, ", label %");
    const unsigned long next = to ? label_after(to, end, "label %") : 0;
    return next > loop->last || (failed && next && leaves(loop, next));
}

/* What a condition is made of: variables whose values are followed to where they come from in the loop. */
typedef struct Condition {
    const LoopLines *loop;
    unsigned long path[8];
    uint32_t depth, steps;
    bool has_loops_variable; /* whose next value is made of its own */
    bool reads;              /* memory that is no variable of the thread's, or takes too many steps to say */
} Condition;
enum { STEPS_MOST = 100 };

static void follow(Condition *condition, unsigned long value);

/* A load of this variable: what the loop stores to it. */
static void follow_variable(Condition *condition, unsigned long variable) {
    const LoopLines *loop = condition->loop;
    LOCAL_TEXT definition = text_from("\n  %%%lu = alloca ", variable);
    LOCAL_TEXT stored = text_from(", ptr %%%lu,", variable);
    for (uint32_t i = 0; i < condition->depth; i++)
        if (condition->path[i] == variable) {
            condition->has_loops_variable = true;
            return;
        }
    if (condition->depth == sizeof condition->path / sizeof *condition->path ||
        !text_find(loop->function, loop->head, definition.data)) {
        condition->reads = true;
        return;
    }
    condition->path[condition->depth++] = variable;
    for (const char *line = loop->head, *next; line < loop->close; line = next) {
        next = next_line(line + 1, loop->close);
        const char *to = text_begins(line, "  store ") ? text_find(line, next, stored.data) : NULL;
        if (to) follow(condition, label_after(line, to, " %"));
    }
    condition->depth--;
}

static void follow(Condition *condition, unsigned long value) {
    const LoopLines *loop = condition->loop;
    LOCAL_TEXT begin = text_from("\n  %%%lu = ", value);
    condition->reads |= ++condition->steps > STEPS_MOST;
    const char *line = value && !condition->reads ? text_find(loop->head, loop->close, begin.data) : NULL;
    if (!line) return; /* a constant, or from in front of the loop */
    const char *at = line + begin.length, *end = next_line(line + 1, loop->close);
    if (text_begins(at, "load ")) {
        follow_variable(condition, label_after(at, end, ", ptr %"));
    } else if (text_begins(at, "getelementptr ") || text_find(at, end, "(ptr ") || text_find(at, end, ", ptr ")) {
        condition->reads = true;
    } else {
        while ((at = text_find(at, end, " %")) != NULL) follow(condition, strtoul(at += 2, NULL, 10));
    }
}

/* "  br i1 %16, label %18, label %17": whether that compares the loop's variable with what does not come from memory. */
static bool compares_variable(const LoopLines *loop, const char *line, const char *end) {
    Condition condition = {.loop = loop};
    follow(&condition, label_after(line, end, "br i1 %"));
    return condition.has_loops_variable && !condition.reads;
}

/* Whether the loop that this line closes, "  br label %5, !llvm.loop !12", ends by more than one comparison of its variable: by a break or return in it, or a &&
 * at its head. */
static bool has_two_ends(const Loops *loops, const char *close, const char *end) {
    LOCAL_TEXT name = text_from("\n%lu:", label_after(close, end, "br label %"));
    LoopLines loop = {loops->function, text_find(loops->function, close, name.data), close, 0};
    if (!loop.head) return false;
    loop.last = strtoul(loop.head + 1, NULL, 10);
    uint32_t ends = 0, switched = 0;
    bool all_compare = true;
    for (const char *line = loop.head, *next; line < close; line = next) {
        next = next_line(line + 1, close);
        const unsigned long defined = line[0] == ' ' ? label_after(line, next, "  %") : strtoul(line, NULL, 10);
        if (defined > loop.last) loop.last = defined;
    }
    for (const char *line = loop.head, *next; line < close; line = next) {
        next = next_line(line + 1, close);
        switched += text_begins(line, "    i32 ") && leaves(&loop, label_after(line, next, "label %"));
        const char *other = text_begins(line, "  br i1 ") ? text_find(line, next, ", label %") : NULL;
        const bool ends_it = other && (leaves(&loop, label_after(line, next, "label %")) ||
                                       leaves(&loop, label_after(other + 1, next, ", label %")));
        if (!other || !(ends_it || all_compare)) continue;
        const bool compares = compares_variable(&loop, line, next);
        all_compare &= compares;
        ends += compares && ends_it;
    }
    return ends + (all_compare ? switched : 0) > 1; /* which branch leads to a switch is not looked at */
}

static LoopHints *hints_of(Loops *loops, unsigned long node) {
    if (node >= loops->count) {
        size_t count = 2 * node + 64;
        loops->hints = alloc_resize(loops->hints, count, sizeof *loops->hints);
        memset(loops->hints + loops->count, 0, (count - loops->count) * sizeof *loops->hints);
        loops->count = count;
    }
    return &loops->hints[node];
}

static Loops read_loops(const char *text, const char *end, bool joins_ends) {
    Loops loops = {.function = text};
    bool ranged = false;
    const unsigned long none = (unsigned long)(end - text);
    bool adds = false; /* in the current basic block, which a label begins */
    for (const char *line = text, *next; line < end; line = next) {
        next = next_line(line, end);
        unsigned long node = *line == '!' ? node_after(line, next, "!", none) : none;
        if (node < none && node > loops.last_node) loops.last_node = node;
        if (strncmp(line, "define ", 7) == 0) loops.function = line;
        ranged |=
            strncmp(line, "declare ", 8) == 0 && text_find(line, next, register_prefix) && text_find(line, next, " range(");
        if (*line != ' ') adds = false;
        adds |= adds_variables(line, next);
        node = *line == ' ' ? node_after(line, next, "!llvm.loop !", none) : none;
        if (node < none && adds) hints_of(&loops, node)->ends = true;
        if (node < none && joins_ends && has_two_ends(&loops, line, next)) hints_of(&loops, node)->has_two_ends = true;
        bool innermost;
        const unsigned long elements = node < none ? find_own_array(&loops, line, next, &innermost) : 0;
        if (elements) hints_of(&loops, node)->unrolls = true;
        if (elements && elements <= UNROLLED_WHOLE && innermost) hints_of(&loops, node)->most = (uint8_t)elements;
    }
    loops.ranged = ranged && !text_find(text, end, "envreg");
    return loops;
}

/* Which register a call "@llvm.nvvm.read.ptx.sreg.tid.x()" reads, whose end is then *behind; REGISTERS where the line has none, or says of it already what it
 * may be. */
static uint32_t register_read(const char *line, const char *end, const char **behind) {
    const char *at = *line == ' ' ? text_find(line, end, register_prefix) : NULL;
    uint32_t i = 0;
    if (!at || text_find(line, end, "!range ")) return REGISTERS;
    at += sizeof register_prefix - 1;
    while (i < REGISTERS && !(text_begins(at, registers[i]) && text_begins(at + strlen(registers[i]), "()"))) i++;
    if (i < REGISTERS) *behind = at + strlen(registers[i]) + 2;
    return i;
}

/* The call on this line, to `behind`, as it becomes. */
static void add_read(Loops *loops, const char *line, const char *behind, uint32_t reads, Text *out) {
    if (loops->ranged) {
        loops->deputies |= 1u << reads;
        text_add_bytes(out, line, (size_t)(behind - line) - strlen(registers[reads]) - 2);
        text_add(out, "envreg%u()", FIRST_DEPUTY + reads);
    } else {
        loops->any = loops->last_node + 1;
        text_add_bytes(out, line, (size_t)(behind - line));
        text_add(out, ", !range !%lu", loops->any);
    }
}

/* "attributes #9 = { convergent nounwind readnone }": of inline assembly that computes, which clang takes to depend on the warp's other lanes. */
static const char *convergence_of_computing(const char *line, const char *end) {
    bool computes = strncmp(line, "attributes #", 12) == 0 &&
                    (text_find(line, end, " readnone ") || text_find(line, end, " memory(none) "));
    return computes ? text_find(line, end, "convergent ") : NULL;
}

/* One line as it becomes. */
static void add_line(Loops *loops, const char *line, const char *next, Text *out) {
    const char *convergent = convergence_of_computing(line, next), *after = line;
    const uint32_t reads = register_read(line, next, &after);
    unsigned long node = *line == '!' ? node_after(line, next, "!", loops->count) : loops->count;
    if (reads < REGISTERS) {
        add_read(loops, line, after, reads, out);
    } else if (convergent) {
        text_add_bytes(out, line, (size_t)(convergent - line));
        after = convergent + strlen("convergent ");
    } else if (node < loops->count && text_find(line, next, " = distinct !{") && (after = text_find(line, next, "}"))) {
        text_add_bytes(out, line, (size_t)(after - line));
        const LoopHints *hints = &loops->hints[node];
        if (hints->ends) text_add(out, ", !{!\"llvm.loop.mustprogress\"}");
        if (hints->most)
            text_add(out, ", !{!\"llvm.loop.unroll.count\", i32 %u}", hints->most);
        else if (hints->unrolls)
            text_add(out, ", !{!\"llvm.loop.unroll.enable\"}");
        else if (hints->has_two_ends)
            text_add(out, ", !{!\"llvm.licm.disable\"}");
    }
    if (!after) after = line;
    text_add_bytes(out, after, (size_t)(next - after));
}

void unroll_prepare(const char *module, size_t length, const char *compiler, Text *out) {
    const char *end = module + length;
    Loops loops = read_loops(module, end, version_of(compiler) >= FIRST_TO_JOIN_ENDS);
    for (const char *line = module, *next; line < end; line = next) {
        next = next_line(line, end);
        add_line(&loops, line, next, out);
    }
    if (loops.any) text_add(out, "\n!%lu = !{i32 0, i32 -1}\n", loops.any);
    for (uint32_t i = 0; i < REGISTERS; i++)
        if (loops.deputies >> i & 1) text_add(out, "declare i32 %senvreg%u()\n", register_prefix, FIRST_DEPUTY + i);
    free(loops.hints);
}

/* A file's own assembly has no tab behind an opcode. */
void unroll_finish(const char *ptx, Text *out) {
    static const char move[] = "\tmov.b32 \t", read[] = "\tmov.u32 \t", deputy[] = ", %envreg";
    const char *end = ptx + strlen(ptx), *done = ptx;
    for (const char *at = ptx; (at = text_find(at, end, deputy)) != NULL;) {
        const char *line = at;
        while (line > ptx && line[-1] != '\n') line--;
        const unsigned long reads = strtoul(at + sizeof deputy - 1, NULL, 10) - FIRST_DEPUTY;
        const char *opcode_end = line + sizeof move - 1;
        at += sizeof deputy - 1;
        if (reads >= REGISTERS || !text_begins(line, move)) continue;
        text_add_bytes(out, done, (size_t)(line - done));
        text_add(out, "%s%.*s, %%%s", read, (int)(at - (sizeof deputy - 1) - opcode_end), opcode_end, registers[reads]);
        done = at += strspn(at, "0123456789");
    }
    text_add(out, "%s", done);
}
