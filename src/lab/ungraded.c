#include "lab/ungraded.h"

#include "report/object.h"

void result_text(json_t *object, const char *key, const char *value) {
    if (value && *value) object_text(object, key, value);
}

json_t *result_head(const Goals *goals, const char *file) {
    json_t *object = json_object();
    result_text(object, "lab", goals->number);
    result_text(object, "slug", goals->slug);
    result_text(object, "title", goals->title);
    result_text(object, "file", file);
    return object;
}

void result_write(json_t *object, Text *out) {
    object_write(object, JSON_INDENT(2) | JSON_REAL_PRECISION(10), out);
    text_add(out, "\n");
    json_decref(object);
}

void result_unable(const Goals *goals, const char *file, bool json, const char *why, Text *out) {
    if (!json) {
        text_add(out, "Lab %s %s was not graded, and that is not the file's fault:\n  %s\n", goals->number, goals->title, why);
        return;
    }
    json_t *object = result_head(goals, file), *error = json_object();
    result_text(error, "message", why);
    object_set(object, "error", error);
    result_write(object, out);
}

void result_refusal(const Goals *goals, json_t *head, const char *why, Text *out) {
    if (!head) {
        text_add(out, "%s\nLab %s %s: not graded. Fix this first.\n", why, goals->number, goals->title);
        return;
    }
    object_set(head, "score", object_real(0));
    object_set(head, "points", object_real(goals->points));
    object_set(head, "full", json_false());
    result_text(head, "refused", why);
    result_write(head, out);
}
