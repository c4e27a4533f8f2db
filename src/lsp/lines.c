#include "lsp/lines.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "report/metrics.h"
#include "report/object.h"
#include "report/plain.h"

/* One kind of access in one line of one report. */
typedef struct LineAccess {
    size_t line; /* from 1 */
    const char *space, *op, *title;
    const json_t *counts;
    double excess; /* sectors or wavefronts a request beyond the fewest */
    size_t order;  /* as they came */
} LineAccess;

static uint64_t count_of(const LineAccess *access, const char *key) {
    return (uint64_t)json_integer_value(json_object_get(access->counts, key));
}

static bool is_shared(const LineAccess *access) { return strcmp(access->space, "shared") == 0; }

static void set_excess(LineAccess *access) {
    uint64_t requests = count_of(access, "requests");
    uint64_t beyond = is_shared(access) ? count_of(access, "bank_conflicts") : count_of(access, "sectors");
    uint64_t ideal = count_of(access, "ideal_sectors");
    beyond = beyond > ideal ? beyond - ideal : 0;
    access->excess = requests ? (double)beyond / (double)requests : 0;
}

static int order_texts(const char *a, const char *b) { return a == b ? 0 : strcmp(a, b); }

/* By line and kind, the worst first. */
static int order_accesses(const void *a, const void *b) {
    const LineAccess *x = a, *y = b;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    int spaces = order_texts(x->space, y->space), ops = order_texts(x->op, y->op);
    if (spaces || ops) return spaces ? spaces : ops;
    if (x->excess != y->excess) return x->excess > y->excess ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static bool is_same_kind(const LineAccess *a, const LineAccess *b) {
    return a->line == b->line && strcmp(a->space, b->space) == 0 && strcmp(a->op, b->op) == 0;
}

static LineAccess *collect(const json_t *reports, const char *path, size_t *count) {
    size_t i, k;
    json_t *report, *counts;
    LineAccess *all = NULL;
    *count = 0;
    json_array_foreach(reports, i, report) {
        json_array_foreach(json_object_get(json_object_get(report, "report"), "lines"), k, counts) {
            size_t line = (size_t)json_integer_value(json_object_get(counts, "line"));
            if (!line || strcmp(text_last_name(object_string(counts, "file")), text_last_name(path)) != 0) continue;
            LineAccess *access = &ALLOC_ADD(all, *count);
            *access = (LineAccess){.line = line,
                                   .space = object_string(counts, "space"),
                                   .op = object_string(counts, "op"),
                                   .title = object_string(report, "title"),
                                   .counts = counts,
                                   .order = *count - 1};
            set_excess(access);
        }
    }
    if (all) qsort(all, *count, sizeof *all, order_accesses);
    return all;
}

/* "32", "4.5". */
static void add_ratio(Text *out, uint64_t sum, uint64_t requests) {
    text_add(out, "%.3g", requests ? (double)sum / (double)requests : 0);
}

static void add_counted(Text *out, uint64_t sum, uint64_t requests, const char *noun) {
    add_ratio(out, sum, requests);
    text_add(out, sum == requests ? " %s" : " %ss", noun);
}

/* "32 sectors a request, 4 would do; 87% hit L1", "4 wavefronts a request, 3 conflicts". Only what is joined makes no request. */
static void add_label(const LineAccess *access, Text *out) {
    uint64_t requests = count_of(access, "requests"), sectors = count_of(access, "sectors");
    if (!requests) {
        text_add(out, "joined to another line's");
        return;
    }
    if (is_shared(access)) {
        add_counted(out, count_of(access, "wavefronts"), requests, "wavefront");
        text_add(out, " a request, ");
        if (access->excess > 0)
            add_counted(out, count_of(access, "bank_conflicts"), requests, "conflict");
        else
            text_add(out, "no conflict");
        return;
    }
    add_counted(out, sectors, requests, "sector");
    text_add(out, " a request, ");
    if (access->excess > 0) {
        add_ratio(out, count_of(access, "ideal_sectors"), requests);
        text_add(out, " would do");
    } else {
        text_add(out, "the fewest");
    }
    if (strcmp(access->op, "load") == 0 && sectors)
        text_add(out, "; %.0f%% hit L1", 100.0 * (double)count_of(access, "l1_hit_sectors") / (double)sectors);
}

static void add_hover(const LineAccess *access, Text *out) {
    const char *verdict = object_string(access->counts, "verdict"), *map = object_string(access->counts, "map"), *noun;
    const char *separator = "", *key;
    text_add(out, "**%s %s**, %s\n\n", access->space, access->op, access->title);
    for (size_t at = 0; (key = metrics_noun(is_shared(access), strcmp(access->op, "load") == 0, &at, &noun));
         separator = ", ") {
        const uint64_t count = count_of(access, key);
        const bool is_share = strcmp(key, "l1_hit_sectors") == 0;
        text_add(out, "%s%s %s", separator,
                 is_share ? plain_percent(count, count_of(access, "sectors")).text : plain_number(count).text, noun);
    }
    text_add(out, "\n\n");
    if (*verdict) text_add(out, "%s.\n\n", verdict);
    if (*map) text_add(out, "```text\n%s```\n\n", map);
}

static void add_map(const LineAccess *access, json_t *maps) {
    const char *svg = object_string(access->counts, "svg");
    if (!*svg) return;
    json_t *map = json_object();
    LOCAL_TEXT title = text_from("%s %s", access->space, access->op);
    object_text(map, "title", text_string(&title));
    object_text(map, "svg", svg);
    json_array_append_new(maps, map);
}

/* One line's accesses, from first to before last. */
static json_t *line_object(const LineAccess *first, const LineAccess *last) {
    json_t *object = json_object(), *maps = json_array();
    LOCAL_TEXT label = {0}, hover = {0};
    const bool several = !is_same_kind(first, last - 1);
    for (const LineAccess *access = first; access < last; access++) {
        if (access > first && is_same_kind(access, access - 1)) continue;
        if (label.length) text_add(&label, " | ");
        if (several && strcmp(access->space, "global") != 0) text_add(&label, "%s ", access->space);
        if (several) text_add(&label, "%s: ", access->op);
        add_label(access, &label);
        add_hover(access, &hover);
        add_map(access, maps);
    }
    object_number(object, "line", first->line - 1);
    object_text(object, "label", text_string(&label));
    object_text(object, "hover", text_string(&hover));
    object_set(object, "maps", maps);
    return object;
}

void lines_add(const json_t *reports, const char *path, json_t *lines) {
    size_t count;
    FREED LineAccess *all = collect(reports, path, &count);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i; next < count && all[next].line == all[i].line;) next++;
        json_array_append_new(lines, line_object(&all[i], &all[next]));
    }
}
