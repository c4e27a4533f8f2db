#include "runtime/tell.h"

#include <stdlib.h>
#include <string.h>

#include "report/object.h"
#include "report/problem.h"
#include "runtime/groups.h"

/* What was told: kinds and the two places. */
typedef struct ToldPair {
    FaultKind kind;
    const void *site, *other;
} ToldPair;

struct ToldList {
    ToldPair *items;
    size_t count;
};

static bool is_new(Context *context, const Told *told) {
    if (!context->told) context->told = alloc_zeroed(1, sizeof *context->told);
    struct ToldList *list = context->told;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == told->kind && list->items[i].site == told->site && list->items[i].other == told->other_site)
            return false;
    ALLOC_ADD(list->items, list->count) = (ToldPair){told->kind, told->site, told->other_site};
    return true;
}

static void add_what(const char *what, const HostSpot *spot, Text *out) {
    text_add(out, "%s", what);
    if (spot->line) text_add(out, " (");
    callsite_add(spot, out);
    if (spot->line) text_add(out, ")");
}

static void set_spot(json_t *object, const HostSpot *spot) {
    if (!spot->line) return;
    object_text(object, "file", spot->file);
    object_number(object, "line", spot->line);
}

/* As the faults of a launch stand in its object. */
static void write_json(Context *context, const Told *told, const char *message, const HostSpot *spot, const HostSpot *other) {
    if (!context->json) return;
    json_t *fault = json_object(), *faults = json_array(), *object = json_object(), *place = json_object();
    object_text(fault, "kind", fault_kinds[told->kind].name);
    object_text(fault, "message", message);
    object_text(fault, "hint", told->hint);
    set_spot(fault, spot);
    set_spot(place, other);
    object_set(fault, "other", place);
    json_array_append_new(faults, fault);
    object_set(object, "faults", faults);
    groups_write(context, object);
}

void told_say(Context *context, const Told *told) {
    if (!is_new(context, told)) return;
    context->found = true;
    const HostSpot spot = callsite_spot(told->site, told->exact), other = callsite_spot(told->other_site, false);
    LOCAL_TEXT message = {0};
    add_what(told->what, &spot, &message);
    text_add(&message, " %s %s, which ", told->does, told->bytes);
    add_what(told->other, &other, &message);
    text_add(&message, " %s%s", told->other_does, told->why);
    write_json(context, told, text_string(&message), &spot, &other);
    if (context->options.problems) {
        LOCAL_TEXT lines = {0};
        problem_add((Spot){.file = spot.file, .line = spot.line}, "error", text_string(&message), &lines);
        problem_add((Spot){.file = other.file, .line = other.line}, "note", told->hint, &lines);
        fflush(stdout);
        fputs(text_string(&lines), stderr);
        return;
    }
    note_unplaced("%s: %s", told->kind == FAULT_host_race ? "host race" : "stream race", text_string(&message));
    note_hint(told->hint);
}
